#include "CPlatform.h"
#include <sys/file.h>
#include <sys/uio.h>

#ifdef __linux__
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#endif
#ifdef __GLIBC__
#include <malloc.h>
#include <stdlib.h>
#include <sys/mman.h>
#endif

static void cp_fill(const struct stat *from, struct cp_file_status *to) {
  to->device = (uint64_t)from->st_dev;
  to->inode = (uint64_t)from->st_ino;
  to->size = from->st_size > 0 ? (uint64_t)from->st_size : 0;
  to->links = (uint64_t)from->st_nlink;
#ifdef __APPLE__
  to->modified_ns = (int64_t)from->st_mtimespec.tv_sec * 1000000000 + from->st_mtimespec.tv_nsec;
  to->changed_ns = (int64_t)from->st_ctimespec.tv_sec * 1000000000 + from->st_ctimespec.tv_nsec;
#else
  to->modified_ns = (int64_t)from->st_mtim.tv_sec * 1000000000 + from->st_mtim.tv_nsec;
  to->changed_ns = (int64_t)from->st_ctim.tv_sec * 1000000000 + from->st_ctim.tv_nsec;
#endif
  if (S_ISREG(from->st_mode)) to->kind = CP_FILE_REGULAR;
  else if (S_ISDIR(from->st_mode)) to->kind = CP_FILE_DIRECTORY;
  else if (S_ISFIFO(from->st_mode) || S_ISCHR(from->st_mode)) to->kind = CP_FILE_PIPE;
  else if (S_ISLNK(from->st_mode)) to->kind = CP_FILE_LINK;
  else if (S_ISSOCK(from->st_mode)) to->kind = CP_FILE_PIPE;
  else to->kind = CP_FILE_OTHER;
}

int cp_status_of_path(const char *path, struct cp_file_status *status) {
  struct stat found;
  if (stat(path, &found) != 0) return errno;
  cp_fill(&found, status);
  return 0;
}

int cp_status_of_link(const char *path, struct cp_file_status *status) {
  struct stat found;
  if (lstat(path, &found) != 0) return errno;
  cp_fill(&found, status);
  return 0;
}

int cp_status_of_descriptor(int descriptor, struct cp_file_status *status) {
  struct stat found;
  if (fstat(descriptor, &found) != 0) return errno;
  cp_fill(&found, status);
  return 0;
}

int cp_set_nonblocking(int descriptor) {
  int flags = fcntl(descriptor, F_GETFL);
  if (flags < 0) return errno;
  return fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) < 0 ? errno : 0;
}

int cp_set_close_on_exec(int descriptor) {
  return fcntl(descriptor, F_SETFD, FD_CLOEXEC) < 0 ? errno : 0;
}

int cp_open_to_read(const char *path) {
  int descriptor;
  do descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  while (descriptor < 0 && errno == EINTR);
  return descriptor < 0 ? -errno : descriptor;
}

int64_t cp_read_at(int descriptor, void *buffer, size_t count, uint64_t offset) {
  ssize_t got;
  do got = pread(descriptor, buffer, count, (off_t)offset);
  while (got < 0 && errno == EINTR);
  return got < 0 ? -(int64_t)errno : got;
}

int64_t cp_read(int descriptor, void *buffer, size_t count) {
  ssize_t got;
  do got = read(descriptor, buffer, count);
  while (got < 0 && errno == EINTR);
  return got < 0 ? -(int64_t)errno : got;
}

int cp_make_folder(const char *path) { return mkdir(path, 0700) == 0 ? 0 : errno; }

int cp_create_to_append(const char *path) {
  int descriptor;
  do descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  while (descriptor < 0 && errno == EINTR);
  return descriptor < 0 ? -errno : descriptor;
}

int cp_open_to_write(const char *path) {
  int descriptor;
  do descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY, 0666);
  while (descriptor < 0 && errno == EINTR);
  return descriptor < 0 ? -errno : descriptor;
}

int64_t cp_write(int descriptor, const void *bytes, size_t count) {
  ssize_t written;
  do written = write(descriptor, bytes, count);
  while (written < 0 && errno == EINTR);
  return written < 0 ? -(int64_t)errno : written;
}

int cp_write_both(int descriptor, const void *first, size_t first_count, const void *second,
                  size_t second_count) {
  struct iovec parts[2] = {{(void *)first, first_count}, {(void *)second, second_count}};
  int index = first_count == 0 ? 1 : 0;
  while (index < 2 && parts[index].iov_len > 0) {
    ssize_t written = writev(descriptor, parts + index, 2 - index);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    if (written == 0) return EIO;
    while (index < 2 && (size_t)written >= parts[index].iov_len) {
      written -= (ssize_t)parts[index].iov_len;
      index++;
    }
    if (index < 2) {
      parts[index].iov_base = (char *)parts[index].iov_base + written;
      parts[index].iov_len -= (size_t)written;
    }
  }
  return 0;
}

int cp_truncate(int descriptor, uint64_t size) {
  return ftruncate(descriptor, (off_t)size) == 0 ? 0 : errno;
}

static int cp_lock(int descriptor, int operation) {
  int status;
  do status = flock(descriptor, operation | LOCK_NB);
  while (status != 0 && errno == EINTR);
  return status == 0 ? 0 : errno;
}

int cp_lock_exclusive(int descriptor) { return cp_lock(descriptor, LOCK_EX); }
int cp_lock_shared(int descriptor) { return cp_lock(descriptor, LOCK_SH); }

struct cp_thread_start {
  void (*body)(void *);
  void *context;
};

static void *cp_thread_main(void *argument) {
  struct cp_thread_start start = *(struct cp_thread_start *)argument;
  free(argument);
  start.body(start.context);
  return NULL;
}

int cp_start_thread(uintptr_t *thread, void (*body)(void *), void *context) {
  struct cp_thread_start *start = malloc(sizeof *start);
  if (start == NULL) return ENOMEM;
  start->body = body;
  start->context = context;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 8 << 20);
  // Signals are for the main thread, which sits in poll and can answer them.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t created;
  int error = pthread_create(&created, &attributes, cp_thread_main, start);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  if (error != 0) free(start);
  else *thread = (uintptr_t)created;
  return error;
}

void cp_join_thread(uintptr_t thread) { pthread_join((pthread_t)thread, NULL); }

void cp_detach_thread(uintptr_t thread) { pthread_detach((pthread_t)thread); }

void cp_give_way(void) {
#ifdef __linux__
  // Of a thread on Linux, of the whole process elsewhere.
  setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), getpriority(PRIO_PROCESS, 0) + 5);
#endif
}

void cp_give_back_memory(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

void cp_take_memory_in_large_steps(void) {
#ifdef __GLIBC__
  // A thread's own arena grows by a system call every few pages, and blocks from 128 KB on are mapped
  // and cleared by the system each time.
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_TOP_PAD, 4 << 20);
  mallopt(M_MMAP_THRESHOLD, 4 << 20);
  mallopt(M_TRIM_THRESHOLD, 64 << 20);
  // Most of what a report takes comes from here, in large pages where the system gives them when asked:
  // a page fault for every 4 KB would cost several percent of the run.
  enum { block_size = 3 << 20, block_count = 12 };
  void *blocks[block_count];
  uintptr_t first = UINTPTR_MAX, last = 0;
  for (int index = 0; index < block_count; index++) {
    blocks[index] = malloc(block_size);
    if (blocks[index] == NULL) continue;
    uintptr_t at = (uintptr_t)blocks[index];
    if (at < first) first = at;
    if (at + block_size > last) last = at + block_size;
  }
  const uintptr_t large_page = 2 << 20;
  first = (first + large_page - 1) & ~(large_page - 1);
  last &= ~(large_page - 1);
  if (last > first && last - first <= (uintptr_t)block_count * (block_size + large_page))
    madvise((void *)first, last - first, MADV_HUGEPAGE);
  for (int index = 0; index < block_count; index++) free(blocks[index]);
#endif
}

static int64_t cp_clock(clockid_t which) {
  struct timespec now;
  clock_gettime(which, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t cp_monotonic_nanoseconds(void) { return cp_clock(CLOCK_MONOTONIC); }
int64_t cp_wall_nanoseconds(void) { return cp_clock(CLOCK_REALTIME); }

int cp_is_remote_file_system(int descriptor) {
#ifdef __linux__
  struct statfs found;
  if (fstatfs(descriptor, &found) != 0) return 1;
  switch ((uint32_t)found.f_type) {
    case 0x6969:      // NFS
    case 0x517B:      // SMB
    case 0xFF534D42:  // CIFS
    case 0xFE534D42:  // SMB2
    case 0x65735546:  // FUSE
    case 0x01021997:  // 9p
    case 0x00C36400:  // Ceph
    case 0x5346414F:  // AFS
    case 0x786F4256:  // VirtualBox shared folder
      return 1;
    default:
      return 0;
  }
#else
  (void)descriptor;
  return 1;
#endif
}
