"""The part of the benchmark that sends to perftop: what a span costs, how many it takes, keys meanwhile."""

import json
import os
import signal
import socket
import statistics
import subprocess
import tempfile
import time

import hundreds
from dashboard import keys, latencies
from processes import Failed
from table import milliseconds
from terminal import Dashboard

REQUESTS = 2000
CONNECTIONS = 4


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(port, process):
    end = time.monotonic() + 20
    while time.monotonic() < end and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.01)
    raise Failed("a receiver does not listen")


def sending(setup, port, path, *options):
    return [setup.sender, "127.0.0.1", str(port), path, "--connections", str(CONNECTIONS), *options]


def sent(setup, port, path, *options):
    """What came of sending; fails where anything but a request to wait was the answer."""
    result = subprocess.run(sending(setup, port, path, *options), stdout=subprocess.PIPE, check=True)
    answers = json.loads(result.stdout.splitlines()[-1])
    if answers["refused"] or answers["broken"]:
        raise Failed(f"{answers['refused']} requests refused ({answers['status']}), {answers['broken']} broken off")
    return answers


def ended(process, number):
    """Seconds of a processor that a program took until a signal ended it."""
    process.send_signal(number)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime


class Run:
    """`perftop report --listen` with a spool of its own, beside the captures."""

    def __init__(self, setup):
        self.folder = tempfile.TemporaryDirectory(dir=setup.folder)
        self.port = free_port()
        self.output = open(os.path.join(self.folder.name, "report.json"), "w+b")
        command = [setup.perftop, "report", "--listen", f"127.0.0.1:{self.port}", "--format", "json"]
        environment = dict(os.environ, XDG_STATE_HOME=self.folder.name)
        self.process = subprocess.Popen(command, stdout=self.output, env=environment)
        wait_for(self.port, self.process)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.returncode is None:
            ended(self.process, signal.SIGKILL)
        self.output.close()
        self.folder.cleanup()

    def end(self):
        """Seconds of a processor, and the spans of the report."""
        busy = ended(self.process, signal.SIGINT)
        self.output.seek(0)
        return busy, json.load(self.output)["quality"]["received"]["spans"]


def reading(setup, path):
    """Seconds of a processor for the report of the same requests in a file."""
    process = subprocess.Popen([setup.perftop, "report", path, "--format", "json"], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise Failed(f"perftop report {path} ended with {process.returncode}")
    return usage.ru_utime + usage.ru_stime


def taken_by_tap(setup, path):
    """Spans a second that `oteltap` takes; it answers before it has printed them."""
    port = free_port()
    command = [setup.tap, "--port", str(port)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(port, process)
        answers = sent(setup, port, path, "--rounds", "1", "--seconds", "20")
    finally:
        ended(process, signal.SIGKILL)
    return answers["spans"] / answers["seconds"]


def cost(setup, table, path):
    """A span received, spooled and applied beside one that is read; spans a second beside the other receiver."""
    received, read, rates, tapped, median = [], [], [], [], []
    for _ in range(setup.rounds):
        read.append(reading(setup, path))
        with Run(setup) as run:
            answers = sent(setup, run.port, path)
            busy, spans = run.end()
        if spans != answers["spans"]:
            raise Failed(f"{answers['spans']} spans acknowledged, {spans} in the report")
        received.append(busy)
        rates.append(spans / answers["seconds"])
        median.append(answers["median"])
        if os.path.exists(setup.tap):
            tapped.append(taken_by_tap(setup, path))
    ratio = statistics.median(one / other for one, other in zip(received, read))
    table.add(
        "received, spooled and applied: processor time a span",
        f"{statistics.median(received) / spans * 1e6:.1f} µs (best {min(received) / spans * 1e6:.1f} µs)",
        f"read from a file: {statistics.median(read) / spans * 1e6:.1f} µs (best {min(read) / spans * 1e6:.1f} µs)",
        f"{ratio:.1f} ×",
        "at most 4 ×",
        ratio <= 4,
    )
    rate = f"{statistics.median(rates) / 1000:.0f},000 (best {max(rates) / 1000:.0f},000) spans a second"
    rate += f", answered in {milliseconds(statistics.median(median))}"
    if not tapped:
        table.add("received from four connections", rate)
        return
    ratio = statistics.median(one / other for one, other in zip(rates, tapped))
    peer = f"oteltap: {statistics.median(tapped) / 1000:.0f},000 (best {max(tapped) / 1000:.0f},000)"
    table.add("received from four connections", rate, peer, f"{ratio:.1f} ×", "at least 3 ×", ratio >= 3)


def meanwhile(setup, table, path):
    """Keys while the same senders send as fast as they are answered."""
    seconds = 5 if setup.quick else 20
    port = free_port()
    with tempfile.TemporaryDirectory(dir=setup.folder) as state:
        listening = ["/usr/bin/env", f"XDG_STATE_HOME={state}", setup.perftop, "--listen", f"127.0.0.1:{port}"]
        with Dashboard(*listening) as dashboard, Dashboard("/bin/cat") as cat:
            dashboard.first_picture()
            command = sending(setup, port, path, "--seconds", str(seconds))
            sender = subprocess.Popen(command, stdout=subprocess.PIPE)
            echoes = []

            def running():
                dashboard.calm(0.1, 0.1)
                echoes.append(cat.answer(b"x", b"x") or 10.0)
                cat.calm(0.0)
                return sender.poll() is None

            took = keys(dashboard, running)
            answers = json.loads(sender.communicate()[0].splitlines()[-1])
    rate = f"{answers['spans'] / answers['seconds'] / 1000:.0f},000 spans a second"
    what = f"keys while {rate} come"
    table.add(what, latencies(took), f"cat: {latencies(echoes)}", "", "50 ms", max(took) <= 0.05)


def receiver(setup, table):
    """A hundred spans a request over HTTP from four connections, each request with ids of its own."""
    path = hundreds.provide(os.path.join(setup.folder, "captures"), REQUESTS // 10 if setup.quick else REQUESTS)
    cost(setup, table, path)
    meanwhile(setup, table, path)
