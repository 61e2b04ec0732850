"""Exact odds of a turn with known dice (OD-01 to OD-06): backward induction."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from scoring.cards import Card, Joker, ScoringError
from scoring.dice_sets import codes
from scoring.hand_shapes import HAND_SIZE, HandName
from scoring.roll_bits import face_bit, joker_count, roll_blocks, rolls_contain
from scoring.rolling import MOST_ROLLS
from scoring.target_score import ExactWithJoker, PayRules

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from scoring.cards import Face
    from scoring.dice_sets import DiceSet, Layout
    from scoring.target_deck import Target

Values = Any  # float64, one axis of 6 for each die

MOST_DICE = 9
TIE = 1e-9
"""OD-05: values nearer than this are equal."""

_LEAF_DICE = 6  # 7^6 states at a time stay in the processor's cache


class OddsError(ScoringError, ValueError):
    """Odds that cannot be told: wrong dice, faces or number of rolls."""


@dataclass(frozen=True, slots=True)
class Goal:
    """What the player aims at.

    Attributes:
        hand: the hand that the dice must contain (HD-13).
        target: the card whose chips count; None if only containing the hand counts,
            which is worth 1.
        rules: jokers, bonus and what an exact hand with jokers pays.
    """

    hand: HandName
    target: Target | None = None
    rules: PayRules = field(default_factory=PayRules)


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


def first_roll_count(dice_set: DiceSet, goal: Goal) -> tuple[int, int]:
    """Count the first rolls that contain the goal's hand (OD-01).

    Returns:
        How many do, and how many rolls there are.

    Raises:
        OddsError: odds cannot be told for these dice.
    """
    dice = _layout(dice_set)
    found = sum(
        int(np.count_nonzero(rolls_contain(rolls, goal.hand, goal.rules.jokers_wild)))
        for rolls in roll_blocks(dice)
    )
    return found, 6 ** len(dice)


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
    return float(_values(_layout(dice_set), goal, 1, rolls).mean())


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
    if not 1 <= rolls_left < MOST_ROLLS:
        raise OddsError(f"rolls left must be 1..{MOST_ROLLS - 1}, not {rolls_left}")
    dice = _layout(dice_set)
    place = _place(dice, faces)
    now = MOST_ROLLS - rolls_left
    stop = float(_pay(dice, goal, early=True)[place])
    # each axis: 0 the die is kept, 1 it is rolled again
    means = _values(dice, goal, now + 1, MOST_ROLLS)
    for axis, side in enumerate(place):
        kept, rolled = means.take(side, axis), means.mean(axis)
        means = np.stack([kept, rolled], axis)
    means[(0,) * len(dice)] = -np.inf  # all dice kept is no roll
    roll = float(means.max())
    best = np.argwhere(means >= roll - TIE)
    keep = None
    if len(best) == 1:
        shown = [die[side] for die, side in zip(dice, place, strict=True)]
        kept_faces = [f for f, again in zip(shown, best[0], strict=True) if not again]
        keep = tuple(sorted(kept_faces, key=lambda face: face.code))
    return Advice(max(stop, roll), stop, roll, keep)


def _layout(dice_set: DiceSet) -> Layout:
    dice = dice_set.dice
    if dice is None:
        raise OddsError(
            f"exact odds need a known layout, that of {dice_set.name!r} is unknown"
        )
    if not HAND_SIZE <= len(dice) <= MOST_DICE:
        raise OddsError(f"odds need {HAND_SIZE}..{MOST_DICE} dice, not {len(dice)}")
    if not all(isinstance(face, Card | Joker) for face in dice_set.faces):
        raise OddsError(f"odds of hands need card dice, {dice_set.name!r} has others")
    if not dice_set.unique_faces:
        raise OddsError(f"a face of {dice_set.name!r} is on two dice, expected on one")
    return dice


def _place(dice: Layout, faces: Sequence[Face]) -> tuple[int, ...]:
    """Which side each die shows."""
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


@lru_cache(maxsize=3)  # 81 MB each with nine dice
def _values(dice: Layout, goal: Goal, roll: int, last: int) -> Values:
    """V(roll): what each roll is worth with best play from there on (OD-06).

    Keeping all dice counts as a way to roll here. It changes nothing: what it leads
    to can be had by stopping now or by rolling now.
    """
    pay = _pay(dice, goal, early=roll < MOST_ROLLS)
    if roll == last:
        return pay
    values = _best_keeps(_values(dice, goal, roll + 1, last))
    np.maximum(pay, values, out=values)
    values.setflags(write=False)
    return values


def _best_keeps(values: Values) -> Values:
    """For each roll the best mean over all kept sets, axis by axis."""
    if values.ndim <= _LEAF_DICE:
        return _best_keeps_at_once(values)
    rolled = _best_keeps(values.mean(axis=0))
    best = np.empty_like(values)
    for shown, found in zip(values, best, strict=True):
        np.maximum(_best_keeps(shown), rolled, out=found)
    return best


def _best_keeps_at_once(values: Values) -> Values:
    """The same over all 7^n states "shown or to be rolled" together."""
    count, states = values.ndim, values
    for axis in range(count):
        parts = states.reshape(7**axis, 6, -1)
        states = np.empty((7**axis, 7, parts.shape[2]))
        states[:, :6] = parts
        np.mean(parts, axis=1, out=states[:, 6])
    for axis in reversed(range(count)):
        parts = states.reshape(7**axis, 7, -1)
        states = np.maximum(parts[:, :6], parts[:, 6:])
    return states.reshape(values.shape)


@lru_cache(maxsize=2)
def _pay(dice: Layout, goal: Goal, *, early: bool) -> Values:
    """What each roll pays if the player stops there (CL-07 to CL-10)."""
    pay, start = np.empty(6 ** len(dice)), 0
    for rolls in roll_blocks(dice):
        pay[start : start + len(rolls)] = _block_pay(rolls, goal, early)
        start += len(rolls)
    shaped = pay.reshape((6,) * len(dice))
    shaped.setflags(write=False)
    return shaped


def _block_pay(rolls: NDArray[np.uint64], goal: Goal, early: bool) -> Values:
    wild = goal.rules.jokers_wild
    made = rolls_contain(rolls, goal.hand, wild)
    if goal.target is None:
        return made.astype(np.float64)
    target, rules = goal.target, goal.rules
    missing = np.full(rolls.shape, len(target.cards), np.uint8)
    for card in target.cards:
        missing -= ((rolls & np.uint64(face_bit(card))) != 0).astype(np.uint8)
    bonus = rules.bonus if early else 0
    pay = np.where(made, float(target.chips_type), 0.0)
    exact = np.where(missing == 0, float(target.chips_exact + bonus), 0.0)
    if wild and rules.exact_with_joker is ExactWithJoker.FULL:
        helped = (missing > 0) & (missing <= joker_count(rolls))
        exact[helped] = target.chips_exact
    return np.maximum(pay, exact)
