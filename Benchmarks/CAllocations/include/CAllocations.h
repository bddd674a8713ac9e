#ifndef PERFTOP_CALLOCATIONS_H
#define PERFTOP_CALLOCATIONS_H
// Counts what the program allocates: the executable that links this takes the place of the C library's
// allocation functions, which it calls in turn. Counts nothing where the library has no second names for
// them (anything but glibc).
#include <stdint.h>

// True where allocations are counted.
int ca_counts(void);
// Calls so far that gave the calling thread memory, a change of size being one.
uint64_t ca_allocations(void);
// Bytes that these calls asked for.
uint64_t ca_bytes(void);
// The C library with its version, as in "glibc 2.36"; "other" where allocations are not counted.
const char *_Nonnull ca_library(void);
// Nanoseconds of a clock that never jumps.
int64_t ca_nanoseconds(void);
#endif
