#include "CAllocations.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <time.h>

int64_t ca_nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

// A sanitizer has taken the functions' place already.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define CA_IS_SANITIZED 1
#endif
#endif

#if defined(__GLIBC__) && !defined(CA_IS_SANITIZED)
#include <gnu/libc-version.h>
#include <stdio.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static _Thread_local uint64_t allocations;
static _Thread_local uint64_t bytes;

static inline void count(size_t size) {
  allocations += 1;
  bytes += size;
}

void *malloc(size_t size) {
  count(size);
  return __libc_malloc(size);
}

void *calloc(size_t items, size_t size) {
  count(items * size);
  return __libc_calloc(items, size);
}

void *realloc(void *block, size_t size) {
  count(size);
  return __libc_realloc(block, size);
}

void *memalign(size_t alignment, size_t size) {
  count(size);
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count(size);
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
  count(size);
  void *made = __libc_memalign(alignment, size);
  if (made == NULL) return ENOMEM;
  *block = made;
  return 0;
}

int ca_counts(void) { return 1; }
uint64_t ca_allocations(void) { return allocations; }
uint64_t ca_bytes(void) { return bytes; }

const char *ca_library(void) {
  static char name[64];
  snprintf(name, sizeof name, "glibc %s", gnu_get_libc_version());
  return name;
}
#else
int ca_counts(void) { return 0; }
uint64_t ca_allocations(void) { return 0; }
uint64_t ca_bytes(void) { return 0; }
const char *ca_library(void) { return "other"; }
#endif
