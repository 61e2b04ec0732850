"""The table's thread: the only one that changes the state; everybody else looks."""

from __future__ import annotations

import json
import logging
import queue
import threading
from concurrent.futures import Future
from concurrent.futures import TimeoutError as AnswerTimeout
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from scoring.refusals import RuleError
from vision.tray_watch import TrayNews
from web_ui.evidence import Evidence
from web_ui.state_record import reading_on_page, state_record
from web_ui.table_door import BusyError
from web_ui.table_orders import obey
from web_ui.table_readings import Settled, make_room, settle
from web_ui.table_state import CameraNews, CameraState, TableState, new_table
from web_ui.table_turns import is_over
from web_ui.watch_thread import Seen

if TYPE_CHECKING:
    from collections.abc import Callable

    from scoring.target_deck import Target
    from web_ui.commands import Order
    from web_ui.evidence import EvidenceShelf
    from web_ui.feed import Feed
    from web_ui.shown import Shown
    from web_ui.table_state import House

log = logging.getLogger(__name__)

MOST_WAITING = 256
"""Orders and sights that may queue up."""
ANSWER_S = 3.0
"""How long a web thread waits for the table."""


@dataclass(frozen=True, slots=True)
class _Posted:
    order: Order
    answer: Future[str]


def newer(before: CameraNews, news: CameraNews) -> CameraNews:
    """Choose what to show of a camera: that it is gone says more than that it stands.

    Args:
        before: what is shown.
        news: what came.
    """
    if news.state is CameraState.STALLED and before.state is not CameraState.LIVE:
        return before
    return news


class _End:
    """Asks the thread to end."""


_Item = Seen | CameraNews | TrayNews | _Posted | _End


class TableThread(threading.Thread):
    """Owns the state. Takes sights and orders from one queue, publishes snapshots.

    Args:
        house: the fixed part of the table.
        shuffle: gives a shuffled pile of targets whenever the pile is used up.
        feed: where snapshots go.
        shelf: where readings and their pictures go.
    """

    def __init__(
        self,
        house: House,
        shuffle: Callable[[], tuple[Target, ...]],
        feed: Feed,
        shelf: EvidenceShelf,
    ) -> None:
        super().__init__(name="table", daemon=True)
        self._house = house
        self._shuffle = shuffle
        self._feed = feed
        self._shelf = shelf
        self._queue: queue.Queue[Seen | CameraNews | TrayNews | _Posted | _End] = (
            queue.Queue(MOST_WAITING)
        )
        self._state = new_table(house.game.players, shuffle())
        self._version = 0
        self._published: dict[str, object] = {}
        self._pictures: dict[int, bytes] = {}
        if house.demo:
            self._state = make_room(house, self._state)

    @property
    def state(self) -> TableState:
        """The state now: frozen, so any thread may look at it."""
        return self._state

    def tell(self, sight: Seen | CameraNews | TrayNews) -> None:
        """Take what the camera's side saw; from any thread, never waits.

        A table that is far behind loses sights without a reading first; it never
        loses a reading silently.
        """
        try:
            self._queue.put_nowait(sight)
        except queue.Full:
            if isinstance(sight, Seen) and sight.reading is not None:
                log.exception("the table is stuck: a reading was lost")

    def obey(self, order: Order) -> str:
        """Have an order carried out; from any thread but this one.

        Returns:
            The state after it, as JSON text.

        Raises:
            RuleError: a rule refuses it.
            BusyError: no answer in time, or the table is closed.
        """
        posted = _Posted(order, Future())
        if not self.is_alive():
            raise BusyError("the table is closed")
        try:
            self._queue.put(posted, timeout=ANSWER_S)
            return posted.answer.result(ANSWER_S)
        except (queue.Full, AnswerTimeout) as error:
            # still in the queue: must not be carried out after we said it was not
            posted.answer.cancel()
            raise BusyError("the table is busy: try again") from error

    def unready(self) -> list[str]:
        """Say why a roll would not be read and scored now; empty if it would."""
        reasons = []
        if not self.is_alive():
            reasons.append("the table is closed")
        if self._state.camera.state is not CameraState.LIVE:
            reasons.append(self._state.camera.sentence)
        if self._state.tray.asks:
            reasons.append(self._state.tray.sentence)
        return reasons

    def run(self) -> None:
        """Work through the queue until `stop` is called."""
        self._publish()
        while True:
            item = self._queue.get()
            if isinstance(item, _End):
                return
            try:
                self._handle(item)
            except Exception:
                # a bug of ours: one sight or order is lost, the table goes on
                log.exception("the table failed at %r", item)

    def _handle(self, item: Seen | CameraNews | TrayNews | _Posted) -> None:
        if not self._state.pile:
            self._state = replace(self._state, pile=self._shuffle())
        match item:
            case CameraNews():
                self._state = replace(
                    self._state, camera=newer(self._state.camera, item)
                )
                self._publish()
            case TrayNews():
                self._state = replace(self._state, tray=item)
                self._publish()
            case Seen():
                self._see(item)
                self._publish()
            case _Posted():
                self._carry_out(item)

    def _see(self, seen: Seen) -> None:
        state = replace(self._state, watch=seen.watch)
        if seen.reading is not None:
            self._pictures[state.next_reading] = seen.picture
            settled = Settled(
                seen.reading, seen.width_px, seen.height_px, seen.elapsed_ms
            )
            state = settle(self._house, state, settled)
        elif self._house.demo and seen.watch == "empty" and is_over(state.turn):
            # the tray was cleared for the next throw: show its target meanwhile
            state = make_room(self._house, state)
        self._state = state

    def _carry_out(self, posted: _Posted) -> None:
        if not posted.answer.set_running_or_notify_cancel():
            return
        try:
            self._state = obey(self._house, self._state, posted.order)
            posted.answer.set_result(self._publish())
        except RuleError as error:
            posted.answer.set_exception(error)
        except Exception as error:
            posted.answer.set_exception(error)
            raise

    def _publish(self) -> str:
        """Show the state if it changed.

        Returns:
            The newest state as JSON text.
        """
        record = state_record(self._house, self._state)
        latest = self._feed.latest()
        if latest is not None and record == self._published:
            return latest.body
        self._published = record
        self._version += 1
        self._keep_evidence()
        body = self._text(record)
        return self._feed.publish(body).body

    def _text(self, record: dict[str, object]) -> str:
        numbered = {"run": self._feed.run, "version": self._version, **record}
        return json.dumps(numbered, ensure_ascii=False)

    def _keep_evidence(self) -> None:
        state = self._state
        known: list[Shown] = [*state.held]
        known += [item for item in (state.current, state.refused) if item is not None]
        for shown in known:
            before = self._shelf.get(shown.id)
            picture = before.picture if before else self._pictures.get(shown.id, b"")
            body = json.dumps(reading_on_page(shown), ensure_ascii=False)
            self._shelf.put(Evidence(shown.id, body, picture))
        self._pictures.clear()

    def stop(self, deadline_s: float) -> None:
        """End the thread, waiting for it at most `deadline_s`."""
        try:
            self._queue.put(_End(), timeout=deadline_s)
        except queue.Full:
            log.warning("the table did not end in time")
        self.join(deadline_s)
