#!/bin/sh
# Compares the report with an independent reading by the official packages, in their own environment.
#
# usage: interop.sh [CAPTURE...]    without: a capture that the official SDK writes
set -eu
cd "$(dirname "$0")/.."

environment=.build-interop
python=$environment/bin/python
packages="opentelemetry-sdk==1.45.2 opentelemetry-proto==1.45.1
  opentelemetry-exporter-otlp-json-file==0.66b1 numpy"

if ! "$python" -c 'import numpy, opentelemetry.exporter.otlp.json.file' 2>/dev/null; then
  echo "perftop: installing the official OpenTelemetry packages into $environment" >&2
  python3 -m venv "$environment"
  # shellcheck disable=SC2086 # the packages are a list
  "$python" -m pip install --quiet --disable-pip-version-check $packages
fi

if [ $# -eq 0 ]; then
  set -- "$environment/sample.jsonl"
  "$python" scripts/interop.py --write "$1"
fi
exec "$python" scripts/interop.py --perftop "${PERFTOP_BINARY:-.build/release/perftop}" "$@"
