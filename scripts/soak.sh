#!/bin/sh
# Sends to perftop for twenty minutes and watches its memory; see soak.py.
#
# usage: soak.sh [--minutes N] [--rate SPANS] [--max-memory SIZE]
set -eu
cd "$(dirname "$0")/.."

scripts/sender.sh
exec python3 scripts/soak.py --perftop "${PERFTOP_BINARY:-.build/release/perftop}" "$@"
