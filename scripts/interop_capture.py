"""Reads OTLP captures with the official protobuf classes: JSON lines and length-prefixed protobuf."""

import base64
import gzip
import json
import struct

from google.protobuf import json_format
from google.protobuf.message import DecodeError
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

ID_KEYS = ("traceId", "spanId", "parentSpanId")


def _ids_to_base64(records):
    """json_format wants base64 where OTLP JSON has hex."""
    for record in records:
        for key in ID_KEYS:
            if key in record:
                try:
                    raw = bytes.fromhex(record[key])
                except ValueError:
                    raw = b""
                record[key] = base64.b64encode(raw).decode()
        _ids_to_base64(record.get("links", ()))


def _json_requests(data):
    for line in data.splitlines():
        line = line.strip(b" \t\r\0\xef\xbb\xbf")
        if not line:
            continue
        value = json.loads(line)
        for root, scopes, items, kind in (
            ("resourceSpans", "scopeSpans", "spans", ExportTraceServiceRequest),
            ("resourceLogs", "scopeLogs", "logRecords", ExportLogsServiceRequest),
        ):
            if root not in value:
                continue
            for resource in value[root]:
                for scope in resource.get(scopes, ()):
                    _ids_to_base64(scope.get(items, ()))
            part = {root: value[root]}
            yield json_format.ParseDict(part, kind(), ignore_unknown_fields=True)


def _protobuf_requests(data):
    position = 0
    while position + 4 <= len(data):
        (length,) = struct.unpack_from(">I", data, position)
        message = data[position + 4 : position + 4 + length]
        position += 4 + length
        yield _request(message)


def _request(message):
    """Requests of spans and of logs are alike down to the record, where the ids tell them apart."""
    try:
        traces = ExportTraceServiceRequest.FromString(message)
    except DecodeError:
        return ExportLogsServiceRequest.FromString(message)
    spans = [s for r in traces.resource_spans for c in r.scope_spans for s in c.spans]
    if spans and not any(s.trace_id or s.span_id for s in spans):
        return ExportLogsServiceRequest.FromString(message)
    return traces


def requests(path):
    """Every request of the capture, in order, as an official message."""
    with open(path, "rb") as file:
        data = file.read()
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    first = data.lstrip(b" \t\r\n\0\xef\xbb\xbf")[:1]
    return _json_requests(data) if first in (b"{", b"[") else _protobuf_requests(data)


def value_of(any_value):
    kind = any_value.WhichOneof("value")
    return None if kind is None else getattr(any_value, kind)


def attributes_of(message):
    """Of several attributes with one key the first counts."""
    result = {}
    for pair in message.attributes:
        result.setdefault(pair.key, value_of(pair.value))
    return result
