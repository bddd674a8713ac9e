#!/bin/sh
# Installs what is missing, builds, and runs perftop with the arguments, or with the live demo.
#
# Without arguments and without a terminal on stdout it prints the report of the demo.
set -eu
cd "$(dirname "$0")/.."

scripts/setup.sh
scripts/build.sh --quiet

if [ $# -gt 0 ]; then
  exec .build/release/perftop "$@"
elif [ -t 1 ]; then
  exec .build/release/perftop --demo
else
  exec .build/release/perftop report --demo
fi
