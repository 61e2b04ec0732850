"""Exact odds of a Showdown turn: what to keep for a row, or for points (SH-03)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import factorial, prod
from typing import TYPE_CHECKING

from scoring.cards import POKER_DICE_FACES, PokerFace
from scoring.dice_sets import codes
from scoring.odds_error import OddsError
from scoring.rolling import MOST_ROLLS
from scoring.showdown_rows import POINTS, ROWS, fits

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scoring.cards import Face

DICE = 5
Roll = tuple[int, ...]
"""Places in `POKER_DICE_FACES`, ascending: the dice are alike, only the faces count."""

ALL = 6**DICE


@dataclass(frozen=True, slots=True)
class Play:
    """Best play for one aim.

    Attributes:
        value: the chance of the row, or the expected points, with best play.
        stop: the value of stopping now; None before the first roll.
        roll: the best value with at least one die rolled; None without a roll left.
        keeps: the kept faces of each best way to roll; several if equally good.
    """

    value: Fraction
    stop: Fraction | None
    roll: Fraction | None
    keeps: tuple[tuple[PokerFace, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class ShowdownOdds:
    """What a turn can bring.

    Attributes:
        rows: for each open row the best play for it; the value is its chance.
        points: the best play for the most points of one open row.
    """

    rows: tuple[tuple[str, Play], ...]
    points: Play


def showdown_odds(
    rows: Sequence[str] = ROWS,
    faces: Sequence[Face] | None = None,
    rolls_left: int | None = None,
    *,
    points: Mapping[str, int] | None = None,
    five_is_full_house: bool = False,
) -> ShowdownOdds:
    """Say how likely each open row is and what to keep for it.

    Args:
        rows: the open rows.
        faces: the five dice that lie there in any order; None before the first roll.
        rolls_left: rolls still to go; with faces 0 to 2 (default 2), otherwise 1 to 3
            (default 3). Kept dice may be picked up again (SH-03).
        points: what each open row counts; as printed if None. SH-12 makes them more.
        five_is_full_house: SH-15.

    Raises:
        OddsError: no such row, no row, wrong faces or number of rolls.
    """
    if not rows:
        raise OddsError("odds of Showdown need at least one open row")
    for row in rows:
        if row not in ROWS:
            raise OddsError(f"{row!r} is no row: expected {', '.join(ROWS)}")
    worth = {row: (POINTS if points is None else points).get(row, 0) for row in rows}
    if any(count < 0 for count in worth.values()):
        raise OddsError("points of a row must be >= 0")
    roll = None if faces is None else roll_of(faces)
    least, most = (1, MOST_ROLLS) if roll is None else (0, MOST_ROLLS - 1)
    left = most if rolls_left is None else rolls_left
    if not least <= left <= most:
        raise OddsError(f"rolls left must be {least}..{most}, not {left}")
    met = {row: _met(row, five_is_full_house) for row in rows}
    best_points = points_of_rolls(worth, five_is_full_house)
    return ShowdownOdds(
        rows=tuple((row, _play(met[row], roll, left)) for row in rows),
        points=_play(best_points, roll, left),
    )


def points_of_rolls(
    worth: Mapping[str, int], five_is_full_house: bool = False
) -> dict[Roll, int]:
    """The most points that one of the open rows brings, for everything dice show.

    Args:
        worth: what each open row counts.
        five_is_full_house: SH-15.
    """
    met = {row: _met(row, five_is_full_house) for row in worth}
    return {
        each: max((worth[row] for row in worth if met[row][each]), default=0)
        for each in every_roll(DICE)
    }


def roll_of(faces: Sequence[Face]) -> Roll:
    """Five dice as a roll.

    Raises:
        OddsError: another number of faces, or not of poker dice.
    """
    if len(faces) != DICE:
        raise OddsError(f"a roll of Showdown has {DICE} faces, not {len(faces)}")
    if strange := [face for face in faces if not isinstance(face, PokerFace)]:
        raise OddsError(f"not faces of poker dice: {codes(strange)}")
    return tuple(sorted(POKER_DICE_FACES.index(face) for face in faces))


def _play(pay: Mapping[Roll, int], roll: Roll | None, left: int) -> Play:
    """Best play for what rolls pay, by backward induction in whole numbers.

    With r rolls left a value is told in 6^(5 r) parts.
    """
    kept = kept_values(pay)
    for _ in range(left - 1):
        # to keep all dice is to stop: what lies there is still there at the end
        values = {each: max(kept[keep] for keep in keeps_of(each)) for each in pay}
        kept = kept_values(values)
    if roll is None:
        first = Fraction(kept[()], ALL**left)
        return Play(first, None, first, ((),))
    stop = Fraction(pay[roll])
    if not left:
        return Play(stop, stop, None)
    keeps = [keep for keep in keeps_of(roll) if len(keep) < DICE]
    most = max(kept[keep] for keep in keeps)
    best = tuple(
        tuple(_FACES[face] for face in keep) for keep in keeps if kept[keep] == most
    )
    again = Fraction(most, ALL**left)
    return Play(max(stop, again), stop, again, best)


_FACES = tuple(face for face in POKER_DICE_FACES if isinstance(face, PokerFace))


def kept_values(values: Mapping[Roll, int]) -> dict[Roll, int]:
    """For each kept set the sum over what the other dice may show, in 6^5 parts."""
    return {
        keep: sum(
            values[tuple(sorted(keep + rest))] * ways for rest, ways in _ways(DICE - n)
        )
        * 6**n
        for n in range(DICE + 1)
        for keep in every_roll(n)
    }


@cache
def every_roll(dice: int) -> tuple[Roll, ...]:
    """Everything that so many dice can show."""
    return tuple(combinations_with_replacement(range(len(_FACES)), dice))


@cache
def _ways(dice: int) -> tuple[tuple[Roll, int], ...]:
    """Everything that so many dice can show, and in how many ways."""
    return tuple(
        (roll, factorial(dice) // prod(map(factorial, Counter(roll).values())))
        for roll in every_roll(dice)
    )


@cache
def keeps_of(roll: Roll) -> tuple[Roll, ...]:
    """Every kept set of a roll once, the largest last."""
    return tuple(
        dict.fromkeys(keep for n in range(DICE + 1) for keep in combinations(roll, n))
    )


@cache
def _met(row: str, five_is_full_house: bool) -> dict[Roll, int]:
    """1 for the rolls that meet a row, 0 for the others."""
    return {
        roll: int(fits(row, [_FACES[face] for face in roll], five_is_full_house))
        for roll in every_roll(DICE)
    }
