#ifndef PERFTOP_CNETWORK_SOCKETS_H
#define PERFTOP_CNETWORK_SOCKETS_H
#include <stddef.h>
#include <stdint.h>

// What cn_listen_tcp returns when the host has no address.
#define CN_UNKNOWN_HOST (-100000)

// Every descriptor is close-on-exec and never blocks. Each returns it, or the negated error number.
int cn_listen_tcp(const char *_Nonnull host, uint16_t port);
// The socket's file is for its owner alone. EADDRINUSE when there is a file, whoever listens.
int cn_listen_unix(const char *_Nonnull path);
// True when somebody answers at the socket of a path.
int cn_is_answered(const char *_Nonnull path);
// The port of a socket; 0 for one without.
uint16_t cn_local_port(int descriptor);
int cn_accept(int descriptor);

// Bytes that can be read, left where they are. Returns the count, 0 at the end, or the negated error number.
int64_t cn_peek(int descriptor, void *_Nonnull buffer, size_t count);
// Reads; returns the count, 0 at the end, or the negated error number.
int64_t cn_receive(int descriptor, void *_Nonnull buffer, size_t count);
// Sends what the socket takes at once.
int64_t cn_send(int descriptor, const void *_Nonnull bytes, size_t count);
// Nothing more is sent; what the other side still sends can be read.
void cn_shut_down_sending(int descriptor);
// Both directions end; whoever reads sees the end.
void cn_shut_down(int descriptor);

// Watches any number of descriptors behind one, which is readable when one of them has something new.
int cn_poller_open(void);
// `repeats` tells of the same bytes until they are read; else only of new ones. Returns 0 or the error number.
int cn_poller_watch(int poller, int descriptor, uint64_t key, int repeats);
// Tells of room to send as well, for a descriptor that is watched with `repeats`, or no longer.
void cn_poller_await_room(int poller, int descriptor, uint64_t key, int awaits);
void cn_poller_forget(int poller, int descriptor);
// The keys of descriptors with something new, without waiting. Returns how many.
int cn_poller_take(int poller, uint64_t *_Nonnull keys, int count);
#endif
