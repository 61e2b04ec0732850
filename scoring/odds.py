"""Exact odds of a turn with known dice (OD-01 to OD-06): backward induction."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from scoring.cards import Card, Joker, ScoringError
from scoring.dice_sets import codes
from scoring.hand_shapes import ACE_HIGH, HAND_SIZE, HandName, high_rank
from scoring.rolling import MOST_ROLLS
from scoring.target_score import ExactWithJoker, PayRules

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from scoring.cards import Face
    from scoring.dice_sets import DiceSet, Layout
    from scoring.target_deck import Target

Values = Any  # float64, one axis of 6 for each die
Bits = Any  # uint16, one bit for each rank

MOST_DICE = 9
TIE = 1e-9
"""OD-05: values nearer than this are equal."""

_RANKS = 13
_ALL_RANKS = (1 << _RANKS) - 1
_SUIT_SHIFT = {"S": 0, "H": 13, "D": 26, "C": 39}
_JOKER_BIT = {"red": 52, "black": 53}
_BLOCK_DICE = 7  # 6^7 rolls at a time: a few MB
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
        int(np.count_nonzero(_contains(rolls, goal.hand, goal.rules.jokers_wild)))
        for rolls in _blocks(dice)
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
    for rolls in _blocks(dice):
        pay[start : start + len(rolls)] = _block_pay(rolls, goal, early)
        start += len(rolls)
    shaped = pay.reshape((6,) * len(dice))
    shaped.setflags(write=False)
    return shaped


def _blocks(dice: Layout) -> Iterator[NDArray[np.uint64]]:
    """All rolls in order, in blocks: one bit for each face that shows."""
    sides = [np.array([_bit(face) for face in die], np.uint64) for die in dice]
    split = max(0, len(dice) - _BLOCK_DICE)
    first, block = np.zeros(1, np.uint64), np.zeros(1, np.uint64)
    for die in sides[:split]:
        first = np.bitwise_or.outer(first, die).ravel()
    for die in sides[split:]:
        block = np.bitwise_or.outer(block, die).ravel()
    for fixed in first:
        yield block | fixed


def _bit(face: Face) -> int:
    if isinstance(face, Card):
        return 1 << (_SUIT_SHIFT[face.suit] + high_rank(face) - 2)
    if isinstance(face, Joker):
        return 1 << _JOKER_BIT[face.colour]
    raise OddsError(f"{face.code} is not a face of card dice")


def _block_pay(rolls: NDArray[np.uint64], goal: Goal, early: bool) -> Values:
    wild = goal.rules.jokers_wild
    made = _contains(rolls, goal.hand, wild)
    if goal.target is None:
        return made.astype(np.float64)
    target, rules = goal.target, goal.rules
    missing = np.full(rolls.shape, len(target.cards), np.uint8)
    for card in target.cards:
        missing -= ((rolls & np.uint64(_bit(card))) != 0).astype(np.uint8)
    bonus = rules.bonus if early else 0
    pay = np.where(made, float(target.chips_type), 0.0)
    exact = np.where(missing == 0, float(target.chips_exact + bonus), 0.0)
    if wild and rules.exact_with_joker is ExactWithJoker.FULL:
        helped = (missing > 0) & (missing <= _jokers(rolls))
        exact[helped] = target.chips_exact
    return np.maximum(pay, exact)


def _jokers(rolls: NDArray[np.uint64]) -> NDArray[np.uint8]:
    red, black = (np.uint64(shift) for shift in _JOKER_BIT.values())
    one = np.uint64(1)
    return ((rolls >> red & one) + (rolls >> black & one)).astype(np.uint8)


def _contains(
    rolls: NDArray[np.uint64], hand: HandName, wild: bool
) -> NDArray[np.bool_]:
    """Which rolls contain a hand (HD-13)."""
    suits = [
        (rolls >> np.uint64(shift) & np.uint64(_ALL_RANKS)).astype(np.uint16)
        for shift in _SUIT_SHIFT.values()
    ]
    jokers = _jokers(rolls) if wild else np.zeros(rolls.shape, np.uint8)
    match hand:
        case HandName.HIGH_CARD:
            return np.ones(rolls.shape, np.bool_)
        case HandName.STRAIGHT:
            return _enough(_gaps(HAND_SIZE)[_ranks(suits, 1)] <= jokers)
        case HandName.STRAIGHT_FLUSH | HandName.ROYAL_FLUSH | HandName.FLUSH:
            need = _suit_needs(hand)
            found = [need[suit] <= jokers for suit in suits]
            return _enough(np.logical_or.reduce(found))
        case HandName.TWO_PAIR | HandName.FULL_HOUSE:
            size = 2 if hand is HandName.TWO_PAIR else 3
            return _two_ranks(suits, jokers, size)
        case _:
            size = _OF_A_KIND[hand]
            ways = [
                (jokers >= used) & (_ranks(suits, size - used) != 0)
                for used in range(3)
            ]
            return _enough(np.logical_or.reduce(ways))


_OF_A_KIND = {
    HandName.PAIR: 2,
    HandName.THREE_OF_A_KIND: 3,
    HandName.FOUR_OF_A_KIND: 4,
    HandName.FIVE_OF_A_KIND: 5,
    HandName.SIX_OF_A_KIND: 6,
}


def _enough(found: Any) -> NDArray[np.bool_]:
    return np.asarray(found, np.bool_)


def _two_ranks(suits: list[Bits], jokers: Bits, size: int) -> NDArray[np.bool_]:
    """Two pair (size 2) or full house (size 3), of two different ranks."""
    found = np.zeros(jokers.shape, np.bool_)
    for used in range(3):
        for more in range(3 - used):
            first, second = _ranks(suits, size - used), _ranks(suits, 2 - more)
            either = first | second
            two = (either & (either - 1)) != 0  # more than one bit
            found |= two & (first != 0) & (second != 0) & (jokers >= used + more)
    return found


def _ranks(suits: list[Bits], count: int) -> Bits:
    """The ranks that show at least so often, one bit each."""
    a, b, c, d = suits
    match count:
        case 1:
            return a | b | c | d
        case 2:
            return a & b | c & d | (a | b) & (c | d)
        case 3:
            return a & b & (c | d) | c & d & (a | b)
        case 4:
            return a & b & c & d
        case _:
            return np.full_like(a, _ALL_RANKS if count < 1 else 0)


def _suit_needs(hand: HandName) -> Bits:
    """How many cards a suit lacks to a hand of one suit, by its ranks."""
    if hand is HandName.FLUSH:
        lacks = [max(0, HAND_SIZE - bits.bit_count()) for bits in range(_ALL_RANKS + 1)]
        return np.array(lacks, np.uint8)
    return _gaps(ACE_HIGH if hand is HandName.ROYAL_FLUSH else HAND_SIZE)


@lru_cache(maxsize=2)
def _gaps(lowest_top: int) -> Bits:
    """How many cards are missing to the nearest straight, by the ranks that show."""
    runs = []
    for top in range(lowest_top, ACE_HIGH + 1):
        ranks = range(top - HAND_SIZE + 1, top + 1)
        runs.append(sum(1 << ((rank - 2) % _RANKS) for rank in ranks))
    gaps = [
        min(HAND_SIZE - (bits & run).bit_count() for run in runs)
        for bits in range(_ALL_RANKS + 1)
    ]
    return np.array(gaps, np.uint8)
