"""The feed: numbered snapshots from the table's one thread to many readers."""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass, field

from web_ui.sse import sse_event

MOST_REMEMBERED = 64
"""Snapshots a reader may miss and still get one by one."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The table at one moment.

    Attributes:
        event_id: `<run>-<number>`; another run of the program has another `<run>`.
        number: counts up by one in a run, from 1.
        body: the state as JSON text, as it goes to browsers.
        framed: the same as a server-sent event, encoded once for all viewers.
    """

    event_id: str
    number: int
    body: str
    framed: bytes = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        framed = sse_event(self.body, event="state", event_id=self.event_id)
        object.__setattr__(self, "framed", framed)


class Feed:
    """Keeps the latest snapshots and wakes whoever waits for a new one.

    One thread publishes; any number of threads read.

    Args:
        run: what tells this run of the program from others; no `-` in it.

    Attributes:
        run: the same.
    """

    def __init__(self, run: str) -> None:
        if not run or "-" in run or not run.isascii() or not run.isprintable():
            raise ValueError(f"run must be a short word without '-', not {run!r}")
        self.run = run
        self._news = threading.Condition()
        self._kept: deque[Snapshot] = deque(maxlen=MOST_REMEMBERED)
        self._closed = False

    @property
    def closed(self) -> bool:
        """Whether there will be no further snapshot."""
        return self._closed

    def publish(self, body: str) -> Snapshot:
        """Add a snapshot and wake the waiting readers."""
        with self._news:
            number = self._kept[-1].number + 1 if self._kept else 1
            snapshot = Snapshot(f"{self.run}-{number}", number, body)
            self._kept.append(snapshot)
            self._news.notify_all()
        return snapshot

    def latest(self) -> Snapshot | None:
        """Give the newest snapshot; None before the first."""
        with self._news:
            return self._kept[-1] if self._kept else None

    def number_of(self, event_id: str) -> int:
        """Find where a reader left off.

        Args:
            event_id: what the browser sent as `Last-Event-ID`; may be anything.

        Returns:
            The number of that snapshot, or 0 if it is not one of this run's.
        """
        run, _, digits = event_id.rpartition("-")
        if run != self.run or not digits.isascii() or not digits.isdigit():
            return 0
        newest = self.latest()
        # compared by length first: a number of a thousand digits is not worth parsing
        if newest is None or len(digits) > len(str(newest.number)):
            return 0
        number = int(digits)
        return number if number <= newest.number else 0

    def after(self, number: int, timeout_s: float) -> tuple[Snapshot, ...]:
        """Wait for snapshots newer than `number`.

        Args:
            number: the last one the reader has; 0 if none.
            timeout_s: how long to wait.

        Returns:
            The missed ones in order, or only the newest if the reader has none or has
            fallen too far behind; empty after the timeout or when the feed is closed.
        """
        with self._news:
            self._news.wait_for(
                lambda: (
                    self._closed or bool(self._kept and self._kept[-1].number > number)
                ),
                timeout_s,
            )
            if self._closed or not self._kept:
                return ()
            missed = tuple(item for item in self._kept if item.number > number)
            if number == 0 or (missed and missed[0].number > number + 1):
                return missed[-1:]
            return missed

    def close(self) -> None:
        """End the feed: waiting readers return at once."""
        with self._news:
            self._closed = True
            self._news.notify_all()
