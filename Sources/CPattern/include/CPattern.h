#ifndef PERFTOP_CPATTERN_H
#define PERFTOP_CPATTERN_H
// RE2 for Swift: regular expressions that are matched in linear time, whatever the pattern.
#include <stdbool.h>
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif

typedef struct CPattern CPattern;

typedef enum {
  CPatternFaultNone,
  CPatternFaultOther,
  CPatternFaultEscape,
  CPatternFaultClass,
  CPatternFaultRange,
  CPatternFaultOpenClass,
  CPatternFaultOpenGroup,
  CPatternFaultClosedGroup,
  CPatternFaultLastBackslash,
  CPatternFaultNothingRepeated,
  CPatternFaultRepetitionSize,
  CPatternFaultRepeatedTwice,
  CPatternFaultGroupKind,
  CPatternFaultGroupName,
  CPatternFaultTooLarge,
} CPatternFaultKind;

// Why a text is no pattern, and the bytes of it that are to blame; none where length is 0.
typedef struct {
  CPatternFaultKind kind;
  size_t offset;
  size_t length;
  // The same bytes stand elsewhere too, so that the offset may be of the wrong ones.
  bool is_ambiguous;
} CPatternFault;

// Case sensitive, UTF-8; `.` is any character but a newline, `^` and `$` are the ends of the text.
// NULL where the source is no pattern, and *fault says why.
CPattern *_Nullable cpattern_make(const char *_Nullable source, size_t length,
                                  CPatternFault *_Nonnull fault);

// Looks anywhere in the text, which may hold anything, invalid UTF-8 too. Several threads may ask at once.
bool cpattern_is_found(const CPattern *_Nonnull pattern, const char *_Nullable text, size_t length);

void cpattern_free(CPattern *_Nonnull pattern);

#ifdef __cplusplus
}
#endif
#endif
