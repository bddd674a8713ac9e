#ifndef PERFTOP_CNETWORK_H
#define PERFTOP_CNETWORK_H
// Sockets, and the libraries of their protocols, in the form that Swift can import.
#include "CNetworkConnect.h"
#include "CNetworkHTTP.h"
#include "CNetworkHTTP2.h"
#include "CNetworkSockets.h"
#include "CNetworkWebSocket.h"
#endif
