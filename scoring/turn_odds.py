"""Backward induction over a turn of three rolls with known dice (OD-06)."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoring.cards import Card, Joker
from scoring.dice_sets import codes
from scoring.keep_lattice import SIDES, KeepTable, best_keeps_in_blocks
from scoring.odds_error import OddsError
from scoring.roll_bits import Shown, face_bit, joker_count, suit_ranks
from scoring.rolling import MOST_ROLLS
from scoring.turn_ends import (
    EXACT,
    KINDS,
    TYPE,
    Goal,
    ends_of,
    kinds_of_rolls,
    shown_kinds,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from scoring.cards import Face
    from scoring.dice_sets import DiceSet, Layout
    from scoring.target_deck import Target

MOST_DICE = 9
COUNT_BITS = 24
"""6^9 fits: a value and a count together are one number, compared in that order."""


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
    given = frozenset(faces)
    for number, die in enumerate(dice, start=1):
        shown = [face for face in dict.fromkeys(die) if face in given]
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
        self._parts = 1 if target is None else 2
        self._chips = (1, 0) if target is None else _chips(target)
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
        """How every last roll ends: 1 if only the type is there, 1 if exact."""
        table = KeepTable(self._parts, len(self.dice), np.uint8, np.uint16)
        both = (self._late.type, self._late.exact)
        for ends, rolls in zip(both, table.rolls, strict=False):
            rolls[...] = np.array(ends, np.uint8)[self.kinds].reshape(rolls.shape)
        table.add_sums()
        return table

    @cached_property
    def after_second(self) -> KeepTable:
        """How a turn ends from every second roll with best play, in 6^n ways.

        Among plays of equal value one that ends exact most often.
        """
        table = self._empty_counts()
        late = _pairs(self._late.chips, self._late.exact)
        stop = _pairs(self._early.chips, self._early.exact) * self._of
        bonus = _pairs(self._bonus, (0,) * KINDS) * self._of
        each, chips = self._chips
        blocks = best_keeps_in_blocks(len(self.dice), lambda at: late[self.kinds[at]])
        for place, best in blocks:
            kinds = self.kinds[place].ravel()
            pairs = np.maximum(best.ravel(), stop[kinds]) - bonus[kinds]
            exact = pairs & ((1 << COUNT_BITS) - 1)
            by_type = ((pairs >> COUNT_BITS) - chips * exact) // max(1, each)
            # the type comes first: it is all there is without a target
            for counts, rolls in zip((by_type, exact), table.rolls, strict=False):
                rolls[place] = counts.reshape(rolls[place].shape)
        table.add_sums()
        return table

    @property
    def has_counts(self) -> bool:
        """Whether `after_second` is there already."""
        return "after_second" in self.__dict__

    def counts(self) -> bytes:
        """What `after_second` holds of every roll, to be given to `restore`."""
        rolls = np.ascontiguousarray(self.after_second.rolls)
        return rolls.astype("<u4", copy=False).tobytes()

    def restore(self, counts: bytes) -> None:
        """Take up counts of the same dice and goal, instead of computing them.

        Raises:
            OddsError: they are of another size.
        """
        size = 4 * self._parts * self._of
        if len(counts) != size:
            raise OddsError(f"counts must be {size} bytes, not {len(counts)}")
        table = self._empty_counts()
        table.rolls[...] = np.frombuffer(counts, "<u4").reshape(table.rolls.shape)
        table.add_sums()
        self.after_second = table

    def _empty_counts(self) -> KeepTable:
        return KeepTable(self._parts, len(self.dice), np.uint32, np.float64)

    def stop(self, place: tuple[int, ...]) -> tuple[int, int, int]:
        """Chips, exact and type only, if the player stops before the last roll."""
        # not from `kinds`: after `restore` nobody has looked at all rolls
        faces = [die[side] for die, side in zip(self.dice, place, strict=True)]
        bits = np.array([sum({face_bit(face) for face in faces})], np.uint64)
        shown = Shown(suit_ranks(bits), joker_count(bits))
        kind = int(shown_kinds(shown, self.goal)[0])
        early = self._early
        return early.chips[kind], early.exact[kind], early.type[kind]

    def keeps(self, place: tuple[int, ...], rolls_left: int) -> KeepOdds:
        """What each kept set leads to if the other dice are rolled.

        Args:
            place: the side that each die shows.
            rolls_left: rolls still to go, 1 or 2.
        """
        table = self.after_last if rolls_left == 1 else self.after_second
        by_type, *others = table.sums_at(place)
        exact = others[0] if others else np.zeros_like(by_type)
        ways = float(self._of) ** rolls_left
        each, chips = self._chips
        value = chips * exact + each * by_type
        if rolls_left > 1:
            value += self._sure(place) * self._bonus[TYPE + EXACT]
        return KeepOdds(value / ways, exact / ways, by_type / ways)

    def _sure(self, place: tuple[int, ...]) -> NDArray[np.float64]:
        """In how many ways the next roll shows all pictured cards."""
        ways = np.ones(1)
        for (rolled, kept), side in zip(self._shares, place, strict=True):
            ways = np.multiply.outer(ways, (rolled, kept[side])).ravel()
        return ways * float(self._of)

    @cached_property
    def _shares(self) -> list[tuple[int, tuple[int, ...]]]:
        """For each die, in how many ways it shows its share of the pictured cards.

        First if it is rolled, then for each side that is kept, both of 6.
        """
        target = self.goal.target
        asked = () if target is None else target.cards
        shares = []
        for die in self.dice:
            cards = {card for card in asked if card in die}
            shown = tuple(int({face} >= cards) for face in die)
            shares.append((sum(shown), tuple(SIDES * each for each in shown)))
        if any(all(card not in die for die in self.dice) for card in asked):
            return [(0, (0,) * SIDES)] * len(self.dice)  # on none of these dice
        return shares

    def best_play(self, rolls: int) -> float:
        """The expected value of a turn of so many rolls, 1 to 3, with best play."""
        early = np.array(self._early.chips, np.int64)
        counts = np.bincount(self.kinds.ravel(), minlength=KINDS)
        if rolls == 1:
            return float(counts @ early / self._of)
        ways = self._of ** (rolls - 1)
        values = self._last if rolls < MOST_ROLLS else self._second
        means = [
            np.maximum(best, (early * ways)[self.kinds[place]]).mean()
            for place, best in best_keeps_in_blocks(len(self.dice), values)
        ]
        return float(np.mean(means) / ways)

    def _last(self, place: tuple[int, ...]) -> NDArray[np.int64]:
        """The pay of the second roll where it is the last and still earns the bonus."""
        return np.asarray(np.array(self._early.chips, np.int64)[self.kinds[place]])

    def _second(self, place: tuple[int, ...]) -> NDArray[np.int64]:
        """What second rolls are worth, in 6^n ways; the first dice show these sides."""
        kinds = self.kinds[place]
        value = np.array(self._bonus, np.int64)[kinds] * self._of
        for part, chips in zip(self.after_second.rolls, self._chips, strict=False):
            value += part[place].astype(np.int64).reshape(kinds.shape) * chips
        return np.asarray(value)


def _chips(target: Target) -> tuple[int, int]:
    """What each way to end pays, in the order of the tables."""
    return target.chips_type, target.chips_exact


def _pairs(values: Sequence[int], counts: Sequence[int]) -> NDArray[np.int64]:
    """Value and count as one number each, the value first."""
    return (np.array(values, np.int64) << COUNT_BITS) + np.array(counts, np.int64)
