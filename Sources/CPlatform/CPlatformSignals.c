#include "CPlatform.h"
#include <sys/ioctl.h>

static int end_pipe[2] = {-1, -1};

static void note_end(int number) {
  int saved = errno;
  char byte = (char)number;
  if (write(end_pipe[1], &byte, 1) < 0) { /* The pipe is full: it is readable already. */ }
  signal(number, SIG_DFL);
  errno = saved;
}

void cp_catch_end_signals(void) {
  if (end_pipe[0] >= 0 || pipe(end_pipe) != 0) return;
  fcntl(end_pipe[0], F_SETFD, FD_CLOEXEC);
  fcntl(end_pipe[1], F_SETFD, FD_CLOEXEC);
  struct sigaction action = {0};
  action.sa_handler = note_end;
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
}

void cp_let_signals_end(void) {
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
}

void cp_fill_standard_descriptors(void) {
  for (int descriptor = 0; descriptor < 3; descriptor++)
    if (fcntl(descriptor, F_GETFD) < 0 && errno == EBADF && open("/dev/null", O_RDWR) < 0) return;
}

void cp_ignore_write_signals(void) {
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
}

int cp_end_signal_descriptor(void) { return end_pipe[0]; }

int cp_bytes_waiting(int descriptor, int *count) {
  return ioctl(descriptor, FIONREAD, count) == 0 ? 0 : errno;
}
