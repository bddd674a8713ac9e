#ifndef PERFTOP_CNETWORK_WEBSOCKET_H
#define PERFTOP_CNETWORK_WEBSOCKET_H
// WebSocket frames by wslay, the handshake's digest by nettle; both loaded when they are needed.
#include <stddef.h>
#include <stdint.h>

struct cn_frames;

struct cn_frame {
  int is_final;
  int is_masked;
  // Three bits.
  unsigned reserved;
  unsigned opcode;
  // Of the frame as a whole.
  uint64_t length;
  // What has come of it since the last time; valid until the next call.
  const uint8_t *_Nullable bytes;
  size_t count;
};

enum cn_frame_outcome { CN_FRAME_PART, CN_FRAME_NEEDS_MORE, CN_FRAME_BROKEN };

enum { CN_NONCE_SIZE = 24, CN_ACCEPT_SIZE = 28, CN_CONTROL_FRAME_LIMIT = 131, CN_CONTROL_PAYLOAD_LIMIT = 125 };

// Null when both libraries are there, else which is not; the text stays valid.
const char *_Nullable cn_websocket_load(void);
// Nothing below works without a cn_websocket_load that went well.

// Base64 of 16 bytes: a Sec-WebSocket-Key.
void cn_websocket_nonce(const uint8_t *_Nonnull bytes, char *_Nonnull text);
// The Sec-WebSocket-Accept that belongs to the base64 of 20 bytes of SHA-1 over a key and the protocol's GUID.
void cn_websocket_accept(const char *_Nonnull key, size_t count, char *_Nonnull text);

struct cn_frames *_Nullable cn_frames_open(void);
void cn_frames_close(struct cn_frames *_Nonnull frames);
// Reads on in the bytes from `*from`, which is moved to where it stopped.
enum cn_frame_outcome cn_frames_take(struct cn_frames *_Nonnull frames, const uint8_t *_Nullable bytes,
                                     size_t count, size_t *_Nonnull from, struct cn_frame *_Nonnull frame);
// Writes a whole control frame with the mask that a client owes. Returns its size, at most CN_CONTROL_FRAME_LIMIT.
size_t cn_frames_control(unsigned opcode, uint32_t mask, const uint8_t *_Nullable payload, size_t count,
                         uint8_t *_Nonnull result);
#endif
