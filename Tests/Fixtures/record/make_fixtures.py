"""Writes the fixtures of this folder with the official OTLP classes (opentelemetry-proto).

`requests.pb` holds requests of traces, logs and metrics behind lengths of four bytes, with every field and kind of
value set. `requests.jsonl` holds the lines that the Collector's file exporter writes for them, made by walking the
classes' descriptors: fields in the order of the .proto files, ids in hex, numbers of 64 bits as strings, enums as
numbers; resource, scope, status, body and value always. The negative zero has a fraction, which it
has not there, since readers would take it for the other. Run it with the folder as its argument and a Python that has
the package.
"""

import base64
import math
import struct
import sys
from decimal import Decimal

from google.protobuf.descriptor import FieldDescriptor as F
from opentelemetry.proto.common.v1.common_pb2 import *
from opentelemetry.proto.resource.v1.resource_pb2 import *
from opentelemetry.proto.trace.v1.trace_pb2 import *
from opentelemetry.proto.logs.v1.logs_pb2 import *
from opentelemetry.proto.metrics.v1.metrics_pb2 import *

ALWAYS = {"resource", "scope", "status", "body", "value"}
IDS = {"trace_id", "span_id", "parent_span_id"}
QUOTED = {F.TYPE_INT64, F.TYPE_UINT64, F.TYPE_FIXED64, F.TYPE_SFIXED64, F.TYPE_SINT64}

def text(s):
    out = '"'
    for c in s:
        if c in '"\\': out += "\\" + c
        elif c == "\n": out += "\\n"
        elif c == "\r": out += "\\r"
        elif c == "\t": out += "\\t"
        elif c < " ": out += "\\u%04x" % ord(c)
        else: out += c
    return out + '"'

def double(v):
    if math.isnan(v): return '"NaN"'
    if math.isinf(v): return '"Infinity"' if v > 0 else '"-Infinity"'
    if v == 0 and math.copysign(1, v) < 0: return "-0.0"
    a = abs(v)
    if a and (a < 1e-6 or a >= 1e21):
        m, e = repr(v).split("e")
        return (m[:-2] if m.endswith(".0") else m) + "e" + ("-" if e[0] == "-" else "+") + e[1:].lstrip("0")
    s = format(Decimal(repr(v)), "f")
    if "." in s: s = s.rstrip("0").rstrip(".")
    return s

def scalar(field, v):
    if field.name in IDS: return '"' + v.hex() + '"'
    if field.type == F.TYPE_STRING: return text(v)
    if field.type == F.TYPE_BYTES: return '"' + base64.b64encode(v).decode() + '"'
    if field.type == F.TYPE_BOOL: return "true" if v else "false"
    if field.type == F.TYPE_DOUBLE: return double(v)
    return f'"{v}"' if field.type in QUOTED else str(v)

def camel(name):
    head, *rest = name.split("_")
    return head + "".join(w.capitalize() for w in rest)

def write(m):
    parts = []
    for field in m.DESCRIPTOR.fields:
        key = f'"{camel(field.name)}":'
        v = getattr(m, field.name)
        if getattr(field, "is_repeated", False):
            if len(v):
                items = [write(x) if field.message_type else scalar(field, x) for x in v]
                parts.append(key + "[" + ",".join(items) + "]")
        elif field.message_type:
            if m.HasField(field.name): parts.append(key + write(v))
            elif field.name in ALWAYS and not field.containing_oneof: parts.append(key + "{}")
        elif field.has_presence:
            if m.HasField(field.name): parts.append(key + scalar(field, v))
        elif v or (field.type == F.TYPE_DOUBLE and math.copysign(1, v) < 0):
            parts.append(key + scalar(field, v))
    return "{" + ",".join(parts) + "}"

def kv(key, **value): return KeyValue(key=key, value=AnyValue(**value))

odd = "quote \" slash \\ tab \t line \n return \r bell \a del \x7f é — 漢字 \u2028 👩‍👩‍👧 \u0085"
def values():
    deep = AnyValue(string_value="leaf")
    for level in range(12):
        if level % 2: deep = AnyValue(kvlist_value=KeyValueList(values=[KeyValue(key=f"k{level}", value=deep)]))
        else: deep = AnyValue(array_value=ArrayValue(values=[deep, AnyValue(int_value=level)]))
    return [
        kv("string", string_value="plain"), kv("empty", string_value=""), kv("odd", string_value=odd), kv("", string_value="no key"),
        kv("true", bool_value=True), kv("false", bool_value=False),
        kv("zero", int_value=0), kv("one", int_value=1), kv("minus", int_value=-1),
        kv("least", int_value=-2**63), kv("most", int_value=2**63 - 1), kv("past53", int_value=2**53 + 1),
        *[kv(f"double{n}", double_value=v) for n, v in enumerate([0.0, -0.0, 1.0, -1.0, 0.1, 1 / 3, -2.5, 1e-6, 9.9e-7, 1.5e-7, 1e-9, 5e-324,
            2.0**53, 2.0**53 + 2, 123456789012345680.0, 1e20, 1e21, 1.7976931348623157e308, -1e22, 1e15, 1e16, 123456.789, 100.0,
            math.nan, math.inf, -math.inf])],
        kv("array", array_value=ArrayValue(values=[AnyValue(string_value="a"), AnyValue(bool_value=False), AnyValue(), AnyValue(double_value=2)])),
        kv("none", array_value=ArrayValue()), kv("pairs", kvlist_value=KeyValueList(values=[kv("inner", bytes_value=b"\x00\xff"), KeyValue(key="bare")])),
        kv("nopairs", kvlist_value=KeyValueList()),
        *[kv(f"bytes{n}", bytes_value=bytes(range(250, 250 + n)) if n < 6 else bytes(range(256))) for n in (0, 1, 2, 3, 4, 5, 6)],
        KeyValue(key="absent"), KeyValue(key="deep", value=deep),
        kv("long", string_value="x" * 300),
    ]

trace, span = bytes(range(1, 17)), bytes(range(0xA0, 0xA8))
NOW = 1_780_000_000_000_000_000
resource = Resource(attributes=[kv("service.name", string_value="Shop"), kv("device.id", string_value="D1"), kv("build", int_value=42)], dropped_attributes_count=3)
if "entity_refs" in Resource.DESCRIPTOR.fields_by_name:
    resource.entity_refs.add(schema_url="u", type="service", id_keys=["service.name", "é"], description_keys=["build"])
scope = InstrumentationScope(name="perfsuite-ios", version="1.9.0", attributes=[kv("a", bool_value=True)], dropped_attributes_count=1)

full = Span(trace_id=trace, span_id=span, trace_state="a=1,b=2", parent_span_id=bytes(8)[:7] + b"\x09", name="checkout \"now\"", kind=3,
    start_time_unix_nano=NOW, end_time_unix_nano=NOW + 1_234_567_891, attributes=values(), dropped_attributes_count=4294967295,
    dropped_events_count=2, dropped_links_count=7, flags=0x101, status=Status(message="it broke", code=2))
full.events.add(time_unix_nano=NOW + 5, name="tap", attributes=[kv("x", double_value=1.5)], dropped_attributes_count=1)
full.events.add()
full.links.add(trace_id=trace[::-1], span_id=span[::-1], trace_state="s", attributes=[kv("l", int_value=-5)], dropped_attributes_count=2, flags=1)
least = Span(trace_id=trace, span_id=b"\1" * 8, name="app-startup", start_time_unix_nano=1, end_time_unix_nano=2**64 - 1)
traces = TracesData(resource_spans=[
    ResourceSpans(resource=resource, schema_url="https://opentelemetry.io/schemas/1.26.0",
        scope_spans=[ScopeSpans(scope=scope, spans=[full, least], schema_url="s"), ScopeSpans(spans=[Span(trace_id=trace, span_id=b"\2" * 8, kind=1, flags=1)])]),
    ResourceSpans(scope_spans=[ScopeSpans(scope=InstrumentationScope(), spans=[Span(trace_id=trace, span_id=b"\3" * 8, status=Status(code=1))])]),
    ResourceSpans(resource=Resource()),
])
logs = LogsData(resource_logs=[ResourceLogs(resource=resource, scope_logs=[ScopeLogs(scope=scope, log_records=[
    LogRecord(time_unix_nano=NOW, observed_time_unix_nano=NOW + 9, severity_number=17, severity_text="ERROR", body=AnyValue(string_value=odd),
        attributes=values(), dropped_attributes_count=1, flags=1, trace_id=trace, span_id=span, event_name="view_controller_leak"),
    LogRecord(time_unix_nano=NOW, body=AnyValue(kvlist_value=KeyValueList(values=[kv("a", array_value=ArrayValue(values=[AnyValue(int_value=1)]))]))),
    LogRecord(observed_time_unix_nano=5),
], schema_url="x")], schema_url="y")])
exemplar = [Exemplar(filtered_attributes=[kv("f", string_value="v")], time_unix_nano=NOW, as_double=-0.5, span_id=span, trace_id=trace), Exemplar(as_int=-9, time_unix_nano=1)]
base = dict(start_time_unix_nano=NOW, time_unix_nano=NOW + 1)
B = ExponentialHistogramDataPoint.Buckets
metrics = MetricsData(resource_metrics=[ResourceMetrics(resource=resource, scope_metrics=[ScopeMetrics(scope=scope, metrics=[
    Metric(name="g", description="d", unit="ms", metadata=[kv("m", string_value="n")], gauge=Gauge(data_points=[
        NumberDataPoint(attributes=[kv("a", int_value=1)], as_double=1.25, exemplars=exemplar, flags=1, **base), NumberDataPoint(as_int=-2**63, time_unix_nano=1), NumberDataPoint(as_int=0), NumberDataPoint(as_double=0)])),
    Metric(name="s", sum=Sum(aggregation_temporality=2, is_monotonic=True, data_points=[NumberDataPoint(as_int=7, **base)])),
    Metric(name="h", histogram=Histogram(aggregation_temporality=1, data_points=[
        HistogramDataPoint(attributes=[kv("a", string_value="b")], count=6, sum=7.5, bucket_counts=[1, 2, 3, 2**64 - 1, 0], explicit_bounds=[0, 0.5, 10, 1e21], exemplars=exemplar, flags=1, min=-1, max=9, **base),
        HistogramDataPoint(count=0, sum=0, min=0, max=0), HistogramDataPoint()])),
    Metric(name="e", exponential_histogram=ExponentialHistogram(aggregation_temporality=2, data_points=[
        ExponentialHistogramDataPoint(attributes=[kv("a", string_value="b")], count=12, sum=3, scale=-3, zero_count=2, positive=B(offset=-7, bucket_counts=[1, 300, 2**63]), negative=B(offset=5, bucket_counts=[0]),
            flags=1, exemplars=exemplar, min=0.5, max=2, zero_threshold=1e-7, **base), ExponentialHistogramDataPoint(scale=20, positive=B())])),
    Metric(name="q", summary=Summary(data_points=[SummaryDataPoint(attributes=[kv("a", string_value="b")], count=3, sum=-1.5, flags=1,
        quantile_values=[SummaryDataPoint.ValueAtQuantile(quantile=0, value=1), SummaryDataPoint.ValueAtQuantile(quantile=0.99, value=2.75)], **base), SummaryDataPoint(sum=0)])),
    Metric(name="nothing"),
])])])
out = sys.argv[1]
with open(out + "/requests.pb", "wb") as pb, open(out + "/requests.jsonl", "w", newline="\n") as lines:
    for message in (traces, logs, metrics):
        data = message.SerializeToString()
        pb.write(struct.pack(">I", len(data)) + data)
        lines.write(write(message) + "\n")
