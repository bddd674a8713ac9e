#ifndef PERFTOP_CNETWORK_H
#define PERFTOP_CNETWORK_H
// Sockets, and the HTTP libraries behind them, in the form that Swift can import.
#include "CNetworkHTTP.h"
#include "CNetworkHTTP2.h"
#include "CNetworkSockets.h"
#endif
