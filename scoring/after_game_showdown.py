"""The turns of a Showdown game, judged by the points of one turn."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from scoring.after_game import Faces, Moment, Option, Rolled, Stopped, Turn
from scoring.cards import POKER_DICE_FACES
from scoring.game_showdown import ShowdownState, row_points
from scoring.rolling import MOST_ROLLS
from scoring.showdown_odds import ALL, DICE, keeps_of, kept_values, points_of_rolls
from scoring.showdown_odds import Roll as Dice
from scoring.showdown_rows import ROWS, fits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoring.play import Entry, Play

Rows = tuple[tuple[str, int], ...]
"""Open rows and what each counts for the player whose turn it is."""


@dataclass(frozen=True, slots=True)
class ShowdownWorth:
    """The points of a turn: a `Worth`. What a row is worth later does not count.

    Attributes:
        rows: the open rows and their points.
        five_is_full_house: SH-15.
    """

    rows: Rows
    five_is_full_house: bool = False

    def start(self, _: Sequence[str]) -> float:
        """Before the first roll."""
        kept = _tables(self.rows, self.five_is_full_house)[1][MOST_ROLLS - 1]
        return float(Fraction(kept[()], ALL**MOST_ROLLS))

    def stop(self, faces: Faces, _: int, __: Sequence[str], choice: str = "") -> float:
        """Choosing a row, or passing without one."""
        met = choice and fits(choice, faces, self.five_is_full_house)
        return float(dict(self.rows).get(choice, 0)) if met else 0.0

    def best(self, faces: Faces, roll: int, cards: Sequence[str]) -> Option:
        """The best row or the best keep after a roll."""
        row, points = self._best_row(faces)
        stop = Option(points, choice=row, forced=not points and roll == MOST_ROLLS)
        if roll == MOST_ROLLS:
            return stop
        keeps = [keep for keep in keeps_of(_dice(faces)) if len(keep) < DICE]
        best = max(keeps, key=lambda keep: self._kept(keep, roll))
        value = self._kept(best, roll)
        if points >= value:
            return stop
        kept = tuple(POKER_DICE_FACES[place] for place in best)
        return Option(float(value), stop=False, keep=kept)

    def keep(self, _: Faces, kept: Faces, roll: int, __: Sequence[str]) -> float:
        """Rolling all but the kept faces once more."""
        return float(self._kept(_dice(kept), roll))

    def _kept(self, keep: Dice, roll: int) -> Fraction:
        left = MOST_ROLLS - roll
        kept = _tables(self.rows, self.five_is_full_house)[1][left - 1]
        return Fraction(kept[keep], ALL**left)

    def _best_row(self, faces: Faces) -> tuple[str, float]:
        met = [
            (points, row)
            for row, points in self.rows
            if fits(row, faces, self.five_is_full_house)
        ]
        points, row = max(met, default=(0, ""), key=lambda one: one[0])
        return row, float(points)


def _dice(faces: Faces) -> Dice:
    return tuple(sorted(POKER_DICE_FACES.index(face) for face in faces))


@lru_cache(maxsize=64)
def _tables(
    rows: Rows, five_is_full_house: bool
) -> tuple[dict[Dice, int], tuple[dict[Dice, int], ...]]:
    """What rolls pay, and what kept sets are worth with 1 to 3 rolls left.

    With r rolls left a value is told in 6^(5 r) parts.
    """
    pay = points_of_rolls(dict(rows), five_is_full_house)
    tables = [kept_values(pay)]
    while len(tables) < MOST_ROLLS:
        parts, kept = ALL ** len(tables), tables[-1]
        values = {
            each: max(points * parts, *(kept[keep] for keep in keeps_of(each)))
            for each, points in pay.items()
        }
        tables.append(kept_values(values))
    return pay, tuple(tables)


def showdown_turns(play: Play[ShowdownState]) -> list[tuple[Turn, ShowdownWorth]]:
    """The turns of a game in order, each with what it could bring."""
    found: list[tuple[Turn, ShowdownWorth]] = []
    moments: list[Moment] = []
    for before, entry in zip(play.entries, play.entries[1:], strict=False):
        state = before.state
        moment = _moment(state, entry)
        if moment is not None:
            moments.append(moment)
        if isinstance(moment, Stopped):
            found.append(_turn(state, moments))
            moments = []
    if moments and play.state is not None:
        found.append(_turn(play.state, moments))
    return found


def _turn(state: ShowdownState, moments: list[Moment]) -> tuple[Turn, ShowdownWorth]:
    taken = {one.row for one in state.card}
    rows = tuple((row, row_points(state, row)) for row in ROWS if row not in taken)
    what = f"game {state.game}" if state.options.games > 1 else "points"
    turn = Turn(state.players[state.actor], state.turns // 2 + 1, what, tuple(moments))
    return turn, ShowdownWorth(rows, state.options.five_is_full_house)


def _moment(before: ShowdownState, entry: Entry[ShowdownState]) -> Moment | None:
    match entry.action.do:
        case "roll":
            faces = before.throws.faces
            kept = tuple(faces[place] for place in before.throws.kept_places)
            return Rolled(entry.state.throws.faces, kept)
        case "choose" | "pass":
            result = entry.result or {}
            points = result["points"]
            assert isinstance(points, int)
            return Stopped(points, entry.action.row or "")
        case _:
            return None
