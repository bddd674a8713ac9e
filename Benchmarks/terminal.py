"""A dashboard in a terminal of 200×50, and what reaches the terminal when."""

import fcntl
import os
import select
import signal
import struct
import termios
import time

# Stands in the line of screens, which is drawn anew when another screen is shown and not otherwise.
OTHER_SCREEN = b"Sessions"


class Dashboard:
    def __init__(self, *command):
        self.master, slave = os.openpty()
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 200, 0, 0))
        name = os.ttyname(slave)
        environment = dict(os.environ, TERM="xterm-256color", LANG="C.UTF-8", LC_ALL="C.UTF-8")
        actions = [
            (os.POSIX_SPAWN_OPEN, 0, name, os.O_RDWR, 0),
            (os.POSIX_SPAWN_DUP2, 0, 1),
            (os.POSIX_SPAWN_DUP2, 0, 2),
        ]
        self.started = time.perf_counter()
        # The first terminal that the leader of a session opens becomes its own.
        self.process = os.posix_spawn(command[0], list(command), environment, file_actions=actions, setsid=True)
        os.close(slave)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)
        os.close(self.master)

    def read(self, timeout):
        """What the dashboard wrote; empty when there is nothing in time."""
        ready, _, _ = select.select([self.master], [], [], max(0, timeout))
        return os.read(self.master, 1 << 16) if ready else b""

    def until(self, text, timeout=60.0):
        """Seconds until the dashboard has written a text; None when it does not come in time."""
        begin = time.perf_counter()
        tail = b""
        while (left := begin + timeout - time.perf_counter()) > 0:
            tail = tail[-64:] + self.read(left)
            if text in tail:
                return time.perf_counter() - begin
        return None

    def calm(self, quiet=0.2, timeout=60.0):
        """Waits until nothing has been written for a while; the bytes that were."""
        end = time.perf_counter() + timeout
        total = 0
        while time.perf_counter() < end:
            piece = self.read(quiet)
            if not piece:
                break
            total += len(piece)
        return total

    def press(self, key):
        os.write(self.master, key)

    def answer(self, key, text, timeout=10.0):
        """Seconds from a key to a text."""
        self.press(key)
        return self.until(text, timeout)

    def first_picture(self):
        """Seconds from the start of the process to the first bytes of a picture."""
        self.read(30)
        return time.perf_counter() - self.started
