#!/usr/bin/env python3
"""Sends to perftop at a steady rate for a long time: its memory has to be flat and its counts right.

usage: soak.py [--perftop BINARY] [--minutes N] [--rate SPANS] [--max-memory SIZE]

Four connections send requests of a hundred spans, each round of them with ids, sessions and times of its own. Flat
means that once the memory limit has been reached the anonymous memory never comes to more than 1.05 × its peak
before, and that its trend over the rest of the run is less than a twentieth of it. Ends with 1 where memory grows, where
anything but 503 refuses a request, or where the report has other counts than the sender.
"""

import argparse
import json
import os
import subprocess
import sys
import threading
import time

from interop_receiver import Receiver

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.append(os.path.join(ROOT, "Benchmarks"))

import hundreds  # noqa: E402
from processes import anonymous_bytes, busy_seconds  # noqa: E402

FOLDER = os.path.join(ROOT, ".build-benchmark")
# Twenty minutes of simulated time, which every round moves on.
REQUESTS = 200
# Of the whole time, until the limits of memory and of the spool have been reached; seconds at most.
WARM_SHARE, WARM_SECONDS = 0.5, 300
GROWTH = 1.05
# What such a run brings: order is the sender's, and the oldest is counted only.
EXPECTED = ("outOfOrder", "late", "notKept", "other", "spoolDropped")


def megabytes(count):
    return f"{count / 1e6:.1f} MB"


def milliseconds(seconds):
    return f"{seconds * 1000:.1f} ms"


def trend(samples):
    """Bytes a second by least squares."""
    count = len(samples)
    mean_time = sum(time for time, _ in samples) / count
    mean_bytes = sum(held for _, held in samples) / count
    spread = sum((time - mean_time) ** 2 for time, _ in samples)
    together = sum((time - mean_time) * (held - mean_bytes) for time, held in samples)
    return together / spread if spread else 0.0


def is_flat(samples, warm):
    """Whether memory is flat, and the sentence that says so."""
    # A fold gives up an eighth of the rows: the peaks before and after are what can be compared.
    before = [held for moment, held in samples if warm * 0.6 <= moment < warm]
    after = [(moment, held) for moment, held in samples if moment >= warm]
    if not before or len(after) < 10:
        return False, "the run was too short to say anything of memory"
    peak, later = max(before), max(held for _, held in after)
    mean = sum(held for _, held in after) / len(after)
    slope = trend(after)
    drift = slope * (after[-1][0] - after[0][0])
    text = (
        f"peak {megabytes(peak)} before {warm:.0f} s, {megabytes(later)} after ({later / peak:.3f} ×), "
        f"mean {megabytes(mean)}, trend {slope * 60 / 1e6:+.3f} MB a minute ({drift / mean * 100:+.2f} % in all)"
    )
    return later <= peak * GROWTH and drift <= mean * (GROWTH - 1), text


def watch(process, samples, sender):
    """Notes the memory every second until the sender is done."""
    begin = time.monotonic()
    while sender.poll() is None:
        samples.append((time.monotonic() - begin, anonymous_bytes(process)))
        time.sleep(1)


def problems(told, report, spans):
    if told["refused"]:
        yield f"{told['refused']} requests refused, with {told['status']}"
    if told["broken"]:
        yield f"{told['broken']} connections broke off"
    if told["spans"] != spans:
        yield f"{told['spans']} spans acknowledged of {spans}"
    quality = dict(report["quality"])
    received = quality.pop("received")
    if received["spans"] != told["spans"]:
        yield f"{told['spans']} spans acknowledged, {received['spans']} in the report"
    for key, value in quality.items():
        if value and key not in EXPECTED:
            yield f"{key} is {value}"
    spool = report["spools"][0]
    if spool.get("problem") or spool["unkeptRecords"]:
        yield f"the spool: {spool.get('problem')}, {spool['unkeptRecords']} records not written"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--perftop", default=os.path.join(ROOT, ".build", "release", "perftop"))
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--rate", type=int, default=5_000)
    parser.add_argument("--max-memory", default="128MB")
    options = parser.parse_args()
    seconds = options.minutes * 60
    path = hundreds.provide(os.path.join(FOLDER, "captures"), REQUESTS)
    samples = []
    with Receiver(options.perftop, "--max-memory", options.max_memory) as receiver:
        command = [os.path.join(FOLDER, "sender"), "127.0.0.1", str(receiver.port), path]
        command += ["--rate", str(options.rate), "--seconds", str(seconds), "--every", "60"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as sender:
            watcher = threading.Thread(target=watch, args=(receiver.process.pid, samples, sender), daemon=True)
            watcher.start()
            for line in sender.stdout:
                told = json.loads(line)
                held = megabytes(anonymous_bytes(receiver.process.pid))
                print(
                    f"{told['seconds']:6.0f} s  {told['spans']:9} spans  {held:>9}  "
                    f"P99 {milliseconds(told['p99'])}, worst {milliseconds(told['worst'])}, {told['again']} told to wait",
                    flush=True,
                )
        watcher.join()
        busy = busy_seconds(receiver.process.pid)
        report = receiver.stop()
    flat, memory = is_flat(samples, min(seconds * WARM_SHARE, WARM_SECONDS))
    requests = -(-int(seconds * options.rate) // hundreds.SPANS)
    found = list(problems(told, report, requests * hundreds.SPANS))
    quality = report["quality"]
    print(f"spans      {told['spans']} acknowledged, {quality['received']['spans']} in the report")
    print(f"not kept   {quality['notKept']['records']} records counted only, {quality['spoolDropped']} gone from the spool")
    print(f"memory     {memory}: {'flat' if flat else 'NOT FLAT'}")
    latency = ", ".join(f"{name} {milliseconds(told[name])}" for name in ("median", "p99", "worst"))
    print(f"latency    {latency}; {told['again']} requests told to wait")
    print(f"processor  {busy / told['seconds'] * 100:.1f} % of one, {busy / told['spans'] * 1e6:.1f} µs a span")
    for line in found:
        print(f"WRONG      {line}")
    return 1 if found or not flat else 0


if __name__ == "__main__":
    sys.exit(main())
