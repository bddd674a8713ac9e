#include "CNetwork.h"
#include <dlfcn.h>
#include <nghttp2/nghttp2.h>
#include <stdlib.h>
#include <string.h>

// One line for each function of the library that is used.
#define CN_FUNCTIONS(X) \
  X(nghttp2_session_callbacks_new) X(nghttp2_session_callbacks_del) \
  X(nghttp2_session_callbacks_set_on_begin_frame_callback) X(nghttp2_session_callbacks_set_on_frame_recv_callback) \
  X(nghttp2_session_callbacks_set_on_invalid_frame_recv_callback) \
  X(nghttp2_session_callbacks_set_on_begin_headers_callback) X(nghttp2_session_callbacks_set_on_header_callback) \
  X(nghttp2_session_callbacks_set_on_data_chunk_recv_callback) \
  X(nghttp2_session_callbacks_set_on_stream_close_callback) X(nghttp2_option_new) X(nghttp2_option_del) \
  X(nghttp2_option_set_no_closed_streams) X(nghttp2_session_server_new2) X(nghttp2_session_del) \
  X(nghttp2_session_mem_recv) X(nghttp2_session_mem_send) X(nghttp2_session_want_read) \
  X(nghttp2_session_want_write) X(nghttp2_session_set_local_window_size) X(nghttp2_session_terminate_session) \
  X(nghttp2_submit_settings) X(nghttp2_submit_response) X(nghttp2_submit_trailer) X(nghttp2_submit_rst_stream) \
  X(nghttp2_submit_goaway) X(nghttp2_session_get_last_proc_stream_id)

static struct {
#define CN_MEMBER(name) __typeof__(&name) name;
  CN_FUNCTIONS(CN_MEMBER)
} library;

enum { header_limit = 16, window = 1 << 20, connection_window = 8 << 20 };

// What is still to be sent of an answer.
struct response {
  struct response *next;
  int32_t stream;
  size_t count, sent;
  nghttp2_nv trailers[header_limit];
  size_t trailer_count;
  uint8_t bytes[];
};

struct cn_h2 {
  struct cn_h2_calls calls;
  nghttp2_session *session;
  struct response *responses;
};

const char *cn_h2_load(void) {
  if (library.nghttp2_session_callbacks_new) return NULL;
#ifdef __APPLE__
  const char *name = "libnghttp2.14.dylib";
#else
  const char *name = "libnghttp2.so.14";
#endif
  void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!handle) return "libnghttp2 1.5x is missing; run: apt-get install libnghttp2-14";
#define CN_LOAD(name) \
  library.name = (__typeof__(&name))dlsym(handle, #name); \
  if (!library.name) return "libnghttp2 lacks " #name;
  CN_FUNCTIONS(CN_LOAD)
  return NULL;
}

static int frame_began(nghttp2_session *session, const nghttp2_frame_hd *head, void *context) {
  (void)session;
  struct cn_h2 *h2 = context;
  h2->calls.frame_began(h2->calls.context, head->type == NGHTTP2_HEADERS || head->type == NGHTTP2_CONTINUATION);
  return 0;
}

static int frame_ended(nghttp2_session *session, const nghttp2_frame *frame, void *context) {
  (void)session;
  struct cn_h2 *h2 = context;
  void *state = h2->calls.context;
  int is_data = frame->hd.type == NGHTTP2_DATA;
  int is_request = frame->hd.type == NGHTTP2_HEADERS && frame->headers.cat == NGHTTP2_HCAT_REQUEST;
  int is_content = is_request || (is_data && frame->hd.length > 0);
  h2->calls.frame_ended(state, is_content                               ? CN_H2_CONTENT
                               : frame->hd.type == NGHTTP2_RST_STREAM ? CN_H2_RESET
                                                                      : CN_H2_CONTROL);
  if (is_request) h2->calls.head(state, frame->hd.stream_id);
  int may_end = is_data || frame->hd.type == NGHTTP2_HEADERS;
  if (may_end && frame->hd.flags & NGHTTP2_FLAG_END_STREAM) h2->calls.ended(state, frame->hd.stream_id);
  return 0;
}

static int frame_failed(nghttp2_session *session, const nghttp2_frame *frame, int error, void *context) {
  (void)session, (void)frame, (void)error;
  struct cn_h2 *h2 = context;
  h2->calls.frame_ended(h2->calls.context, CN_H2_CONTROL);
  return 0;
}

static int began(nghttp2_session *session, const nghttp2_frame *frame, void *context) {
  (void)session;
  struct cn_h2 *h2 = context;
  if (frame->headers.cat == NGHTTP2_HCAT_REQUEST) h2->calls.began(h2->calls.context, frame->hd.stream_id);
  return 0;
}

static int header(nghttp2_session *session, const nghttp2_frame *frame, const uint8_t *name, size_t name_count,
                  const uint8_t *value, size_t value_count, uint8_t flags, void *context) {
  (void)session, (void)flags;
  struct cn_h2 *h2 = context;
  int goes_on = h2->calls.header(h2->calls.context, frame->hd.stream_id, (const char *)name, name_count,
                                 (const char *)value, value_count);
  return goes_on ? 0 : NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
}

static int data(nghttp2_session *session, uint8_t flags, int32_t stream, const uint8_t *bytes, size_t count,
                void *context) {
  (void)session, (void)flags;
  struct cn_h2 *h2 = context;
  h2->calls.data(h2->calls.context, stream, bytes, count);
  return 0;
}

static void forget(struct cn_h2 *h2, int32_t stream) {
  for (struct response **place = &h2->responses; *place; place = &(*place)->next) {
    struct response *response = *place;
    if (response->stream != stream) continue;
    *place = response->next;
    for (size_t index = 0; index < response->trailer_count; index++) free(response->trailers[index].name);
    free(response);
    return;
  }
}

static int closed(nghttp2_session *session, int32_t stream, uint32_t error, void *context) {
  (void)session, (void)error;
  struct cn_h2 *h2 = context;
  forget(h2, stream);
  h2->calls.closed(h2->calls.context, stream);
  return 0;
}

struct cn_h2 *cn_h2_open(struct cn_h2_calls calls, uint32_t streams, uint32_t head_limit) {
  struct cn_h2 *h2 = calloc(1, sizeof *h2);
  if (!h2) return NULL;
  h2->calls = calls;
  nghttp2_session_callbacks *callbacks = NULL;
  nghttp2_option *option = NULL;
  if (library.nghttp2_session_callbacks_new(&callbacks) == 0 && library.nghttp2_option_new(&option) == 0) {
    library.nghttp2_session_callbacks_set_on_begin_frame_callback(callbacks, frame_began);
    library.nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, frame_ended);
    library.nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(callbacks, frame_failed);
    library.nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks, began);
    library.nghttp2_session_callbacks_set_on_header_callback(callbacks, header);
    library.nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, data);
    library.nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, closed);
    library.nghttp2_option_set_no_closed_streams(option, 1);
    if (library.nghttp2_session_server_new2(&h2->session, callbacks, h2, option) != 0) h2->session = NULL;
  }
  if (option) library.nghttp2_option_del(option);
  if (callbacks) library.nghttp2_session_callbacks_del(callbacks);
  if (h2->session) {
    nghttp2_settings_entry settings[] = {
        {NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, streams},
        {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, window},
        {NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, head_limit},
    };
    int failed = library.nghttp2_submit_settings(h2->session, NGHTTP2_FLAG_NONE, settings, 3) |
                 library.nghttp2_session_set_local_window_size(h2->session, NGHTTP2_FLAG_NONE, 0, connection_window);
    if (!failed) return h2;
  }
  cn_h2_close(h2);
  return NULL;
}

void cn_h2_close(struct cn_h2 *h2) {
  if (h2->session) library.nghttp2_session_del(h2->session);
  while (h2->responses) forget(h2, h2->responses->stream);
  free(h2);
}

int cn_h2_receive(struct cn_h2 *h2, const void *bytes, size_t count) {
  return library.nghttp2_session_mem_recv(h2->session, bytes, count) >= 0;
}

int64_t cn_h2_next(struct cn_h2 *h2, const uint8_t **bytes) {
  return library.nghttp2_session_mem_send(h2->session, bytes);
}

int cn_h2_goes_on(struct cn_h2 *h2) {
  return library.nghttp2_session_want_read(h2->session) || library.nghttp2_session_want_write(h2->session);
}

static size_t pairs(const char *const *texts, nghttp2_nv *found) {
  size_t count = 0;
  for (; texts && texts[0] && texts[1] && count < header_limit; texts += 2, count++)
    found[count] = (nghttp2_nv){(uint8_t *)texts[0], (uint8_t *)texts[1], strlen(texts[0]), strlen(texts[1]),
                                NGHTTP2_NV_FLAG_NONE};
  return count;
}

static ssize_t read_body(nghttp2_session *session, int32_t stream, uint8_t *buffer, size_t room, uint32_t *flags,
                         nghttp2_data_source *source, void *context) {
  (void)context;
  struct response *response = source->ptr;
  size_t left = response->count - response->sent, count = left < room ? left : room;
  memcpy(buffer, response->bytes + response->sent, count);
  response->sent += count;
  if (response->sent == response->count) {
    *flags |= NGHTTP2_DATA_FLAG_EOF;
    if (response->trailer_count > 0) {
      *flags |= NGHTTP2_DATA_FLAG_NO_END_STREAM;
      if (library.nghttp2_submit_trailer(session, stream, response->trailers, response->trailer_count) != 0)
        return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
    }
  }
  return (ssize_t)count;
}

// Both texts of a trailer in one piece of memory, which its name begins.
static int keep(nghttp2_nv *trailer) {
  uint8_t *copy = malloc(trailer->namelen + trailer->valuelen + 1);
  if (!copy) return 0;
  memcpy(copy, trailer->name, trailer->namelen);
  memcpy(copy + trailer->namelen, trailer->value, trailer->valuelen);
  trailer->name = copy;
  trailer->value = copy + trailer->namelen;
  return 1;
}

int cn_h2_respond(struct cn_h2 *h2, int32_t stream, const char *const *headers, const void *body, size_t count,
                  const char *const *trailers) {
  nghttp2_nv found[header_limit];
  size_t header_count = pairs(headers, found);
  if (count == 0 && !trailers)
    return library.nghttp2_submit_response(h2->session, stream, found, header_count, NULL) == 0;
  struct response *response = calloc(1, sizeof *response + count);
  if (!response) return 0;
  response->stream = stream;
  response->count = count;
  if (count > 0) memcpy(response->bytes, body, count);
  nghttp2_nv ends[header_limit];
  size_t end_count = pairs(trailers, ends);
  for (size_t index = 0; index < end_count && keep(&ends[index]); index++)
    response->trailers[response->trailer_count++] = ends[index];
  response->next = h2->responses;
  h2->responses = response;
  nghttp2_data_provider provider = {.source.ptr = response, .read_callback = read_body};
  if (library.nghttp2_submit_response(h2->session, stream, found, header_count, &provider) == 0) return 1;
  forget(h2, stream);
  return 0;
}

void cn_h2_reset(struct cn_h2 *h2, int32_t stream, enum cn_h2_error error) {
  library.nghttp2_submit_rst_stream(h2->session, NGHTTP2_FLAG_NONE, stream, error);
}

void cn_h2_leave(struct cn_h2 *h2, enum cn_h2_error error) {
  if (error != CN_H2_NO_ERROR) {
    library.nghttp2_session_terminate_session(h2->session, error);
    return;
  }
  int32_t last = library.nghttp2_session_get_last_proc_stream_id(h2->session);
  library.nghttp2_submit_goaway(h2->session, NGHTTP2_FLAG_NONE, last, NGHTTP2_NO_ERROR, NULL, 0);
}
