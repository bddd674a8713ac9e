#!/usr/bin/env python3
"""Checks that what `perftop record` writes is read by others as what was recorded.

usage: interop_record.py [--perftop BINARY] CAPTURE...

Records each capture and reads the file three times: with the official JSON decoder of OTLP, with perftop, and
with DuckDB where its package is there. All must find the spans and log records that the official protobuf
classes find in the capture. Ends with 1 where they do not.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
from collections import Counter

import interop_capture
from opentelemetry.proto_json.logs.v1.logs import LogsData
from opentelemetry.proto_json.trace.v1.trace import TracesData

DUCKDB = """
SELECT count(*) FROM (
  SELECT unnest(from_json(json_extract(scope, '$.{records}'), '["JSON"]')) FROM (
    SELECT unnest(from_json(json_extract(resource, '$.{scopes}'), '["JSON"]')) AS scope FROM (
      SELECT unnest(from_json(json_extract(json, '$.{resources}'), '["JSON"]')) AS resource
      FROM read_ndjson_objects('{path}', maximum_object_size=268435456))))
"""
PATHS = {
    "spans": ("resourceSpans", "scopeSpans", "spans"),
    "logs": ("resourceLogs", "scopeLogs", "logRecords"),
}


def captured(path):
    """Spans by their ids and times, log records by their time, as the official protobuf classes read them."""
    spans, logs = Counter(), Counter()
    for request in interop_capture.requests(path):
        for resource in getattr(request, "resource_spans", ()):
            for scope in resource.scope_spans:
                spans.update((s.trace_id, s.span_id, s.name, s.end_time_unix_nano) for s in scope.spans)
        for resource in getattr(request, "resource_logs", ()):
            for scope in resource.scope_logs:
                logs.update((r.time_unix_nano, r.event_name, len(r.attributes)) for r in scope.log_records)
    return {"spans": spans, "logs": logs}


def official(path):
    """The same, as the official JSON decoder reads the recording."""
    spans, logs = Counter(), Counter()
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            for resource in TracesData.from_json(line).resource_spans:
                for scope in resource.scope_spans:
                    spans.update((s.trace_id, s.span_id, s.name, s.end_time_unix_nano) for s in scope.spans)
            for resource in LogsData.from_json(line).resource_logs:
                for scope in resource.scope_logs:
                    logs.update((r.time_unix_nano, r.event_name, len(r.attributes)) for r in scope.log_records)
    return {"spans": spans, "logs": logs}


def duckdb_counts(path):
    try:
        import duckdb
    except ImportError:
        return None
    counts = {}
    for kind, (resources, scopes, records) in PATHS.items():
        query = DUCKDB.format(resources=resources, scopes=scopes, records=records, path=path)
        counts[kind] = duckdb.sql(query).fetchall()[0][0]
    return counts


def check(perftop, capture, folder):
    recording = pathlib.Path(folder) / (pathlib.Path(capture).name + ".recorded.jsonl")
    command = [perftop, "record", "--output", str(recording), capture]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print(f"{capture}: perftop record ended with {done.returncode}: {done.stderr.strip()}")
        return False
    wanted = captured(capture)
    totals = {kind: sum(found.values()) for kind, found in wanted.items()}
    is_right = True
    if official(recording) != wanted:
        print(f"{capture}: the official JSON decoder reads other records from the recording")
        is_right = False
    report = subprocess.run(
        [perftop, "report", "--format", "json", str(recording)], capture_output=True, text=True, check=True
    )
    received = json.loads(report.stdout)["quality"]["received"]
    readers = {"perftop": {kind: received[kind] for kind in PATHS}, "DuckDB": duckdb_counts(recording)}
    for reader, counts in readers.items():
        if counts is None:
            print(f"{capture}: {reader} is not installed and was not asked")
        elif counts != totals:
            print(f"{capture}: {reader} reads {counts}, the capture holds {totals}")
            is_right = False
    if is_right:
        print(f"{capture}: recorded, read back: {totals['spans']:,} spans, {totals['logs']:,} logs")
    return is_right


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--perftop", default=".build/release/perftop")
    parser.add_argument("captures", nargs="+", metavar="CAPTURE")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        results = [check(arguments.perftop, capture, folder) for capture in arguments.captures]
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
