#ifndef PERFTOP_TERMINAL_GUARD_H
#define PERFTOP_TERMINAL_GUARD_H
// Signals and the terminal: what has to be safe inside a signal handler, and so cannot be Swift.
#include <stddef.h>

// Remembers the settings of the terminal `fd` as they are now. 0, or -1 with errno.
int tg_save(int fd);
// Gives the remembered settings back.
void tg_restore_settings(void);
// The bytes that a crash writes to the terminal before it goes on; at most 256 are kept.
void tg_set_leave(const char *_Nonnull bytes, size_t count);
// Whether a crash has to write them: 1 while the screen is ours.
void tg_set_active(int active);
// Installs the handlers and returns the descriptor on which signals arrive as bytes of their numbers,
// or -1 with errno. Idempotent.
int tg_install(void);
// Gives the signals their former handlers back.
void tg_uninstall(void);
// Stops the process group as the terminal driver would, and returns when it goes on.
void tg_stop(void);
// Rows and columns of the terminal, 0 where it does not say.
int tg_size(int fd, int *_Nonnull rows, int *_Nonnull columns);
#endif
