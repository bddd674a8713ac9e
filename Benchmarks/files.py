"""Parts of the benchmark that read whole files: time, memory and forms of a capture."""

import os
import statistics

import questions
from processes import Times, peak
from table import megabytes, milliseconds

MB = 1_000_000


def report(setup, path):
    return [setup.perftop, "report", "--format", "json", path]


def both(times, name):
    return f"{milliseconds(times.median(name))} (best {milliseconds(times.best(name))})"


def peers(setup, table):
    """The whole report beside programs that read the same file or answer one question of it."""
    path = setup.capture(setup.size)
    commands = questions.commands(setup.perftop, setup.python, path, setup.available)
    agreed = questions.answers(commands)
    same = len({str(answer) for answer in agreed.values()}) == 1
    if not same:
        for name, answer in agreed.items():
            print(f"  {name}: {answer}")
    others = ", ".join(name for name in agreed if name != "perftop")
    table.add("TTI per screen: count and P90", "the same" if same else "differ", others, "", "the same", same)
    times = Times(commands).run(setup.rounds, fewer=("jq", "duckdb"))
    size = setup.size // MB
    measured = both(times, "perftop")
    ratio = times.ratio("perftop", "wc")
    table.add(f"report, {size} MB", measured, f"wc -l {both(times, 'wc')}", f"{ratio:.1f} ×", "at most 4 ×", ratio <= 4)
    for name, title, target in (
        ("lnav", "lnav -n -q, opening it as plain text", 4),
        ("orjson", "Python with orjson, TTI per screen", 8),
        ("duckdb", "DuckDB, TTI per screen", 25),
        ("jq", "jq, TTI per screen", 25),
    ):
        if name in commands:
            ratio = times.ratio(name, "perftop")
            goal = f"at least {target} × faster"
            table.add("", measured, f"{title}: {both(times, name)}", f"{ratio:.1f} × faster", goal, ratio >= target)


def forms(setup, table):
    """The same records in other forms, each beside the compact one in the same rounds."""
    size = setup.size
    others = ("reordered", "spaced", "lines8mb", "protobuf")
    packed = {"gzip": ["gzip", "-dc"], "zstd": ["zstd", "-dc"]}
    commands = {"compact": report(setup, setup.capture(size))}
    for form in others:
        commands[form] = report(setup, setup.capture(size, form))
    for form, command in packed.items():
        if form in setup.available:
            path = setup.capture(size, form)
            commands["cat " + form] = [*command, path]
            commands[form] = report(setup, path)
    times = Times(commands).run(setup.rounds)
    plain = f"compact {milliseconds(times.median('compact'))}"
    names = {
        "reordered": "members and attributes turned round",
        "spaced": "with spaces",
        "lines8mb": "in lines of 8 MB",
        "protobuf": "as length-prefixed protobuf",
    }
    for form in others:
        ratio = times.ratio(form, "compact")
        table.add(names[form], both(times, form), plain, f"{ratio:.2f} ×", "at most 2 ×", ratio <= 2)
    for form in packed:
        if form in commands:
            rounds = times.rounds
            ratio = statistics.median(
                whole / (unpack + compact)
                for whole, unpack, compact in zip(rounds[form], rounds["cat " + form], rounds["compact"])
            )
            # At most 1.5 times the unpacking and the plain time once more.
            met = statistics.median(
                whole <= 1.5 * unpack + compact
                for whole, unpack, compact in zip(rounds[form], rounds["cat " + form], rounds["compact"])
            )
            peer = f"{packed[form][0]} -dc {milliseconds(times.median('cat ' + form))} + {plain}"
            goal = "1.5 × unpacking + compact"
            table.add(f"{form}", both(times, form), peer, f"{ratio:.2f} ×", goal, met >= 0.5)


def sizes(setup, table):
    """Time and memory for every byte, as captures grow."""
    every = setup.sizes
    commands = {size: report(setup, setup.capture(size)) for size in every}
    times = Times(commands).run(setup.rounds, fewer=(1000 * MB,))
    first = None
    for size in every:
        real = os.path.getsize(setup.capture(size))
        memory = statistics.median(peak(commands[size]) for _ in range(3))
        took = times.median(size) / real * 1e9
        title = f"report, {size // MB} MB"
        measured = f"{both(times, size)}, {took:.2f} ns a byte; {megabytes(memory)}, {memory / real:.3f} a byte"
        if first is None:
            table.add(title, measured)
        else:
            grown = (took / first[0], memory / real / first[1])
            ratio = f"time {grown[0]:.2f} ×, memory {grown[1]:.2f} ×"
            table.add(title, measured, first[2], ratio, "at most 1.1 × a byte", max(grown) <= 1.1)
        if size == 1000 * MB:
            table.add("anonymous memory, 1 GB", megabytes(memory), "", "", "at most 160 MB", memory <= 160e6)
        first = (took, memory / real, title)


def ten_million(setup, table):
    """Ten million spans, for which 10 GB have to be made first."""
    path = setup.capture(10_000 * MB)
    memory = peak([*report(setup, path), "--max-memory", "2GB"])
    table.add("anonymous memory, 10 GB", megabytes(memory), "", "", "at most 1.2 GB", memory <= 1.2e9)
