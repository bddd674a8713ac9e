"""Sessions, launches, visits and deaths of a capture by the project's definitions, with plain Python.

Knows nothing of perftop: an independent second opinion, slow and simple. Times are nanoseconds.
"""

import time
from collections import defaultdict

SECOND = 1_000_000_000
MERGE_GAP = 10 * SECOND
STALE_AFTER = 300 * SECOND
HANG_SHIFT = 3 * SECOND
# A watchdog record comes right after its launch: within a minute, or while the startup goes on.
TOLD_WITHIN = 60 * SECOND
EARLIEST = 946_684_800 * SECOND
ERROR = 2


def read_time(value):
    """(ns, rescaled) of a time as written; None when it is absent or beyond the years of a date."""
    if value == 0 or value > 2**63 - 1:
        return None
    for low, factor in ((10**9, 10**9), (10**12, 10**6), (10**15, 10**3)):
        if low <= value < 10 * low:
            return value * factor, True
    return value, False


class Item:
    """A record with a place in time: a span, or a log record."""

    def __init__(self, identity, signal, resource, app, session, start, end, span=None):
        self.identity, self.signal, self.resource, self.app = identity, signal, resource, app
        self.session, self.span = session, span
        first, last = read_time(start), read_time(end)
        self.is_timed = self.has_start = first is not None
        self.start = first[0] if first else 0
        self.end = last[0] if last else self.start
        self.is_suspect = bool(first and first[1] or last and last[1]) or self.end < self.start
        self.end = max(self.start, self.end)
        if not EARLIEST <= self.start <= (time.time() + 86_400) * SECOND:
            self.is_timed, self.is_suspect = False, True
        shift = HANG_SHIFT if signal == "app-hang" else 0
        self.true_start, self.true_end = self.start - shift, self.end - shift

    @property
    def is_error(self):
        return self.span is not None and self.span.status == ERROR

    @property
    def is_rejected(self):
        return self.span is not None and self.span.is_rejected

    @property
    def hang_type(self):
        return "cancelled" if self.is_error else self.span.attributes.get("hang.type", "open")

    @property
    def is_fatal(self):
        return self.signal == "app-hang" and self.hang_type == "fatal"

    @property
    def span_id(self):
        return self.identity[1].hex() if isinstance(self.identity[1], bytes) else None

    def order(self):
        return self.start, self.end, self.span_id or ""


class Session:
    def __init__(self, item, launch, state):
        self.parts, self.launch, self.state = [item], launch, state
        self.items = []
        self.is_implicit = item.signal != "app-rendering"
        self.session = item.session
        self.start = item.true_start
        self.end = item.true_start if self.is_implicit else item.end
        self.fatal = self.terminated = False
        self.first, self.visit = item, self

    def stretch(self, item):
        if not self.is_implicit and self.state != "open":
            return
        if self.is_implicit:
            self.start = min(self.start, item.true_start)
        self.end = max(self.end, item.true_end)
        self.session = self.session or item.session

    def key(self):
        if not self.is_implicit and self.first.span_id:
            return self.first.span_id
        return session_key(self.first.app, self.first.resource.get("device.id"), self.start)


class Launch:
    def __init__(self, start, item, startup=None):
        self.start, self.item, self.startup, self.exit = start, item, startup, "unknown"

    def key(self):
        if self.startup and self.startup.span_id:
            return self.startup.span_id
        return launch_key(self.item.app, self.item.resource.get("device.id"), self.start)


def session_key(app, device, start):
    return f"implicit {app} {device or ''} {start}"


def launch_key(app, device, start):
    return f"launch {app} {device or ''} {start}"


class Stream:
    """All records of one app on one device."""

    def __init__(self, items, state_of):
        # A clock that is wrong throughout is all that there is.
        if not any(item.is_timed and not item.is_suspect for item in items):
            for item in items:
                item.is_timed = item.has_start
        timed = sorted((item for item in items if item.is_timed), key=Item.order)
        self.name = items[0].app, items[0].resource.get("device.id")
        self.rejects_hangs = any(item.signal == "app-hang" and item.is_rejected for item in items)
        self.shows_rendering = any(item.signal == "app-rendering" for item in items)
        self.items = [
            item
            for item in timed
            if item.signal != "app-rendering" and (item.signal == "app-startup" or not item.is_rejected)
        ]
        self.hangs_without_place = [
            item
            for item in items
            if item.signal == "app-hang" and not item.is_timed and not item.is_rejected
        ]
        self.launches = [
            Launch(item.start, item, item) for item in self.items if item.signal == "app-startup"
        ]
        self.find_other_launches()
        self.find_segments([item for item in timed if item.signal == "app-rendering"], state_of)
        self.hang_sessions, self.terminations = {}, []
        self.place()
        self.place_deaths()
        self.name_exits()
        self.find_visits()

    def launch_at(self, moment):
        """The number of the launch during which a moment lies; -1 before the first."""
        return sum(launch.start <= moment for launch in self.launches) - 1

    def find_other_launches(self):
        for item in self.items:
            if item.signal == "app-watchdog-termination":
                self.add_launch(item.start, item)
            elif item.is_fatal and not any(launch.start > item.true_start for launch in self.launches):
                later = [other.start for other in self.items if other.start > item.true_end and other is not item]
                self.add_launch(min(later, default=item.true_end), item)

    def add_launch(self, moment, item):
        for launch in self.launches:
            end = launch.startup.end if launch.startup else launch.start
            if launch.start <= moment <= max(end, launch.start + TOLD_WITHIN):
                return
        self.launches.append(Launch(moment, item))
        self.launches.sort(key=lambda launch: launch.start)

    def find_segments(self, renderings, state_of):
        self.sessions, deltas = [], {}
        for item in renderings:
            launch, state = self.launch_at(item.start), state_of(item.span)
            if state == "delta" and launch in deltas:
                deltas[launch].parts.append(item)
                deltas[launch].end = max(deltas[launch].end, item.end)
                continue
            session = Session(item, launch, "clean" if state == "delta" else state)
            if state == "delta":
                deltas[launch] = session
            self.sessions.append(session)
        # Where items go is decided by the segments as they were reported.
        self.segments = [(session.start, session.end, session) for session in self.sessions]

    def place(self):
        implicit = {}
        for item in self.items:
            if item.is_fatal or item.signal == "app-watchdog-termination":
                continue
            launch = self.launch_at(item.true_start)
            session = self.segment_of(item, launch)
            if session is None:
                session = implicit.get(launch)
                if session is None:
                    session = implicit[launch] = Session(item, launch, "open")
                    self.sessions.append(session)
            session.stretch(item)
            session.items.append(item)
            if item.signal == "app-hang":
                self.hang_sessions[id(item)] = session
        self.sessions.sort(key=lambda session: (session.start, session.end))

    def segment_of(self, item, launch):
        if item.signal != "app-startup":
            overlaps = [
                (min(item.true_end, end) - max(item.true_start, start), session)
                for start, end, session in self.segments
                if start <= item.true_end and end >= item.true_start
            ]
            if overlaps:
                return max(overlaps, key=lambda overlap: overlap[0])[1]
        before = [entry for entry in self.segments if entry[0] <= item.true_start and entry[1] <= item.true_start]
        after = [entry for entry in self.segments if entry[0] >= item.true_start]
        previous = before[-1][2] if before and item.signal != "app-startup" else None
        following = after[0][2] if after else None
        previous = previous if previous and previous.launch == launch else None
        following = following if following and following.launch == launch else None
        if previous is None:
            return following
        gap = item.true_start - previous.end
        if following is None:
            return previous if previous.state == "open" or gap <= MERGE_GAP else None
        return previous if gap <= following.start - item.true_end else following

    def open_sessions_of_the_dead(self):
        """A process of which only its death is told had a session all the same."""
        for item in self.items:
            if item.is_fatal and self.session_that_died(item) is None:
                session = Session(item, self.launch_at(item.true_start), "open")
                session.end = item.true_end
                own = item.span.attributes.get("session.id")
                session.session = None if any(s.session == own for s in self.sessions) else own
                self.sessions.append(session)
        for item in self.items:
            launch = self.launch_at(item.start)
            if item.signal == "app-watchdog-termination" and not self.sessions_of(launch - 1):
                session = Session(item, launch - 1, "open")
                session.session, session.start = None, self.launches[launch].start - 1
                session.end = session.start
                self.sessions.append(session)
        self.sessions.sort(key=lambda session: (session.start, session.end))

    def sessions_of(self, launch):
        return [session for session in self.sessions if session.launch == launch]

    def place_deaths(self):
        self.open_sessions_of_the_dead()
        for item in self.items:
            if not item.is_fatal:
                continue
            session = self.hang_sessions[id(item)] = self.session_that_died(item)
            session.fatal = True
            session.items.append(item)
            if session.is_implicit:
                session.end = max(session.end, item.true_end)
        for item in self.items:
            if item.signal != "app-watchdog-termination":
                continue
            died = self.sessions_of(self.launch_at(item.start) - 1)[-1]
            died.terminated = True
            died.items.append(item)
            self.terminations.append((item, died))
        for session in self.sessions:
            if not session.is_implicit:
                continue
            if not self.shows_rendering:
                session.state = "unmeasured"
            elif session.fatal or session.terminated or session.launch + 1 < len(self.launches):
                session.state = "lost"

    def session_that_died(self, item):
        """By `session.id`, then `app.session.id`, then time; never one that began after the hang.

        By time it is one of the process that ran then.
        """
        known = [session for session in self.sessions if session.state != "rejected"]
        own = item.span.attributes.get("session.id")
        for identifier in (own, item.span.attributes.get("app.session.id"), item.session):
            for limit in (item.true_start, item.true_end):
                found = [s for s in known if identifier and s.session == identifier and s.start <= limit]
                if found:
                    return found[-1]
        launch = self.launch_at(item.true_start)
        for limit in (item.true_start, item.true_end):
            found = [session for session in known if session.launch == launch and session.start <= limit]
            if found:
                return found[-1]
        return None

    def name_exits(self):
        hung = set()
        for item in self.items:
            if item.is_fatal:
                session = self.hang_sessions[id(item)]
                hung.add(1 + (session.launch if session else self.launch_at(item.true_start)))
        terminated = {self.launch_at(item.start) for item, _ in self.terminations}
        for number, launch in enumerate(self.launches):
            ended = [session for session in self.sessions if session.launch == number - 1]
            last = max(ended, key=lambda session: session.end, default=None)
            if number in hung:
                launch.exit = "hang"
            elif number in terminated:
                launch.exit = "watchdog"
            elif last and number > 0 and last.state in ("clean", "lost"):
                launch.exit = last.state

    def find_visits(self):
        latest = None
        for number, session in enumerate(self.sessions):
            before = self.sessions[number - 1] if number else None
            if before and before.launch == session.launch and session.start - latest < MERGE_GAP:
                session.visit = before.visit
                latest = max(latest, session.end)
            else:
                latest = session.end

    def launch_key(self, session):
        return self.launches[session.launch].key() if session.launch >= 0 else None


def streams_of(items, state_of):
    by_stream = defaultdict(list)
    for stream, item in items:
        by_stream[stream].append(item)
    return [Stream(items, lambda span, key=key: state_of(span, key)) for key, items in by_stream.items()]
