"""Parts of the benchmark that look at the dashboard from its terminal."""

import mmap
import multiprocessing
import os
import random
import shutil
import statistics
import threading
import time

import capture
from processes import anonymous_bytes, busy_seconds, bytes_read, switches
from table import megabytes, milliseconds
from terminal import OTHER_SCREEN, Dashboard

MB = 1_000_000
ROTATE = 100 * MB


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def small(setup):
    """A small file: the first messages of a capture."""
    path = os.path.join(setup.folder, "small.jsonl")
    with open(setup.capture(10 * MB), "rb") as lines, open(path, "wb") as file:
        file.writelines(line for _, line in zip(range(20), lines))
    return path


def start(setup, table):
    """From the start of the process to the first bytes of a picture, and to that of the whole file."""
    path = small(setup)
    first, whole = [], []
    for _ in range(5 * setup.rounds):
        with Dashboard(setup.perftop, path) as dashboard:
            first.append(dashboard.first_picture())
            dashboard.until(b" read", 5)
            whole.append(time.perf_counter() - dashboard.started)
    took = statistics.median(first)
    measured = f"{milliseconds(took)} (best {milliseconds(min(first))})"
    table.add("start to first picture, small file", measured, "", "", "15 ms", took <= 0.015)
    table.add("start to the file's data on the screen", f"{milliseconds(statistics.median(whole))} (best {milliseconds(min(whole))})")


def idle(setup, table):
    """Wake-ups and bytes while nothing happens."""
    seconds = 3 if setup.quick else 10
    for title, words in (("idle, a file that was read", []), ("idle, a file that is followed", ["--follow"])):
        with Dashboard(setup.perftop, *words, small(setup)) as dashboard:
            dashboard.calm(1.0)
            before = switches(dashboard.process)
            written = dashboard.calm(seconds)
            rate = (switches(dashboard.process) - before) / seconds
            measured = f"{rate:.1f} wake-ups a second, {written} bytes written"
            table.add(title, measured, "", "", "at most 1 a second, no byte", rate <= 1 and written == 0)


def follow(setup, table):
    """From the append of a message to the first bytes of the picture with it."""
    path = os.path.join(setup.folder, "followed.jsonl")
    rng = random.Random(1)
    source = capture.messages()
    with open(path, "wb", buffering=0) as file:
        file.write(b"".join(capture.text(next(source)) for _ in range(20)))
        took = []
        missed = 0
        with Dashboard(setup.perftop, "--follow", path) as dashboard:
            dashboard.calm(1.0)
            for _ in range(30 if setup.quick else 200):
                line = capture.text(next(source))
                begin = time.perf_counter()
                file.write(line)
                if dashboard.read(2):
                    took.append(time.perf_counter() - begin)
                else:
                    missed += 1
                dashboard.calm(0.05 + 0.1 * rng.random())
    if not took:
        table.add("append to picture", "no picture came", "", "", "median 100 ms, P99 200 ms", False)
        return
    median, late = statistics.median(took), percentile(took, 0.99)
    measured = f"median {milliseconds(median)}, P99 {milliseconds(late)}" + (f", {missed} never" if missed else "")
    met = median <= 0.1 and late <= 0.2 and not missed
    table.add("append to picture", measured, "", "", "median 100 ms, P99 200 ms", met)


def keys(dashboard, running):
    """Seconds that keys took to be answered for as long as something runs."""
    took = []
    toggle = False
    while running():
        toggle = not toggle
        answer = dashboard.answer(b"?" if toggle else b"1", OTHER_SCREEN)
        took.append(10.0 if answer is None else answer)
        dashboard.calm(0.05, 0.1)
    return took


def is_busy(process):
    """A process that uses more than a tenth of a processor."""
    before = busy_seconds(process)
    time.sleep(0.2)
    return busy_seconds(process) - before > 0.02


def opening(setup, table):
    """A large file in the dashboard: the first picture, and keys while it is read."""
    size = setup.sizes[-1]
    path = setup.capture(size)
    whole = os.path.getsize(path)
    with Dashboard(setup.perftop, path) as dashboard:
        first = dashboard.first_picture()
        took = keys(dashboard, lambda: bytes_read(dashboard.process) < whole)
        loaded = time.perf_counter() - dashboard.started
    title = f"opening {size // MB} MB"
    table.add(f"{title}: first picture", milliseconds(first), "", "", "100 ms", first <= 0.1)
    table.add(f"{title}: read to its end, keys pressed", milliseconds(loaded))
    worst = max(took, default=0)
    measured = f"median {milliseconds(statistics.median(took or [0]))}, worst {milliseconds(worst)} of {len(took)}"
    table.add(f"{title}: keys while it loads", measured, "", "", "50 ms", worst <= 0.05)


def wait_calm(process):
    """Waits until a process has had nothing to do for half a second."""
    quiet = 0
    while quiet < 3:
        quiet = 0 if is_busy(process) else quiet + 1


def filtering(setup, table):
    """A filter over a large file: from Enter to the first hits, which the footer counts, until it is done."""
    size = setup.sizes[-1]
    with Dashboard(setup.perftop, setup.capture(size)) as dashboard:
        reader = threading.Thread(target=lambda: dashboard.calm(2.0, 120))
        reader.start()
        wait_calm(dashboard.process)
        reader.join()
        dashboard.press(b"&")
        dashboard.calm(0.3)
        for letter in b"screen:Search":
            dashboard.press(bytes((letter,)))
            dashboard.calm(0.2, 20)
        busy = busy_seconds(dashboard.process)
        first = dashboard.answer(b"\r", b" record", 30.0)
        answered = first is not None
        while is_busy(dashboard.process):
            dashboard.calm(0.01, 0.05)
        busy = busy_seconds(dashboard.process) - busy
    title = f"filter over {size // MB} MB"
    hits = milliseconds(first) if answered else "never"
    measured = f"first hits {hits}, {milliseconds(busy)} of processor time in all"
    table.add(title, measured, "", "", "100 ms to the first hits", answered and first <= 0.1)


class Replay(multiprocessing.Process):
    """Writes a capture again and again at a steady rate into a file that rotates, in a process of its own."""

    def __init__(self, source, folder, rate, seconds):
        super().__init__(daemon=True)
        self.source = source
        self.path = os.path.join(folder, "replay.jsonl")
        self.rate = rate
        self.seconds = seconds
        # One writes it, the other reads it: it needs no lock.
        self.total = multiprocessing.Value("Q", 0, lock=False)
        shutil.rmtree(self.path + ".1", ignore_errors=True)
        open(self.path, "wb").close()

    @property
    def written(self):
        return self.total.value

    def run(self):
        with open(self.source, "rb") as file:
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        out = open(self.path, "wb", buffering=0)
        position = size = written = 0
        begin = time.perf_counter()
        while written < self.rate * self.seconds:
            end = min(position + MB, len(data))
            if size > ROTATE or end == len(data):
                end = data.rfind(b"\n", position, end) + 1
            piece = data[position:end]
            out.write(piece)
            written += len(piece)
            size += len(piece)
            position = end % len(data)
            if size > ROTATE:
                out.close()
                os.replace(self.path, self.path + ".1")
                out = open(self.path, "wb", buffering=0)
                size = 0
            self.total.value = written
            ahead = written / self.rate - (time.perf_counter() - begin)
            if ahead > 0:
                time.sleep(ahead)
        out.close()


def latencies(took):
    over = sum(1 for seconds in took if seconds > 0.05)
    return (
        f"median {milliseconds(statistics.median(took))}, P99 {milliseconds(percentile(took, 0.99))}, "
        f"worst {milliseconds(max(took))}, {over} of {len(took)} beyond 50 ms"
    )


def replay(setup, table):
    """Follows 50 MB/s, the keys and the memory watched, the keys of `cat` in a terminal beside it."""
    seconds = 20 if setup.quick else 180
    source = setup.capture(setup.sizes[-1])
    writer = Replay(source, setup.folder, 50 * MB, seconds)
    samples = []
    echoes = []
    with Dashboard(setup.perftop, "--follow", writer.path) as dashboard, Dashboard("/bin/cat") as cat:
        writer.start()

        def running():
            samples.append((writer.written, anonymous_bytes(dashboard.process)))
            # Nobody may wait for a terminal that is not read.
            dashboard.calm(0.3, 0.3)
            echoes.append(cat.answer(b"x", b"x") or 10.0)
            cat.calm(0.0)
            return writer.is_alive()

        took = keys(dashboard, running)
        writer.join()
        end = time.perf_counter()
        while is_busy(dashboard.process) and time.perf_counter() < end + 120:
            dashboard.calm(0.01, 0.05)
        lag = max(0.0, time.perf_counter() - end - 0.2)
    for path in (writer.path, writer.path + ".1"):
        if os.path.exists(path):
            os.remove(path)
    # Warm once the whole capture has gone through, and has come again as copies of known spans.
    warm = min(2.5 * os.path.getsize(source), writer.written // 2)
    before = max((held for written, held in samples if written <= warm), default=0)
    after = max((held for written, held in samples if written > warm), default=0)
    title = f"following 50 MB/s for {seconds} s"
    table.add(f"{title}: lag at the end", milliseconds(lag), "", "", "none (0.5 s)", lag <= 0.5)
    grown = f"{after / max(1, before):.2f} ×"
    measured = f"{megabytes(before)} until {warm / 1e9:.1f} GB had come, {megabytes(after)} later"
    table.add(f"{title}: memory", measured, "", grown, "flat (1.05 ×)", after <= before * 1.05)
    table.add(f"{title}: keys", latencies(took), f"cat: {latencies(echoes)}", "", "50 ms", max(took) <= 0.05)
