"""What the entries of a budgets file find broken in a capture, by the project's definitions.

Knows nothing of perftop: an independent second opinion. An entry with the statistic of a default rule has to
be alone in its file, since of two that cover one subject only the first counts.
"""

from collections import Counter, defaultdict
from fnmatch import fnmatchcase

import numpy

import interop_findings
from interop_findings import LEAST_COVERAGE, LEAST_FRAMES, is_slow_display, measured_length

TIMES = {
    "screen-tti": ("screen-tti", "screen.tti.ms"),
    "screen-ttfr": ("screen-tti", "screen.ttfr.ms"),
    "fragment-tti": ("fragment-tti", "fragment.tti.ms"),
    "fragment-ttfr": ("fragment-tti", "fragment.ttfr.ms"),
    "startup": ("app-startup", "app.startup.total_time.ms"),
}
COUNTING = ("count", "rate", "share")
STATISTICS = ("p50", "p75", "p90", "p95", "p99", "max", "mean", *COUNTING)
# What a budgets file is tried with: everything, a part by app, version and device, and a part by name.
PARTS = ({}, {"version": "*1*"}, {"device": "iPhone*", "app": "*"})
SIGNALS = {
    **dict.fromkeys(("screen-tti", "screen-ttfr", "hang", "fatal-hang"), "screen"),
    **dict.fromkeys(("freeze-rate", "dropped-ratio"), "screen"),
    **dict.fromkeys(("fragment-tti", "fragment-ttfr"), "name"),
    **dict.fromkeys(("startup", "watchdog"), None),
    "leak": "name",
    "span": "name",
}
REPLACING = {
    **dict.fromkeys(("startup", "screen-tti", "screen-ttfr", "fragment-tti"), "p90"),
    **dict.fromkeys(("freeze-rate", "dropped-ratio"), "mean"),
    "hang": "max",
    "leak": "count",
}
NAMES = ("screen", "name")
HOUR = 3_600_000_000_000


def is_like(pattern, text):
    if pattern is None:
        return True
    # Brackets and question marks stand for themselves.
    return fnmatchcase(text or "", pattern.replace("[", "[[]").replace("?", "[?]"))


class Entry:
    def __init__(self, entry):
        self.id, self.statistic, self.limit = entry["id"], entry["statistic"], entry["limit"]
        self.warn = entry.get("warn", self.limit)
        self.least = entry.get("minimumSample", 1)
        self.match = dict(entry["match"])
        self.signal = self.match.pop("signal")
        self.name = next((self.match[key] for key in NAMES if key in self.match), None)

    def covers(self, resource, app):
        """Whether app, version and device match."""
        match = self.match
        device = match.get("device")
        return (
            ("app" not in match or is_like(match["app"], app))
            and ("version" not in match or is_like(match["version"], resource.get("service.version")))
            and (
                device is None
                or is_like(device, resource.get("device.model.identifier"))
                or is_like(device, resource.get("device.id"))
            )
        )

    def of(self, values):
        values = numpy.array(values, dtype=float)
        if self.statistic in ("max", "mean"):
            return float(getattr(values, self.statistic)())
        return float(numpy.percentile(values, int(self.statistic[1:])))

    def judge(self, found, value, sample):
        if value is None or value <= min(self.warn, self.limit):
            return
        severity = "critical" if value > self.limit else "warning"
        found[self.id, severity if sample >= self.least else "insufficient", float(f"{value:.9g}")] += 1


def entries():
    """Entries of every signal with every statistic that replaces no default rule, with a limit of nothing."""
    for signal, name in SIGNALS.items():
        for statistic in STATISTICS:
            is_ratio, is_counted = signal in ("freeze-rate", "dropped-ratio"), signal in ("watchdog", "leak")
            has = statistic not in COUNTING if is_ratio else statistic in COUNTING if is_counted else True
            if not has or REPLACING.get(signal) == statistic:
                continue
            for part in PARTS + (({name: "*o*"},) if name else ()):
                match = {"signal": signal} | part
                identifier = " ".join((statistic, *match.values()))
                yield {"id": identifier, "match": match, "statistic": statistic, "limit": 0, "minimumSample": 3}


# Signals whose p90 has a default rule, which an entry replaces for what it matches.
RULES = {
    "screen-tti": "tti-slow",
    "screen-ttfr": "ttfr-slow",
    "fragment-tti": "fragment-tti-slow",
    "startup": "startup-slow",
}


def replacing():
    """Entries that judge a part of what a default rule judges: each has to be tried by itself."""
    for signal in RULES:
        for part in PARTS[1:]:
            match = {"signal": signal} | part
            identifier = " ".join(("p90", *match.values()))
            yield {"id": identifier, "match": match, "statistic": "p90", "limit": 0, "minimumSample": 3}


def expected_parts(spans, streams):
    """By entry: its own findings, and those of the default rule over what it does not match."""
    result = {}
    for entry in replacing():
        rule = RULES[entry["match"]["signal"]]
        apart = {(rule, id(span)) for span, _ in times(Entry(entry), spans)}
        found = interop_findings.expected(spans, streams, apart)
        result[entry["id"]] = {key: count for key, count in found.items() if key[0] == rule}
        result[entry["id"]] |= expected([entry], spans, streams)
    return result


def reported_parts(read_report):
    result = {}
    for entry in replacing():
        rule = RULES[entry["match"]["signal"]]
        findings = read_report([entry])
        default = [f for f in findings if f["budgetSource"].startswith("default rule")]
        found = interop_findings.reported(default)
        result[entry["id"]] = {key: count for key, count in found.items() if key[0] == rule}
        result[entry["id"]] |= reported(findings)
    return result


def expected(entries, spans, streams):
    found = Counter()
    for entry in map(Entry, entries):
        if entry.statistic in COUNTING and (entry.signal, entry.statistic) != ("leak", "count"):
            count(entry, spans, streams, found)
            continue
        groups = grouped(entry, spans, streams)
        for values in groups.values():
            entry.judge(found, entry.of(values), len(values))
    return dict(found)


def grouped(entry, spans, streams):
    """The values that are judged together, by whom they are judged for."""
    groups = defaultdict(list)
    if entry.signal in ("hang", "fatal-hang"):
        for item in hangs(entry, streams):
            duration = item.span.attributes.get("hang.duration.ms")
            if duration is not None and item.hang_type in ("fatal", "non_fatal"):
                groups[None].append(duration)
    elif entry.signal in ("freeze-rate", "dropped-ratio"):
        for frames, length in measured(entry, spans, streams):
            value = rate_of(entry, frames, length)
            if value is not None:
                groups[None].append(value)
    else:
        for span, value in times(entry, spans):
            by = span.resource.get("service.version") if entry.signal == "startup" else named(span)
            groups[span.app, by].append(value)
    return groups


def named(span):
    return span.name if span.signal == "other" else span.subject


def times(entry, spans):
    """Accepted spans that an entry is about, with their milliseconds."""
    for span in spans:
        if not entry.covers(span.resource, span.app) or not is_like(entry.name, named(span)):
            continue
        if entry.signal == "span":
            if span.signal == "other":
                yield span, (span.end - span.start) / 1_000_000
            continue
        signal, key = TIMES[entry.signal]
        value = span.attributes.get(key)
        if signal == "screen-tti" and "screen.tti.ms" not in span.attributes:
            continue
        if span.signal != signal or span.status == 2 or span.is_pending or value is None:
            continue
        if signal != "app-startup" or not span.attributes.get("app.startup.prewarmed"):
            yield span, value


def hangs(entry, streams):
    for stream in streams:
        for item in stream.items:
            if item.signal != "app-hang" or item.hang_type == "cancelled":
                continue
            if entry.signal == "fatal-hang" and item.hang_type != "fatal":
                continue
            screen = item.span.attributes.get("hang.top_screen")
            if is_like(entry.name, screen) and entry.covers(item.resource, item.app):
                yield item


def measured(entry, spans, streams):
    """Counters and nanoseconds: of every session and, where a screen is asked for, of its visits instead."""
    if entry.name is not None:
        for span in spans:
            is_visit = span.signal == "screen-rendering" and not span.is_rejected and span.frames()
            if is_visit and is_like(entry.name, span.subject) and entry.covers(span.resource, span.app):
                yield span.frames(), max(0, span.end - span.start)
        return
    for stream in streams:
        for session in stream.sessions:
            parts = [] if session.is_implicit or session.state == "rejected" else session.parts
            frames = [item.span.frames() for item in parts]
            if frames and all(frames) and entry.covers(parts[0].resource, parts[0].app):
                yield [sum(column) for column in zip(*frames)], measured_length(parts)


def rate_of(entry, frames, length):
    """The ratio of frames that can be judged."""
    total, dropped, slow, freeze, shown = frames
    if total + dropped < LEAST_FRAMES or length and shown * 1_000_000 / length < LEAST_COVERAGE:
        return None
    if is_slow_display(total, dropped, slow, shown):
        return None
    if entry.signal == "dropped-ratio":
        return dropped / (total + dropped)
    return freeze * 1000 / shown if shown else None


def count(entry, spans, streams, found):
    """Entries that count records: all, per hour of session, or the share of sessions that hold one."""
    if entry.signal in ("hang", "fatal-hang"):
        records = {id(item.span) for item in hangs(entry, streams)}
    elif entry.signal == "watchdog":
        records = {
            id(item.span)
            for stream in streams
            for item, _ in stream.terminations
            if entry.covers(item.resource, item.app)
        }
    elif entry.signal == "leak":
        records = {
            id(item)
            for stream in streams
            for item in stream.items
            if item.signal == "leak" and is_like(entry.name, item.identity[0])
            if entry.covers(item.resource, item.app)
        }
    else:
        records = {id(span) for span, _ in times(entry, spans)}
    sessions = [
        session
        for stream in streams
        for session in stream.sessions
        if entry.covers(session.first.resource, session.first.app)
    ]
    hours = sum(map(length_of, sessions)) / HOUR
    holding = sum(
        any(id(item if item.span is None else item.span) in records for item in session.items)
        for session in sessions
    )
    value = len(records) if sessions else None
    if entry.statistic == "rate":
        value = len(records) / hours if hours else None
    elif entry.statistic == "share":
        value = holding / len(sessions) if sessions else None
    entry.judge(found, value, len(sessions))


def length_of(session):
    """Nanoseconds, as reported where they were."""
    told = [item.span.attributes.get("app.session.duration.ms") for item in session.parts if item.span]
    return told[0] * 1_000_000 if not session.is_implicit and told[0] else session.end - session.start


def reported(findings):
    counted = Counter()
    for finding in findings:
        source, entry, name = finding["budgetSource"].partition("entry ")
        if source == "budgets file, " and entry:
            severity = finding["severity"] if finding["verdict"] == "broken" else finding["verdict"]
            if "value" in finding:
                counted[name, severity, float(f"{finding['value']:.9g}")] += 1
    return dict(counted)
