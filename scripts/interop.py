#!/usr/bin/env python3
"""Compares perftop's report of a capture with an independent reading of it.

usage: interop.py [--perftop BINARY] [--dump] CAPTURE...
       interop.py --write FILE

Reads the capture with the official protobuf classes, applies the project's definitions anew, and
compares with `perftop report --format json`. --dump prints the expected figures instead. --write makes a
capture with the official SDK and its JSON file exporter. Ends with 1 where something differs.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from datetime import datetime
from functools import partial

import interop_budgets
import interop_findings
from interop_figures import Capture
from interop_sessions import launch_key, session_key

# How far two sums of the same numbers may lie apart.
TOLERANCE = 1e-9
# Ids of spans; others are perftop's own, and so are matched by what they stand for.
ID = re.compile("[0-9a-f]{16}")
# Rows that the capture does not hold are as wrong as rows that the report lacks.
COMPLETE = ("findings", "budgets", "screens", "fragments", "leaks", "sessions", "launches", "hangWindows", "watchdogs")


def nanoseconds(text):
    """A time of the report as nanoseconds since 1970."""
    seconds = datetime.fromisoformat(text[:19] + "+00:00").timestamp()
    return int(seconds) * 1_000_000_000 + int(text[20:29])


def by_name(rows, key="name"):
    return {(row.get("app"), row[key]): row for row in rows}


def reported(report):
    """perftop's report in the shape of `Capture.figures`."""
    hangs = defaultdict(lambda: {"count": 0, "totalMs": 0})
    for hang in report["hangs"]:
        if hang["origin"] == "otlp":
            kind = "open" if hang["type"] == "killed" else hang["type"]
            hangs[kind]["count"] += 1
            if kind in ("fatal", "non_fatal"):
                hangs[kind]["totalMs"] += hang.get("durationMs", 0)
    known = {}
    for session in report["sessions"]:
        known[session["id"]] = session["id"]
        if not ID.fullmatch(session["id"]):
            start = nanoseconds(session["start"])
            known[session["id"]] = session_key(session["app"], session.get("deviceId"), start)
    launches = {}
    for launch in report["launches"]:
        key = launch["id"]
        if not ID.fullmatch(key):
            key = launch_key(launch["app"], launch.get("deviceId"), nanoseconds(launch["start"]))
        known[launch["id"]] = key
        launches[key] = launch | {"start": nanoseconds(launch["start"])}
    sessions = {}
    for session in report["sessions"]:
        links = {key: known.get(session.get(key)) for key in ("visit", "launch")}
        times = {key: nanoseconds(session[key]) for key in ("start", "end")}
        sessions[known[session["id"]]] = session.get("frames", {}) | session | links | times
    windows = {}
    for hang in report["hangs"]:
        if hang["origin"] == "otlp" and ID.fullmatch(hang["id"]) and "trueStart" in hang:
            times = {key: nanoseconds(hang[key]) for key in ("trueStart", "trueEnd")}
            windows[hang["id"]] = {"type": hang["type"], "session": known.get(hang.get("session"))} | times
    quality = report["quality"]
    return {
        "received": quality["received"],
        "quality": quality,
        "signals": report["signals"],
        "sessions": sessions,
        "screens": by_name(report["screens"]),
        "fragments": by_name(report["fragments"]),
        "startup": report["startup"],
        "hangs": dict(hangs),
        "launches": launches,
        "hangWindows": windows,
        "watchdogs": dict(
            Counter(
                (nanoseconds(termination["time"]), known.get(termination.get("session")))
                for termination in report["watchdogTerminations"]
            )
        ),
        "leaks": by_name(report["leaks"], "class"),
        "findings": interop_findings.reported(report["findings"]),
    }


def differences(expected, actual, path=""):
    """Every expected figure that the report lacks or has otherwise; what it has besides is its own."""
    if isinstance(expected, dict):
        if not isinstance(actual, dict):
            yield f"{path}: expected {expected}, reported {actual}"
            return
        for key, value in expected.items():
            yield from differences(value, actual.get(key), f"{path} {key}")
    elif isinstance(actual, (int, float)) and not isinstance(expected, str):
        if abs(actual - expected) > TOLERANCE * max(1, abs(expected)):
            yield f"{path}: expected {expected}, reported {actual}"
    elif actual != expected:
        # Known to be zero may be said by leaving the row out.
        if not (expected == 0 and actual is None):
            yield f"{path}: expected {expected}, reported {actual}"


def compare(expected, actual):
    failed = False
    for group, figures in expected.items():
        found = list(differences(figures, actual.get(group)))
        if group in COMPLETE:
            found += [f" {key}: reported, not expected" for key in actual[group] if key not in figures]
        size = len(figures) if isinstance(figures, dict) else figures
        print(f"{group:10} {size:6} {'OK' if not found else 'DIFFERS'}")
        for line in found[:20]:
            print("    " + line.strip())
        if len(found) > 20:
            print(f"    and {len(found) - 20} more")
        failed = failed or bool(found)
    totals = [
        sum(session.get(key, 0) for session in actual["sessions"].values())
        for key in ("total", "dropped", "freezeMs")
    ]
    print(f"frames     {totals[0]} total, {totals[1]} dropped, {totals[2]:.0f} ms frozen (compared per session)")
    return failed


def read_report(perftop, arguments):
    command = [perftop, "report", "--format", "json", *arguments]
    result = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    if result.returncode != 0:
        raise SystemExit(f"interop: {' '.join(command)} ended with {result.returncode}")
    return json.loads(result.stdout)


def read_findings(perftop, captures, entries):
    """The findings with a budgets file that has these entries."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as budgets:
        json.dump({"budgets": entries}, budgets)
        budgets.flush()
        return read_report(perftop, ["--budgets", budgets.name, *captures])["findings"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--perftop", default=".build/release/perftop")
    parser.add_argument("--dump", action="store_true")
    parser.add_argument("--write", metavar="FILE")
    parser.add_argument("captures", nargs="*", metavar="CAPTURE")
    options = parser.parse_args()
    if options.write:
        from interop_sample import write_sample

        write_sample(options.write)
        return 0
    expected = Capture(options.captures).figures()
    if options.dump:
        for group, figures in expected.items():
            print(f"{group}: {figures}")
        return 0
    report = read_report(options.perftop, options.captures)
    budgeted = partial(read_findings, options.perftop, options.captures)
    actual = reported(report) | {
        "budgets": interop_budgets.reported(budgeted(list(interop_budgets.entries()))),
        "budgetParts": interop_budgets.reported_parts(budgeted),
    }
    expected["findings"] = interop_findings.worst(expected["findings"], report)
    return 1 if compare(expected, actual) else 0


if __name__ == "__main__":
    sys.exit(main())
