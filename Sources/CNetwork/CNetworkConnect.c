#define _GNU_SOURCE
#include "CNetwork.h"
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

struct cn_addresses {
  struct addrinfo *first;
};

struct cn_addresses *cn_resolve(const char *host, uint16_t port) {
  char service[8];
  snprintf(service, sizeof service, "%u", (unsigned)port);
  struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV};
  struct addrinfo *found = NULL;
  if (getaddrinfo(host, service, &hints, &found) != 0 || !found) return NULL;
  struct cn_addresses *addresses = malloc(sizeof *addresses);
  if (!addresses) {
    freeaddrinfo(found);
    return NULL;
  }
  addresses->first = found;
  return addresses;
}

int cn_address_count(const struct cn_addresses *addresses) {
  int count = 0;
  for (struct addrinfo *address = addresses->first; address; address = address->ai_next) count++;
  return count;
}

void cn_free_addresses(struct cn_addresses *addresses) {
  freeaddrinfo(addresses->first);
  free(addresses);
}

static int begin(int descriptor, const struct sockaddr *address, socklen_t size) {
  int flags = fcntl(descriptor, F_GETFL);
#ifdef SO_NOSIGPIPE
  int on = 1;
  setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
  if (flags >= 0 && fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0 &&
      fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 &&
      (connect(descriptor, address, size) == 0 || errno == EINPROGRESS || errno == EINTR))
    return descriptor;
  int error = errno;
  close(descriptor);
  return -error;
}

// A peer that vanished without a word is noticed after a minute.
static void keep_alive(int descriptor) {
  int on = 1, idle = 30, interval = 10, count = 3;
  setsockopt(descriptor, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
  setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
#ifdef TCP_KEEPIDLE
  setsockopt(descriptor, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
#elif defined(TCP_KEEPALIVE)
  setsockopt(descriptor, IPPROTO_TCP, TCP_KEEPALIVE, &idle, sizeof idle);
#endif
  setsockopt(descriptor, IPPROTO_TCP, TCP_KEEPINTVL, &interval, sizeof interval);
  setsockopt(descriptor, IPPROTO_TCP, TCP_KEEPCNT, &count, sizeof count);
}

int cn_connect_tcp(const struct cn_addresses *addresses, int index) {
  const struct addrinfo *address = addresses->first;
  for (; address && index > 0; index--) address = address->ai_next;
  if (!address) return -EADDRNOTAVAIL;
  int descriptor = socket(address->ai_family, SOCK_STREAM, 0);
  if (descriptor < 0) return -errno;
  keep_alive(descriptor);
  return begin(descriptor, address->ai_addr, address->ai_addrlen);
}

int cn_connect_unix(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) return -ENAMETOOLONG;
  strcpy(address.sun_path, path);
  int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
  if (descriptor < 0) return -errno;
  return begin(descriptor, (struct sockaddr *)&address, sizeof address);
}

int cn_connect_outcome(int descriptor) {
  int error = 0;
  socklen_t size = sizeof error;
  if (getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size) != 0) return errno;
  if (error) return error;
  struct sockaddr_storage own = {0}, other = {0};
  socklen_t own_size = sizeof own, other_size = sizeof other;
  if (getsockname(descriptor, (struct sockaddr *)&own, &own_size) != 0) return errno;
  if (getpeername(descriptor, (struct sockaddr *)&other, &other_size) != 0) return errno;
  int is_tcp = own.ss_family == AF_INET || own.ss_family == AF_INET6;
  return is_tcp && own_size == other_size && memcmp(&own, &other, own_size) == 0 ? ECONNREFUSED : 0;
}
