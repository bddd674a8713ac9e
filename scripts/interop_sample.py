"""Makes records with the official SDK, and writes them with its JSON file exporter."""

import os
import random

from opentelemetry._logs import LogRecord, SeverityNumber
from opentelemetry.context import Context
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import InMemoryLogRecordExporter, SimpleLogRecordProcessor
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import Status, StatusCode

SECOND = 1_000_000_000
START = 1_767_225_600 * SECOND
SCREENS = ("Home", "Search", "Product.Detail", "Größentabelle", "Чек", "カート", "screen-tti.Odd")


class Ids:
    """The same ids for the same seed."""

    def __init__(self, source):
        self.source = source

    def generate_trace_id(self):
        return self.source.getrandbits(128) | 1

    def generate_span_id(self):
        return self.source.getrandbits(64) | 1

    def is_trace_id_random(self):
        return True


def planned_spans(source, prefix, begin):
    """Name, start, end, attributes and error of the spans of one launch; seconds."""
    total = source.randint(600, 4000)
    yield f"{prefix}app-startup", begin, begin + total / 1000, {
        "app.startup.total_time.ms": total,
        "app.startup.prewarmed": source.random() < 0.15,
    }, None
    time, sums = begin + total / 1000, [0] * 5
    opened = time
    for _ in range(source.randint(2, 9)):
        screen, stay = source.choice(SCREENS), source.uniform(2, 20)
        tti = int(source.lognormvariate(6.3, 0.6))
        error = "measurement_cancelled" if source.random() < 0.1 else None
        values = {} if error else {"screen.tti.ms": tti, "screen.ttfr.ms": tti // 3}
        yield f"{prefix}screen-tti.{screen}", time, time + tti / 1000, {"screen.name": screen} | values, error
        missed = source.choice((0, 0, 2, 5, 11))
        frames = [int(stay * 60) - missed, missed, missed // 2, missed * 17, int(stay * 1000)]
        names = ("total_frames", "dropped_frames", "slow_frames", "freeze_time.ms", "session_duration.ms")
        counters = {f"rendering.{name}": value for name, value in zip(names, frames)}
        yield f"{prefix}screen-rendering.{screen}", time, time + stay, {"screen.name": screen} | counters, None
        if source.random() < 0.2:
            block = source.randint(2000, 9000)
            error = source.choice((None, None, "measurement_cancelled", "shouldEmit_rejected"))
            kind = {"hang.type": source.choice(("fatal", "non_fatal")), "hang.duration.ms": block}
            values = {"hang.during_startup": False} | ({} if error else kind)
            yield f"{prefix}app-hang", time + 3, time + 3 + block / 1000, values, error
        yield "HTTP GET", time, time + 0.2, {"http.response.status_code": 200}, None
        sums = [a + b for a, b in zip(sums, frames)]
        time += stay
    fragment = int(source.lognormvariate(5.8, 0.5))
    yield f"{prefix}fragment-tti.Card", opened, opened + fragment / 1000, {
        "fragment.name": "Card",
        "fragment.tti.ms": fragment,
        "fragment.ttfr.ms": fragment // 2,
    }, None
    if source.random() < 0.2:
        yield f"{prefix}app-watchdog-termination", begin, begin, {"memory.warnings_count": 2}, None
    counters = {f"rendering.{name}": value for name, value in zip(names, sums)}
    counters["app.session.duration.ms"] = int((time - opened) * 1000)
    error = source.choice((None, None, None, "user_abandon", "accumulator_deinit", "shouldEmit_rejected"))
    yield f"{prefix}app-rendering", opened, time, counters, error


def write_sample(path, seed=1, launches=120):
    """Makes the file anew; every tenth batch is written twice, as a client does that lost the answer."""
    # Not needed, and perhaps not there, where records are only made to be sent.
    from opentelemetry.exporter.otlp.json.file._log_exporter import FileLogExporter
    from opentelemetry.exporter.otlp.json.file.trace_exporter import FileSpanExporter

    source = random.Random(seed)
    if os.path.exists(path):
        os.remove(path)
    spans_out, logs_out = FileSpanExporter(path), FileLogExporter(path)
    for number in range(launches):
        resource, begin = launch(number)
        spans = launch_spans(source, number)
        source.shuffle(spans)
        for first in range(0, len(spans), 8):
            for _ in range(2 if source.random() < 0.1 else 1):
                spans_out.export(spans[first : first + 8])
        logs = leaks(source, resource, begin, source.randint(0, 4))
        if logs:
            logs_out.export(logs)
    spans_out.shutdown()
    logs_out.shutdown()


def telemetry(spans, logs, seed):
    """So many spans and logs, for exporters; none of them twice."""
    source = random.Random(seed)
    all_spans, all_logs = [], []
    number = 0
    while len(all_spans) < spans or len(all_logs) < logs:
        if len(all_spans) < spans:
            all_spans += launch_spans(source, number)
        if len(all_logs) < logs:
            all_logs += leaks(source, *launch(number), 4)
        number += 1
    return all_spans[:spans], all_logs[:logs]


def launch(number):
    """The resource of the app and the time at which it was launched."""
    resource = Resource(
        {
            "service.name": "Shop" if number % 3 else "ShopClip",
            "service.version": "8.42.1 (842103)",
            "device.id": f"device-{number % 20}",
        }
    )
    return resource, START + number * 400 * SECOND


def launch_spans(source, number):
    resource, begin = launch(number)
    memory, provider = InMemorySpanExporter(), TracerProvider(
        resource=resource, id_generator=Ids(source), shutdown_on_exit=False
    )
    provider.add_span_processor(SimpleSpanProcessor(memory))
    tracer = provider.get_tracer("perfsuite-ios", "1.11.2")
    prefix = "" if number % 4 else "shop.ios."
    for name, start, end, attributes, error in planned_spans(source, prefix, 0):
        span = tracer.start_span(name, Context(), attributes=attributes, start_time=begin + int(start * SECOND))
        if error:
            span.set_status(Status(StatusCode.ERROR, error))
        span.end(end_time=begin + int(end * SECOND))
    return list(memory.get_finished_spans())


def leaks(source, resource, begin, count):
    memory, provider = InMemoryLogRecordExporter(), LoggerProvider(resource=resource, shutdown_on_exit=False)
    provider.add_log_record_processor(SimpleLogRecordProcessor(memory))
    logger = provider.get_logger("perfsuite-ios")
    for _ in range(count):
        name = source.choice(("CartViewController", "ProductGalleryViewController"))
        time = begin + source.randint(1, 60) * SECOND
        attributes = {"vc.class_name": name, "vc.identifier": f"<{name}: 0x{source.getrandbits(36):x}>"}
        logger.emit(
            LogRecord(
                timestamp=time, observed_timestamp=time, severity_number=SeverityNumber.WARN,
                severity_text="WARN", body="view_controller_leak", attributes=attributes, context=Context(),
            )  # fmt: skip
        )
    return list(memory.get_finished_logs())
