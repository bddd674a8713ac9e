#ifndef PERFTOP_CNETWORK_CONNECT_H
#define PERFTOP_CNETWORK_CONNECT_H
// Connections to somebody else's sockets. Every descriptor is close-on-exec and never blocks.
#include <stdint.h>

struct cn_addresses;

// The addresses of a host; null when there are none. Takes as long as the system's resolver does.
struct cn_addresses *_Nullable cn_resolve(const char *_Nonnull host, uint16_t port);
int cn_address_count(const struct cn_addresses *_Nonnull addresses);
void cn_free_addresses(struct cn_addresses *_Nonnull addresses);

// Begin to connect; the socket is writable once that has gone well or not. Both return the descriptor or the
// negated error number.
int cn_connect_tcp(const struct cn_addresses *_Nonnull addresses, int index);
int cn_connect_unix(const char *_Nonnull path);
// What came of it: 0 or the error number. ECONNREFUSED also where a socket met itself, as one can that asks for a
// free port of its own machine again and again.
int cn_connect_outcome(int descriptor);
#endif
