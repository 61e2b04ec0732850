"""The throws of one game that can tell a layout, from its events."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
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
    from web_ui.table.state import LogItem, OpenGame

LEAST_FACES = 2
"""Faces of one throw that say something of a layout."""
LIES_STILL = 4
"""So many dice never show the same faces twice running: they were read twice."""
_CARD_FACES = frozenset(CARD_DICE_FACES)


class LeftOut(StrEnum):
    """Why rolls, or whole games, do not count."""

    NO_PICTURE = "typed in, without a picture"
    TWICE = "read twice"
    OTHER_DICE = "not of card dice"
    DOUBLE = "with one face twice"
    FEW = "fewer than two dice thrown, the others kept"
    KNOWN = "of dice whose layout is known"
    UNTOLD = "of games that cannot be told again"
    NOT_SURE = "readings that were not sure"
    EARLIER = "from before a layout was called wrong"
    IMPORTED = "games that were imported"
    DRAWN = "games played with drawn dice"


@dataclass(frozen=True, slots=True)
class SeenThrow:
    """Dice that were thrown together and read by the camera.

    Attributes:
        number: of the event in the store that counted it.
        faces: what they showed, as it finally counts; kept dice are not among them.
    """

    number: int
    faces: tuple[Face, ...]


@dataclass(frozen=True, slots=True)
class ToldGame:
    """The rolls of one game.

    Attributes:
        throws: those that can tell a layout, in order.
        left_out: how many others there are, by why.
    """

    throws: tuple[SeenThrow, ...] = ()
    left_out: tuple[tuple[LeftOut, int], ...] = ()


@dataclass(slots=True)
class _Told:
    state: TableState = field(default_factory=TableState)
    seen: set[int] = field(default_factory=set)  # readings with a picture
    numbers: dict[int, int] = field(default_factory=dict)  # line of the log: event


def tell_game(events: Iterable[StoredEvent], *, known: bool = False) -> ToldGame:
    """The throws of a game, as it finally tells them, in order.

    A roll counts in a game only if its reading was sure or a person settled it. Rolls
    that were typed in without a picture are left out, and so are those of a game that
    is not played with card dice.

    Args:
        events: of one game, from its first.
        known: whether games count, too, in which the layout was known to the reader:
            it never reads two faces of one die together.

    Returns:
        Throws of two dice or more, and how many rolls do not count.
    """
    told = _Told()
    try:
        for stored in events:
            _follow(told, stored)
    except (RuleError, EventError, KeyError, TypeError, ValueError, IndexError):
        # of another version, or forged: it teaches nothing
        return ToldGame(left_out=_all(told, LeftOut.UNTOLD))
    game = told.state.game
    if game is None:
        return ToldGame()
    if not known and _knows_layout(game):
        return ToldGame(left_out=_all(told, LeftOut.KNOWN))
    return _throws(told, game)


def game_throws(
    events: Iterable[StoredEvent], *, known: bool = False
) -> tuple[SeenThrow, ...]:
    """The throws of a game that can tell a layout; see `tell_game`."""
    return tell_game(events, known=known).throws


def _all(told: _Told, why: LeftOut) -> tuple[tuple[LeftOut, int], ...]:
    game = told.state.game
    count = 0 if game is None else len(_rolls(game))
    return ((why, count),) if count else ()


def _follow(told: _Told, stored: StoredEvent) -> None:
    event = stored.event
    told.state = apply(told.state, event)
    if event.kind == "read" and event.body.get("picture"):
        told.seen.add(int(str(event.body["reading"])))
    elif event.kind == "acted" and told.state.game is not None:
        told.numbers.setdefault(len(told.state.game.log), stored.number)


def _rolls(game: OpenGame) -> list[LogItem]:
    return [line for line in game.log if line.done and line.do in ROLL_ACTIONS]


def _throws(told: _Told, game: OpenGame) -> ToldGame:
    found: list[SeenThrow] = []
    left_out: Counter[LeftOut] = Counter()
    before: frozenset[Face] = frozenset()
    for line, throw in zip(_rolls(game), throws_of(game.play), strict=False):
        faces = frozenset(throw.faces)
        again = len(faces) >= LIES_STILL and faces == before
        before = faces
        if line.reading not in told.seen:
            left_out[LeftOut.NO_PICTURE] += 1
        elif again:
            left_out[LeftOut.TWICE] += 1
        elif not faces <= _CARD_FACES:
            left_out[LeftOut.OTHER_DICE] += 1
        elif len(faces) < len(throw.faces):
            left_out[LeftOut.DOUBLE] += 1
        elif len(faces) < LEAST_FACES:
            left_out[LeftOut.FEW] += 1
        else:
            found.append(SeenThrow(told.numbers[line.number], throw.faces))
    return ToldGame(tuple(found), tuple(sorted(left_out.items())))


def _knows_layout(game: OpenGame) -> bool:
    dice = getattr(getattr(game.state, "options", None), "dice_set", None)
    return dice is not None and dice.dice is not None
