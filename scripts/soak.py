#!/usr/bin/env python3
"""Sends to perftop at a steady rate for a long time: its memory has to be flat and its counts right.

usage: soak.py [--perftop BINARY] [--minutes N] [--rate SPANS] [--max-memory SIZE] [--fill SPANS]

Four connections send requests of a hundred spans, each round of them with ids, sessions and times of its own:
first as fast as they are answered, until the tables of texts and resources are full, then at the rate. Flat means
that the anonymous memory never comes to more than 1.05 × its peak in the first fifth of that time, and that its
trend over the rest is less than a twentieth of it. Ends with 1 where memory grows, where anything but 503 refuses a
request, or where the report has other counts than the sender.
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
# Of the time at the rate, with which the rest is compared.
FIRST = 0.2
GROWTH = 1.05
# What such a run brings: order is the sender's, the oldest and what the full tables cannot tell apart is counted only.
EXPECTED = ("outOfOrder", "late", "notKept", "other", "hostAttributesDropped", "spoolDropped")


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


def is_flat(samples, seconds):
    """Whether memory is flat, and the sentence that says so."""
    # It rises and falls by what is given up at once: peaks are what can be compared.
    before = [held for moment, held in samples if moment < seconds * FIRST]
    after = [(moment, held) for moment, held in samples if moment >= seconds * FIRST]
    if not before or len(after) < 10:
        return False, "the run was too short to say anything"
    peak, later = max(before), max(held for _, held in after)
    mean = sum(held for _, held in after) / len(after)
    slope = trend(after)
    drift = slope * (after[-1][0] - after[0][0])
    text = (
        f"peak {megabytes(peak)} in the first {seconds * FIRST:.0f} s, "
        f"{megabytes(later)} later ({later / peak:.3f} ×), "
        f"mean {megabytes(mean)}, trend {slope * 60 / 1e6:+.3f} MB a minute ({drift / mean * 100:+.2f} % in all)"
    )
    return later <= peak * GROWTH and drift <= mean * (GROWTH - 1), text


def watch(process, samples, sender):
    """Notes the memory every second until the sender is done."""
    begin = time.monotonic()
    while sender.poll() is None:
        samples.append((time.monotonic() - begin, anonymous_bytes(process)))
        time.sleep(1)


def problems(fill, told, report, spans):
    for one in (fill, told):
        if one["refused"]:
            yield f"{one['refused']} requests refused, with {one['status']}"
        if one["broken"]:
            yield f"{one['broken']} connections broke off"
    acknowledged = fill["spans"] + told["spans"]
    if acknowledged != spans:
        yield f"{acknowledged} spans acknowledged of {spans}"
    quality = dict(report["quality"])
    received = quality.pop("received")
    if received["spans"] != acknowledged:
        yield f"{acknowledged} spans acknowledged, {received['spans']} in the report"
    for key, value in quality.items():
        if value and key not in EXPECTED:
            yield f"{key} is {value}"
    spool = report["spools"][0]
    if spool.get("problem") or spool["unkeptRecords"]:
        yield f"the spool: {spool.get('problem')}, {spool['unkeptRecords']} records not written"


def progress(told, process):
    latency = f"P99 {milliseconds(told['p99'])}, worst {milliseconds(told['worst'])}, {told['again']} told to wait"
    held = megabytes(anonymous_bytes(process))
    print(f"{told['seconds']:6.0f} s  {told['spans']:9} spans  {held:>9}  {latency}", flush=True)


def send(receiver, path, samples, *options):
    """What the sender was told, its progress printed and the memory noted every second."""
    command = [os.path.join(FOLDER, "sender"), "127.0.0.1", str(receiver.port), path, "--every", "60", *options]
    process = receiver.process.pid
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as sender:
        watcher = threading.Thread(target=watch, args=(process, samples, sender), daemon=True)
        watcher.start()
        for line in sender.stdout:
            told = json.loads(line)
            progress(told, process)
    watcher.join()
    return told


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--perftop", default=os.path.join(ROOT, ".build", "release", "perftop"))
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--rate", type=int, default=5_000)
    parser.add_argument("--max-memory", default="128MB")
    parser.add_argument("--fill", type=int, default=10_000_000)
    options = parser.parse_args()
    seconds = options.minutes * 60
    path = hundreds.provide(os.path.join(FOLDER, "captures"), REQUESTS)
    rounds = max(1, options.fill // (REQUESTS * hundreds.SPANS))
    samples = []
    with Receiver(options.perftop, "--max-memory", options.max_memory) as receiver:
        fill = send(receiver, path, [], "--rounds", str(rounds))
        before = busy_seconds(receiver.process.pid)
        print(f"full after {fill['spans']} spans; now {options.rate} spans a second for {options.minutes:g} minutes")
        steady = ("--rate", str(options.rate), "--seconds", str(seconds))
        told = send(receiver, path, samples, "--from", str(rounds), *steady)
        busy = busy_seconds(receiver.process.pid) - before
        report = receiver.stop()
    flat, memory = is_flat(samples, seconds)
    requests = rounds * REQUESTS + -(-int(seconds * options.rate) // hundreds.SPANS)
    found = list(problems(fill, told, report, requests * hundreds.SPANS))
    quality = report["quality"]
    print(f"spans      {fill['spans'] + told['spans']} acknowledged, {quality['received']['spans']} in the report")
    gone = f"{quality['spoolDropped']} gone from the spool"
    print(f"not kept   {quality['notKept']['records']} records counted only, {gone}")
    print(f"memory     {memory}: {'flat' if flat else 'NOT FLAT'}")
    latency = ", ".join(f"{name} {milliseconds(told[name])}" for name in ("median", "p99", "worst"))
    print(f"latency    {latency}; {told['again']} requests told to wait")
    print(f"processor  {busy / told['seconds'] * 100:.1f} % of one, {busy / told['spans'] * 1e6:.1f} µs a span")
    for line in found:
        print(f"WRONG      {line}")
    return 1 if found or not flat else 0


if __name__ == "__main__":
    sys.exit(main())
