#ifndef PERFTOP_CNCURSES_H
#define PERFTOP_CNCURSES_H
// What Swift cannot import of ncurses: macros, and globals that it calls unsafe.
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE 1
#endif
#ifndef _XOPEN_SOURCE_EXTENDED
#define _XOPEN_SOURCE_EXTENDED 1
#endif
#define NCURSES_WIDECHAR 1
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>
#include <ncurses.h>

static inline WINDOW *_Nullable nc_stdscr(void) { return stdscr; }
static inline int nc_lines(void) { return LINES; }
static inline int nc_columns(void) { return COLS; }
static inline int nc_colors(void) { return COLORS; }
#endif
