#include "CNetwork.h"
#include <dlfcn.h>
#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>

// One line for each function of the library that is used.
#define CN_FUNCTIONS(X) \
  X(MHD_start_daemon) X(MHD_stop_daemon) X(MHD_run) X(MHD_get_timeout) X(MHD_add_connection) X(MHD_get_daemon_info) \
  X(MHD_get_connection_info) X(MHD_get_connection_values_n) X(MHD_lookup_connection_value) \
  X(MHD_create_response_from_buffer) X(MHD_add_response_header) X(MHD_queue_response) X(MHD_destroy_response)

static struct {
#define CN_MEMBER(name) __typeof__(&name) name;
  CN_FUNCTIONS(CN_MEMBER)
} library;

struct cn_http {
  struct cn_http_calls calls;
  struct MHD_Daemon *daemon;
  void *adopting;
};

const char *cn_http_load(void) {
  if (library.MHD_start_daemon) return NULL;
#ifdef __APPLE__
  const char *name = "libmicrohttpd.12.dylib";
#else
  const char *name = "libmicrohttpd.so.12";
#endif
  void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!handle) return "libmicrohttpd 0.9.7x is missing; run: apt-get install libmicrohttpd12";
#define CN_LOAD(name) \
  library.name = (__typeof__(&name))dlsym(handle, #name); \
  if (!library.name) return "libmicrohttpd lacks " #name;
  CN_FUNCTIONS(CN_LOAD)
  return NULL;
}

static enum MHD_Result answer(void *context, struct MHD_Connection *connection, const char *path,
                              const char *method, const char *version, const char *bytes, size_t *count,
                              void **state) {
  struct cn_http *http = context;
  enum cn_http_part part = *state == NULL ? CN_HTTP_HEAD : *count > 0 ? CN_HTTP_BODY : CN_HTTP_END;
  int goes_on = http->calls.part(http->calls.context, connection, part, method, path, version ? version : "",
                                 bytes, part == CN_HTTP_BODY ? *count : 0, state);
  *count = 0;
  return goes_on ? MHD_YES : MHD_NO;
}

static void *began(void *context, const char *uri, struct MHD_Connection *connection) {
  (void)uri;
  struct cn_http *http = context;
  http->calls.began(http->calls.context, connection);
  return NULL;
}

static void ended(void *context, struct MHD_Connection *connection, void **state,
                  enum MHD_RequestTerminationCode code) {
  struct cn_http *http = context;
  http->calls.ended(http->calls.context, connection, *state, code == MHD_REQUEST_TERMINATED_COMPLETED_OK);
  *state = NULL;
}

static void notified(void *context, struct MHD_Connection *connection, void **state,
                     enum MHD_ConnectionNotificationCode code) {
  (void)connection;
  struct cn_http *http = context;
  if (code == MHD_CONNECTION_NOTIFY_STARTED) *state = http->adopting;
  else http->calls.closed(http->calls.context, *state);
}

struct cn_http *cn_http_start(struct cn_http_calls calls, size_t head_limit, const char **problem) {
  *problem = cn_http_load();
  if (*problem) return NULL;
  struct cn_http *http = calloc(1, sizeof *http);
  if (!http) return NULL;
  http->calls = calls;
  unsigned flags = MHD_USE_NO_LISTEN_SOCKET;
#ifdef __linux__
  flags |= MHD_USE_EPOLL;
#endif
  http->daemon = library.MHD_start_daemon(
      flags, 0, NULL, NULL, answer, http, MHD_OPTION_CONNECTION_MEMORY_LIMIT, head_limit,
      MHD_OPTION_CONNECTION_TIMEOUT, 0u, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1,
      MHD_OPTION_URI_LOG_CALLBACK, began, http, MHD_OPTION_NOTIFY_COMPLETED, ended, http,
      MHD_OPTION_NOTIFY_CONNECTION, notified, http, MHD_OPTION_END);
  if (http->daemon) return http;
  *problem = "libmicrohttpd does not start";
  free(http);
  return NULL;
}

void cn_http_stop(struct cn_http *http) {
  library.MHD_stop_daemon(http->daemon);
  free(http);
}

int cn_http_descriptor(struct cn_http *http) {
#ifdef __linux__
  const union MHD_DaemonInfo *info = library.MHD_get_daemon_info(http->daemon, MHD_DAEMON_INFO_EPOLL_FD);
  return info ? info->epoll_fd : -1;
#else
  (void)http;
  return -1;
#endif
}

int cn_http_run(struct cn_http *http) {
  enum { rounds = 256 };
  for (int round = 0; round < rounds; round++) {
    MHD_UNSIGNED_LONG_LONG timeout = 0;
    library.MHD_run(http->daemon);
    // What was read ahead waits in the library, and makes no descriptor readable.
    if (library.MHD_get_timeout(http->daemon, &timeout) != MHD_YES || timeout > 0) return 0;
  }
  return 1;
}

int cn_http_add(struct cn_http *http, int socket, void *connection_state) {
  // Only the family is looked at, for a limit by address that is not used.
  struct sockaddr address = {.sa_family = AF_UNSPEC};
  http->adopting = connection_state;
  int added = library.MHD_add_connection(http->daemon, socket, &address, sizeof address) == MHD_YES;
  http->adopting = NULL;
  return added;
}

void *cn_http_connection_state(struct cn_http *http, struct MHD_Connection *connection) {
  (void)http;
  const union MHD_ConnectionInfo *info =
      library.MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info ? info->socket_context : NULL;
}

const char *cn_http_header(struct cn_http *http, struct MHD_Connection *connection, const char *name) {
  (void)http;
  return library.MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

struct count {
  const char *name;
  int number;
};

static enum MHD_Result count_name(void *context, enum MHD_ValueKind kind, const char *key, size_t key_size,
                                  const char *value, size_t value_size) {
  (void)kind, (void)key_size, (void)value, (void)value_size;
  struct count *count = context;
  if (key && strcasecmp(key, count->name) == 0) count->number++;
  return MHD_YES;
}

int cn_http_header_count(struct cn_http *http, struct MHD_Connection *connection, const char *name) {
  (void)http;
  struct count count = {name, 0};
  library.MHD_get_connection_values_n(connection, MHD_HEADER_KIND, count_name, &count);
  return count.number;
}

static enum MHD_Result find_nul(void *context, enum MHD_ValueKind kind, const char *key, size_t key_size,
                                const char *value, size_t value_size) {
  (void)kind;
  int *found = context;
  if ((key && memchr(key, 0, key_size)) || (value && memchr(value, 0, value_size))) *found = 1;
  return MHD_YES;
}

int cn_http_has_nul(struct cn_http *http, struct MHD_Connection *connection) {
  (void)http;
  int found = 0;
  library.MHD_get_connection_values_n(connection, MHD_HEADER_KIND, find_nul, &found);
  return found;
}

int cn_http_respond(struct cn_http *http, struct MHD_Connection *connection, unsigned status,
                    const char *const *headers, const void *body, size_t count) {
  (void)http;
  struct MHD_Response *response =
      library.MHD_create_response_from_buffer(count, (void *)body, MHD_RESPMEM_MUST_COPY);
  if (!response) return 0;
  for (; headers[0] && headers[1]; headers += 2)
    library.MHD_add_response_header(response, headers[0], headers[1]);
  int queued = library.MHD_queue_response(connection, status, response) == MHD_YES;
  library.MHD_destroy_response(response);
  return queued;
}
