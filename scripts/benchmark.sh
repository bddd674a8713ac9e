#!/bin/sh
# Measures perftop beside its peers and prints a table; see Benchmarks/benchmark.py.
#
# usage: benchmark.sh [--quick] [--only PART[,PART]]
set -eu
cd "$(dirname "$0")/.."
. scripts/flags.sh

scripts/setup.sh
scripts/build.sh
# shellcheck disable=SC2086 # empty flags must vanish
swift build -c release --product perftop-measure $static_flag $brew_flags >&2

# The peers. What cannot be had is left out of the table, and said here.
missing=
for program in jq lnav zstd; do
  command -v "$program" >/dev/null 2>&1 || missing="$missing $program"
done
if [ -n "$missing" ]; then
  echo "perftop: installing$missing" >&2
  as_root=
  [ "$(id -u)" -eq 0 ] || as_root=sudo
  # shellcheck disable=SC2086 # the names are a list
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing \
    >/dev/null 2>&1 || echo "perftop: cannot install$missing; goes on without" >&2
fi

environment=.build-benchmark/venv
python=$environment/bin/python
peers=
if ! "$python" -c 'import orjson, duckdb, oteltap' 2>/dev/null; then
  echo "perftop: installing orjson, duckdb and oteltap into $environment" >&2
  if ! python3 -m venv "$environment" ||
    ! "$python" -m pip install --quiet --disable-pip-version-check \
      orjson==3.13.0 duckdb==2.0.1 oteltap==1.0.0; then
    echo "perftop: cannot install them; goes on without" >&2
  fi
fi
for package in orjson duckdb; do
  if "$python" -c "import $package" 2>/dev/null; then peers="$peers,$package"; fi
done

scripts/sender.sh
exec python3 Benchmarks/benchmark.py ${peers:+--peers "${peers#,}"} "$@"
