#define _GNU_SOURCE
#include "CNetwork.h"
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/epoll.h>
#else
#include <sys/event.h>
#endif

enum { backlog = 512 };

static int prepared(int descriptor) {
  int flags = fcntl(descriptor, F_GETFL);
  if (flags < 0 || fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) < 0 ||
      fcntl(descriptor, F_SETFD, FD_CLOEXEC) < 0) {
    int error = errno;
    close(descriptor);
    return -error;
  }
  return descriptor;
}

static int failed(int descriptor) {
  int error = errno;
  if (descriptor >= 0) close(descriptor);
  return -error;
}

int cn_listen_tcp(const char *host, uint16_t port) {
  char service[8];
  snprintf(service, sizeof service, "%u", (unsigned)port);
  struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE | AI_NUMERICSERV};
  struct addrinfo *found = NULL;
  if (getaddrinfo(host, service, &hints, &found) != 0) return CN_UNKNOWN_HOST;
  int result = CN_UNKNOWN_HOST;
  for (struct addrinfo *address = found; address; address = address->ai_next) {
    int on = 1;
    int descriptor = socket(address->ai_family, SOCK_STREAM, 0);
    if (descriptor < 0) {
      result = -errno;
      continue;
    }
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (address->ai_family == AF_INET6) setsockopt(descriptor, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
    if (bind(descriptor, address->ai_addr, address->ai_addrlen) != 0 || listen(descriptor, backlog) != 0) {
      result = failed(descriptor);
      continue;
    }
    result = prepared(descriptor);
    break;
  }
  freeaddrinfo(found);
  return result;
}

static int unix_address(const char *path, struct sockaddr_un *address) {
  memset(address, 0, sizeof *address);
  address->sun_family = AF_UNIX;
  if (strlen(path) >= sizeof address->sun_path) return ENAMETOOLONG;
  strcpy(address->sun_path, path);
  return 0;
}

int cn_listen_unix(const char *path) {
  struct sockaddr_un address;
  int error = unix_address(path, &address);
  if (error) return -error;
  int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
  if (descriptor < 0) return -errno;
  // Between bind and chmod nobody else may connect.
  mode_t before = umask(0177);
  int bound = bind(descriptor, (struct sockaddr *)&address, sizeof address);
  int bind_error = errno;
  umask(before);
  if (bound != 0) {
    close(descriptor);
    return -bind_error;
  }
  if (chmod(path, 0600) != 0 || listen(descriptor, backlog) != 0) {
    unlink(path);
    return failed(descriptor);
  }
  return prepared(descriptor);
}

int cn_is_answered(const char *path) {
  struct sockaddr_un address;
  if (unix_address(path, &address) != 0) return 0;
  int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
  if (descriptor < 0) return 1;
  descriptor = prepared(descriptor);
  if (descriptor < 0) return 1;
  int answered = connect(descriptor, (struct sockaddr *)&address, sizeof address) == 0 || errno == EAGAIN;
  close(descriptor);
  return answered;
}

uint16_t cn_local_port(int descriptor) {
  struct sockaddr_storage address;
  socklen_t size = sizeof address;
  if (getsockname(descriptor, (struct sockaddr *)&address, &size) != 0) return 0;
  if (address.ss_family == AF_INET) return ntohs(((struct sockaddr_in *)&address)->sin_port);
  if (address.ss_family == AF_INET6) return ntohs(((struct sockaddr_in6 *)&address)->sin6_port);
  return 0;
}

int cn_accept(int descriptor) {
  int accepted = accept(descriptor, NULL, NULL);
  if (accepted < 0) return -errno;
  int on = 1;
  // Not of every kind of socket.
  setsockopt(accepted, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
#ifdef SO_NOSIGPIPE
  setsockopt(accepted, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
  return prepared(accepted);
}

int64_t cn_peek(int descriptor, void *buffer, size_t count) {
  ssize_t got = recv(descriptor, buffer, count, MSG_PEEK);
  return got < 0 ? -errno : got;
}

int64_t cn_receive(int descriptor, void *buffer, size_t count) {
  ssize_t got = recv(descriptor, buffer, count, 0);
  return got < 0 ? -errno : got;
}

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

int64_t cn_send(int descriptor, const void *bytes, size_t count) {
  ssize_t sent = send(descriptor, bytes, count, MSG_NOSIGNAL);
  return sent < 0 ? -errno : sent;
}

void cn_shut_down_sending(int descriptor) { shutdown(descriptor, SHUT_WR); }

void cn_shut_down(int descriptor) { shutdown(descriptor, SHUT_RDWR); }

#ifdef __linux__

int cn_poller_open(void) {
  int poller = epoll_create1(EPOLL_CLOEXEC);
  return poller < 0 ? -errno : poller;
}

int cn_poller_watch(int poller, int descriptor, uint64_t key, int repeats) {
  struct epoll_event event = {.events = EPOLLIN | EPOLLRDHUP | (repeats ? 0 : EPOLLET), .data.u64 = key};
  return epoll_ctl(poller, EPOLL_CTL_ADD, descriptor, &event) == 0 ? 0 : errno;
}

void cn_poller_await_room(int poller, int descriptor, uint64_t key, int awaits) {
  struct epoll_event event = {.events = EPOLLIN | EPOLLRDHUP | (awaits ? EPOLLOUT : 0), .data.u64 = key};
  epoll_ctl(poller, EPOLL_CTL_MOD, descriptor, &event);
}

void cn_poller_forget(int poller, int descriptor) {
  struct epoll_event event = {0};
  epoll_ctl(poller, EPOLL_CTL_DEL, descriptor, &event);
}

int cn_poller_take(int poller, uint64_t *keys, int count) {
  struct epoll_event events[64];
  int found = epoll_wait(poller, events, count < 64 ? count : 64, 0);
  for (int index = 0; index < found; index++) keys[index] = events[index].data.u64;
  return found < 0 ? 0 : found;
}

#else

int cn_poller_open(void) {
  int poller = kqueue();
  return poller < 0 ? -errno : prepared(poller);
}

int cn_poller_watch(int poller, int descriptor, uint64_t key, int repeats) {
  struct kevent event;
  EV_SET(&event, descriptor, EVFILT_READ, EV_ADD | (repeats ? 0 : EV_CLEAR), 0, 0, (void *)(uintptr_t)key);
  return kevent(poller, &event, 1, NULL, 0, NULL) < 0 ? errno : 0;
}

void cn_poller_await_room(int poller, int descriptor, uint64_t key, int awaits) {
  struct kevent event;
  EV_SET(&event, descriptor, EVFILT_WRITE, awaits ? EV_ADD : EV_DELETE, 0, 0, (void *)(uintptr_t)key);
  kevent(poller, &event, 1, NULL, 0, NULL);
}

void cn_poller_forget(int poller, int descriptor) {
  struct kevent event;
  EV_SET(&event, descriptor, EVFILT_READ, EV_DELETE, 0, 0, NULL);
  kevent(poller, &event, 1, NULL, 0, NULL);
}

int cn_poller_take(int poller, uint64_t *keys, int count) {
  struct kevent events[64];
  struct timespec now = {0, 0};
  int found = kevent(poller, NULL, 0, events, count < 64 ? count : 64, &now);
  for (int index = 0; index < found; index++) keys[index] = (uint64_t)(uintptr_t)events[index].udata;
  return found < 0 ? 0 : found;
}

#endif
