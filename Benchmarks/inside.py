"""Parts of the benchmark that look inside: layers, pictures, allocations, instructions."""

import json
import os
import re
import shutil
import subprocess

MB = 1_000_000
BASELINE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "baseline.json")

LAYERS = {
    "read": "read: the file in pieces of 64 KB",
    "decode": "scan, decode, assemble records",
    "apply": "apply: rows, identity, streams",
    "derive": "derive: launches, sessions, visits",
    "overview": "overview: figures",
    "findings": "findings: rules",
    "json": "the report as JSON",
}


def measure(setup, *words):
    environment = dict(os.environ, SWIFT_DETERMINISTIC_HASHING="1")
    return json.loads(subprocess.run([setup.measure, *words], stdout=subprocess.PIPE, check=True, env=environment).stdout)


def layers(setup, table):
    """Nanoseconds a record, each layer alone on one thread; and what a picture costs."""
    path = setup.capture(setup.size)
    found = measure(setup, "layers", path, "3" if setup.quick else "7")
    records = found["records"]
    bytes_each = os.path.getsize(path) / records
    print(f"\n{records} records of {bytes_each:.0f} bytes:\n\n| layer | ns a span |\n|---|---:|")
    for name, title in LAYERS.items():
        print(f"| {title} | {found['layers'][name] / records:.0f} |")
    print(f"| all, one after the other | {sum(found['layers'].values()) / records:.0f} |\n")
    size = setup.size // MB
    decode = os.path.getsize(path) / found["layers"]["decode"]
    table.add(f"decode, {size} MB, one core", f"{decode:.2f} GB/s", "", "", "1.5 GB/s", decode >= 1.5)
    applied = records / found["layers"]["apply"] * 1e9
    table.add("apply", f"{applied / 1e6:.1f} million spans a second", "", "", "2 million", applied >= 2e6)
    draw = {name: took["draw"] + took["diff"] for name, took in found["pictures"].items()}
    worst = max(draw, key=draw.get)
    listed = ", ".join(f"{name} {took / 1000:.0f}" for name, took in draw.items())
    measured = f"at most {draw[worst] / 1000:.0f} µs ({listed})"
    table.add("drawing and comparing 200×50", measured, "", "", "300 µs", draw[worst] <= 300_000)


def counts(setup, table):
    """Allocations of the simulated sessions beside the baseline; --record makes a new one."""
    found = measure(setup, "counts")
    if not found["counts"]:
        table.add("allocations", "not counted with this C library")
        return
    if setup.record:
        with open(BASELINE, "w") as file:
            json.dump(found, file, indent=2)
            file.write("\n")
    with open(BASELINE) as file:
        baseline = json.load(file)
    known = baseline["counts"]
    same = all(baseline[key] == found[key] for key in ("library", "processor"))
    ratios = {}
    met = same
    for name, count in found["counts"].items():
        if name != "records" and name in known:
            ratios[name] = count / max(1, known[name])
            # A few more or less say nothing where there are few.
            met = met and count <= known[name] * 1.1 + 2
            unit = "a picture" if "." in name else "of 10,000 records"
            print(f"  {name}: {count} {unit}, baseline {known[name]}")
    worst = max(ratios, key=ratios.get)
    measured = ", ".join(f"{name} {count}" for name, count in found["counts"].items() if "." not in name and name != "records")
    ratio = f"at most {ratios[worst]:.2f} × ({worst})"
    table.add("allocations of 10,000 records", measured, "baseline", ratio, "at most 1.1 ×", met if same else None)


def instructions(setup, table):
    """Instructions of every thread for a small capture, with callgrind; slow."""
    if not shutil.which("valgrind"):
        table.add("instructions", "not counted: no valgrind")
        return
    path = setup.capture(10 * MB)
    # valgrind cannot read all debug information that Swift writes, and needs none.
    binary = os.path.join(setup.folder, "perftop-stripped")
    subprocess.run(["strip", "-g", "-o", binary, setup.perftop], check=True)
    out = os.path.join(setup.folder, "callgrind.out")
    for name in os.listdir(setup.folder):
        if name.startswith("callgrind.out"):
            os.remove(os.path.join(setup.folder, name))
    command = ["valgrind", "--tool=callgrind", "--separate-threads=yes", f"--callgrind-out-file={out}"]
    command += [binary, "report", "--format", "json", path]
    environment = dict(os.environ, SWIFT_DETERMINISTIC_HASHING="1")
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True, env=environment)
    with open(path, "rb") as file:
        spans = file.read().count(b'"spanId"')
    for name in sorted(os.listdir(setup.folder)):
        if name.startswith("callgrind.out"):
            with open(os.path.join(setup.folder, name)) as file:
                found = re.search(r"^(?:totals|summary): (\d+)", file.read(), re.M)
            if found and int(found[1]):
                thread = name.rsplit("-", 1)[-1] if "-" in name else "all"
                measured = f"{int(found[1]) / 1e6:.0f} million, {int(found[1]) / spans:.0f} a span"
                table.add(f"instructions, 10 MB, thread {thread}", measured)
