"""Captures for the benchmark: invented sessions of a shop app as a collector's file exporter writes them.

The same size gives the same bytes. About a kilobyte a span: a resource is repeated for every batch that an
app exports, and a message holds the batches of a few apps.
"""

import heapq
import json
import os
import random
import struct
import subprocess
import uuid

# Part of the files' names: captures of another version are made anew.
VERSION = 1
SECOND = 1_000_000_000
START = 1_767_225_600 * SECOND
SCREENS = ("Home", "Search", "Results", "Product", "Reviews", "Basket", "Checkout", "Payment", "Orders", "Account")
MODELS = ("iPhone12,1", "iPhone13,2", "iPhone14,5", "iPhone15,2", "iPhone16,1", "iPad14,3")
VERSIONS = ("8.40.0 (840017)", "8.41.2 (841204)", "8.42.1 (842103)")
SYSTEMS = ("17.6.1", "18.4.1", "18.5.0", "26.0.0")


def identifier(rng):
    return str(uuid.UUID(int=rng.getrandbits(128), version=4)).upper()


def value(given):
    if isinstance(given, bool):
        return {"boolValue": given}
    if isinstance(given, int):
        return {"intValue": str(given)}
    return {"stringValue": given}


def attributes(pairs):
    return [{"key": key, "value": value(given)} for key, given in pairs]


class Session:
    """One run of the app on one device, from its launch to its last screen."""

    def __init__(self, rng, start):
        self.rng = rng
        self.start = start
        self.id = identifier(rng)
        self.slow = 2.5 if rng.random() < 0.1 else 1.0
        system = rng.choice(SYSTEMS)
        self.resource = {
            "attributes": attributes(
                (
                    ("service.name", "Shop"),
                    ("service.version", rng.choice(VERSIONS)),
                    ("device.model.identifier", rng.choice(MODELS)),
                    ("device.id", identifier(rng)),
                    ("os.type", "darwin"),
                    ("os.name", "iOS"),
                    ("os.version", system),
                    ("os.description", f"iOS Version {system} (Build {rng.randrange(20, 24)}E{rng.randrange(100, 400)})"),
                    ("telemetry.sdk.name", "opentelemetry"),
                    ("telemetry.sdk.language", "swift"),
                    ("telemetry.sdk.version", "2.3.0"),
                    ("session.id", self.id),
                )
            )
        }
        self.spans = []
        self.logs = []
        self.tell()

    def batches(self):
        """What the app exports every five seconds: (time, kind, group)."""
        slots = {}
        for kind, records in (("Spans", self.spans), ("Logs", self.logs)):
            for end, record in records:
                slots.setdefault((end - self.start) // (5 * SECOND), {}).setdefault(kind, []).append((end, record))
        for slot in sorted(slots):
            for kind, records in sorted(slots[slot].items()):
                records = [record for _, record in sorted(records, key=lambda pair: pair[0])]
                scope = {"scope": {"name": "perfsuite-ios", "version": "1.11.2"}}
                scope["spans" if kind == "Spans" else "logRecords"] = records
                yield self.start + (slot + 1) * 5 * SECOND, kind, {"resource": self.resource, "scope" + kind: [scope]}

    def span(self, name, start, length, pairs):
        rng = self.rng
        begin = self.start + int(start * SECOND)
        end = begin + int(length * SECOND)
        record = {
            "traceId": f"{rng.getrandbits(128):032x}",
            "spanId": f"{rng.getrandbits(64):016x}",
            "name": name,
            "kind": 1,
            "startTimeUnixNano": str(begin),
            "endTimeUnixNano": str(end),
            "attributes": attributes((*pairs, ("session.id", self.id))),
            "status": {},
        }
        self.spans.append((end, record))

    def leak(self, at):
        name = self.rng.choice(SCREENS) + "ViewController"
        time = self.start + int(at * SECOND)
        record = {
            "timeUnixNano": str(time),
            "observedTimeUnixNano": str(time),
            "severityNumber": 13,
            "severityText": "WARN",
            "body": {"stringValue": "view_controller_leak"},
            "attributes": attributes(
                (
                    ("vc.class_name", name),
                    ("vc.identifier", f"<{name}: 0x{self.rng.getrandbits(36):x}>"),
                    ("session.id", self.id),
                )
            ),
        }
        self.logs.append((time, record))

    def tell(self):
        rng = self.rng
        before = rng.lognormvariate(-1.5, 0.3) * self.slow
        main = rng.lognormvariate(-0.6, 0.4) * self.slow
        self.span(
            "app-startup",
            0,
            before + main,
            (
                ("app.startup.total_time.ms", int((before + main) * 1000)),
                ("app.startup.main_time.ms", int(main * 1000)),
                ("app.startup.premain_time.ms", int(before * 1000)),
                ("app.startup.prewarmed", rng.random() < 0.1),
            ),
        )
        now = foreground = before + main
        sums = [0, 0, 0, 0]
        for _ in range(rng.randrange(2, 13)):
            screen = rng.choice(SCREENS)
            stay, counted = self.visit(screen, now)
            sums = [whole + part for whole, part in zip(sums, counted)]
            now += stay
        self.span(
            "app-rendering",
            foreground,
            now - foreground,
            (*self.frames(sums, now - foreground), ("app.session.duration.ms", int((now - foreground) * 1000))),
        )

    def visit(self, screen, now):
        rng = self.rng
        tti = rng.lognormvariate(-0.3, 0.5) * self.slow
        ttfr = tti * (0.2 + 0.4 * rng.random())
        times = (("screen.tti.ms", int(tti * 1000)), ("screen.ttfr.ms", int(ttfr * 1000)))
        self.span("screen-tti." + screen, now, tti, (("screen.name", screen), *times))
        if rng.random() < 0.2:
            name = rng.choice(("PriceCard", "Carousel", "ReviewsSummary"))
            length = rng.lognormvariate(-1, 0.5) * self.slow
            times = (("fragment.tti.ms", int(length * 1000)), ("fragment.ttfr.ms", int(length * 300)))
            self.span("fragment-tti." + name, now + ttfr, length, (("fragment.name", name), *times))
        stay = tti + rng.lognormvariate(2, 0.7)
        if rng.random() < 0.05:
            hang = 2 + 5 * rng.random()
            stay += hang
            self.span(
                "app-hang",
                now + tti,
                hang,
                (
                    ("hang.type", "non_fatal"),
                    ("hang.during_startup", False),
                    ("hang.duration.ms", int(hang * 1000)),
                    ("hang.top_screen", screen),
                    ("app.session.id", self.id),
                ),
            )
        if rng.random() < 0.04:
            self.leak(now + stay + 2)
        total = int(stay * 60)
        dropped = min(total, int(total * 0.02 * rng.expovariate(1) * self.slow))
        freeze = int(rng.expovariate(0.002)) if rng.random() < 0.25 else 0
        counted = (total, dropped, dropped // 3, freeze)
        self.span("screen-rendering." + screen, now, stay, (("screen.name", screen), *self.frames(counted, stay)))
        return stay, counted

    @staticmethod
    def frames(counted, seconds):
        total, dropped, slow, freeze = counted
        return (
            ("rendering.total_frames", total),
            ("rendering.dropped_frames", dropped),
            ("rendering.slow_frames", slow),
            ("rendering.freeze_time.ms", freeze),
            ("rendering.session_duration.ms", int(seconds * 1000)),
        )


def messages(seed=1):
    """Requests as a collector writes them, for ever: batches of up to four apps, in order of time."""
    rng = random.Random(seed)
    queue = []
    held = {"Spans": [], "Logs": []}
    start = START
    number = 0
    while True:
        for batch in Session(random.Random(rng.getrandbits(64)), start).batches():
            heapq.heappush(queue, (batch[0], number, batch[1], batch[2]))
            number += 1
        start += int(rng.expovariate(0.5) * SECOND)
        while queue and queue[0][0] < start:
            _, _, kind, group = heapq.heappop(queue)
            held[kind].append(group)
            if len(held[kind]) >= rng.randrange(1, 5):
                yield {"resource" + kind: held[kind]}
                held[kind] = []


def text(message):
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def write(path, size):
    """About `size` bytes of compact JSON, a message a line."""
    with open(path, "wb") as file:
        left = size
        for message in messages():
            line = text(message)
            if len(line) > left:
                return
            file.write(line)
            left -= len(line)


def reordered(given):
    """The same value with the members of every object, and so the parts of every attribute, turned round."""
    if isinstance(given, dict):
        return {key: reordered(given[key]) for key in reversed(given)}
    if isinstance(given, list):
        return [reordered(item) for item in given]
    return given


def turned(message):
    """The same message with members turned round, and every list of attributes too."""
    message = reordered(message)
    stack = [message]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            if "attributes" in item:
                item["attributes"].reverse()
            stack.extend(item.values())
        elif isinstance(item, list):
            stack.extend(item)
    return message


# Field numbers and types of opentelemetry-proto: text, hex, fixed64, number, or the fields of a message.
ANY = {"stringValue": (1, "text"), "boolValue": (2, "number"), "intValue": (3, "number")}
PAIR = {"key": (1, "text"), "value": (2, ANY)}
STATUS = {"message": (2, "text"), "code": (3, "number")}
SPAN = {
    "traceId": (1, "hex"), "spanId": (2, "hex"), "name": (5, "text"), "kind": (6, "number"),
    "startTimeUnixNano": (7, "fixed64"), "endTimeUnixNano": (8, "fixed64"), "attributes": (9, PAIR), "status": (15, STATUS),
}  # fmt: skip
LOG = {
    "timeUnixNano": (1, "fixed64"), "severityNumber": (2, "number"), "severityText": (3, "text"), "body": (5, ANY),
    "attributes": (6, PAIR), "observedTimeUnixNano": (11, "fixed64"),
}  # fmt: skip
RESOURCE = {"attributes": (1, PAIR)}
SCOPE = {"name": (1, "text"), "version": (2, "text")}
REQUEST = {
    "resourceSpans": (1, {"resource": (1, RESOURCE), "scopeSpans": (2, {"scope": (1, SCOPE), "spans": (2, SPAN)})}),
    "resourceLogs": (1, {"resource": (1, RESOURCE), "scopeLogs": (2, {"scope": (1, SCOPE), "logRecords": (2, LOG)})}),
}


def varint(number):
    result = bytearray()
    while number >= 0x80:
        result.append(number & 0x7F | 0x80)
        number >>= 7
    result.append(number)
    return bytes(result)


def protobuf(given, fields):
    parts = []
    for key, member in given.items():
        number, kind = fields[key]
        for item in member if isinstance(member, list) else (member,):
            if kind == "fixed64":
                parts.append(bytes((number << 3 | 1,)) + struct.pack("<Q", int(item)))
            elif kind == "number":
                parts.append(bytes((number << 3,)) + varint(int(item)))
            else:
                if kind == "text":
                    content = item.encode()
                elif kind == "hex":
                    content = bytes.fromhex(item)
                else:
                    content = protobuf(item, kind)
                parts.append(bytes((number << 3 | 2,)) + varint(len(content)) + content)
    return b"".join(parts)


def convert(source, target, form):
    """Writes the same records in another form."""
    if form == "gzip":
        command = ["gzip", "-6", "-n", "-c", source]
    elif form == "zstd":
        command = ["zstd", "-q", "-3", "-c", source]
    else:
        command = None
    with open(source, "rb") as lines, open(target, "wb") as file:
        if command:
            subprocess.run(command, stdout=file, check=True)
            return
        held = {}
        for line in lines:
            message = json.loads(line)
            if form == "reordered":
                file.write(text(turned(message)))
            elif form == "spaced":
                file.write(json.dumps(message).encode() + b"\n")
            elif form == "protobuf":
                content = protobuf(message, REQUEST)
                file.write(struct.pack(">I", len(content)) + content)
            else:
                for key, groups in message.items():
                    size, gathered = held.get(key, (0, []))
                    gathered.extend(groups)
                    held[key] = (size + len(line), gathered)
                    if held[key][0] >= 8_000_000:
                        file.write(text({key: held.pop(key)[1]}))
        for key, (_, groups) in held.items():
            file.write(text({key: groups}))


def provide(folder, size, form="compact"):
    """The path of a capture of about `size` bytes before its conversion; made where it is not there yet."""
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, f"v{VERSION}-{size // 1_000_000}mb.{form}")
    if not os.path.exists(path):
        source = provide(folder, size) if form != "compact" else None
        print(f"making {os.path.basename(path)}", flush=True)
        if source:
            convert(source, path + ".new", form)
        else:
            write(path + ".new", size)
        os.rename(path + ".new", path)
    return path
