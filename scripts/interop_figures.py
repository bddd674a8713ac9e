"""Figures of a capture by the project's definitions, computed with plain Python and numpy.

Knows nothing of perftop: an independent second opinion.
"""

from bisect import bisect_right
from collections import Counter, defaultdict

import numpy

from interop_capture import attributes_of, requests

STEMS = ("screen-tti", "fragment-tti", "screen-rendering")
WHOLE = ("app-startup", "app-rendering", "app-hang", "app-watchdog-termination")
COUNTERS = tuple(
    f"rendering.{name}"
    for name in ("total_frames", "dropped_frames", "slow_frames", "freeze_time.ms", "session_duration.ms")
)
FINAL = {
    "app-startup": tuple(
        f"app.startup.{name}" for name in ("total_time.ms", "premain_time.ms", "main_time.ms", "prewarmed")
    ),
    "screen-tti": ("screen.tti.ms", "screen.ttfr.ms"),
    "fragment-tti": ("fragment.tti.ms", "fragment.ttfr.ms"),
    "screen-rendering": COUNTERS,
    "app-rendering": COUNTERS + ("app.session.duration.ms",),
    "app-hang": ("hang.type", "hang.duration.ms"),
    "app-watchdog-termination": ("memory.warnings_count",),
    "other": (),
}
ERROR = 2


def signal_and_subject(name, attributes):
    """The signal of a span's name, and the screen or fragment in it."""
    for stem in STEMS:
        subject = attributes.get("fragment.name" if stem == "fragment-tti" else "screen.name")
        if isinstance(subject, str):
            known = f"{stem}.{subject}"
            if name == known or name.endswith("." + known):
                return stem, subject
    best = None
    for stem in STEMS + WHOLE:
        position = -1
        while (position := name.find(stem, position + 1)) >= 0:
            rest = name[position + len(stem) :]
            if position > 0 and name[position - 1] != ".":
                continue
            if (rest == "") if stem in WHOLE else (len(rest) > 1 and rest[0] == "."):
                if best is None or position < best[0]:
                    best = (position, stem, rest[1:])
                break
    if best is None:
        return "other", None
    _, stem, rest = best
    key = "fragment.name" if stem == "fragment-tti" else "screen.name"
    return stem, attributes.get(key, rest) if stem in STEMS else None


class Span:
    """One decoded copy of a span."""

    __slots__ = (
        "name", "start", "end", "attributes", "status", "message", "resource", "app", "scope_version",
        "signal", "subject", "content",
    )  # fmt: skip

    def __init__(self, message, resource, resource_bytes, scope):
        self.name = message.name
        self.start = message.start_time_unix_nano
        self.end = message.end_time_unix_nano
        self.attributes = attributes_of(message)
        self.status = message.status.code
        self.message = message.status.message
        self.resource = resource
        self.app = resource.get("service.name") or "unknown_service"
        self.scope_version = scope.version
        self.signal, self.subject = signal_and_subject(self.name, self.attributes)
        self.content = (
            resource_bytes + scope.SerializeToString() + message.SerializeToString(deterministic=True)
        )

    def rank(self):
        """The total order of copies; the greatest wins whole."""
        final = sum(key in self.attributes for key in FINAL[self.signal])
        return (self.status != 0, final, self.end, len(self.attributes), self.content)

    @property
    def is_rejected(self):
        return self.status == ERROR and self.message == "shouldEmit_rejected"

    @property
    def is_pending(self):
        return self.name.endswith("screen-tti.pending") and "screen.name" not in self.attributes

    def stream(self):
        resource = self.resource
        return self.app, (
            resource.get("device.id")
            or self.attributes.get("session.id")
            or resource.get("session.id")
            or (resource.get("device.model.identifier"), resource.get("os.version"))
        )

    def frames(self):
        return [self.attributes.get(key, 0) for key in COUNTERS] if COUNTERS[0] in self.attributes else None


def percentiles(values):
    """R type 7, which is numpy's default; absent when there is no value."""
    if not values:
        return {"count": 0}
    p50, p90, p99 = map(float, numpy.percentile(numpy.array(values, dtype=float), [50, 90, 99]))
    return {"count": len(values), "p50": p50, "p90": p90, "p99": p99, "max": float(max(values))}


class Capture:
    """Everything read, copies merged."""

    def __init__(self, paths):
        self.received = {"spans": 0, "logs": 0}
        self.copies = defaultdict(list)
        self.leaks = set()
        self.log_contents = Counter()
        anonymous = 0
        for path in paths:
            for request in requests(path):
                for group in getattr(request, "resource_spans", ()):
                    resource = attributes_of(group.resource)
                    encoded = group.resource.SerializeToString(deterministic=True)
                    for scope in group.scope_spans:
                        for message in scope.spans:
                            self.received["spans"] += 1
                            identity = (message.trace_id, message.span_id)
                            if len(identity[0]) != 16 or len(identity[1]) != 8 or not all(map(any, identity)):
                                anonymous += 1
                                identity = (b"", anonymous)
                            self.copies[identity].append(Span(message, resource, encoded, scope.scope))
                for group in getattr(request, "resource_logs", ()):
                    resource = attributes_of(group.resource)
                    for scope in group.scope_logs:
                        for message in scope.log_records:
                            self.received["logs"] += 1
                            self._log(message, resource)
        self.spans = {identity: max(copies, key=Span.rank) for identity, copies in self.copies.items()}

    def _log(self, message, resource):
        if message.body.string_value != "view_controller_leak":
            return
        attributes = attributes_of(message)
        app = resource.get("service.name") or "unknown_service"
        device = (
            resource.get("device.id")
            or attributes.get("session.id")
            or resource.get("session.id")
            or (resource.get("device.model.identifier"), resource.get("os.version"))
        )
        name, instance = attributes.get("vc.class_name"), attributes.get("vc.identifier")
        self.leaks.add((app, device, message.time_unix_nano, name, instance))

    def quality(self):
        """Copies equal to the winner, and copies that lost and differ."""
        duplicates = replaced = 0
        for identity, copies in self.copies.items():
            equal = sum(copy.content == self.spans[identity].content for copy in copies)
            duplicates += equal - 1
            replaced += len(copies) - equal
        return {"duplicates": duplicates, "replaced": replaced}

    def figures(self):
        accepted = [span for span in self.spans.values() if not span.is_rejected]
        return {
            "received": self.received,
            "quality": self.quality(),
            "signals": dict(Counter(span.signal for span in self.spans.values())),
            "sessions": self.sessions(),
            "screens": screens(accepted, "screen-tti", "screen"),
            "fragments": screens(accepted, "fragment-tti", "fragment"),
            "startup": startup(self.spans.values()),
            "hangs": hangs(accepted),
            "watchdogs": sum(span.signal == "app-watchdog-termination" for span in accepted),
            "leaks": {
                key: {"count": count}
                for key, count in Counter((app, name) for app, _, _, name, _ in self.leaks).items()
            },
        }

    def sessions(self):
        """One per app-rendering span, by span id; the deltas of one launch are one, under `deltas`."""
        launches, modern = defaultdict(list), set()
        for identity, span in self.spans.items():
            if span.signal == "app-startup":
                launches[span.stream()].append(span.start)
            if "app.session.duration.ms" in span.attributes or span.scope_version:
                modern.add(span.stream())
            if span.signal == "app-rendering" and len(self.copies[identity]) > 1:
                if any(copy.content != span.content for copy in self.copies[identity]):
                    modern.add(span.stream())
        for starts in launches.values():
            starts.sort()
        result, deltas = {}, defaultdict(lambda: [0] * len(COUNTERS))
        for (_, span_id), span in self.spans.items():
            if span.signal != "app-rendering":
                continue
            state, frames = session_state(span, span.stream() in modern), span.frames()
            if state == "delta":
                launch = bisect_right(launches[span.stream()], span.start)
                total = deltas[span.stream() + (launch,)]
                total[:] = [a + b for a, b in zip(total, frames)]
                continue
            key = span_id.hex() if isinstance(span_id, bytes) else f"anonymous {span_id}"
            figure = {"state": "open" if state == "stale" else state}
            if frames and state != "rejected":
                figure |= frames_object(frames)
            result[key] = figure
        for number, total in enumerate(deltas.values()):
            result[f"delta {number}"] = {"state": "clean"} | frames_object(total)
        return result


def frames_object(frames):
    total, dropped, _, freeze, _ = frames
    return {"total": total, "dropped": dropped, "freezeMs": freeze}


def session_state(span, is_modern):
    if span.status == ERROR:
        named = {"accumulator_deinit": "detached", "shouldEmit_rejected": "rejected"}
        return named.get(span.message, "abandoned")
    if "app.session.duration.ms" in span.attributes:
        return "clean"
    frames, milliseconds = span.frames(), (span.end - span.start) / 1e6
    if frames and not is_modern and abs(milliseconds - frames[4]) <= 5:
        return "delta"
    return "clean" if frames and milliseconds >= 120_000 else "open"


def screens(spans, signal, word):
    """Per (app, name): time to interactive and to first render, and for screens what was drawn."""
    groups = defaultdict(lambda: {"tti": [], "ttfr": [], "cancelled": 0, "visits": 0, "frames": [0] * 5})
    for span in spans:
        if span.signal == signal and not span.is_pending:
            group = groups[(span.app, span.subject)]
            if span.status == ERROR:
                group["cancelled"] += 1
                continue
            for measure in ("tti", "ttfr"):
                if (value := span.attributes.get(f"{word}.{measure}.ms")) is not None:
                    group[measure].append(value)
        elif span.signal == "screen-rendering" and word == "screen" and (frames := span.frames()):
            group = groups[(span.app, span.subject)]
            group["visits"] += 1
            group["frames"] = [a + b for a, b in zip(group["frames"], frames)]
    result = {}
    for key, group in groups.items():
        figure = {"tti": percentiles(group["tti"]) | {"cancelled": group["cancelled"]}}
        figure["ttfr"] = percentiles(group["ttfr"])
        if word == "screen":
            figure["rendering"] = {"visits": group["visits"]}
            if group["visits"]:
                figure["rendering"] |= frames_object(group["frames"])
        result[key] = figure
    return result


def startup(spans):
    values, counts = [], Counter()
    for span in spans:
        if span.signal != "app-startup":
            continue
        if span.status == ERROR:
            counts["rejected" if span.is_rejected else "cancelled"] += 1
        elif span.attributes.get("app.startup.prewarmed"):
            counts["prewarmed"] += 1
        elif (total := span.attributes.get("app.startup.total_time.ms")) is not None:
            values.append(total)
    counted = {key: counts[key] for key in ("prewarmed", "rejected", "cancelled")}
    return percentiles(values) | counted


def hangs(spans):
    """Per type: how many, and their milliseconds; a hang without a type is open or killed."""
    result = defaultdict(lambda: {"count": 0, "totalMs": 0})
    for span in spans:
        if span.signal == "app-hang":
            kind = "cancelled" if span.status == ERROR else span.attributes.get("hang.type", "open")
            result[kind]["count"] += 1
            if kind in ("fatal", "non_fatal"):
                result[kind]["totalMs"] += span.attributes.get("hang.duration.ms", 0)
    return dict(result)
