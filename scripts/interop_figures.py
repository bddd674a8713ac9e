"""Figures of a capture by the project's definitions, computed with plain Python and numpy.

Knows nothing of perftop: an independent second opinion.
"""

import re
from collections import Counter, defaultdict

import numpy

from interop_capture import attributes_of, requests
import interop_budgets
import interop_findings
from interop_sessions import STALE_AFTER, Item, streams_of

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
VERSION = re.compile(r"(\d+)\.(\d+)(?:\.|$)")


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


def stream_of(app, resource, session):
    device = resource.get("device.id") or session
    return app, device or (resource.get("device.model.identifier"), resource.get("os.version"))


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

    def session(self):
        return self.attributes.get("session.id") or self.resource.get("session.id")

    def stream(self):
        return stream_of(self.app, self.resource, self.session())

    def shows_session_spans(self):
        """It comes from 1.9 or later, which sends whole sessions."""
        if self.signal == "app-rendering" and "app.session.duration.ms" in self.attributes:
            return True
        version = VERSION.match(self.scope_version)
        return self.signal != "other" and version and tuple(map(int, version.groups())) >= (1, 9)

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
        self.logs = {}
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
        attributes = attributes_of(message)
        app = resource.get("service.name") or "unknown_service"
        session = attributes.get("session.id") or resource.get("session.id")
        stream = stream_of(app, resource, session)
        moment = message.time_unix_nano or message.observed_time_unix_nano
        is_leak = message.body.string_value == "view_controller_leak"
        name, instance = attributes.get("vc.class_name"), attributes.get("vc.identifier")
        what = (name, instance) if is_leak else message.SerializeToString(deterministic=True)
        signal = "leak" if is_leak else "log"
        identity = (stream, signal, moment, what)
        self.logs[identity] = Item((name, None), signal, resource, app, session, moment, moment)

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
            "screens": screens(accepted, "screen-tti", "screen"),
            "fragments": screens(accepted, "fragment-tti", "fragment"),
            "startup": startup(self.spans.values()),
            "hangs": hangs(accepted),
            "leaks": {
                key: {"count": count}
                for key, count in Counter(
                    (stream[0], what[0]) for stream, signal, _, what in self.logs if signal == "leak"
                ).items()
            },
            **self.timeline(),
        }

    def streams(self):
        """The records of each device, with their sessions and launches; and the newest end of all."""
        items = [(identity[0], item) for identity, item in self.logs.items()]
        newest = max((item.true_end for _, item in items if item.is_timed and not item.is_suspect), default=0)
        for identity, span in self.spans.items():
            arguments = span.signal, span.resource, span.app, span.session()
            items.append((span.stream(), Item(identity, *arguments, span.start, span.end, span)))
        modern = set()
        for identity, copies in self.copies.items():
            is_live = len({copy.content for copy in copies}) > 1
            for copy in copies:
                item = Item(identity, copy.signal, copy.resource, copy.app, None, copy.start, copy.end)
                if item.is_timed and not item.is_suspect:
                    newest = max(newest, item.true_end)
                if copy.shows_session_spans() or is_live and copy.signal == "app-rendering":
                    modern.add(copy.stream())
        return streams_of(items, lambda span, stream: session_state(span, stream in modern)), newest

    def timeline(self):
        """Sessions, launches, hangs and terminations with what links them, by id."""
        streams, newest = self.streams()
        sessions, launches, hangs, terminations = {}, {}, {}, []
        for stream in streams:
            for session in stream.sessions:
                state = session.state
                if state == "open" and newest - session.end > STALE_AFTER:
                    state = "stale"
                figure = {"state": state, "start": session.start, "end": session.end}
                figure |= {"launch": stream.launch_key(session), "visit": session.visit.key()}
                frames = [item.span.frames() for item in session.parts if item.signal == "app-rendering"]
                if state != "rejected" and frames and all(frames):
                    figure |= frames_object([sum(column) for column in zip(*frames)])
                sessions[session.key()] = figure
            for launch in stream.launches:
                figure = {"start": launch.start, "previousExit": launch.exit}
                if launch.startup and not launch.startup.is_error:
                    attributes = launch.startup.span.attributes
                    for name in ("total", "premain", "main"):
                        figure[name + "Ms"] = attributes.get(f"app.startup.{name}_time.ms")
                launches[launch.key()] = figure
            for item in stream.items:
                if item.signal == "app-hang":
                    figure = {"type": item.hang_type, "trueStart": item.true_start, "trueEnd": item.true_end}
                    session = stream.hang_sessions[id(item)]
                    hangs[item.span_id] = figure | {"session": session.key() if session else None}
            for item, session in stream.terminations:
                terminations.append((item.start, session.key() if session else None))
        return {
            "sessions": sessions,
            "launches": launches,
            "hangWindows": hangs,
            "watchdogs": dict(Counter(terminations)),
            "findings": interop_findings.expected(self.spans.values(), streams),
            "budgets": interop_budgets.expected(interop_budgets.entries(), self.spans.values(), streams),
            "budgetParts": interop_budgets.expected_parts(self.spans.values(), streams),
        }


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
    if frames and milliseconds >= 120_000:
        return "clean"
    return "delta" if frames and not is_modern and abs(milliseconds - frames[4]) <= 5 else "open"


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
