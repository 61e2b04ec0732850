"""Seats: a bound on how many may hold something long-lasting at once."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator


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
    """

    def __init__(self, what: str, count: int) -> None:
        self._what = what
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

    def give_back(self) -> None:
        """Free one seat."""
        with self._lock:
            self._taken -= 1


class SeatedStream:
    """A stream of bytes that gives its seat back when it ends or is closed.

    A plain generator would not do: one that is closed before its first item never
    runs its `finally`, and the seat would be lost.
    """

    def __init__(self, seats: Seats, items: Iterator[bytes]) -> None:
        self._seats: Seats | None = seats
        self._items = items

    def __iter__(self) -> Generator[bytes]:
        """Yield the bytes, then give the seat back."""
        try:
            yield from self._items
        finally:
            self.close()

    def close(self) -> None:
        """Give the seat back; safe to call twice."""
        seats, self._seats = self._seats, None
        if seats is not None:
            seats.give_back()
