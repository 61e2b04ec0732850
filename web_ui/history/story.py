"""A stored game told again, step by step: what was shown, decided and scored when."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from scoring.refusals import RuleError
from web_ui.history.step_words import step_words
from web_ui.table.fold import STEPS_BACK, EventError, apply, roll_faces
from web_ui.table.reading_records import reading_on_page
from web_ui.table.shown import Use
from web_ui.table.state import TableState
from web_ui.table.turn_records import best_hand_of, target_title

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from scoring.cards import Face
    from web_ui.table.events import NewEvent, StoredEvent
    from web_ui.table.shown import Shown
    from web_ui.table.state import OpenGame

UNTOLD = frozenset(
    {"read", "advice_set", "timer_started", "timer_stopped", "timer_rung"}
)
"""Kinds that are no step of their own: what follows from a `read` is one."""


ODD = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What events raise that no table ever wrote."""


@dataclass(frozen=True, slots=True)
class Step:
    """Something that happened in the game.

    Attributes:
        event: number of its event in the store.
        kind: what happened: the kind of event, or the action of the game script.
        words: the same in a sentence.
        player: whose it is; empty if nobody's in particular.
        by: who entered it.
        at: when, ISO 8601.
        reading: id of the reading that is looked at; None without one.
        faces: its faces by place as they were known then; None where unreadable.
        kept: places kept for the next roll.
        roll: number of the roll in the game, from 0; None for anything else.
        scores: of the players in seat order, after it.
        hand: best hand of the dice, as people say it; empty if there is none.
        target: the hand that is asked for; empty if none is.
        reason: why, where a person said so.
        log: place in the log of the game; None for what is not in it.
    """

    event: int
    kind: str
    words: str
    player: str
    by: str
    at: str
    reading: int | None
    faces: tuple[str | None, ...]
    kept: tuple[int, ...]
    roll: int | None
    scores: tuple[int, ...]
    hand: str
    target: str
    reason: str
    log: int | None


@dataclass(frozen=True, slots=True)
class Decision:
    """What somebody decided about a reading.

    Attributes:
        reading: id of the reading.
        what: `asked`, `refused`, `answered`, `counted`, `dismissed` or `corrected`.
        by: who.
        at: when, ISO 8601.
        event: number of the event.
        die: the place it is about; None if it is about all.
        before: codes of the faces before, by place; empty if they stayed.
        faces: codes of the faces after, by place.
        reason: why, where a person said so.
    """

    reading: int
    what: str
    by: str
    at: str
    event: int
    die: int | None
    before: tuple[str | None, ...]
    faces: tuple[str | None, ...]
    reason: str


class Story:
    """A game as far as its events were told; not for several threads at once.

    Attributes:
        last: number of the last event told; 0 for none.
        state: the table after it.
        steps: what happened, oldest first.
        readings: every reading as it was last on the table, by id.
        decisions: about readings, oldest first.
        fault: why the rest cannot be told; empty if nothing is wrong.
        closed: whether the game was closed.
        last_at: time of the last event, ISO 8601.
    """

    def __init__(self) -> None:
        self.last = 0
        self.state = TableState()
        self.steps: list[Step] = []
        self.readings: dict[int, Shown] = {}
        self.decisions: list[Decision] = []
        self.fault = ""
        self.closed = False
        self.last_at = ""

    @property
    def game(self) -> OpenGame | None:
        """The game after all that was told; None if it did not start."""
        return self.state.game

    def tell(self, events: Iterable[StoredEvent]) -> None:
        """Go on with later events of the same game. Never fails: see `fault`."""
        for stored in events:
            if self.fault:
                return
            try:
                self._tell(stored.number, stored.event)
            except (RuleError, EventError) as error:
                self.fault = f"Event {stored.number} cannot be told: {error}"
            except ODD as error:
                # a game that was imported may hold anything
                self.fault = (
                    f"Event {stored.number} ({stored.event.kind!r:.60}) is not one that"
                    f" this version understands: {error!r:.120}"
                )

    def _tell(self, number: int, event: NewEvent) -> None:
        before, self.state = self.state, apply(self.state, event)
        self.last, self.last_at = number, event.at
        self.closed = self.closed or event.kind == "game_closed"
        for item in (*self.state.held, self.state.current, self.state.refused):
            if item is not None and self.readings.get(item.id) is not item:
                # what cannot be shown is found out here, not when it is asked for
                reading_on_page(item)
                self._faces_of(item)
                self.readings[item.id] = item
        if event.kind in UNTOLD:
            return
        body = cast("Mapping[str, Any]", event.body)
        if event.kind == "considered" and body["use"] == Use.HELD:
            return
        self._decide(number, event, body, before)
        self.steps.append(self._step(number, event, body))

    def _step(self, number: int, event: NewEvent, body: Mapping[str, Any]) -> Step:
        game = self.state.game
        reading = self._reading_of(event, body)
        item = None if reading is None else self.readings.get(reading)
        log = _log_place(game, event)
        said = None if game is None or log is None else game.log[log]
        turn = None if game is None else game.desk.turn(game.state)
        kept: tuple[int, ...] = ()
        if turn is not None and turn.rolls and item is self.state.current:
            kept = tuple(turn.kept)
        hand = best_hand_of(self.state, item)
        return Step(
            event=number,
            kind=_kind(event, body),
            words=said.words if said else step_words(event, body, item),
            player=said.player if said else "",
            by=event.by,
            at=event.at,
            reading=reading,
            faces=() if item is None else _codes(self.faces_now(item)),
            kept=kept,
            roll=said.roll if said else None,
            scores=scores_of(game),
            hand=hand["title"] if hand else "",
            target=target_title(turn.target) if turn and turn.target else "",
            reason=str(body.get("reason") or ""),
            log=log,
        )

    def _reading_of(self, event: NewEvent, body: Mapping[str, Any]) -> int | None:
        """The reading that belongs to an event, or else the one that lies there."""
        if event.kind == "acted" and body["action"].get("do") == "correct":
            item = self.reading_of_roll(body["action"].get("roll", 0))
            return None if item is None else item.id
        named = body.get("reading")
        if isinstance(named, int):
            return named
        current = self.state.current
        return None if current is None else current.id

    def reading_of_roll(self, roll: int) -> Shown | None:
        """The reading that a roll of the game was counted from; the newest of them."""
        for item in reversed(self.readings.values()):
            first = item.first_roll
            if first is not None and first <= roll < first + len(item.parts):
                return item
        return None

    def faces_now(self, item: Shown) -> tuple[Face | None, ...]:
        """The faces of a reading, as the game has them where it counted."""
        return self._faces_of(item, self.reading_of_roll)

    def _faces_of(
        self, item: Shown, newest: Callable[[int], Shown | None] | None = None
    ) -> tuple[Face | None, ...]:
        faces = [*item.faces]
        if self.game is None or item.first_roll is None:
            return tuple(faces)
        for roll, places in enumerate(item.parts, start=item.first_roll):
            known = roll_faces(self.game.play, roll)
            other = newest(roll) if newest else item
            if other is None or other.id != item.id or len(known) != len(places):
                continue
            for place, face in zip(places, known, strict=True):
                faces[place] = face
        return tuple(faces)

    def _decide(
        self,
        number: int,
        event: NewEvent,
        body: Mapping[str, Any],
        before: TableState,
    ) -> None:
        what = _decided(event, body)
        reading = self._reading_of(event, body)
        if not what or reading is None or reading not in self.readings:
            return
        item = self.readings[reading]
        old: tuple[str | None, ...] = ()
        if what == "corrected" and before.game is not None:
            old = tuple(
                face.code
                for face in roll_faces(before.game.play, body["action"].get("roll", 0))
            )
        elif what == "answered":
            old = _codes(item.dice[place].face for place in range(len(item.dice)))
        after = _codes(self.faces_now(item))
        if what == "corrected":
            after = tuple(body["action"]["faces"])
        self.decisions.append(
            Decision(
                reading=reading,
                what=what,
                by=event.by,
                at=event.at,
                event=number,
                die=body.get("die"),
                before=old,
                faces=after,
                reason=str(body.get("reason") or ""),
            )
        )

    def counts(self) -> frozenset[int]:
        """Ids of the readings that rolls of the game, as it is now, were read from."""
        log = self.game.log if self.game else ()
        return frozenset(
            item.reading for item in log if item.done and isinstance(item.reading, int)
        )


def scores_of(game: OpenGame | None) -> tuple[int, ...]:
    """The scores in seat order; nothing before the start."""
    if game is None:
        return ()
    scores = game.play.view()["scores"]
    assert isinstance(scores, dict)
    return tuple(scores[name] for name in game.state.players)


def _kind(event: NewEvent, body: Mapping[str, Any]) -> str:
    if event.kind == "acted":
        return str(body["action"]["do"])
    if event.kind == "considered":
        return "refused" if body["use"] == Use.REFUSED else "asked"
    return event.kind


def _log_place(game: OpenGame | None, event: NewEvent) -> int | None:
    """The place in the log of what was just done; undo and redo have none."""
    if game is None or event.kind != "acted" or not game.log:
        return None
    done = game.play.journal[-1].do
    return None if done in STEPS_BACK - {"correct"} else len(game.log) - 1


def _decided(event: NewEvent, body: Mapping[str, Any]) -> str:
    match event.kind:
        case "considered":
            return "refused" if body["use"] == Use.REFUSED else "asked"
        case "answered" | "dismissed":
            return event.kind
        case "acted" if body["action"].get("do") == "correct":
            return "corrected"
        case "acted" if body.get("reading") is not None:
            return "counted"
        case _:
            return ""


def _codes(faces: Iterable[Face | None]) -> tuple[str | None, ...]:
    return tuple(None if face is None else face.code for face in faces)
