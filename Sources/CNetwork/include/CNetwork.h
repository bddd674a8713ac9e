#ifndef PERFTOP_CNETWORK_H
#define PERFTOP_CNETWORK_H
// Sockets, and the HTTP library behind them, in the form that Swift can import.
#include "CNetworkHTTP.h"
#include "CNetworkSockets.h"
#endif
