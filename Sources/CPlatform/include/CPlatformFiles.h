#ifndef PERFTOP_CPLATFORM_FILES_H
#define PERFTOP_CPLATFORM_FILES_H
// Files, threads and clocks in the form that is the same on every system: Swift sees variadic calls,
// macros and the fields of `struct stat` differently on Linux and macOS.
#include <dirent.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum cp_file_kind { CP_FILE_REGULAR, CP_FILE_DIRECTORY, CP_FILE_PIPE, CP_FILE_LINK, CP_FILE_OTHER };

struct cp_file_status {
  uint64_t device;
  uint64_t inode;
  uint64_t size;
  uint64_t links;
  int64_t modified_ns;
  int64_t changed_ns;
  enum cp_file_kind kind;
};

// Each returns 0 or the error number.
int cp_status_of_path(const char *_Nonnull path, struct cp_file_status *_Nonnull status);
int cp_status_of_link(const char *_Nonnull path, struct cp_file_status *_Nonnull status);
int cp_status_of_descriptor(int descriptor, struct cp_file_status *_Nonnull status);
int cp_set_nonblocking(int descriptor);
int cp_set_close_on_exec(int descriptor);

// Opens for reading, close-on-exec, never blocking. Returns the descriptor or the negated error number.
int cp_open_to_read(const char *_Nonnull path);
// pread and read that go on after a signal. Return the count or the negated error number.
int64_t cp_read_at(int descriptor, void *_Nonnull buffer, size_t count, uint64_t offset);
int64_t cp_read(int descriptor, void *_Nonnull buffer, size_t count);

// Files of our own, for nobody else's eyes: folders are made with 0700, files with 0600.
int cp_make_folder(const char *_Nonnull path);
// Makes a file to append to. Returns the descriptor or the negated error number, EEXIST where there is one.
int cp_create_to_append(const char *_Nonnull path);
// Opens a file to write, made for everybody as the umask allows where there is none; what it holds stays.
// Returns the descriptor or the negated error number.
int cp_open_to_write(const char *_Nonnull path);
// write that goes on after a signal. Returns the count or the negated error number.
int64_t cp_write(int descriptor, const void *_Nullable bytes, size_t count);
// Writes the one after the other, at once where possible. Returns 0 or the error number; part may be written.
int cp_write_both(int descriptor, const void *_Nullable first, size_t first_count,
                  const void *_Nullable second, size_t second_count);
int cp_truncate(int descriptor, uint64_t size);
// Locks a file against other processes until its descriptor is closed, without waiting.
int cp_lock_exclusive(int descriptor);
int cp_lock_shared(int descriptor);

// Starts a joinable thread with a stack of 8 MB (macOS gives 512 KB). Returns 0 or the error number.
int cp_start_thread(uintptr_t *_Nonnull thread, void (*_Nonnull body)(void *_Nonnull),
                    void *_Nonnull context);
void cp_join_thread(uintptr_t thread);
// The thread ends by itself: nobody joins it.
void cp_detach_thread(uintptr_t thread);
// The calling thread gives way to the others of the process. Does nothing where only a process can.
void cp_give_way(void);

// Lets the process take memory in large steps and keep what it frees: for a run that ends soon. Call it
// before the first thread starts. Does nothing where the system's allocator has no such settings.
void cp_take_memory_in_large_steps(void);
// Gives free memory between blocks that are used back to the system, where the C library can.
void cp_give_back_memory(void);

int64_t cp_monotonic_nanoseconds(void);
int64_t cp_wall_nanoseconds(void);

static inline int cp_errno(void) { return errno; }
static inline const char *_Nonnull cp_entry_name(const struct dirent *_Nonnull entry) { return entry->d_name; }
// True where changes may come from another machine, which inotify does not report.
int cp_is_remote_file_system(int descriptor);
#endif
