#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE 1
#endif
#ifdef __APPLE__
#define _DARWIN_C_SOURCE 1
#endif
#include "TerminalGuard.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

// Whatever else ends a process by default ends it as a crash does: the terminal first.
static const int crashes[] = {SIGSEGV, SIGBUS,  SIGILL,  SIGTRAP,   SIGABRT, SIGFPE,  SIGSYS,
                              SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM,   SIGVTALRM, SIGPROF, SIGXCPU,
                              SIGXFSZ};
static const int notices[] = {SIGTERM, SIGINT, SIGHUP, SIGTSTP, SIGCONT, SIGWINCH};
enum { crash_count = sizeof crashes / sizeof *crashes, notice_count = sizeof notices / sizeof *notices };

static struct sigaction old_crashes[crash_count];
static struct sigaction old_notices[notice_count];
static struct termios saved;
static int terminal = -1;
static char leave[256];
static size_t leave_count;
static volatile sig_atomic_t active;
static volatile sig_atomic_t installed;
static int channel[2] = {-1, -1};
// A stack overflow leaves no room for a handler on the stack itself.
static char alternate[65536];

static void write_all(int fd, const char *bytes, size_t count) {
  while (count > 0) {
    ssize_t written = write(fd, bytes, count);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    bytes += written;
    count -= (size_t)written;
  }
}

static void crashed(int number) {
  if (active) {
    active = 0;
    write_all(terminal, leave, leave_count);
    tcsetattr(terminal, TCSANOW, &saved);
  }
  for (int i = 0; i < crash_count; i++)
    if (crashes[i] == number) sigaction(number, &old_crashes[i], NULL);
  raise(number);
}

static void noticed(int number) {
  int error = errno;
  char byte = (char)number;
  // A full pipe already holds enough to wake the loop.
  ssize_t ignored = write(channel[1], &byte, 1);
  (void)ignored;
  errno = error;
}

int tg_save(int fd) {
  if (tcgetattr(fd, &saved) != 0) return -1;
  terminal = fd;
  return 0;
}

void tg_restore_settings(void) {
  if (terminal < 0) return;
  while (tcsetattr(terminal, TCSADRAIN, &saved) != 0 && errno == EINTR) {}
}

void tg_set_leave(const char *bytes, size_t count) {
  leave_count = count < sizeof leave ? count : sizeof leave;
  memcpy(leave, bytes, leave_count);
}

void tg_set_active(int value) { active = value; }

int tg_install(void) {
  if (installed) return channel[0];
  if (channel[0] < 0) {
    if (pipe(channel) != 0) return -1;
    for (int i = 0; i < 2; i++) {
      fcntl(channel[i], F_SETFL, fcntl(channel[i], F_GETFL) | O_NONBLOCK);
      fcntl(channel[i], F_SETFD, FD_CLOEXEC);
    }
  }
  stack_t current;
  if (sigaltstack(NULL, &current) == 0 && (current.ss_flags & SS_DISABLE)) {
    stack_t stack = {.ss_sp = alternate, .ss_size = sizeof alternate};
    sigaltstack(&stack, NULL);
  }
  struct sigaction action;
  memset(&action, 0, sizeof action);
  sigemptyset(&action.sa_mask);
  action.sa_handler = crashed;
  action.sa_flags = SA_ONSTACK | SA_NODEFER;
  for (int i = 0; i < crash_count; i++) sigaction(crashes[i], &action, &old_crashes[i]);
  action.sa_handler = noticed;
  action.sa_flags = SA_RESTART;
  for (int i = 0; i < notice_count; i++) sigaction(notices[i], &action, &old_notices[i]);
  installed = 1;
  return channel[0];
}

void tg_uninstall(void) {
  if (!installed) return;
  installed = 0;
  for (int i = 0; i < crash_count; i++) sigaction(crashes[i], &old_crashes[i], NULL);
  for (int i = 0; i < notice_count; i++) sigaction(notices[i], &old_notices[i], NULL);
}

void tg_stop(void) {
  struct sigaction standard, former;
  memset(&standard, 0, sizeof standard);
  sigemptyset(&standard.sa_mask);
  standard.sa_handler = SIG_DFL;
  sigaction(SIGTSTP, &standard, &former);
  kill(0, SIGTSTP);
  sigaction(SIGTSTP, &former, NULL);
}

int tg_size(int fd, int *rows, int *columns) {
  struct winsize size;
  if (ioctl(fd, TIOCGWINSZ, &size) != 0) return -1;
  *rows = size.ws_row;
  *columns = size.ws_col;
  return 0;
}
