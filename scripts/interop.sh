#!/bin/sh
# Holds perftop against the official OpenTelemetry packages, in their own environment.
#
# usage: interop.sh [CAPTURE...]          the report beside an independent reading; without captures: of one that
#                                         the official SDK writes, then what the official exporters send
#        interop.sh --senders [--quick]   only what the exporters send; --quick: little of it, nothing without PyPI
set -eu
cd "$(dirname "$0")/.."

perftop=${PERFTOP_BINARY:-.build/release/perftop}

if [ "${1:-}" = --senders ]; then
  shift
  if ! python=$(scripts/interop_environment.sh "$@"); then
    [ "${1:-}" = --quick ] || exit 2
    echo "perftop: the official exporters are left out: they cannot be installed from PyPI here" >&2
    exit 0
  fi
  scripts/sender.sh
  exec "$python" scripts/interop_senders.py --perftop "$perftop" "$@"
fi

python=$(scripts/interop_environment.sh) || exit 2
if [ $# -eq 0 ]; then
  sample=.build-interop/sample.jsonl
  "$python" scripts/interop.py --write "$sample"
  "$python" scripts/interop.py --perftop "$perftop" "$sample"
  "$python" scripts/interop_record.py --perftop "$perftop" "$sample"
  scripts/sender.sh
  exec "$python" scripts/interop_senders.py --perftop "$perftop"
fi
exec "$python" scripts/interop.py --perftop "$perftop" "$@"
