#!/bin/sh
# Writes screenshots/*.svg with the program itself, and PNGs from them where rsvg-convert is there.
#
# usage: screenshots.sh [--check]    check: writes nothing; ends with 1 where one is not today's
set -eu
cd "$(dirname "$0")/.."

perftop=${PERFTOP_BINARY:-.build/release/perftop}
status=0
mkdir -p screenshots
for screen in sessions timeline screens hangs leaks ledger quality help; do
  file=screenshots/$screen.svg
  new=$(mktemp)
  "$perftop" screen "$screen" --demo --size 120x36 --tz utc --format svg >"$new"
  if [ "${1-}" = --check ]; then
    cmp -s "$new" "$file" || {
      echo "perftop: $file is not today's; run: make screenshots" >&2
      status=1
    }
    rm -f "$new"
    continue
  fi
  mv "$new" "$file"
  chmod 644 "$file"
  if command -v rsvg-convert >/dev/null 2>&1; then
    rsvg-convert --output "screenshots/$screen.png" "$file"
  fi
done
if [ "${1-}" != --check ] && ! command -v rsvg-convert >/dev/null 2>&1; then
  echo "perftop: PNGs are left as they were: rsvg-convert (librsvg2-bin) is not installed" >&2
fi
exit "$status"
