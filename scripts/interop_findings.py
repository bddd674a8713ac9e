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
# Rules that need no budgets file, no ledger and nothing that is missing.
COMPARED = (*MEASURED, "freeze-rate", "dropped-frames", "hang", "watchdog", "leak-repeated")


def severity(value, thresholds):
    warning, critical = thresholds[:2]
    return "critical" if value >= critical else "warning" if value >= warning else None


class Findings:
    """Counts broken rules by rule, severity and value."""

    def __init__(self):
        self.found = Counter()

    def add(self, rule, severity, value):
        if severity:
            self.found[key(rule, severity, value)] += 1

    def measure(self, rule, values):
        if len(values) >= MEASURED[rule][2]:
            p90 = float(numpy.percentile(numpy.array(values, dtype=float), 90))
            self.add(rule, severity(p90, MEASURED[rule]), p90)

    def frames(self, parts):
        """Parts are (counters, nanoseconds) of spans that are judged together."""
        counters = [counters for counters, _ in parts]
        total, dropped, _, freeze, shown = (sum(column) for column in zip(*counters))
        length = sum(length for _, length in parts)
        if total + dropped < LEAST_FRAMES or length and shown * 1_000_000 / length < LEAST_COVERAGE:
            return
        ratio = dropped / (total + dropped)
        self.add("dropped-frames", severity(ratio, DROPPED_RATIO), ratio)
        if shown:
            rate = freeze * 1000 / shown
            self.add("freeze-rate", severity(rate, FREEZE_RATE), rate)


def key(rule, severity, value):
    # Terminations are found for what they are, and an open hang has no length.
    compared = None if rule in ("watchdog", "hang") else float(f"{value:.9g}")
    return rule, severity, compared


def expected(spans, streams):
    """Broken rules of accepted spans and of the streams that they make."""
    findings, groups, screens = Findings(), defaultdict(list), defaultdict(list)
    for span in spans:
        if span.status == 2:
            frames = None if span.is_rejected else span.frames()
        else:
            frames = span.frames()
            for measure, rule in (("screen.tti", "tti-slow"), ("screen.ttfr", "ttfr-slow")):
                value = span.attributes.get(measure + ".ms")
                if span.signal == "screen-tti" and value is not None and not span.is_pending:
                    groups[rule, span.app, span.subject].append(value)
            value = span.attributes.get("fragment.tti.ms")
            if span.signal == "fragment-tti" and value is not None:
                groups["fragment-tti-slow", span.app, span.subject].append(value)
            value = span.attributes.get("app.startup.total_time.ms")
            is_launch = span.signal == "app-startup" and not span.attributes.get("app.startup.prewarmed")
            if is_launch and value is not None:
                groups["startup-slow", span.app, span.resource.get("service.version")].append(value)
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
                length = max(item.end for item in parts) - parts[0].start
                lengths = [length] + [0] * (len(parts) - 1)
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
    return dict(findings.found)


def reported(findings):
    return dict(
        Counter(
            key(finding["rule"], finding["severity"], finding.get("value", 0))
            for finding in findings
            if finding["verdict"] == "broken" and finding["rule"] in COMPARED
        )
    )


def worst(expected, report):
    """What remains of the expected findings where the report counts the rest in `findingsOmitted`."""
    remaining = dict(expected)
    for rule, omitted in report.get("findingsOmitted", {}).items():
        kept = sum(f["rule"] == rule and f["verdict"] == "broken" for f in report["findings"])
        entries = [entry for entry in expected if entry[0] == rule]
        entries.sort(key=lambda entry: (entry[1] != "critical", -(entry[2] or 0)))
        total = sum(expected[entry] for entry in entries)
        if total - kept > omitted:
            raise SystemExit(f"interop: {total} findings of {rule}, {kept} reported, {omitted} omitted")
        for entry in entries:
            remaining[entry] = min(expected[entry], kept)
            kept -= remaining[entry]
    return {entry: count for entry, count in remaining.items() if count}
