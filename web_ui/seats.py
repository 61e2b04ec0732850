"""Seats: a bound on how many may hold something long-lasting at once."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

STALLED_S = 5.0
"""A stream closed after so long in one send was not taken, not left."""


class NoSeatError(RuntimeError):
    """All seats are taken.

    Attributes:
        what: what the seats are for.
        count: how many there are.
    """

    def __init__(self, what: str, count: int) -> None:
        super().__init__(f"all {count} {what} are in use: try again later")
        self.what = what
        self.count = count


class Seats:
    """A number of seats, taken and given back.

    Args:
        what: what they are for, in the plural, for the error.
        count: how many there are.
        dropped: called with `what` when a stream ends that was not taken.
        clock: the monotonic clock, in seconds.
    """

    def __init__(
        self,
        what: str,
        count: int,
        dropped: Callable[[str], None] = lambda what: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._what = what
        self._dropped = dropped
        self.clock = clock
        self._count = count
        self._lock = threading.Lock()
        self._taken = 0

    @property
    def taken(self) -> int:
        """How many are taken now."""
        return self._taken

    def occupy(self, items: Iterator[bytes]) -> SeatedStream:
        """Take a seat for as long as a stream lasts.

        Raises:
            NoSeatError: all are taken.
        """
        with self._lock:
            if self._taken >= self._count:
                raise NoSeatError(self._what, self._count)
            self._taken += 1
        return SeatedStream(self, items)

    def give_back(self, *, stalled: bool = False) -> None:
        """Free one seat; `stalled` if its viewer was hung up on."""
        with self._lock:
            self._taken -= 1
        if stalled:
            self._dropped(self._what)


class SeatedStream:
    """A stream of bytes that gives its seat back when it ends or is closed.

    A plain generator would not do: one that is closed before its first item never
    runs its `finally`, and the seat would be lost.
    """

    def __init__(self, seats: Seats, items: Iterator[bytes]) -> None:
        self._seats: Seats | None = seats
        self._items = items
        self._sending_since: float | None = None

    def __iter__(self) -> Generator[bytes]:
        """Yield the bytes, then give the seat back."""
        clock = self._seats.clock if self._seats is not None else time.monotonic
        try:
            for item in self._items:
                self._sending_since = clock()
                yield item
                self._sending_since = None
        finally:
            self.close()

    def close(self) -> None:
        """Give the seat back; safe to call twice."""
        seats, self._seats = self._seats, None
        if seats is not None:
            since = self._sending_since
            waited_s = 0.0 if since is None else seats.clock() - since
            seats.give_back(stalled=waited_s >= STALLED_S)
