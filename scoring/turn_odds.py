"""Backward induction over a turn of three rolls with known dice (OD-06)."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property, lru_cache
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoring.cards import Card, Joker, ScoringError
from scoring.dice_sets import codes
from scoring.keep_lattice import (
    LEAF_DICE,
    SIDES,
    KeepTable,
    best_keeps_by_side,
)
from scoring.rolling import MOST_ROLLS
from scoring.turn_ends import EXACT, KINDS, TYPE, Goal, ends_of, kinds_of_rolls

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from scoring.cards import Face
    from scoring.dice_sets import DiceSet, Layout

MOST_DICE = 9
COUNT_BITS = 24
"""6^9 fits: a value and a count together are one number, compared in that order."""


class OddsError(ScoringError, ValueError):
    """Odds that cannot be told: wrong dice, faces or number of rolls."""


class KeepOdds(NamedTuple):
    """What each kept set leads to: three (2^n,) float64.

    The kept set is a binary number, the first die first, 1 for a kept one.

    Attributes:
        value: the expected chips, or the chance of the hand.
        exact: the chance that the turn ends with the exact cards.
        type: the chance that it ends with the type of hand only.
    """

    value: NDArray[np.float64]
    exact: NDArray[np.float64]
    type: NDArray[np.float64]


def known_layout(dice_set: DiceSet) -> Layout:
    """The faces of each die.

    Raises:
        OddsError: they are not known, too many, not of card dice, or on two dice.
    """
    dice = dice_set.dice
    if dice is None:
        raise OddsError(
            f"exact odds need a known layout, that of {dice_set.name!r} is unknown"
        )
    if not 1 <= len(dice) <= MOST_DICE:
        raise OddsError(f"odds need 1..{MOST_DICE} dice, not {len(dice)}")
    if not all(isinstance(face, Card | Joker) for face in dice_set.faces):
        raise OddsError(f"odds of hands need card dice, {dice_set.name!r} has others")
    if not dice_set.unique_faces:
        raise OddsError(f"a face of {dice_set.name!r} is on two dice, expected on one")
    return dice


def place_of(dice: Layout, faces: Sequence[Face]) -> tuple[int, ...]:
    """Which side each die shows, from 0.

    Args:
        dice: the faces of each die.
        faces: one face of each die, in any order.

    Raises:
        OddsError: the dice cannot show these faces.
    """
    if len(faces) != len(dice):
        raise OddsError(f"a roll has {len(dice)} faces, not {len(faces)}")
    place: list[int] = []
    for number, die in enumerate(dice, start=1):
        shown = [face for face in faces if face in die]
        if len(shown) != 1:
            raise OddsError(
                f"die {number} shows one of {codes(die)}, not {codes(shown) or 'none'}"
            )
        place.append(die.index(shown[0]))
    return tuple(place)


def turn_odds(dice_set: DiceSet, goal: Goal) -> TurnOdds:
    """The odds of a goal; those asked for last are remembered.

    Raises:
        OddsError: odds cannot be told for these dice or chips.
    """
    if goal.target is not None:  # the name of a card changes nothing
        goal = replace(goal, target=replace(goal.target, id=""))
    return _remembered(known_layout(dice_set), goal)


# Only one: it takes some 250 MB with nine dice. It computes nothing before it is asked
# to, so that the one before it has gone by then.
@lru_cache(maxsize=1)
def _remembered(dice: Layout, goal: Goal) -> TurnOdds:
    return TurnOdds(dice, goal)


class TurnOdds:
    """What is known of one goal with known dice, each part computed when needed.

    Attributes:
        dice: the faces of each die.
        goal: what is aimed at.
    """

    def __init__(self, dice: Layout, goal: Goal) -> None:
        """Compute nothing yet.

        Raises:
            OddsError: more chips than can be computed with exactly.
        """
        self.dice = dice
        self.goal = goal
        self._late = ends_of(goal, early=False)
        self._early = ends_of(goal, early=True)
        self._of = SIDES ** len(dice)
        most = (1 << 63 - COUNT_BITS) // self._of - 1
        paid = max(*self._late.chips, *self._early.chips)
        if paid > most or goal.rules.bonus < 0:
            raise OddsError(f"chips must be 0..{most} for exact odds")
        target = goal.target
        self._chips = (0, 1) if target is None else (target.chips_exact, _type(goal))
        # what is paid besides those: only by stopping at once, which nothing betters
        self._bonus = tuple(
            goal.rules.bonus if kind & EXACT and self._early.exact[kind] else 0
            for kind in range(KINDS)
        )

    @cached_property
    def kinds(self) -> NDArray[np.uint8]:
        """How every roll meets the goal, one axis for each die (`turn_ends.TYPE`)."""
        return kinds_of_rolls(self.dice, self.goal)

    @cached_property
    def after_last(self) -> KeepTable:
        """How every last roll ends: 1 if exact, 1 if only the type."""
        table = KeepTable(2, len(self.dice), np.uint8, np.uint16)
        for part, ends in enumerate((self._late.exact, self._late.type)):
            rolls = table.rolls[part]
            rolls[...] = np.array(ends, np.uint8)[self.kinds].reshape(rolls.shape)
        table.add_sums()
        return table

    @cached_property
    def after_second(self) -> KeepTable:
        """How a turn ends from every second roll with best play, in 6^n ways.

        Among plays of equal value one that ends exact most often.
        """
        table = KeepTable(2, len(self.dice), np.uint32, np.float64)
        rolls = table.rolls
        if rolls.ndim == 2:  # few dice: make the first one an axis
            rolls = rolls.reshape(2, SIDES, -1)
        for side, best in enumerate(self._best_pairs()):
            self._split(side, best, rolls[:, side])
        table.add_sums()
        return table

    def _best_pairs(self) -> Iterator[NDArray[np.int64]]:
        """Value and exact ends of the best keep after the second roll, in 6^n ways."""
        pairs = _pairs(self._late.chips, self._late.exact)
        return best_keeps_by_side(len(self.dice), lambda side: pairs[self.kinds[side]])

    def _split(
        self, side: int, best: NDArray[np.int64], rolls: NDArray[np.uint32]
    ) -> None:
        """Let the player stop where that is better; write down how the turn ends."""
        stop = _pairs(self._early.chips, self._early.exact) * self._of
        bonus = _pairs(self._bonus, (0,) * KINDS) * self._of
        chips, each = self._chips
        lead = max(0, len(self.dice) - 1 - LEAF_DICE)
        for place in product(range(SIDES), repeat=lead):  # small enough for the cache
            kinds = self.kinds[(side, *place)].ravel()
            pairs = np.maximum(best[place].ravel(), stop[kinds]) - bonus[kinds]
            exact = pairs & ((1 << COUNT_BITS) - 1)
            by_type = ((pairs >> COUNT_BITS) - chips * exact) // max(1, each)
            for part, counts in enumerate((exact, by_type)):
                found = rolls[(part, *place)]
                found[...] = counts.reshape(found.shape)

    def stop(self, place: tuple[int, ...]) -> tuple[int, int, int]:
        """Chips, exact and type only, if the player stops before the last roll."""
        kind = int(self.kinds[place])
        early = self._early
        return early.chips[kind], early.exact[kind], early.type[kind]

    def keeps(self, place: tuple[int, ...], rolls_left: int) -> KeepOdds:
        """What each kept set leads to if the other dice are rolled.

        Args:
            place: the side that each die shows.
            rolls_left: rolls still to go, 1 or 2.
        """
        table = self.after_last if rolls_left == 1 else self.after_second
        exact, by_type = table.sums_at(place)
        ways = float(self._of) ** rolls_left
        chips, each = self._chips
        value = chips * exact + each * by_type
        if rolls_left > 1:
            value += self._sure(place) * self._bonus[TYPE + EXACT]
        return KeepOdds(value / ways, exact / ways, by_type / ways)

    def _sure(self, place: tuple[int, ...]) -> NDArray[np.float64]:
        """In how many ways the next roll shows all pictured cards."""
        ways = np.ones(1)
        target = self.goal.target
        asked = () if target is None else target.cards
        for die, side in zip(self.dice, place, strict=True):
            cards = {card for card in asked if card in die}
            shown = [{face} >= cards for face in die]
            both = np.array([sum(shown), SIDES * shown[side]])
            ways = np.multiply.outer(ways, both).ravel()
        missing = [card for card in asked if not any(card in die for die in self.dice)]
        return np.asarray(ways * (0.0 if missing else float(self._of)))

    def best_play(self, rolls: int) -> float:
        """The expected value of a turn of so many rolls, 1 to 3, with best play."""
        early = np.array(self._early.chips, np.int64)
        counts = np.bincount(self.kinds.ravel(), minlength=KINDS)
        if rolls == 1:
            return float(counts @ early / self._of)
        ways = self._of ** (rolls - 1)
        total = 0.0
        for side, best in enumerate(
            best_keeps_by_side(len(self.dice), lambda side: self._second(side, rolls))
        ):
            stop = (early * ways)[self.kinds[side]]
            total += float(np.maximum(best, stop).mean())
        return total / SIDES / ways

    def _second(self, side: int, rolls: int) -> NDArray[np.int64]:
        """What every second roll with that side of the first die is worth."""
        kinds = self.kinds[side]
        if rolls < MOST_ROLLS:  # CL-10: every roll earns the bonus
            return np.array(self._early.chips, np.int64)[kinds]
        both = self.after_second.rolls
        if both.ndim == 2:
            both = both.reshape(2, SIDES, -1)
        exact, by_type = both[:, side].astype(np.int64)
        chips, each = self._chips
        bonus = np.array(self._bonus, np.int64) * self._of
        value = chips * exact + each * by_type
        return value.reshape(kinds.shape) + bonus[kinds]


def _type(goal: Goal) -> int:
    return 0 if goal.target is None else goal.target.chips_type


def _pairs(values: Sequence[int], counts: Sequence[int]) -> NDArray[np.int64]:
    """Value and count as one number each, the value first."""
    return (np.array(values, np.int64) << COUNT_BITS) + np.array(counts, np.int64)
