#!/bin/sh
# Builds the sender of Benchmarks/sender.c where it is not built yet.
set -eu
cd "$(dirname "$0")/.."

sender=.build-benchmark/sender
[ ! "$sender" -nt Benchmarks/sender.c ] || exit 0
mkdir -p .build-benchmark
${CC:-cc} -O2 -Wall -Wextra -Werror -pthread -o "$sender" Benchmarks/sender.c
