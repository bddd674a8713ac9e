#include "CPattern.h"

#include <cstdint>
#include <new>
#include <string>

#include <re2/re2.h>
#include <re2/stringpiece.h>

struct CPattern {
  RE2 expression;
  CPattern(const re2::StringPiece &source, const RE2::Options &options) : expression(source, options) {}
};

// Some 10,000 instructions, which take 50 ms to make: a pattern is made anew with every key that is typed.
static const int64_t kMostMemory = 1 << 20;
// The time that a text takes grows with them, once they no longer fit the memory of RE2's faster way.
static const int kMostInstructions = 2000;

static CPatternFaultKind fault_kind(RE2::ErrorCode code) {
  switch (code) {
  case RE2::NoError: return CPatternFaultNone;
  case RE2::ErrorBadEscape: return CPatternFaultEscape;
  case RE2::ErrorBadCharClass: return CPatternFaultClass;
  case RE2::ErrorBadCharRange: return CPatternFaultRange;
  case RE2::ErrorMissingBracket: return CPatternFaultOpenClass;
  case RE2::ErrorMissingParen: return CPatternFaultOpenGroup;
  case RE2::ErrorUnexpectedParen: return CPatternFaultClosedGroup;
  case RE2::ErrorTrailingBackslash: return CPatternFaultLastBackslash;
  case RE2::ErrorRepeatArgument: return CPatternFaultNothingRepeated;
  case RE2::ErrorRepeatSize: return CPatternFaultRepetitionSize;
  case RE2::ErrorRepeatOp: return CPatternFaultRepeatedTwice;
  case RE2::ErrorBadPerlOp: return CPatternFaultGroupKind;
  case RE2::ErrorBadNamedCapture: return CPatternFaultGroupName;
  case RE2::ErrorPatternTooLarge: return CPatternFaultTooLarge;
  default: return CPatternFaultOther;
  }
}

static CPatternFault fault_of(const RE2 &expression) {
  CPatternFault fault = {fault_kind(expression.error_code()), 0, 0, false};
  const std::string &source = expression.pattern();
  const std::string &blamed = expression.error_arg();
  size_t found = blamed.empty() ? std::string::npos : source.find(blamed);
  if (found == std::string::npos) return fault;
  fault.offset = found;
  fault.length = blamed.size();
  fault.is_ambiguous = source.find(blamed, found + 1) != std::string::npos;
  return fault;
}

CPattern *cpattern_make(const char *source, size_t length, CPatternFault *fault) {
  RE2::Options options(RE2::Quiet);
  options.set_never_capture(true);
  options.set_max_mem(kMostMemory);
  *fault = {CPatternFaultOther, 0, 0, false};
  CPattern *pattern = new (std::nothrow) CPattern(re2::StringPiece(source, length), options);
  if (pattern == nullptr) return nullptr;
  if (!pattern->expression.ok()) {
    *fault = fault_of(pattern->expression);
  } else if (pattern->expression.ProgramSize() > kMostInstructions) {
    fault->kind = CPatternFaultTooLarge;
  } else {
    return pattern;
  }
  delete pattern;
  return nullptr;
}

bool cpattern_is_found(const CPattern *pattern, const char *text, size_t length) {
  re2::StringPiece searched(text, length);
  return pattern->expression.Match(searched, 0, length, RE2::UNANCHORED, nullptr, 0);
}

void cpattern_free(CPattern *pattern) { delete pattern; }
