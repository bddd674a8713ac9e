#!/bin/sh
# Builds .build/release/perftop.
#
# usage: build.sh [--quiet]    quiet: prints errors only, and one line where nothing was built before
set -eu
cd "$(dirname "$0")/.."
. scripts/flags.sh

quiet=
if [ "${1-}" = --quiet ]; then
  quiet=--quiet
  [ -x .build/release/perftop ] ||
    echo "perftop: building for the first time, which takes some minutes" >&2
fi

# shellcheck disable=SC2086 # empty flags must vanish
exec swift build -c release --product perftop $static_flag $brew_flags $quiet >&2
