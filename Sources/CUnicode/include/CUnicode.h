#ifndef PERFTOP_CUNICODE_H
#define PERFTOP_CUNICODE_H
#include <utf8proc.h>
#endif
