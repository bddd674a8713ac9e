#ifndef PERFTOP_CCOMPRESSION_H
#define PERFTOP_CCOMPRESSION_H
#include <zlib.h>
#include <zstd.h>
// inflateInit2 is a macro, which Swift does not import. 47 = 15 window bits + automatic gzip or zlib header.
static inline int cz_inflate_init_auto(z_stream *_Nonnull stream) { return inflateInit2(stream, 47); }
#endif
