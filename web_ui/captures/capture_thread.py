"""The capturing thread: overhears the journal and keeps rolls in the album."""

from __future__ import annotations

import logging
import queue
import threading
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from datasets.captures.album import Outcome
from datasets.captures.capture import Kept
from datasets.captures.fields import CaptureError
from scoring.refusals import RuleError
from web_ui.captures.decisions import Decisions
from web_ui.captures.taking import take_capture
from web_ui.store.errors import StoreError
from web_ui.table.fold import EventError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from datasets.captures.album import Album
    from datasets.captures.capture import Capture
    from web_ui.captures.decisions import Decision
    from web_ui.settings import CaptureSettings
    from web_ui.table.events import NewEvent
    from web_ui.table.ports import Journal

log = logging.getLogger(__name__)

MOST_WAITING = 2000
"""Events that may wait: minutes of play, should a disk stand still."""


@dataclass(frozen=True, slots=True)
class CaptureState:
    """How capturing is doing.

    Attributes:
        kept: captures written or changed in this run.
        twice: not kept, because one like it is there.
        dropped: captures that went to make room, or found none.
        failed: decisions that could not be kept.
        waiting: events that are still to be looked at.
        lost: events that were not looked at, because too many waited.
        trouble: the last error, in a sentence; empty after the next success.
    """

    kept: int = 0
    twice: int = 0
    dropped: int = 0
    failed: int = 0
    waiting: int = 0
    lost: int = 0
    trouble: str = ""


class CaptureThread(threading.Thread):
    """Owns what is written from play. The table hands it events and never waits.

    Args:
        album: where captures are kept.
        settings: what is worth keeping.
        picture: finds an evidence picture by its hash; None if it is not there.
        recording: name of this run of the table.
        camera: name of the camera.
        past: events of the game that was on the table before.
    """

    def __init__(
        self,
        album: Album,
        settings: CaptureSettings,
        picture: Callable[[str], bytes | None],
        recording: str,
        camera: str,
        past: Iterable[NewEvent] = (),
    ) -> None:
        super().__init__(name="captures", daemon=True)
        self._album, self._settings, self._picture = album, settings, picture
        self._recording, self._camera = recording, camera
        self._past = [*past]
        self._decisions = Decisions()
        self._queue: queue.Queue[tuple[NewEvent, ...] | None] = queue.Queue()
        self._guard = threading.Lock()
        self._waiting = 0
        self._lost = 0
        self._gap = False
        self._counts: Counter[str] = Counter()
        self._trouble = ""

    def hear(self, events: Sequence[NewEvent]) -> None:
        """Take events that happened; from any thread, never waits."""
        with self._guard:
            if self._waiting + len(events) > MOST_WAITING:
                self._lost += len(events)
                self._gap = True
                return
            if self._gap:
                self._gap = False
                self._queue.put(())  # tells where events are missing
            self._waiting += len(events)
            self._queue.put(tuple(events))

    @property
    def state(self) -> CaptureState:
        """How it is doing; from any thread."""
        with self._guard:
            counts = self._counts
            return CaptureState(
                kept=counts["kept"],
                twice=counts["twice"],
                dropped=counts["dropped"],
                failed=counts["failed"],
                waiting=self._waiting,
                lost=self._lost,
                trouble=self._trouble,
            )

    def run(self) -> None:
        """Look at events until `stop` is called and all are looked at."""
        self._replay()
        while True:
            events = self._queue.get()
            if events is None:
                return
            if not events:
                self._decisions.lose()
            for event in events:
                self._look(event)
            with self._guard:
                self._waiting -= len(events)

    def stop(self, deadline_s: float) -> None:
        """Look at what waits, then end; waits for it at most `deadline_s`."""
        self._queue.put(None)
        self.join(deadline_s)

    def _replay(self) -> None:
        """Know the game that goes on; its captures were kept when it was played."""
        for event in self._past:
            self._decide(event)
        self._past.clear()

    def _look(self, event: NewEvent) -> None:
        for decision in self._decide(event):
            try:
                self._keep(decision)
            except (CaptureError, StoreError, OSError) as error:
                self._fail(str(error))
            except Exception as error:  # a bug of ours: play and capturing go on
                log.exception("a capture failed")
                self._fail(f"{type(error).__name__}: {error}")

    def _decide(self, event: NewEvent) -> tuple[Decision, ...]:
        try:
            return self._decisions.follow(event)
        except (RuleError, EventError, KeyError, TypeError, ValueError) as error:
            # events were missed, or are of another version: wait for the next game
            self._decisions.lose()
            self._fail(f"the events of the table do not fit: {error}")
            return ()

    def _keep(self, decision: Decision) -> None:
        item = decision.item
        if not item.picture or not self._wants(decision.kept):
            return
        data = self._picture(item.picture)
        if data is None:
            raise CaptureError(f"the picture of reading {item.id} is not there")
        capture = take_capture(decision, data, self._recording, self._camera)
        for sentence in self._album.told:
            log.warning("captures: %s", sentence)
        self._album.told.clear()
        if self._is_there(capture):
            self._album.change(capture.id, lambda before: _renewed(before, capture))
            self._count("kept", 1)
            return
        added = self._album.add(capture, data)
        self._count("kept", added.outcome in (Outcome.KEPT, Outcome.CHANGED))
        self._count("twice", added.outcome is Outcome.TWICE)
        self._count("dropped", added.outcome is Outcome.NO_ROOM)
        if added.gone:
            self._count("dropped", len(added.gone))
            log.warning("captures that went for a new one: %s", ", ".join(added.gone))

    def _wants(self, kept: Kept) -> bool:
        return self._settings.keep == "all" or kept is not Kept.SURE

    def _is_there(self, capture: Capture) -> bool:
        try:
            self._album.entry(capture.id)
        except CaptureError:
            return False
        return True

    def _count(self, what: str, more: int) -> None:
        with self._guard:
            self._counts[what] += more
            self._trouble = ""

    def _fail(self, sentence: str) -> None:
        log.warning("a roll was not kept for training: %s", sentence)
        with self._guard:
            self._counts["failed"] += 1
            self._trouble = sentence


def _renewed(before: Capture, now: Capture) -> Capture:
    """What is known of a capture after its roll was decided anew.

    A person who looked at the picture in a review is not overruled.
    """
    if before.review is not before.review.WAITING:
        return before
    return replace(before, dice=now.dice, kept=now.kept, doubt=now.doubt)


class OverheardJournal:
    """A journal whose events somebody else hears too, once it has taken them.

    Args:
        journal: writes them.
        hear: gets them; must not wait.
    """

    def __init__(
        self, journal: Journal, hear: Callable[[Sequence[NewEvent]], None]
    ) -> None:
        self._journal, self._hear = journal, hear

    def write(self, events: Sequence[NewEvent]) -> bool:
        """Keep events; False if they are not safe yet."""
        safe = self._journal.write(events)
        self._hear(events)
        return safe

    @property
    def pending(self) -> int:
        """How many events are not safe yet."""
        return self._journal.pending

    @property
    def sentence(self) -> str:
        """What is wrong, for people; empty if nothing is."""
        return self._journal.sentence
