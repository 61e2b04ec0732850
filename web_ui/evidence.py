"""The evidence: what was read and the picture it was read from, for a bounded time."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass
from hashlib import sha256


@dataclass(frozen=True, slots=True)
class Evidence:
    """One reading with its picture.

    Attributes:
        id: number of the reading.
        body: the reading as JSON text.
        picture: the JPEG file; empty if it was typed in by hand.
    """

    id: int
    body: str
    picture: bytes

    @property
    def etag(self) -> str:
        """Tells this picture from any other."""
        return sha256(self.picture).hexdigest()[:32]


class EvidenceShelf:
    """The last readings; the oldest go first. The table writes, web threads read.

    Args:
        most: how many are kept.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._kept: OrderedDict[int, Evidence] = OrderedDict()

    def put(self, evidence: Evidence) -> None:
        """Keep a reading, or replace what is known of it."""
        with self._lock:
            self._kept[evidence.id] = evidence
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)

    def get(self, reading_id: int) -> Evidence | None:
        """Find a reading; None if it never was or is forgotten."""
        with self._lock:
            return self._kept.get(reading_id)
