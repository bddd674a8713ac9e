"""Writes the fixtures of this folder with the official OTLP classes (opentelemetry-proto).

Run it with a Python that has that package; the tests hold what the fields set here must give.
"""

import base64
import json
import pathlib

from google.protobuf import json_format
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import (
    ExportMetricsServiceRequest,
)
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

HERE = pathlib.Path(__file__).parent
START = 1_780_000_000_000_000_000
IDS = ("traceId", "spanId", "parentSpanId")


def put(attributes, key, value):
    pair = attributes.add(key=key)
    fill(pair.value, value)


def fill(target, value):
    if isinstance(value, bool):
        target.bool_value = value
    elif isinstance(value, int):
        target.int_value = value
    elif isinstance(value, float):
        target.double_value = value
    elif isinstance(value, bytes):
        target.bytes_value = value
    elif isinstance(value, str):
        target.string_value = value
    elif isinstance(value, list):
        target.array_value.SetInParent()
        for element in value:
            fill(target.array_value.values.add(), element)
    elif isinstance(value, dict):
        target.kvlist_value.SetInParent()
        for key, member in value.items():
            put(target.kvlist_value.values, key, member)
    else:
        assert value is None


def resource(target):
    put(target.attributes, "service.name", "Shop")
    put(target.attributes, "service.version", "8.42.1 (842103)")
    put(target.attributes, "device.id", "D-1")
    put(target.attributes, "device.model.identifier", "iPhone15,3")
    put(target.attributes, "os.name", "iOS")
    put(target.attributes, "os.version", "26.1")


def traces():
    request = ExportTraceServiceRequest()
    group = request.resource_spans.add()
    resource(group.resource)
    scope = group.scope_spans.add()
    scope.scope.name = "perfsuite-ios"
    scope.scope.version = "1.11.2"
    span = scope.spans.add(
        trace_id=bytes(range(1, 17)),
        span_id=bytes(range(0xA0, 0xA8)),
        parent_span_id=bytes(range(0xB0, 0xB8)),
        trace_state="a=1,b=2",
        name="bk.app.screen-tti.Search.Résultats",
        kind=1,
        start_time_unix_nano=START,
        end_time_unix_nano=START + 1_500_000_000,
        dropped_attributes_count=5,
        dropped_events_count=6,
        dropped_links_count=7,
        flags=0x101,
    )
    span.status.code = 2
    span.status.message = "measurement_cancelled"
    put(span.attributes, "screen.name", "Search.Résultats")
    put(span.attributes, "screen.tti.ms", 1234)
    put(span.attributes, "screen.ttfr.ms", 321)
    put(span.attributes, "screen.tti.custom_start", True)
    put(span.attributes, "session.id", "S-1")
    put(span.attributes, "negative", -2)
    put(span.attributes, "ratio", 0.5)
    put(span.attributes, "raw", b"\x00\xff\x10")
    put(span.attributes, "none", None)
    put(span.attributes, "list", ["x", 2, [True], {"k": "v"}])
    put(span.attributes, "map", {"a": 1, "b": {"c": [1.5]}})
    event = span.events.add(time_unix_nano=START + 7, name="ready", dropped_attributes_count=1)
    put(event.attributes, "step", 3)
    span.events.add(time_unix_nano=START + 8, name="shown")
    link = span.links.add(
        trace_id=bytes(range(16, 32)), span_id=bytes(range(8)), trace_state="l=1", flags=1
    )
    put(link.attributes, "why", "retry")
    other = request.resource_spans.add().scope_spans.add()
    other.spans.add(
        trace_id=bytes(range(2, 18)),
        span_id=bytes(range(8, 16)),
        name="app-watchdog-termination",
        kind=1,
        start_time_unix_nano=START,
        end_time_unix_nano=START,
    )
    return request


def logs():
    request = ExportLogsServiceRequest()
    group = request.resource_logs.add()
    resource(group.resource)
    scope = group.scope_logs.add()
    scope.scope.name = "perfsuite-ios"
    leak = scope.log_records.add(
        time_unix_nano=START,
        observed_time_unix_nano=START + 1,
        severity_number=13,
        severity_text="WARN",
        trace_id=bytes(range(1, 17)),
        span_id=bytes(range(0xA0, 0xA8)),
        flags=1,
        dropped_attributes_count=2,
    )
    leak.body.string_value = "view_controller_leak"
    put(leak.attributes, "vc.class_name", "ProfileViewController")
    put(leak.attributes, "vc.identifier", "<ProfileViewController: 0x7f8>")
    put(leak.attributes, "app.startup.prewarmed", True)
    put(leak.attributes, "session.id", "S-1")
    named = scope.log_records.add(observed_time_unix_nano=START + 2, event_name="cart.emptied")
    fill(named.body, {"count": 3})
    plain = scope.log_records.add(time_unix_nano=START + 3, severity_number=9)
    fill(plain.body, "disk almost full")
    return request


def metrics():
    request = ExportMetricsServiceRequest()
    scope = request.resource_metrics.add().scope_metrics.add()
    gauge = scope.metrics.add(name="http.server.time", description="8 bytes!")
    for value in (1.5, 2.5):
        gauge.gauge.data_points.add(time_unix_nano=START, as_double=value)
    total = scope.metrics.add(name="launches")
    for value in (1, 2, 3):
        total.sum.data_points.add(time_unix_nano=START, as_int=value)
    total.sum.is_monotonic = True
    scope.metrics.add(name="h").histogram.data_points.add(
        time_unix_nano=START, count=3, sum=4.5, bucket_counts=[1, 2], explicit_bounds=[1.0]
    )
    exponential = scope.metrics.add(name="e").exponential_histogram.data_points.add(
        time_unix_nano=START, count=1, scale=-2
    )
    exponential.positive.bucket_counts.append(1)
    for _ in range(2):
        scope.metrics.add(name="s").summary.data_points.add(time_unix_nano=START, count=1)
    return request


def as_otlp_json(request):
    """The request as OTLP's JSON mapping: ids in hex, enums as numbers."""

    def hexed(node):
        if isinstance(node, list):
            return [hexed(each) for each in node]
        if not isinstance(node, dict):
            return node
        return {
            key: base64.b64decode(value).hex() if key in IDS else hexed(value)
            for key, value in node.items()
        }

    plain = json_format.MessageToDict(request, use_integers_for_enums=True)
    return json.dumps(hexed(plain), ensure_ascii=False, separators=(",", ":")) + "\n"


for name, request in (("traces", traces()), ("logs", logs()), ("metrics", metrics())):
    (HERE / f"{name}.pb").write_bytes(request.SerializeToString(deterministic=True))
    if name != "metrics":
        (HERE / f"{name}.json").write_text(as_otlp_json(request), encoding="utf-8")
