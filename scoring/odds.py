"""Exact odds of a turn with known dice (OD-01 to OD-06)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from scoring.hand_shapes import HandName
from scoring.odds_error import OddsError
from scoring.roll_bits import shown_blocks, shown_contain
from scoring.rolling import MOST_ROLLS
from scoring.turn_ends import Goal
from scoring.turn_odds import TurnOdds, known_layout, place_of, turn_odds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoring.cards import Face
    from scoring.dice_sets import DiceSet

__all__ = [
    "TIE",
    "Advice",
    "FirstRolls",
    "Goal",
    "Keep",
    "Keeps",
    "OddsError",
    "all_keeps",
    "best_keep",
    "best_play",
    "first_roll_count",
    "first_roll_table",
    "keep_value",
]

TIE = 1e-9
"""OD-05: values nearer than this are equal."""


@dataclass(frozen=True, slots=True)
class FirstRolls:
    """How many first rolls contain each hand (OD-01).

    Attributes:
        of: how many rolls there are.
        blank: for each hand, in the order of `HandName`, with jokers as blanks.
        wild: the same with jokers wild.
    """

    of: int
    blank: tuple[int, ...]
    wild: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Advice:
    """What to do with the dice that lie there (OD-04).

    Attributes:
        value: the better of stopping and rolling, a chance or chips.
        stop: the value of stopping now.
        roll: the best expected value with at least one die rolled.
        keep: the kept faces of the best such roll, sorted by code; None if several
            kept sets are equally good.
    """

    value: float
    stop: float
    roll: float
    keep: tuple[Face, ...] | None


@dataclass(frozen=True, slots=True)
class Keep:
    """One kept set and what it leads to with best play.

    Attributes:
        kept: the kept faces, in the order of the dice.
        value: the expected chips, or the chance of the hand.
        exact: the chance that the turn ends with the exact cards, 0 without a target.
        type: the chance that it ends with the type of hand, not exact.
    """

    kept: tuple[Face, ...]
    value: float
    exact: float
    type: float


@dataclass(frozen=True, slots=True)
class Keeps:
    """Every kept set of the dice that lie there, 2^n for n dice.

    The number of a kept set is binary, the first die first, 1 for a kept one. The last
    one, everything kept, is stopping now (CM-22).

    Attributes:
        faces: what the dice show, in the order of the dice.
        value: of each kept set, the expected chips or the chance of the hand.
        exact: of each, the chance that the turn ends with the exact cards. Among plays
            of equal value one with most of it is taken.
        type: of each, the chance that it ends with the type of hand, not exact.
        best: the numbers of the best kept sets with at least one die rolled; several
            if they are equally good (OD-05).
    """

    faces: tuple[Face, ...]
    value: tuple[float, ...]
    exact: tuple[float, ...]
    type: tuple[float, ...]
    best: tuple[int, ...]

    @property
    def stop(self) -> float:
        """The value of stopping now."""
        return self.value[-1]

    @property
    def roll(self) -> float:
        """The best value with at least one die rolled."""
        return max(self.value[:-1])

    def kept(self, number: int) -> tuple[Face, ...]:
        """The kept faces of a kept set, in the order of the dice."""
        return tuple(
            face for bit, face in enumerate(reversed(self.faces)) if number >> bit & 1
        )[::-1]

    def number(self, kept: Sequence[Face]) -> int:
        """The number of a kept set.

        Raises:
            OddsError: a face does not lie there, or is named twice.
        """
        left = list(kept)
        number = 0
        for face in self.faces:
            number = 2 * number + (face in left)
            if face in left:
                left.remove(face)
        if left:
            raise OddsError(f"{left[0].code} cannot be kept: it does not lie there")
        return number

    def keep(self, number: int) -> Keep:
        """A kept set with what it leads to."""
        return Keep(
            self.kept(number),
            self.value[number],
            self.exact[number],
            self.type[number],
        )

    def in_order(self) -> list[int]:
        """The numbers of all kept sets, the best first, stopping among them."""
        return sorted(
            range(len(self.value)), key=lambda number: (-self.value[number], number)
        )


def first_roll_count(dice_set: DiceSet, goal: Goal) -> tuple[int, int]:
    """Count the first rolls that contain the goal's hand (OD-01).

    Returns:
        How many do, and how many rolls there are.

    Raises:
        OddsError: odds cannot be told for these dice.
    """
    dice = known_layout(dice_set)
    wild = goal.rules.jokers_wild
    found = sum(
        int(np.count_nonzero(shown_contain(shown, goal.hand, wild)))
        for shown in shown_blocks(dice)
    )
    return found, 6 ** len(dice)


def first_roll_table(dice_set: DiceSet) -> FirstRolls:
    """Count the first rolls that contain each hand, all in one pass (OD-01).

    Raises:
        OddsError: odds cannot be told for these dice.
    """
    dice = known_layout(dice_set)
    counts = np.zeros((2, len(HandName)), np.int64)
    for shown in shown_blocks(dice):
        for wild in (False, True):
            for place, hand in enumerate(HandName):
                found = shown_contain(shown, hand, wild)
                counts[int(wild), place] += np.count_nonzero(found)
    blank, wild_counts = counts.tolist()
    return FirstRolls(6 ** len(dice), tuple(blank), tuple(wild_counts))


def best_play(dice_set: DiceSet, goal: Goal, rolls: int = MOST_ROLLS) -> float:
    """The expected value of a turn with best play (OD-02, OD-03).

    Args:
        dice_set: the dice, their layout known.
        goal: what is aimed at.
        rolls: how many rolls the turn has, 1 to 3.

    Raises:
        OddsError: odds cannot be told for these dice or rolls.
    """
    if not 1 <= rolls <= MOST_ROLLS:
        raise OddsError(f"rolls must be 1..{MOST_ROLLS}, not {rolls}")
    return turn_odds(dice_set, goal).best_play(rolls)


def best_keep(
    dice_set: DiceSet, goal: Goal, faces: Sequence[Face], rolls_left: int = 2
) -> Advice:
    """Say what to keep of the dice that lie there (OD-04).

    Args:
        dice_set: the dice, their layout known.
        goal: what is aimed at.
        faces: one face of each die, in any order.
        rolls_left: rolls still to go: 2 after the first, 1 after the second.

    Raises:
        OddsError: the dice cannot show these faces, or odds cannot be told.
    """
    return advice_of(all_keeps(dice_set, goal, faces, rolls_left))


def advice_of(keeps: Keeps) -> Advice:
    """The best of all kept sets (OD-04, OD-05)."""
    keep = None
    if len(keeps.best) == 1:
        kept = keeps.kept(keeps.best[0])
        keep = tuple(sorted(kept, key=lambda face: face.code))
    stop, roll = keeps.stop, keeps.roll
    return Advice(max(stop, roll), stop, roll, keep)


def all_keeps(
    dice_set: DiceSet, goal: Goal, faces: Sequence[Face], rolls_left: int = 2
) -> Keeps:
    """Say what each kept set leads to with best play.

    Args:
        dice_set: the dice, their layout known.
        goal: what is aimed at.
        faces: one face of each die, in any order.
        rolls_left: rolls still to go: 2 after the first, 1 after the second.

    Raises:
        OddsError: the dice cannot show these faces, or odds cannot be told.
    """
    return keeps_of(turn_odds(dice_set, goal), faces, rolls_left)


def keeps_of(odds: TurnOdds, faces: Sequence[Face], rolls_left: int) -> Keeps:
    """The same with odds that are there already."""
    if not 1 <= rolls_left < MOST_ROLLS:
        raise OddsError(f"rolls left must be 1..{MOST_ROLLS - 1}, not {rolls_left}")
    place = place_of(odds.dice, faces)
    found = odds.keeps(place, rolls_left)
    roll = found.value[:-1].max()  # all dice kept is no roll
    best = np.flatnonzero(found.value[:-1] >= roll - TIE)
    for numbers, stop in zip(found, odds.stop(place), strict=True):
        numbers[-1] = stop
    return Keeps(
        faces=tuple(die[side] for die, side in zip(odds.dice, place, strict=True)),
        value=tuple(found.value.tolist()),
        exact=tuple(found.exact.tolist()),
        type=tuple(found.type.tolist()),
        best=tuple(best.tolist()),
    )


def keep_value(
    dice_set: DiceSet,
    goal: Goal,
    faces: Sequence[Face],
    kept: Sequence[Face],
    rolls_left: int = 2,
) -> float:
    """The value of rolling all but the kept faces, then playing best.

    Keeping everything is stopping now (CM-22).

    Raises:
        OddsError: as `all_keeps`, or a kept face does not lie there.
    """
    keeps = all_keeps(dice_set, goal, faces, rolls_left)
    return keeps.value[keeps.number(kept)]
