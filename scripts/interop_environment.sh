#!/bin/sh
# Puts the official OpenTelemetry packages into an environment of their own and prints the path of its python.
#
# usage: interop_environment.sh [--quick]    --quick: what sends, not what reads; gives up soon where PyPI is far
#
# Ends with 1 where they cannot be had.
set -eu
cd "$(dirname "$0")/.."

environment=.build-interop
python=$environment/bin/python
packages="opentelemetry-sdk==1.45.2 opentelemetry-exporter-otlp-proto-http==1.45.1
  opentelemetry-exporter-otlp-proto-grpc==1.45.1 opentelemetry-exporter-otlp-json-http==0.66b1"
imports="grpc, opentelemetry.exporter.otlp.proto.http, opentelemetry.exporter.otlp.proto.grpc,
  opentelemetry.exporter.otlp.json.http"
patience=
if [ "${1:-}" = --quick ]; then
  patience="--retries 0 --timeout 5"
else
  packages="$packages opentelemetry-proto==1.45.1 opentelemetry-exporter-otlp-json-file==0.66b1 numpy"
  imports="$imports, numpy, opentelemetry.exporter.otlp.json.file"
fi
imports=$(echo "$imports" | tr -d '\n')

if ! "$python" -c "import $imports" 2>/dev/null; then
  echo "perftop: installing the official OpenTelemetry packages into $environment" >&2
  # shellcheck disable=SC2086 # the packages and options are lists
  if ! { python3 -m venv "$environment" &&
    "$python" -m pip install --quiet --disable-pip-version-check $patience $packages; } >"$environment.log" 2>&1; then
    [ -n "$patience" ] || cat "$environment.log" >&2
    rm -f "$environment.log"
    exit 1
  fi
  rm -f "$environment.log"
fi
echo "$python"
