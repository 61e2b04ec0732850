"""The throws of one game that can tell a layout, from its events."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from scoring.cards import CARD_DICE_FACES
from scoring.fairness_rolls import throws_of
from scoring.play import ROLL_ACTIONS
from scoring.refusals import RuleError
from web_ui.table.fold import EventError, apply
from web_ui.table.state import TableState

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scoring.cards import Face
    from web_ui.table.events import StoredEvent
    from web_ui.table.state import OpenGame

LEAST_FACES = 2
"""Faces of one throw that say something of a layout."""
LIES_STILL = 4
"""So many dice never show the same faces twice running: they were read twice."""
_CARD_FACES = frozenset(CARD_DICE_FACES)


@dataclass(frozen=True, slots=True)
class SeenThrow:
    """Dice that were thrown together and read by the camera.

    Attributes:
        number: of the event in the store that counted it.
        faces: what they showed, as it finally counts; kept dice are not among them.
    """

    number: int
    faces: tuple[Face, ...]


@dataclass(slots=True)
class _Told:
    state: TableState = field(default_factory=TableState)
    seen: set[int] = field(default_factory=set)  # readings with a picture
    numbers: dict[int, int] = field(default_factory=dict)  # line of the log: event


def game_throws(
    events: Iterable[StoredEvent], *, known: bool = False
) -> list[SeenThrow]:
    """The throws of a game, as it finally tells them, in order.

    A roll counts in a game only if its reading was sure or a person settled it. Rolls
    that were typed in without a picture are left out, and so are those of a game that
    is not played with card dice.

    Args:
        events: of one game, from its first.
        known: whether games count, too, in which the layout was known to the reader:
            it never reads two faces of one die together.

    Returns:
        Throws of two dice or more; none for a game that cannot be told again.
    """
    told = _Told()
    try:
        for stored in events:
            _follow(told, stored)
    except (RuleError, EventError, KeyError, TypeError, ValueError, IndexError):
        return []  # of another version, or forged: it teaches nothing
    game = told.state.game
    if game is None or (not known and _knows_layout(game)):
        return []
    return _throws(told, game)


def _follow(told: _Told, stored: StoredEvent) -> None:
    event = stored.event
    told.state = apply(told.state, event)
    if event.kind == "read" and event.body.get("picture"):
        told.seen.add(int(str(event.body["reading"])))
    elif event.kind == "acted" and told.state.game is not None:
        told.numbers.setdefault(len(told.state.game.log), stored.number)


def _throws(told: _Told, game: OpenGame) -> list[SeenThrow]:
    lines = [line for line in game.log if line.done and line.do in ROLL_ACTIONS]
    found: list[SeenThrow] = []
    before: frozenset[Face] = frozenset()
    for line, throw in zip(lines, throws_of(game.play), strict=False):
        faces = frozenset(throw.faces)
        again = len(faces) >= LIES_STILL and faces == before
        before = faces
        if line.reading not in told.seen or again or not faces <= _CARD_FACES:
            continue
        if len(faces) == len(throw.faces) >= LEAST_FACES:
            found.append(SeenThrow(told.numbers[line.number], throw.faces))
    return found


def _knows_layout(game: OpenGame) -> bool:
    dice = getattr(getattr(game.state, "options", None), "dice_set", None)
    return dice is not None and dice.dice is not None
