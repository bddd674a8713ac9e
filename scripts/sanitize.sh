#!/bin/sh
# Runs the unit tests under the thread sanitizer, then under the address sanitizer.
#
# usage: sanitize.sh [thread|address]...
set -eu
cd "$(dirname "$0")/.."
. scripts/flags.sh

[ $# -gt 0 ] || set -- thread address
for sanitizer in "$@"; do
  echo "perftop: $sanitizer sanitizer" >&2
  # The end-to-end tests drive another binary, which no sanitizer watches. Swift's own backtracer
  # and a sanitizer's report disturb each other.
  # shellcheck disable=SC2086 # empty flags must vanish
  SWIFT_BACKTRACE=enable=no swift test --disable-xctest --sanitize "$sanitizer" \
    --scratch-path ".build-$sanitizer" --skip EndToEndTests --skip ArchitectureTests $brew_flags
done
