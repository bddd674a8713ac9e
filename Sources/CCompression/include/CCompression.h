#ifndef PERFTOP_CCOMPRESSION_H
#define PERFTOP_CCOMPRESSION_H
#include <zlib.h>
#include <zstd.h>
// inflateInit2 is a macro, which Swift does not import. 47 = 15 window bits + automatic gzip or zlib header.
static inline int cz_inflate_init_auto(z_stream *_Nonnull stream) { return inflateInit2(stream, 47); }
// The same for a stream that is in use already.
static inline int cz_inflate_reset_auto(z_stream *_Nonnull stream) { return inflateReset2(stream, 47); }
// Deflate data without a header.
static inline int cz_inflate_init_raw(z_stream *_Nonnull stream) { return inflateInit2(stream, -15); }
// 31 = 15 window bits + gzip header.
static inline int cz_deflate_init_gzip(z_stream *_Nonnull stream) {
  return deflateInit2(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY);
}
#endif
