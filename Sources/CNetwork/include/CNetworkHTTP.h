#ifndef PERFTOP_CNETWORK_HTTP_H
#define PERFTOP_CNETWORK_HTTP_H
// libmicrohttpd, loaded when it is needed: with what it needs itself it would double the time of every start.
#include <stddef.h>
#include <stdint.h>

struct cn_http;
struct MHD_Connection;

enum cn_http_part { CN_HTTP_HEAD, CN_HTTP_BODY, CN_HTTP_END };

struct cn_http_calls {
  void *_Nonnull context;
  // A part of a request. `state` is the request's own and not null from the head on. False drops the connection.
  int (*_Nonnull part)(void *_Nonnull context, struct MHD_Connection *_Nonnull connection,
                       enum cn_http_part part, const char *_Nonnull method, const char *_Nonnull path,
                       const char *_Nonnull version, const void *_Nullable bytes, size_t count,
                       void *_Nullable *_Nonnull state);
  // A request line has been read.
  void (*_Nonnull began)(void *_Nonnull context, struct MHD_Connection *_Nonnull connection);
  // A request is over; `isAnswered` when its response was sent.
  void (*_Nonnull ended)(void *_Nonnull context, struct MHD_Connection *_Nonnull connection,
                         void *_Nullable state, int isAnswered);
  // The connection is about to be closed.
  void (*_Nonnull closed)(void *_Nonnull context, void *_Nullable connectionState);
};

// Null when the library is there, else why it is not; the text stays valid.
const char *_Nullable cn_http_load(void);
// Null when the library cannot be loaded; `problem` then says why, and stays valid.
struct cn_http *_Nullable cn_http_start(struct cn_http_calls calls, size_t head_limit,
                                        const char *_Nullable *_Nonnull problem);
void cn_http_stop(struct cn_http *_Nonnull http);
// Readable when there is something to do; -1 where the library has no such descriptor.
int cn_http_descriptor(struct cn_http *_Nonnull http);
// Does what can be done without waiting; true when it has to be called again although nothing more comes.
int cn_http_run(struct cn_http *_Nonnull http);
// Takes a socket over, which is closed by the library from here on. False when it was closed at once.
int cn_http_add(struct cn_http *_Nonnull http, int socket, void *_Nonnull connection_state);

void *_Nullable cn_http_connection_state(struct cn_http *_Nonnull http, struct MHD_Connection *_Nonnull connection);
// The first header of a name; null without one.
const char *_Nullable cn_http_header(struct cn_http *_Nonnull http, struct MHD_Connection *_Nonnull connection,
                                     const char *_Nonnull name);
// How many headers have a name.
int cn_http_header_count(struct cn_http *_Nonnull http, struct MHD_Connection *_Nonnull connection,
                         const char *_Nonnull name);
// Whether a header's value holds a NUL.
int cn_http_has_nul(struct cn_http *_Nonnull http, struct MHD_Connection *_Nonnull connection);
// Queues the answer; `headers` are names and values in turn, ended by null. False when it cannot be.
int cn_http_respond(struct cn_http *_Nonnull http, struct MHD_Connection *_Nonnull connection, unsigned status,
                    const char *_Nullable const *_Nonnull headers, const void *_Nullable body, size_t count);
#endif
