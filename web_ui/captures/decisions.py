"""Decisions: from the events of a table, which reading was decided, how and by whom."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, cast

from datasets.captures.capture import Kept
from scoring.play import ROLL_ACTIONS
from vision.reading import Status
from web_ui.recorded_readings import parse_reading
from web_ui.table.fold import STEPS_BACK, apply, roll_faces
from web_ui.table.shown import Use
from web_ui.table.state import TableState

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from vision.reading import DieReading
    from web_ui.table.events import NewEvent
    from web_ui.table.shown import Shown

MOST_KNOWN = 1000
"""Readings that are remembered, to be corrected later: more than a game has."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What became of a reading.

    Attributes:
        item: the reading with the faces that people named; of one that was corrected
            after it had counted, the faces that count now.
        kept: why its picture is worth keeping.
        roles: by place, who named the die; empty where nobody did.
        read_at: when it was read, ISO 8601.
        outside: dice that lay outside the tray.
    """

    item: Shown
    kept: Kept
    roles: tuple[str, ...]
    read_at: str
    outside: tuple[DieReading, ...] = ()


@dataclass(slots=True)
class _Known:
    item: Shown
    read_at: str
    outside: tuple[DieReading, ...]
    roles: dict[int, str] = field(default_factory=dict)  # by die of the reading
    kept: Kept | None = None

    def decision(self, kept: Kept) -> Decision:
        self.kept = kept
        roles = tuple(self.roles.get(die, "") for die in self.item.order)
        return Decision(self.item, kept, roles, self.read_at, self.outside)


class Decisions:
    """Follows the events of a table. Used by one thread.

    It folds them as the table does, so that nothing is decided twice over: what counts
    is what the table's own rules say.

    Args:
        past: events of the game that was on the table before.
    """

    def __init__(self, past: Iterable[NewEvent] = ()) -> None:
        self._state: TableState | None = TableState()
        self._known: OrderedDict[int, _Known] = OrderedDict()
        for event in past:
            self.follow(event)

    def lose(self) -> None:
        """Events were missed: nothing is known until the next game begins."""
        self._state = None
        self._known.clear()

    def follow(self, event: NewEvent) -> tuple[Decision, ...]:
        """Let an event happen.

        Returns:
            The readings that it decided, or decided anew.

        Raises:
            RuleError: events were missed.
            EventError: it is not known.
        """
        if event.kind == "game_started":
            self._known.clear()
            self._state = self._state or TableState()
        if self._state is None:
            return ()
        before, self._state = self._state, apply(self._state, event)
        body = cast("Mapping[str, Any]", event.body)
        match event.kind:
            case "read":
                self._see(event)
            case "answered":
                self._answer(event, body)
            case "considered":
                return self._consider(body)
            case "dismissed":
                return self._dismiss(before, body["reading"])
            case "acted":
                return self._act(event, body)
        return ()

    def _item(self, number: int) -> Shown | None:
        state = self._state
        assert state is not None
        for item in (state.current, state.refused, *state.held):
            if item is not None and item.id == number:
                return item
        return None

    def _see(self, event: NewEvent) -> None:
        body = cast("Mapping[str, Any]", event.body)
        number = body["reading"]
        item = self._item(number)
        if item is None:
            return
        record = body["record"]
        outside = {**record, "dice": record.get("outside", []), "problems": []}
        self._known[number] = _Known(item, event.at, parse_reading(outside).dice)
        while len(self._known) > MOST_KNOWN:
            self._known.popitem(last=False)

    def _answer(self, event: NewEvent, body: Mapping[str, Any]) -> None:
        known, item = self._known.get(body["reading"]), self._item(body["reading"])
        if known is not None and item is not None:
            known.item = item
            known.roles[item.order[body["die"]]] = event.by

    def _consider(self, body: Mapping[str, Any]) -> tuple[Decision, ...]:
        known, item = self._known.get(body["reading"]), self._item(body["reading"])
        if known is None or item is None:
            return ()
        known.item = item
        return (known.decision(Kept.REFUSED),) if item.use is Use.REFUSED else ()

    def _dismiss(self, before: TableState, number: int) -> tuple[Decision, ...]:
        """What the reader asked about and nobody could say is worth a look."""
        known, current = self._known.get(number), before.current
        waiting = current is not None and current.id == number
        if known is None or not waiting or known.item.use is not Use.WAITING:
            return ()
        return (known.decision(Kept.ASKED),)

    def _act(self, event: NewEvent, body: Mapping[str, Any]) -> tuple[Decision, ...]:
        if body["action"].get("do") in STEPS_BACK:
            return self._back(event)
        number = body.get("reading")
        known = None if number is None else self._known.get(number)
        item = None if number is None else self._item(number)
        if known is None or item is None or item.use is not Use.TAKEN:
            return ()
        known.item = item
        for place, answer in enumerate(item.answers):
            if answer is not None:
                # a confirmation answers for every die that was doubtful
                known.roles.setdefault(item.order[place], event.by)
        return (known.decision(_why(known)),)

    def _back(self, event: NewEvent) -> tuple[Decision, ...]:
        """After undo, redo and corrections: the rolls that now show other faces."""
        state = self._state
        game = None if state is None else state.game
        decided: dict[int, None] = {}
        if game is None:
            return ()
        for line in game.log:
            known = self._known.get(line.reading or 0)
            if not line.done or line.do not in ROLL_ACTIONS or line.roll is None:
                continue
            if known is None or known.item.first_roll is None:
                continue
            part = line.roll - known.item.first_roll
            if 0 <= part < len(known.item.parts):
                places = known.item.parts[part]
                faces = roll_faces(game.play, line.roll)
                if len(faces) == len(places) and self._renew(
                    known, places, faces, event.by
                ):
                    decided[known.item.id] = None
        return tuple(self._known[number].decision(Kept.CORRECTED) for number in decided)

    def _renew(
        self, known: _Known, places: tuple[int, ...], faces: tuple[Any, ...], by: str
    ) -> bool:
        item, changed = known.item, False
        answers = [*item.answers]
        for place, face in zip(places, faces, strict=True):
            if item.faces[place] != face:
                answers[place] = face
                known.roles[item.order[place]] = by
                changed = True
        known.item = replace(item, answers=tuple(answers))
        return changed


def _why(known: _Known) -> Kept:
    """Why a roll that counts is worth keeping."""
    if known.kept in (Kept.REFUSED, Kept.CORRECTED):
        return known.kept
    item = known.item
    if item.reading.status is Status.SURE and any(item.answers):
        return Kept.CORRECTED
    return Kept.SURE if item.reading.status is Status.SURE else Kept.ASKED
