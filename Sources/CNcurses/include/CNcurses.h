#ifndef PERFTOP_CNCURSES_H
#define PERFTOP_CNCURSES_H
// What Swift cannot import of ncurses: macros, and globals that it calls unsafe.
// No _XOPEN_SOURCE: with it fd_set would differ from what the other C modules see.
#ifndef _XOPEN_SOURCE_EXTENDED
#define _XOPEN_SOURCE_EXTENDED 1
#endif
#define NCURSES_WIDECHAR 1
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>
#include <langinfo.h>
#include <ncurses.h>
#include <term.h>
// term.h defines these as macros, which would take the names from everybody.
#undef lines
#undef columns
#include "TerminalGuard.h"

static inline WINDOW *_Nullable nc_stdscr(void) { return stdscr; }
static inline int nc_lines(void) { return LINES; }
static inline int nc_columns(void) { return COLS; }
static inline int nc_colors(void) { return COLORS; }
// The C library's own idea of a character's width, which ncurses goes by.
#ifdef __GLIBC__
extern int wcwidth(wchar_t character);
#endif
static inline int nc_width(wchar_t character) { return wcwidth(character); }
static inline const char *_Nonnull nc_codeset(void) { return nl_langinfo(CODESET); }

static const attr_t NC_A_BOLD = A_BOLD;
static const attr_t NC_A_DIM = A_DIM;
static const attr_t NC_A_UNDERLINE = A_UNDERLINE;
static const attr_t NC_A_REVERSE = A_REVERSE;

// A string of the terminal's description; NULL where it has none.
static inline const char *_Nullable nc_capability(const char *_Nonnull name) {
  char copy[16];
  snprintf(copy, sizeof copy, "%s", name);
  char *value = tigetstr(copy);
  return value == (char *)-1 ? NULL : value;
}

// Puts one character with its marks (ended by 0) where it belongs, without moving the cursor.
static inline int nc_put(
  WINDOW *_Nonnull window, int y, int x, const wchar_t *_Nonnull text, attr_t attributes, short pair
) {
  cchar_t cell;
  if (setcchar(&cell, text, attributes, pair, NULL) == ERR) return ERR;
  return mvwadd_wchnstr(window, y, x, &cell, 1);
}
#endif
