"""Requests for the receiver, of a hundred spans unless told otherwise, in a file of length-prefixed protobuf."""

import os
import struct

import capture

SPANS = 100


def requests(messages, spans):
    """The spans of messages, anew in requests of so many; a batch may be cut in two, logs are left out."""
    held, room = [], spans
    for message in messages:
        for group in message.get("resourceSpans", ()):
            for scope in group["scopeSpans"]:
                left = scope["spans"]
                while left:
                    part, left = left[:room], left[room:]
                    held.append({"resource": group["resource"], "scopeSpans": [dict(scope, spans=part)]})
                    room -= len(part)
                    if room == 0:
                        yield {"resourceSpans": held}
                        held, room = [], spans


def write(path, count, spans):
    source = requests(capture.messages(), spans)
    with open(path, "wb") as file:
        for _ in range(count):
            content = capture.protobuf(next(source), capture.REQUEST)
            file.write(struct.pack(">I", len(content)) + content)


def provide(folder, count, spans=SPANS):
    """The path of a file of so many requests of so many spans; made where it is not there yet."""
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, f"v{capture.VERSION}-{count}-requests-of-{spans}.protobuf")
    if not os.path.exists(path):
        print(f"making {os.path.basename(path)}", flush=True)
        write(path + ".new", count, spans)
        os.rename(path + ".new", path)
    return path
