#!/usr/bin/env python3
"""Measures perftop beside its peers, all in one run, and prints a table.

usage: benchmark.py [--quick] [--only PART[,PART]] [--record] [--perftop BINARY]

Captures are made once, in .build-benchmark/. --quick leaves out the large ones and repeats less. --record
makes the allocations that are counted the new baseline.
"""

import argparse
import os
import platform
import shutil
import sys
import time

import capture
import dashboard
import files
import inside
import receiver
from table import Table

MB = 1_000_000
PARTS = {
    "report": files.peers,
    "forms": files.forms,
    "sizes": files.sizes,
    "start": dashboard.start,
    "idle": dashboard.idle,
    "follow": dashboard.follow,
    "opening": dashboard.opening,
    "filter": dashboard.filtering,
    "replay": dashboard.replay,
    "receiver": receiver.receiver,
    "layers": inside.layers,
    "counts": inside.counts,
    "instructions": inside.instructions,
    "ten-million": files.ten_million,
}
# Too long or too large for every run.
ON_REQUEST = ("ten-million",)


class Setup:
    """What the parts share: programs, captures, how often to repeat."""

    def __init__(self, arguments):
        root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
        release = os.path.join(root, ".build", "release")
        self.folder = os.path.join(root, ".build-benchmark")
        self.perftop = os.path.abspath(arguments.perftop or os.path.join(release, "perftop"))
        self.measure = os.path.join(release, "perftop-measure")
        self.sender = os.path.join(self.folder, "sender")
        self.tap = os.path.join(self.folder, "venv", "bin", "oteltap")
        self.python = os.path.join(self.folder, "venv", "bin", "python")
        self.quick = arguments.quick
        self.record = arguments.record
        self.rounds = 3 if self.quick else arguments.rounds
        self.size = 10 * MB if self.quick else 100 * MB
        self.sizes = [10 * MB, 100 * MB] if self.quick else [10 * MB, 100 * MB, 1000 * MB]
        self.available = {"wc", "perftop", "gzip", *arguments.peers}
        for program in ("jq", "lnav", "zstd"):
            if shutil.which(program):
                self.available.add(program)
        os.makedirs(self.folder, exist_ok=True)

    def capture(self, size, form="compact"):
        return capture.provide(os.path.join(self.folder, "captures"), size, form)


def machine():
    name = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo") as file:
            name = next(line.split(":", 1)[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    load = os.getloadavg()[0]
    return f"{name}, {os.cpu_count()} cores, {platform.system()} {platform.release().split('-')[0]}, load {load:.1f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="10 and 100 MB, three rounds")
    parser.add_argument("--only", help="parts: " + ", ".join(PARTS))
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--record", action="store_true", help="with counts: a new baseline")
    parser.add_argument("--perftop", help="another binary than the release build's")
    parser.add_argument("--peers", type=lambda text: text.split(","), default=[], help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    chosen = arguments.only.split(",") if arguments.only else [part for part in PARTS if part not in ON_REQUEST]
    for part in chosen:
        if part not in PARTS:
            parser.error(f"no part '{part}': there are {', '.join(PARTS)}")
    setup = Setup(arguments)
    table = Table()
    print(machine())
    failed = False
    for part in chosen:
        print(f"\n{part}: {PARTS[part].__doc__.strip()}", flush=True)
        begin = time.perf_counter()
        try:
            PARTS[part](setup, table)
        except Exception as error:
            failed = True
            table.add(part, f"could not be measured: {error}")
        print(f"  ({time.perf_counter() - begin:.0f} s)", flush=True)
    print(f"\n{machine()}\n\n{table.markdown()}")
    return 2 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
