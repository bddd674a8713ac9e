#include "CNetwork.h"
#include <dlfcn.h>
#include <nettle/base64.h>
#include <nettle/sha1.h>
#include <stdlib.h>
#include <string.h>
#include <wslay/wslay.h>

// nettle's headers rename every function to its name with a prefix, which # does not see through.
#define CN_TEXT(name) CN_TEXT_OF(name)
#define CN_TEXT_OF(name) #name

static struct {
  __typeof__(&wslay_frame_context_init) init;
  __typeof__(&wslay_frame_context_free) free;
  __typeof__(&wslay_frame_recv) recv;
  __typeof__(&wslay_frame_send) send;
  __typeof__(&sha1_init) sha1_init;
  __typeof__(&sha1_update) sha1_update;
  __typeof__(&sha1_digest) sha1_digest;
  __typeof__(&base64_encode_raw) base64;
} library;

const char *cn_websocket_load(void) {
  static const char *const nothing = "libwslay or libnettle lacks a function that perftop needs";
#ifdef __APPLE__
  void *wslay = dlopen("libwslay.1.dylib", RTLD_NOW | RTLD_LOCAL);
  void *nettle = dlopen("libnettle.8.dylib", RTLD_NOW | RTLD_LOCAL);
#else
  void *wslay = dlopen("libwslay.so.1", RTLD_NOW | RTLD_LOCAL);
  void *nettle = dlopen("libnettle.so.8", RTLD_NOW | RTLD_LOCAL);
#endif
  if (!wslay) return "libwslay 1.1 is missing; run: apt-get install libwslay1";
  if (!nettle) return "libnettle 3 is missing; run: apt-get install libnettle8";
#define CN_LOAD(member, handle, name) \
  library.member = (__typeof__(library.member))dlsym(handle, CN_TEXT(name)); \
  if (!library.member) return nothing;
  CN_LOAD(init, wslay, wslay_frame_context_init)
  CN_LOAD(free, wslay, wslay_frame_context_free)
  CN_LOAD(recv, wslay, wslay_frame_recv)
  CN_LOAD(send, wslay, wslay_frame_send)
  CN_LOAD(sha1_init, nettle, sha1_init)
  CN_LOAD(sha1_update, nettle, sha1_update)
  CN_LOAD(sha1_digest, nettle, sha1_digest)
  CN_LOAD(base64, nettle, base64_encode_raw)
  return NULL;
}

void cn_websocket_nonce(const uint8_t *bytes, char *text) { library.base64(text, 16, bytes); }

void cn_websocket_accept(const char *key, size_t count, char *text) {
  static const char guid[] = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  struct sha1_ctx context;
  uint8_t digest[SHA1_DIGEST_SIZE];
  library.sha1_init(&context);
  library.sha1_update(&context, count, (const uint8_t *)key);
  library.sha1_update(&context, sizeof guid - 1, (const uint8_t *)guid);
  library.sha1_digest(&context, sizeof digest, digest);
  library.base64(text, sizeof digest, digest);
}

struct cn_frames {
  wslay_frame_context_ptr context;
  const uint8_t *bytes;
  size_t count;
};

static ssize_t give(uint8_t *buffer, size_t count, int flags, void *data) {
  (void)flags;
  struct cn_frames *frames = data;
  size_t given = count < frames->count ? count : frames->count;
  if (given == 0) return -1;
  memcpy(buffer, frames->bytes, given);
  frames->bytes += given;
  frames->count -= given;
  return (ssize_t)given;
}

struct cn_frames *cn_frames_open(void) {
  struct cn_frames *frames = calloc(1, sizeof *frames);
  if (!frames) return NULL;
  struct wslay_frame_callbacks callbacks = {.recv_callback = give};
  if (library.init(&frames->context, &callbacks, frames) == 0) return frames;
  free(frames);
  return NULL;
}

void cn_frames_close(struct cn_frames *frames) {
  library.free(frames->context);
  free(frames);
}

enum cn_frame_outcome cn_frames_take(struct cn_frames *frames, const uint8_t *bytes, size_t count, size_t *from,
                                     struct cn_frame *frame) {
  frames->bytes = bytes + *from;
  frames->count = count - *from;
  struct wslay_frame_iocb part = {0};
  ssize_t result = library.recv(frames->context, &part);
  *from = count - frames->count;
  if (result == WSLAY_ERR_WANT_READ) return CN_FRAME_NEEDS_MORE;
  if (result < 0) return CN_FRAME_BROKEN;
  *frame = (struct cn_frame){.is_final = part.fin, .is_masked = part.mask, .reserved = part.rsv,
                             .opcode = part.opcode, .length = part.payload_length,
                             .bytes = part.data, .count = part.data_length};
  return CN_FRAME_PART;
}

struct written {
  uint8_t *bytes;
  size_t count;
  uint32_t mask;
};

static ssize_t keep(const uint8_t *bytes, size_t count, int flags, void *data) {
  (void)flags;
  struct written *written = data;
  if (written->count + count > CN_CONTROL_FRAME_LIMIT) return -1;
  memcpy(written->bytes + written->count, bytes, count);
  written->count += count;
  return (ssize_t)count;
}

static int mask(uint8_t *bytes, size_t count, void *data) {
  struct written *written = data;
  memcpy(bytes, &written->mask, count < sizeof written->mask ? count : sizeof written->mask);
  return 0;
}

size_t cn_frames_control(unsigned opcode, uint32_t mask_bits, const uint8_t *payload, size_t count,
                         uint8_t *result) {
  struct written written = {.bytes = result, .mask = mask_bits};
  struct wslay_frame_callbacks callbacks = {.send_callback = keep, .genmask_callback = mask};
  wslay_frame_context_ptr context;
  if (count > CN_CONTROL_PAYLOAD_LIMIT || library.init(&context, &callbacks, &written) != 0) return 0;
  struct wslay_frame_iocb frame = {.fin = 1, .opcode = (uint8_t)opcode, .payload_length = count, .mask = 1,
                                   .data = payload, .data_length = count};
  ssize_t sent = library.send(context, &frame);
  library.free(context);
  return sent < 0 ? 0 : written.count;
}
