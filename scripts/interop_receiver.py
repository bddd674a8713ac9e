"""perftop as a receiver in a state folder of its own: started, stopped, killed, asked."""

import json
import os
import signal
import socket
import struct
import subprocess
import tempfile
import time

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
SETTINGS = struct.pack(">IBI", 0, 4, 0)[1:]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def speaks_http2(port):
    """Whether a connection that begins as gRPC's does is answered with settings."""
    with socket.create_connection(("127.0.0.1", port), timeout=3) as connection:
        try:
            connection.sendall(PREFACE + SETTINGS)
            head = connection.recv(9)
        except OSError:
            return False
    return len(head) == 9 and head[3] == 4


class Receiver:
    """`perftop report --listen` on one port, as often as it is started."""

    def __init__(self, perftop, *options):
        self.perftop = perftop
        self.options = options
        self.folder = tempfile.TemporaryDirectory(prefix="perftop-interop-")
        self.port = free_port()
        self.process = None

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        if self.process:
            self.process.kill()
            self.process.wait()
        self.folder.cleanup()

    @property
    def environment(self):
        return dict(os.environ, XDG_STATE_HOME=self.folder.name)

    @property
    def runs(self):
        """The folder of all runs."""
        return os.path.join(self.folder.name, "perftop")

    def start(self):
        command = [self.perftop, "report", "--listen", f"127.0.0.1:{self.port}", "--format", "json", *self.options]
        # A file, not a pipe: nobody reads while it writes.
        self.answer = open(os.path.join(self.folder.name, "answer.json"), "w+")
        self.process = subprocess.Popen(command, stdout=self.answer, env=self.environment)
        end = time.monotonic() + 10
        while time.monotonic() < end:
            if self.process.poll() is not None:
                raise SystemExit(f"interop: perftop ended with {self.process.returncode}")
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            except OSError:
                time.sleep(0.01)
        raise SystemExit("interop: perftop does not listen")

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.answer.close()
        self.process = None

    def stop(self, number=signal.SIGINT):
        """The report of the run."""
        self.process.send_signal(number)
        status = self.process.wait()
        self.process = None
        with self.answer:
            if status != 0:
                raise SystemExit(f"interop: perftop ended with {status}")
            self.answer.seek(0)
            return json.load(self.answer)

    def read(self, *sources):
        """The report of what was kept."""
        command = [self.perftop, "report", *sources, "--format", "json"]
        result = subprocess.run(command, stdout=subprocess.PIPE, env=self.environment, check=False)
        if result.returncode != 0:
            raise SystemExit(f"interop: perftop report {' '.join(sources)} ended with {result.returncode}")
        return json.loads(result.stdout)
