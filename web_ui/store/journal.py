"""The journal: what the table writes, in order, even while the store cannot.

The table's thread must never wait for a disk longer than people notice. So a thread of
the journal's own writes, and the table's waits for it only a moment. Whatever could not
be written stays in memory, in order, and is tried again until it is.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from typing import TYPE_CHECKING, Protocol

from web_ui.store.chain import GENESIS, row_of
from web_ui.store.errors import StoreError, Trouble

if TYPE_CHECKING:
    from collections.abc import Sequence

    from web_ui.table.events import NewEvent, StoredEvent

log = logging.getLogger(__name__)

WAIT_S = 0.3
"""How long the table waits for its events to be written."""

AGAIN_S = (0.5, 1.0, 2.0, 5.0)
"""Pauses between tries; the last one goes on."""

CLOSING_PAUSE_S = 0.2
"""Pause between tries when the journal is closed."""

MOST_BYTES = 64 * 1024 * 1024
"""Most text of events that waits in memory: hours of play."""

AT_ONCE = 200
"""Most events written in one transaction when many wait."""


class Appender(Protocol):
    """Where events go: an `EventStore`."""

    def append(
        self, events: Sequence[NewEvent], *, wait_s: float
    ) -> tuple[StoredEvent, ...]:
        """Append events, all or none, those that are there already not again."""
        ...


class Journal:
    """Writes events in the background, in order, each once.

    Args:
        store: where they go.
        wait_s: how long `write` waits.
        most_bytes: most text of events that may wait in memory.
        again_s: pauses between tries.
    """

    def __init__(
        self,
        store: Appender,
        *,
        wait_s: float = WAIT_S,
        most_bytes: int = MOST_BYTES,
        again_s: Sequence[float] = AGAIN_S,
    ) -> None:
        self._store = store
        self._wait_s = wait_s
        self._most_bytes = most_bytes
        self._again_s = tuple(again_s)
        self._changed = threading.Condition()
        self._backlog: deque[tuple[NewEvent, int]] = deque()
        self._bytes = 0
        self._trouble: StoreError | None = None
        self._tries = 0  # failed ones since the last success
        self._asked = False  # somebody wants a try now
        self._closing = False
        self._last = 0
        self._at_once = AT_ONCE
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
        self._thread.start()

    def write(self, events: Sequence[NewEvent]) -> bool:
        """Hand over events, and wait a moment for them to be written.

        Args:
            events: in the order they happened; they will be written together unless
                many wait.

        Returns:
            Whether these and all before them are stored for good.

        Raises:
            StoreError: none of them was taken. Refused: one cannot be stored. Full: too
                much waits in memory already. Gone: the journal was closed.
        """
        sized = [(event, _size(event)) for event in events]
        with self._changed:
            self._take(sized)
            return self._wait(self._wait_s)

    def retry(self) -> bool:
        """Try at once to write what waits, and wait a moment for it.

        Returns:
            Whether nothing waits any more.
        """
        with self._changed:
            return self._wait(self._wait_s)

    @property
    def pending(self) -> int:
        """How many events are not stored yet."""
        with self._changed:
            return len(self._backlog)

    @property
    def last(self) -> int:
        """Number of the last event that was stored; 0 before the first."""
        with self._changed:
            return self._last

    @property
    def trouble(self) -> StoreError | None:
        """Why the last try failed; None when all is written or still on its way."""
        with self._changed:
            return self._trouble

    @property
    def sentence(self) -> str:
        """What people must know; empty when all is written."""
        with self._changed:
            waiting, trouble = len(self._backlog), self._trouble
        if not waiting:
            return ""
        what = "1 event is" if waiting == 1 else f"{waiting} events are"
        if trouble is None:
            return f"{what} not saved yet: the disk is slow."
        again = "" if trouble.kind in _LASTING else " It is tried again."
        return f"{what} not saved. {trouble.sentence}{again}"

    def close(self, wait_s: float = 5.0) -> bool:
        """Write what waits, trying for some seconds at most, and end the thread.

        Returns:
            Whether everything was written. What was not is lost with the process.
        """
        deadline = time.monotonic() + wait_s
        with self._changed:
            while not (written := self._wait(deadline - time.monotonic())):
                left = deadline - time.monotonic()
                if left <= 0:
                    break
                self._changed.wait(min(left, CLOSING_PAUSE_S))
            self._closing = True
            self._changed.notify_all()
        self._thread.join(wait_s)
        return written

    def _take(self, sized: Sequence[tuple[NewEvent, int]]) -> None:
        if self._closing:
            raise StoreError(Trouble.GONE, "The journal was closed.")
        more = sum(size for _, size in sized)
        if self._bytes + more > self._most_bytes:
            raise StoreError(
                Trouble.FULL,
                f"{len(self._backlog)} events wait to be saved and fill the memory:"
                " nothing can happen at the table until they are.",
            )
        self._backlog.extend(sized)
        self._bytes += more

    def _wait(self, wait_s: float) -> bool:
        if self._backlog:
            self._asked = True
            self._changed.notify_all()
            deadline = time.monotonic() + wait_s
            # after a failed try there is nothing to wait for
            failed = self._tries
            while self._backlog and self._tries <= failed:
                left = deadline - time.monotonic()
                if left <= 0 or not self._changed.wait(left):
                    break
                failed = min(failed, self._tries)
        return not self._backlog

    def _run(self) -> None:
        while True:
            with self._changed:
                while not self._due():
                    if self._closing:
                        return
                    self._changed.wait(self._pause_s())
                    if self._backlog and self._tries:
                        self._asked = True  # the pause is over
                self._asked = False
                batch = [event for event, _ in list(self._backlog)[: self._at_once]]
            self._write(batch)

    def _due(self) -> bool:
        return bool(self._backlog) and (self._asked or not self._tries)

    def _pause_s(self) -> float | None:
        if not self._backlog or not self._tries:
            return None
        return self._again_s[min(self._tries, len(self._again_s)) - 1]

    def _write(self, batch: Sequence[NewEvent]) -> None:
        trouble, last = None, 0
        try:
            last = self._store.append(batch, wait_s=self._wait_s)[-1].number
        except StoreError as error:
            trouble = error
        except Exception as error:  # the table plays on whatever a driver thinks of
            log.exception("the store failed in an unknown way")
            trouble = StoreError(Trouble.BROKEN, f"The store failed: {error}.")
        with self._changed:
            if trouble is None:
                for _ in batch:
                    _, size = self._backlog.popleft()
                    self._bytes -= size
                self._last = last
                if self._tries:
                    log.warning("the store writes again")
                self._trouble, self._tries = None, 0
                self._at_once = min(AT_ONCE, 2 * self._at_once)
            else:
                if not self._tries:
                    log.warning("events are not saved: %s", trouble.sentence)
                self._trouble, self._tries = trouble, self._tries + 1
                if trouble.kind is Trouble.FULL:  # some may fit where all do not
                    self._at_once = max(1, min(len(batch), self._at_once) // 2)
            self._changed.notify_all()


_LASTING = frozenset({Trouble.BROKEN, Trouble.NEWER_SCHEMA, Trouble.REFUSED})
"""What does not go away by itself."""


def _size(event: NewEvent) -> int:
    return len(row_of(event, 1, GENESIS).text.encode("utf-8"))
