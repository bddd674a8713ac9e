#ifndef PERFTOP_CNETWORK_HTTP2_H
#define PERFTOP_CNETWORK_HTTP2_H
// libnghttp2, loaded when it is needed: the frames of a connection, without its socket.
#include <stddef.h>
#include <stdint.h>

struct cn_h2;

enum cn_h2_frame { CN_H2_CONTROL, CN_H2_CONTENT, CN_H2_RESET };
enum cn_h2_error { CN_H2_NO_ERROR = 0, CN_H2_CANCEL = 8, CN_H2_CALM = 11 };

struct cn_h2_calls {
  void *_Nonnull context;
  // A frame's head has come, and a whole frame; of header blocks, the whole block.
  void (*_Nonnull frame_began)(void *_Nonnull context, int is_head);
  void (*_Nonnull frame_ended)(void *_Nonnull context, enum cn_h2_frame kind);
  // A request's header block begins; each of its headers, false ends the stream; all of it has come.
  void (*_Nonnull began)(void *_Nonnull context, int32_t stream);
  int (*_Nonnull header)(void *_Nonnull context, int32_t stream, const char *_Nonnull name, size_t name_count,
                         const char *_Nonnull value, size_t value_count);
  void (*_Nonnull head)(void *_Nonnull context, int32_t stream);
  void (*_Nonnull data)(void *_Nonnull context, int32_t stream, const void *_Nonnull bytes, size_t count);
  // The sender has sent everything.
  void (*_Nonnull ended)(void *_Nonnull context, int32_t stream);
  // The stream is no more.
  void (*_Nonnull closed)(void *_Nonnull context, int32_t stream);
};

// Null when the library is there, else why it is not; the text stays valid.
const char *_Nullable cn_h2_load(void);
// A server's side of a connection; null without memory.
struct cn_h2 *_Nullable cn_h2_open(struct cn_h2_calls calls, uint32_t streams, uint32_t head_limit);
void cn_h2_close(struct cn_h2 *_Nonnull h2);
// Takes what has come; false when the connection cannot go on.
int cn_h2_receive(struct cn_h2 *_Nonnull h2, const void *_Nonnull bytes, size_t count);
// Some of what is to be sent; 0 when that is nothing now, negative when the connection cannot go on.
int64_t cn_h2_next(struct cn_h2 *_Nonnull h2, const uint8_t *_Nullable *_Nonnull bytes);
// False when everything was said and done.
int cn_h2_goes_on(struct cn_h2 *_Nonnull h2);
// Headers and trailers are names and values in turn, ended by null. Without trailers the body ends the stream.
int cn_h2_respond(struct cn_h2 *_Nonnull h2, int32_t stream, const char *_Nullable const *_Nonnull headers,
                  const void *_Nullable body, size_t count, const char *_Nullable const *_Nullable trailers);
void cn_h2_reset(struct cn_h2 *_Nonnull h2, int32_t stream, enum cn_h2_error error);
// No stream is begun any more; with an error, everything ends.
void cn_h2_leave(struct cn_h2 *_Nonnull h2, enum cn_h2_error error);
#endif
