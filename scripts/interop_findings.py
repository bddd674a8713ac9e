"""What the default rules find broken in a capture, by the table of the project's definitions."""

from collections import Counter, defaultdict

import numpy

# rule: warning from, critical from, least sample
MEASURED = {
    "tti-slow": (1000, 3000, 5),
    "ttfr-slow": (250, 1000, 5),
    "fragment-tti-slow": (500, 2000, 5),
    "startup-slow": (2000, 5000, 5),
}
FREEZE_RATE, DROPPED_RATIO = (5, 10), (0.01, 0.05)
LEAKS = (2, 5)
LEAST_FRAMES, LEAST_COVERAGE = 300, 0.5
CRITICAL_HANG = 5000
# A block of twice the threshold cannot escape a detector that polls.
CERTAIN_HANG = 4000
# The ledger's rule reads no OTLP.
COMPARED = (*MEASURED, "freeze-rate", "dropped-frames", "hang", "watchdog", "leak-repeated", "data-missing")
SIGNALS = ("app-startup", "app-rendering", "app-hang", "app-watchdog-termination", "screen-tti",
           "screen-rendering", "fragment-tti", "leak")  # fmt: skip


def severity(value, thresholds):
    warning, critical = thresholds[:2]
    return "critical" if value >= critical else "warning" if value >= warning else None


class Findings:
    """Counts rules that are broken, or would be if there were enough to judge, by severity and value."""

    def __init__(self):
        self.found = Counter()

    def add(self, rule, severity, value, is_enough=True):
        if severity:
            self.found[key(rule, severity if is_enough else "insufficient", value)] += 1

    def measure(self, rule, values):
        p90 = float(numpy.percentile(numpy.array(values, dtype=float), 90))
        self.add(rule, severity(p90, MEASURED[rule]), p90, len(values) >= MEASURED[rule][2])

    def miss(self, stream, what):
        self.found["data-missing", what, stream.name] += 1

    def frames(self, parts):
        """Parts are (counters, nanoseconds) of spans that are judged together."""
        counters = [counters for counters, _ in parts]
        total, dropped, _, freeze, shown = (sum(column) for column in zip(*counters))
        length = sum(length for _, length in parts)
        is_covered = not length or shown * 1_000_000 / length >= LEAST_COVERAGE
        is_enough = is_covered and total + dropped >= LEAST_FRAMES
        if total + dropped:
            ratio = dropped / (total + dropped)
            self.add("dropped-frames", severity(ratio, DROPPED_RATIO), ratio, is_enough)
        if shown:
            rate = freeze * 1000 / shown
            self.add("freeze-rate", severity(rate, FREEZE_RATE), rate, is_enough)


def key(rule, severity, value):
    # Terminations are found for what they are, and an open hang has no length.
    compared = None if rule in ("watchdog", "hang") else float(f"{value:.9g}")
    return rule, severity, compared


def measurements(span):
    """What the default rules measure of an accepted span: rule, milliseconds, and whose they are."""
    value = span.attributes.get
    if span.signal == "screen-tti" and value("screen.tti.ms") is not None and not span.is_pending:
        yield "tti-slow", value("screen.tti.ms"), span.subject
        if value("screen.ttfr.ms") is not None:
            yield "ttfr-slow", value("screen.ttfr.ms"), span.subject
    elif span.signal == "fragment-tti" and value("fragment.tti.ms") is not None:
        yield "fragment-tti-slow", value("fragment.tti.ms"), span.subject
    elif span.signal == "app-startup" and not value("app.startup.prewarmed"):
        if value("app.startup.total_time.ms") is not None:
            yield "startup-slow", value("app.startup.total_time.ms"), span.resource.get("service.version")


def expected(spans, streams, apart=()):
    """Broken rules of accepted spans and of the streams that they make.

    `apart` holds rules with spans that entries of a budgets file judge instead of them.
    """
    findings, groups, screens = Findings(), defaultdict(list), defaultdict(list)
    for span in spans:
        if span.status == 2:
            frames = None if span.is_rejected else span.frames()
        else:
            frames = span.frames()
            for rule, value, subject in measurements(span):
                if (rule, id(span)) not in apart:
                    groups[rule, span.app, subject].append(value)
        if span.signal == "screen-rendering" and frames:
            screens[span.app, span.subject].append((frames, max(0, span.end - span.start)))
    for (rule, _, _), values in groups.items():
        findings.measure(rule, values)
    for parts in screens.values():
        findings.frames(parts)
    for stream in streams:
        for session in stream.sessions:
            parts = [item for item in session.parts if item.signal == "app-rendering" and item.span.frames()]
            if parts and session.state != "rejected":
                lengths = [measured_length(parts)] + [0] * (len(parts) - 1)
                findings.frames([(item.span.frames(), part) for item, part in zip(parts, lengths)])
        leaks = Counter()
        for item in stream.items:
            if item.signal == "leak":
                leaks[stream.launch_at(item.start), item.identity[0]] += 1
            elif item.signal == "app-hang" and item.hang_type != "cancelled":
                long = item.span.attributes.get("hang.duration.ms", 0) >= CRITICAL_HANG
                is_critical = item.hang_type == "fatal" or item.hang_type == "non_fatal" and long
                findings.add("hang", "critical" if is_critical else "warning", 0)
            elif item.signal == "app-watchdog-termination":
                warnings = item.span.attributes.get("memory.warnings_count", 0)
                is_active = item.span.attributes.get("app.state") == "active"
                findings.add("watchdog", "critical" if is_active else "warning" if warnings else None, 0)
        for count in leaks.values():
            findings.add("leak-repeated", severity(count, LEAKS), count)
        find_missing(stream, findings)
    return dict(findings.found)


def measured_length(parts):
    """Nanoseconds from the first start to the last end of a session's spans."""
    return max(item.end for item in parts) - parts[0].start


def find_missing(stream, findings):
    """What a stream lacks, or what makes its numbers mean less than they seem to."""
    suite = [item for item in stream.items if item.signal in SIGNALS]
    renderings = [session for session in stream.sessions if not session.is_implicit]
    if (suite or renderings) and not any(launch.startup for launch in stream.launches):
        findings.miss(stream, "startup")
    if stream.sessions and not any(session.session for session in stream.sessions):
        findings.miss(stream, "session.id")
    hangs = [item for item in stream.items if item.signal == "app-hang"]
    longest, covered, due = 0, [], []
    for session in renderings:
        parts = [item.span.frames() for item in session.parts]
        if session.state == "rejected" or not all(parts):
            continue
        total, dropped, slow, freeze, shown = (sum(column) for column in zip(*parts))
        longest = max(longest, freeze / slow if slow else 0)
        length = measured_length(session.parts)
        if total + dropped >= LEAST_FRAMES and length:
            covered.append(shown * 1_000_000 / length)
        is_covered = not length or shown * 1_000_000 / length >= LEAST_COVERAGE
        if is_covered and is_slow_display(total, dropped, slow, shown):
            due.append(total + dropped)
    if not renderings:
        # Then visits to screens show the display.
        visits = [item for item in stream.items if item.signal == "screen-rendering" and item.span.frames()]
        due = [sum(item.span.frames()[:2]) for item in visits if is_slow_visit(item)]
    if longest >= CERTAIN_HANG and not hangs and not stream.rejects_hangs:
        findings.miss(stream, "hangs")
    if any(share < LEAST_COVERAGE for share in covered):
        findings.miss(stream, "coverage")
    if sum(due) >= LEAST_FRAMES:
        findings.miss(stream, "refresh rate")
    if hangs and not any(item.span.attributes.get("hang.top_screen") for item in hangs):
        findings.miss(stream, "top screen")
    causes = ("memory.warnings_count", "app.state")
    if any(not any(key in item.span.attributes for key in causes) for item, _ in stream.terminations):
        findings.miss(stream, "termination cause")


def is_slow_visit(item):
    total, dropped, slow, _, shown = item.span.frames()
    length = item.end - item.start
    is_covered = length <= 0 or shown * 1_000_000 / length >= LEAST_COVERAGE
    return is_covered and is_slow_display(total, dropped, slow, shown)


def is_slow_display(total, dropped, slow, shown):
    """A display at 30 or 48 Hz shows every frame for longer than the 17 ms that count as slow."""
    rate = (total + dropped) * 1000 / shown if shown else 0
    return (28.5 <= rate <= 31.5 or 46 <= rate <= 50) and slow >= 0.95 * total


def reported(findings):
    counted = Counter()
    for finding in findings:
        rule, verdict = finding["rule"], finding["verdict"]
        if rule == "data-missing":
            counted[rule, finding["statistic"], (finding.get("app"), finding.get("deviceId"))] += 1
        elif rule in COMPARED:
            severity = finding["severity"] if verdict == "broken" else verdict
            counted[key(rule, severity, finding.get("value", 0))] += 1
    return dict(counted)


def worst(expected, report):
    """What remains of the expected findings where the report counts the rest in `findingsOmitted`."""
    remaining = dict(expected)
    for rule, omitted in report.get("findingsOmitted", {}).items():
        kept = sum(f["rule"] == rule for f in report["findings"])
        entries = [entry for entry in expected if entry[0] == rule]
        order = ("critical", "warning", "insufficient")
        entries.sort(key=lambda entry: (order.index(entry[1]), -(entry[2] or 0)))
        total = sum(expected[entry] for entry in entries)
        if total - kept > omitted:
            raise SystemExit(f"interop: {total} findings of {rule}, {kept} reported, {omitted} omitted")
        for entry in entries:
            remaining[entry] = min(expected[entry], kept)
            kept -= remaining[entry]
    return {entry: count for entry, count in remaining.items() if count}
