"""A bound on attempts: buckets that refill with time, in bounded memory."""

from __future__ import annotations

import ipaddress
import threading
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

MOST_KEYS = 4096


def address_key(address: str | None) -> str:
    """Under which key the attempts of an address are counted.

    One customer has a whole /64 of IPv6 addresses, so these count as one.
    """
    try:
        found = ipaddress.ip_address((address or "").partition("%")[0])
    except ValueError:
        return "unknown"
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((int(found) >> 64 << 64, 64)))


class Buckets:
    """A bucket of attempts for each key.

    Args:
        size: how many attempts a full bucket holds.
        refill_s: seconds until one more may be made.
        clock: seconds that never step; the process's monotonic clock.
    """

    def __init__(
        self, size: int, refill_s: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._size = float(size)
        self._refill_s = refill_s
        self._clock = clock
        self._lock = threading.Lock()
        self._filled: dict[str, tuple[float, float]] = {}

    def take(self, key: str) -> float:
        """Make an attempt.

        Returns:
            0 if it may be made; otherwise the seconds until the next may be.
        """
        with self._lock:
            now = self._clock()
            level = self._level(key, now)
            if level < 1:
                return (1 - level) * self._refill_s
            if key not in self._filled and len(self._filled) >= MOST_KEYS:
                self._make_room(now)
            self._filled[key] = (level - 1, now)
            return 0.0

    def give_back(self, key: str) -> None:
        """Undo an attempt: it was none of those that are bounded."""
        with self._lock:
            now = self._clock()
            level = min(self._size, self._level(key, now) + 1)
            if level < self._size:
                self._filled[key] = (level, now)
            else:
                self._filled.pop(key, None)

    def _level(self, key: str, now: float) -> float:
        level, since = self._filled.get(key, (self._size, now))
        return min(self._size, level + (now - since) / self._refill_s)

    def _make_room(self, now: float) -> None:
        for key in [k for k in self._filled if self._level(k, now) >= self._size]:
            del self._filled[key]
        if len(self._filled) >= MOST_KEYS:
            # the fullest gains least from being forgotten
            del self._filled[max(self._filled, key=lambda k: self._level(k, now))]
