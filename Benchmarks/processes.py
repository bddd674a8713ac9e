"""Runs programs and takes their time, their memory and their wake-ups."""

import os
import statistics
import threading
import time

NULL = [(os.POSIX_SPAWN_OPEN, descriptor, os.devnull, os.O_RDWR, 0) for descriptor in (0, 1, 2)]
TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


class Failed(Exception):
    """A program ended with another status than 0."""


def start(command):
    return os.posix_spawnp(command[0], command, os.environ, file_actions=NULL)


def wait(process, command):
    """The program's use of resources."""
    _, status, usage = os.wait4(process, 0)
    if status != 0:
        raise Failed(f"{' '.join(command)[:80]} ended with {os.waitstatus_to_exitcode(status)}")
    return usage


def seconds(command):
    """Wall time of a whole process that writes to /dev/null."""
    begin = time.perf_counter()
    wait(start(command), command)
    return time.perf_counter() - begin


class Times:
    """What the rounds of several programs took, the programs one after the other in every round."""

    def __init__(self, commands):
        self.commands = commands
        self.rounds = {name: [] for name in commands}

    def run(self, rounds, fewer=()):
        """`fewer` are programs so slow that three rounds have to do."""
        for number in range(rounds):
            for name, command in self.commands.items():
                if number < 3 or name not in fewer:
                    self.rounds[name].append(seconds(command))
        return self

    def median(self, name):
        return statistics.median(self.rounds[name])

    def best(self, name):
        return min(self.rounds[name])

    def ratio(self, name, other):
        """Median of the ratios of each round: load that comes and goes meets both."""
        pairs = zip(self.rounds[name], self.rounds[other])
        return statistics.median(first / second for first, second in pairs)


def anonymous_bytes(process):
    """Memory that no file backs, as far as the process holds it now; 0 when it is gone."""
    try:
        with open(f"/proc/{process}/status") as status:
            fields = dict(line.split(":", 1) for line in status)
    except (OSError, ValueError):
        return 0
    return sum(int(fields.get(key, "0 kB").split()[0]) for key in ("RssAnon", "RssShmem")) * 1024


def peak(command):
    """The most anonymous memory of a process, looked at every millisecond."""
    process = start(command)
    most = 0
    done = threading.Event()
    status = []

    def reap():
        status.append(os.waitpid(process, 0)[1])
        done.set()

    thread = threading.Thread(target=reap)
    thread.start()
    while not done.wait(0.001):
        most = max(most, anonymous_bytes(process))
    thread.join()
    if status != [0]:
        raise Failed(f"{' '.join(command)[:80]} failed")
    return most


def switches(process):
    """How often the threads of a process went to sleep and were woken."""
    total = 0
    for thread in os.listdir(f"/proc/{process}/task"):
        with open(f"/proc/{process}/task/{thread}/status") as status:
            for line in status:
                if line.startswith("voluntary_ctxt_switches"):
                    total += int(line.split()[1])
    return total


def busy_seconds(process):
    """Processor time of a process so far."""
    with open(f"/proc/{process}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def bytes_read(process):
    """What a process has read so far, from files and terminals."""
    with open(f"/proc/{process}/io") as file:
        return int(file.readline().split()[1])
