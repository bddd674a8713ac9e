#!/usr/bin/env python3
"""Sends with the official exporters to perftop and holds its counts against what they were told.

usage: interop_senders.py [--perftop BINARY] [--quick]

Every exporter and compression to a run of its own; then all of them at once while perftop is killed and
ended again and again. --quick sends a hundredth, and restarts once each way. Ends with 1 where something is missing.
"""

import argparse
import json
import logging
import os
import random
import signal
import subprocess
import sys
import threading
import time

import grpc
from opentelemetry.exporter.otlp.common.http import Compression
from opentelemetry.exporter.otlp.json.http._log_exporter import OTLPLogExporter as JSONLogs
from opentelemetry.exporter.otlp.json.http.trace_exporter import OTLPSpanExporter as JSONSpans
from opentelemetry.exporter.otlp.proto.grpc._log_exporter import OTLPLogExporter as GRPCLogs
from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter as GRPCSpans
from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter as HTTPLogs
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter as HTTPSpans

from interop_receiver import Receiver, speaks_http2
from interop_sample import telemetry

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.append(os.path.join(ROOT, "Benchmarks"))

import hundreds  # noqa: E402

CAPTURES = os.path.join(ROOT, ".build-benchmark", "captures")
SENDER = os.path.join(ROOT, ".build-benchmark", "sender")

# What a batch span processor sends at once.
BATCH = 512
# Seconds: a busy machine is no reason to give up, which exporters do after ten otherwise.
PATIENCE = 60
# Telling of the order in which records came, which is the sender's; everything else has to be zero.
ORDER = ("outOfOrder", "late")


def http(spans, logs, compression):
    def exporters(port):
        return tuple(
            kind(endpoint=f"http://127.0.0.1:{port}/v1/{path}", compression=compression, timeout=PATIENCE)
            for kind, path in ((spans, "traces"), (logs, "logs"))
        )

    return exporters


def grpc_exporters(compression):
    def exporters(port):
        return tuple(
            kind(endpoint=f"http://127.0.0.1:{port}", insecure=True, compression=compression, timeout=PATIENCE)
            for kind in (GRPCSpans, GRPCLogs)
        )

    return exporters


SENDERS = {
    "http/protobuf": http(HTTPSpans, HTTPLogs, Compression.NONE),
    "http/protobuf gzip": http(HTTPSpans, HTTPLogs, Compression.GZIP),
    "http/protobuf deflate": http(HTTPSpans, HTTPLogs, Compression.DEFLATE),
    "http/json": http(JSONSpans, JSONLogs, Compression.NONE),
    "http/json gzip": http(JSONSpans, JSONLogs, Compression.GZIP),
    "http/json deflate": http(JSONSpans, JSONLogs, Compression.DEFLATE),
    "grpc": grpc_exporters(grpc.Compression.NoCompression),
    "grpc gzip": grpc_exporters(grpc.Compression.Gzip),
}
# What a quick run leaves out is no other way into perftop.
QUICK = ("http/protobuf gzip", "http/json", "grpc gzip")
RESTARTED = ("http/protobuf", "http/json gzip", "grpc")


class LastWords(logging.Handler):
    """What the exporters said last: of interest where one gives up."""

    def __init__(self):
        super().__init__()
        self.text = ""

    def emit(self, record):
        self.text = record.getMessage()


LAST_WORDS = LastWords()


class Gate:
    """Lets the senders go no further than to the next restart, which meets those that are still busy."""

    def __init__(self, senders, targets):
        self.condition = threading.Condition()
        self.acknowledged = 0
        self.senders = senders
        self.targets = targets

    def passed(self, spans):
        """A sender has so many more spans acknowledged; it waits where a restart is due."""
        with self.condition:
            self.acknowledged += spans
            self.condition.notify_all()
            while self.targets and self.acknowledged >= self.targets[0]:
                self.condition.wait()

    def left(self):
        with self.condition:
            self.senders -= 1
            self.condition.notify_all()

    def is_reached(self):
        """Waits for the next target; false where nobody is left who could reach it."""
        with self.condition:
            while self.senders and self.acknowledged < self.targets[0]:
                self.condition.wait()
            return self.acknowledged >= self.targets[0]

    def open(self):
        with self.condition:
            self.targets.pop(0)
            self.condition.notify_all()


class Told:
    """What the exporters were told of each batch: the proof is in what they hold for acknowledged."""

    def __init__(self, gate=None, patience=0):
        self.spans, self.logs, self.failures, self.reason = set(), 0, 0, ""
        self.gate = gate
        self.patience = patience

    def is_told(self, exporter, batch):
        """Sends until it is acknowledged, or until patience ends: an exporter gives up after some tries."""
        end = time.monotonic() + self.patience
        while True:
            # The results of spans and of logs are enumerations of their own.
            if exporter.export(batch).name == "SUCCESS":
                return True
            self.failures += 1
            self.reason = LAST_WORDS.text
            if time.monotonic() >= end:
                return False

    def send(self, exporters, spans, logs, size):
        to_send = [(exporters[0], spans[first : first + size], True) for first in range(0, len(spans), size)]
        to_send += [(exporters[1], logs[first : first + size], False) for first in range(0, len(logs), size)]
        random.Random(1).shuffle(to_send)
        for exporter, batch, is_spans in to_send:
            if not self.is_told(exporter, batch):
                continue
            if is_spans:
                self.spans.update((span.context.trace_id, span.context.span_id) for span in batch)
            else:
                self.logs += len(batch)
            if self.gate:
                self.gate.passed(len(batch) if is_spans else 0)
        if self.gate:
            self.gate.left()
        for exporter in exporters:
            exporter.shutdown()


def flattened(figures, path=""):
    for key, value in figures.items():
        if isinstance(value, dict):
            yield from flattened(value, f"{path}{key}.")
        else:
            yield path + key, value


def rejections(spans):
    """How many spans say that the app did not want them measured."""
    return sum(span.status.description == "shouldEmit_rejected" for span in spans)


def problems(report, spans, logs, rejected=0, copies=False):
    """How a report differs from what was acknowledged; copies are what a retry brings a second time."""
    quality = dict(report["quality"])
    received = quality.pop("received")
    quality["rejected"] -= rejected
    repeated = (quality["duplicates"], quality["duplicateLogs"]) if copies else (0, 0)
    for name, expected, extra in (("spans", spans, repeated[0]), ("logs", logs, repeated[1])):
        if received[name] - extra != expected:
            yield f"{received[name]} {name}, {extra} of them copies, {expected} acknowledged"
    for key, value in flattened(quality):
        if value and key not in ORDER and not (copies and key in ("duplicates", "duplicateLogs", "incomplete")):
            yield f"{key} is {value}"


def without_places(report):
    """What two reports of the same records share: one has them from a socket, the other from files."""
    return {key: value for key, value in report.items() if key not in ("sources", "spools")}


def say(name, found, text):
    print(f"{name:24} {'OK     ' if not found else 'DIFFERS'} {text}", flush=True)
    for line in found:
        print("    " + line)
    return bool(found)


def send_plainly(perftop, name, spans, logs):
    """One exporter to one run."""
    told = Told()
    with Receiver(perftop) as receiver:
        if name.startswith("grpc") and not speaks_http2(receiver.port):
            return say(name, ["gRPC not answered"], "nothing sent")
        begin = time.monotonic()
        told.send(SENDERS[name](receiver.port), spans, logs, BATCH)
        took = time.monotonic() - begin
        report = receiver.stop()
        found = list(problems(report, len(spans), len(logs), rejections(spans)))
        if (len(told.spans), told.logs) != (len(spans), len(logs)):
            found.append(f"{len(told.spans)} spans and {told.logs} logs acknowledged of {len(spans)} and {len(logs)}")
            found.append(f"{told.failures} exports given up: {told.reason}")
        again = without_places(receiver.read("--last"))
        if again != without_places(report):
            differing = [key for key, value in without_places(report).items() if again.get(key) != value]
            found.append(f"--last differs in {', '.join(differing)}")
    return say(name, found, f"{len(spans)} spans, {len(logs)} logs in {took:.1f} s")


def send_through_restarts(perftop, records, restarts):
    """All exporters at once to a receiver that is killed and ended by turns, whatever it is doing."""
    whole = sum(len(spans) for spans, _ in records.values())
    with Receiver(perftop) as receiver:
        silent = [name for name in records if name.startswith("grpc") and not speaks_http2(receiver.port)]
        sent = {name: parts for name, parts in records.items() if name not in silent}
        share = sum(len(spans) for spans, _ in sent.values()) / (restarts + 1)
        gate = Gate(len(sent), [share * (number + 1) for number in range(restarts)])
        told = {name: Told(gate, PATIENCE) for name in sent}
        size = min(BATCH, whole // len(records) // 10)
        for name, parts in sent.items():
            arguments = (SENDERS[name](receiver.port), *parts, size)
            threading.Thread(target=told[name].send, args=arguments).start()
        done = 0
        while gate.targets and gate.is_reached():
            if done % 2:
                receiver.stop(signal.SIGTERM)
            else:
                receiver.kill()
            gate.open()
            receiver.start()
            done += 1
        with gate.condition:
            gate.condition.wait_for(lambda: not gate.senders)
        receiver.stop()
        report = receiver.read(receiver.runs)
    spans = sum(len(one.spans) for one in told.values())
    logs = sum(one.logs for one in told.values())
    rejected = sum(rejections(parts[0]) for parts in sent.values())
    found = list(problems(report, spans, logs, rejected, copies=True))
    if spans != whole or done != restarts:
        found.append(f"{spans} spans acknowledged of {whole}, {done} restarts of {restarts}")
    found += [f"{name}: gRPC not answered" for name in silent]
    copies, given_up = report["quality"]["duplicates"], sum(one.failures for one in told.values())
    text = f"{spans} spans, {logs} logs acknowledged over {done} restarts"
    return say("all, restarted", found, f"{text}; {copies} spans came twice, {given_up} exports given up")


def send_fast_through_restarts(perftop, restarts):
    """Four connections that are never without a request of one span, so that each kill meets some."""
    path = hundreds.provide(CAPTURES, 10_000, spans=1)
    source = random.Random(1)
    with Receiver(perftop) as receiver:
        command = [SENDER, "127.0.0.1", str(receiver.port), path, "--seconds", str(restarts * 0.7)]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as sender:
            for number in range(restarts):
                time.sleep(source.uniform(0.4, 0.9))
                if number % 4 == 3:
                    receiver.stop(signal.SIGTERM)
                else:
                    receiver.kill()
                receiver.start()
            told = json.loads(sender.stdout.readlines()[-1])
        receiver.stop()
        report = receiver.read(receiver.runs)
    found = list(problems(report, told["spans"], 0, copies=True))
    if told["refused"]:
        found.append(f"{told['refused']} requests refused with {told['status']}")
    text = f"{told['spans']} requests acknowledged over {restarts} restarts; {told['broken']} tries broke off"
    return say("four connections, killed", found, f"{text}, {report['quality']['duplicates']} spans came twice")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--perftop", default=".build/release/perftop")
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    # Exporters tell of every retry, which is nothing to print.
    exporters = logging.getLogger("opentelemetry")
    exporters.addHandler(LAST_WORDS)
    exporters.propagate = False
    spans, logs = (500, 50) if options.quick else (50_000, 5_000)
    records = {name: telemetry(spans, logs, seed) for seed, name in enumerate(RESTARTED, 1)}
    failed = False
    for name in QUICK if options.quick else SENDERS:
        failed |= send_plainly(options.perftop, name, *records[RESTARTED[0]])
    failed |= send_through_restarts(options.perftop, records, 2 if options.quick else 8)
    if not options.quick:
        failed |= send_fast_through_restarts(options.perftop, 20)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
