"""The table's thread: the only one that changes the state; everybody else looks."""

from __future__ import annotations

import json
import logging
import queue
import threading
import time
from collections import OrderedDict
from concurrent.futures import Future
from concurrent.futures import TimeoutError as AnswerTimeout
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from scoring.refusals import RuleError
from vision.tray_watch import TrayNews
from web_ui.camera_news import CameraNews, CameraState, newer
from web_ui.store.errors import StoreError
from web_ui.table import timer as timers
from web_ui.table.advance import end_turn, make_room
from web_ui.table.advice import AdviceReady, question_of
from web_ui.table.beginning import start_again
from web_ui.table.box_orders import BoxNews, BoxPress, order_of
from web_ui.table.commands import Act, SetTimer, Start
from web_ui.table.evidence_keeper import EvidenceKeeper
from web_ui.table.fold import replay
from web_ui.table.orders import obey
from web_ui.table.pen import Pen
from web_ui.table.readings import Settled, settle, take_held
from web_ui.table.records import Surroundings, state_record
from web_ui.table.state import Notice, TableState
from web_ui.table.timer_orders import game_timer, timer_after, turn_timer
from web_ui.table_door import BusyError
from web_ui.watch_thread import Seen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from web_ui.evidence import EvidenceShelf
    from web_ui.feed import Feed
    from web_ui.table.advice import Question
    from web_ui.table.commands import Order
    from web_ui.table.events import NewEvent
    from web_ui.table.ports import Journal, Pictures
    from web_ui.table.state import House

log = logging.getLogger(__name__)

MOST_WAITING = 256
"""Orders and sights that may queue up."""
ANSWER_S = 3.0
"""How long a web thread waits for the table."""
MOST_IDS = 512
"""Commands that are remembered, so that one sent again is not done again."""
RETRY_S = 1.0
"""Pause between looks at a store that cannot be written."""


@dataclass(frozen=True, slots=True)
class _Posted:
    order: Order
    answer: Future[str]


class _End:
    """Asks the thread to end."""


Sight = Seen | CameraNews | TrayNews | AdviceReady | BoxPress | BoxNews
_Item = Sight | _Posted | _End


class TableThread(threading.Thread):
    """Owns the state. Takes sights and orders from one queue, publishes snapshots.

    Args:
        house: the fixed part of the table.
        feed: where snapshots go.
        shelf: where readings and their pictures go.
        journal: keeps the events.
        pictures: keeps the evidence.
        past: events of the game that was on the table before, oldest first.
        clock: the monotonic clock, in seconds.
    """

    def __init__(
        self,
        house: House,
        feed: Feed,
        shelf: EvidenceShelf,
        journal: Journal,
        pictures: Pictures,
        past: Iterable[NewEvent] = (),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(name="table", daemon=True)
        self._house, self._feed = house, feed
        self._journal, self._clock = journal, clock
        self._evidence = EvidenceKeeper(shelf, pictures)
        self._queue: queue.Queue[_Item] = queue.Queue(MOST_WAITING)
        self._version = 0
        self._published: dict[str, object] = {}
        self._done: OrderedDict[str, None] = OrderedDict()
        self._advice: AdviceReady | None = None
        self._asked: Question | None = None
        self._retry_at_s = 0.0
        self.ask: Callable[[Question], None] = lambda question: None
        """Called with each new question for advice; must not wait."""
        self.expect: Callable[[TableState], None] = lambda state: None
        """Called with each new state: tells the eyes which dice to look for."""
        self.wrote: Callable[[int], None] = lambda count: None
        """Called with the number of events that the journal was given."""
        self.shown: Callable[[float], None] = lambda waited_s: None
        """Called when a reading is published, with its age in seconds."""
        self.boxes: Callable[[], list[dict[str, Any]]] = list
        self.light: Callable[[TableState, float], None] = lambda state, now_s: None
        """Called with each new state and every second of a running timer: sets the
        lights of button boxes; must not wait."""
        past = [*past]
        fresh = TableState(layout=house.dice_set.dice, advice_on=house.agreed.advice)
        self._state = replay(past, fresh)
        for event in past:
            self._remember(str(event.body.get("command", "")))
        if past:
            self._state = replace(self._state, notice=Notice("The game goes on."))

    @property
    def state(self) -> TableState:
        """The state now: frozen, so any thread may look at it."""
        return self._state

    def tell(self, sight: Sight) -> None:
        """Take what the camera's side saw; from any thread, never waits.

        A table that is far behind loses sights without a reading first; it never
        loses a reading silently.
        """
        try:
            self._queue.put_nowait(sight)
        except queue.Full:
            if isinstance(sight, Seen) and sight.reading is not None:
                log.exception("the table is stuck: a reading was lost")

    def press(self, press: BoxPress) -> bool:
        """Take a press of a button box; from any thread, never waits.

        Returns:
            False if there is no room: the box keeps it and tells it again.
        """
        try:
            self._queue.put_nowait(press)
        except queue.Full:
            return False
        return True

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
        if self._journal.sentence:
            reasons.append(self._journal.sentence)
        return reasons

    def run(self) -> None:
        """Work through the queue until `stop` is called."""
        self._begin()
        while True:
            item = self._next()
            if isinstance(item, _End):
                return
            try:
                self._handle(item)
            except StoreError as error:
                # nothing more can be kept, so nothing more may happen
                notice = Notice(error.sentence, warn=True)
                self._state = replace(self._state, notice=notice)
                self._publish()
            except Exception:
                # a bug of ours: one sight or order is lost, the table goes on
                log.exception("the table failed at %r", item)

    def _begin(self) -> None:
        pen = Pen(self._house, self._state, "table")
        if self._state.game is None:
            start_again(pen)
            if self._house.demo:
                make_room(pen)
        # a reading that was kept, but what came of it was not
        take_held(pen)
        if pen.events:
            self._take_over(pen)
        self._publish()

    def _next(self) -> _Item | None:
        """The next item; None when it is time to look at timer or store."""
        wait_s = None
        ends_s = self._state.timer.ends_s
        if ends_s is not None:
            left_s = max(0.0, ends_s - self._clock())
            # a box shows whole seconds
            wait_s = left_s % 1.0 or min(left_s, 1.0)
        if self._journal.pending or self._journal.sentence:
            wait_s = RETRY_S if wait_s is None else min(wait_s, RETRY_S)
        try:
            return self._queue.get(timeout=wait_s)
        except queue.Empty:
            return None

    def _handle(self, item: _Item | None) -> None:
        self._ring()
        if item is None:
            self.light(self._state, self._clock())
        match item:
            case CameraNews():
                self._state = replace(
                    self._state, camera=newer(self._state.camera, item)
                )
            case TrayNews():
                self._state = replace(self._state, tray=item)
            case AdviceReady():
                self._advice = item
            case Seen():
                self._see(item)
            case BoxPress():
                self._press(item)
            case _Posted():
                self._carry_out(item)
                return
        self._publish()
        if isinstance(item, Seen) and item.reading is not None and item.at_s:
            self.shown(self._clock() - item.at_s)

    def _ring(self) -> None:
        now = timers.rung(self._state.timer, self._clock())
        if now is self._state.timer:
            return
        pen = Pen(self._house, self._state, "timer")
        pen.write("timer_rung", {"seconds": now.total_s})
        self._take_over(pen)
        self._state = replace(self._state, timer=now)

    def _see(self, seen: Seen) -> None:
        state = self._state = replace(self._state, watch=seen.watch)
        if seen.reading is None:
            if self._house.demo and seen.watch == "empty" and state.need is None:
                # the tray was cleared for the next throw: show its target meanwhile
                pen = Pen(self._house, state, "demo")
                make_room(pen)
                self._take_over(pen)
            return
        pen = Pen(self._house, state, "camera")
        settled = Settled(
            seen.reading,
            seen.width_px,
            seen.height_px,
            self._evidence.keep(state.next_reading, seen.picture),
            seen.elapsed_ms,
            seen.moved,
        )
        notice = settle(pen, settled)
        if self._house.demo:
            end_turn(pen)
        self._take_over(pen)
        if notice is not None:
            self._state = replace(self._state, notice=notice)

    def _carry_out(self, posted: _Posted) -> None:
        if not posted.answer.set_running_or_notify_cancel():
            return
        order = posted.order
        try:
            if order.id and order.id in self._done:
                posted.answer.set_result(self._publish())
                return
            pen = Pen(self._house, self._state, order.by)
            if order.id:
                pen.about = {"command": order.id}
            obey(pen, order)
            self._set_timer(pen, order)
            self._take_over(pen)
            self._remember(order.id)
            posted.answer.set_result(self._publish())
        except RuleError as error:
            posted.answer.set_exception(error)
        except StoreError as error:
            posted.answer.set_exception(BusyError(error.sentence))
        except Exception as error:
            posted.answer.set_exception(error)
            raise

    def _set_timer(self, pen: Pen, order: Order) -> None:
        """Timers are of this run of the program: the log only notes them."""
        now_s, timer = self._clock(), pen.state.timer
        command = order.command
        if isinstance(command, SetTimer):
            timer = timer_after(timer, command, now_s)
        elif isinstance(command, Start):
            timer = timers.IDLE
        elif isinstance(command, Act) and pen.state.game is not None:
            timer = game_timer(pen.state, order.do, timer, now_s)
        if timer == pen.state.timer:
            return
        kind = "timer_stopped" if timer.since_s is None else "timer_started"
        pen.write(kind, {"seconds": round(timer.left(now_s), 3)})
        pen.state = replace(pen.state, timer=timer)

    def _press(self, press: BoxPress) -> None:
        """Do what a button of a box means; a refusal is shown: a box has no words."""
        try:
            order = order_of(press, self._state)
            pen = Pen(self._house, self._state, order.by)
            obey(pen, order)
            self._set_timer(pen, order)
            self._take_over(pen)
        except RuleError as error:
            notice = Notice(error.sentence, error.rule, warn=True)
            self._state = replace(self._state, notice=notice)

    def _remember(self, name: str) -> None:
        if name:
            self._done[name] = None
            while len(self._done) > MOST_IDS:
                self._done.popitem(last=False)

    def _take_over(self, pen: Pen) -> None:
        """What was written is kept before anybody sees it."""
        if pen.events:
            self._journal.write(pen.events)
            self.wrote(len(pen.events))
        before, self._state = self._state, pen.state
        if self._house.agreed.turn_s:
            timer = turn_timer(before, pen.state, self._house.agreed, self._clock())
            self._state = replace(pen.state, timer=timer)

    def _publish(self) -> str:
        """Show the state if it changed.

        Returns:
            The newest state as JSON text.
        """
        self.expect(self._state)
        self.light(self._state, self._clock())
        question = question_of(self._state)
        if question is not None and question != self._asked:
            self.ask(question)
        self._asked = question
        ready = self._advice
        fits = ready is not None and ready.question == question
        around = Surroundings(
            advice=ready.record if ready is not None and fits else None,
            thinking=question is not None and not fits,
            pending=self._journal.pending,
            store=self._journal.sentence,
            boxes=tuple(self.boxes()),
        )
        record = state_record(self._house, self._state, around)
        latest = self._feed.latest()
        if latest is not None and record == self._published:
            return latest.body
        self._published = record
        self._version += 1
        self._evidence.renew(self._state)
        numbered = {"run": self._feed.run, "version": self._version, **record}
        return self._feed.publish(json.dumps(numbered, ensure_ascii=False)).body

    def stop(self, deadline_s: float) -> None:
        """End the thread, waiting for it at most `deadline_s`."""
        try:
            self._queue.put(_End(), timeout=deadline_s)
        except queue.Full:
            log.warning("the table did not end in time")
        self.join(deadline_s)
