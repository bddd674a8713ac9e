#!/bin/sh
# Everything that has to hold, the fastest check first.
set -eu
cd "$(dirname "$0")/.."
. scripts/flags.sh

swift format lint --strict --parallel --recursive Package.swift Sources Tests Benchmarks
# shellcheck disable=SC2086 # empty flags must vanish
swift build --build-tests --explicit-target-dependency-import-check error $brew_flags
scripts/build.sh
# shellcheck disable=SC2086
swift build -c release --product perftop-measure $static_flag $brew_flags >&2
# A little of what the official exporters send; says so where there are none.
scripts/interop.sh --senders --quick
# shellcheck disable=SC2086
exec swift test --skip-build --disable-xctest $brew_flags
