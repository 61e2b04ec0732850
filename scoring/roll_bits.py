"""Rolls of card dice as bits, many at once: what each of them contains (HD-13).

A roll is one number with a bit for each face that shows: 13 ranks (2 lowest, ace
highest) for each of spades, hearts, diamonds and clubs, then the red and the black
joker. Dice with a face in common cannot be told that way.
"""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from scoring.face_bits import ALL_RANKS, JOKER_BIT, RANKS, SUIT_SHIFT
from scoring.face_bits import face_bit as face_bit
from scoring.hand_shapes import HAND_SIZE, HandName

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from scoring.dice_sets import Layout

Rolls = Any
"""uint64, any shape: one roll each."""

Ranks = Any
"""uint16, the shape of the rolls: one bit for each rank, 2 lowest."""

MOST_JOKERS = 2
BLOCK_DICE = 7
"""`roll_blocks` gives 6^7 rolls at a time: a few MB."""

SMALL_BLOCK_DICE = 6
"""`shown_blocks` gives 6^6 rolls at a time, which stay in the processor's cache."""

ALL_STRAIGHTS = (1 << 10) - 1
"""A bit for each straight, the one from the ace to the five first."""

TOP_RANKS = 0b11111 << RANKS - HAND_SIZE


def roll_blocks(dice: Layout) -> Iterator[NDArray[np.uint64]]:
    """All rolls of the dice in order, the last die's sides fastest, in blocks.

    Yields:
        (6^n,) uint64 for up to seven dice, else 6^7 rolls at a time.

    Raises:
        ValueError: a face is neither a card nor a joker.
    """
    sides = [np.array([face_bit(face) for face in die], np.uint64) for die in dice]
    split = max(0, len(dice) - BLOCK_DICE)
    first, block = np.zeros(1, np.uint64), np.zeros(1, np.uint64)
    for die in sides[:split]:
        first = np.bitwise_or.outer(first, die).ravel()
    for die in sides[split:]:
        block = np.bitwise_or.outer(block, die).ravel()
    for fixed in first:
        yield block | fixed


def joker_count(rolls: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """How many jokers show: uint8, the shape of the rolls."""
    red, black = (np.uint64(shift) for shift in JOKER_BIT.values())
    one = np.uint64(1)
    return ((rolls >> red & one) + (rolls >> black & one)).astype(np.uint8)


class Shown(NamedTuple):
    """What shows in many rolls.

    Attributes:
        suits: the ranks of spades, hearts, diamonds and clubs, one bit each.
        jokers: how many jokers: uint8, the shape of the ranks.
    """

    suits: Sequence[Ranks]
    jokers: NDArray[np.uint8]


def suit_ranks(rolls: NDArray[np.uint64]) -> list[Ranks]:
    """The ranks that show of spades, hearts, diamonds and clubs."""
    return [
        (rolls >> np.uint64(shift) & np.uint64(ALL_RANKS)).astype(np.uint16)
        for shift in SUIT_SHIFT.values()
    ]


def shown_blocks(dice: Layout) -> Iterator[Shown]:
    """What shows in all rolls of the dice, the last die's sides fastest, in blocks.

    Yields:
        6^n rolls for up to six dice, else 6^6 at a time.

    Raises:
        ValueError: a face is neither a card nor a joker.
    """
    split = max(0, len(dice) - SMALL_BLOCK_DICE)
    bits = [np.array([face_bit(face) for face in die], np.uint64) for die in dice]
    sides = [Shown(suit_ranks(die), joker_count(die)) for die in bits]
    first, block = _together(sides[:split]), _together(sides[split:])
    for number, jokers in enumerate(first.jokers):
        pairs = zip(first.suits, block.suits, strict=True)
        suits = [before[number] | ranks for before, ranks in pairs]
        yield Shown(suits, block.jokers + jokers)


def _together(sides: Sequence[Shown]) -> Shown:
    """All rolls of some dice, from what shows on the sides of each."""
    suits = [np.zeros(1, np.uint16) for _ in SUIT_SHIFT]
    jokers = np.zeros(1, np.uint8)
    for side in sides:
        suits = [
            np.bitwise_or.outer(ranks, more).ravel()
            for ranks, more in zip(suits, side.suits, strict=True)
        ]
        jokers = np.add.outer(jokers, side.jokers).ravel()
    return Shown(suits, jokers)


def rolls_contain(
    rolls: NDArray[np.uint64], hand: HandName, wild: bool
) -> NDArray[np.bool_]:
    """Which rolls contain a hand (HD-13).

    Args:
        rolls: any number of dice each; fewer than five contain what they contain.
        hand: the hand.
        wild: whether jokers stand for cards.
    """
    return shown_contain(Shown(suit_ranks(rolls), joker_count(rolls)), hand, wild)


def shown_contain(shown: Shown, hand: HandName, wild: bool) -> NDArray[np.bool_]:
    """Which rolls contain a hand, as `rolls_contain` does."""
    suits, jokers = shown
    if not wild:
        jokers = np.zeros_like(jokers)
    match hand:
        case HandName.HIGH_CARD:
            return np.ones(jokers.shape, np.bool_)
        case HandName.STRAIGHT:
            return _runs(ranks_showing(suits, 1), jokers)
        case HandName.STRAIGHT_FLUSH:
            return _any(_runs(suit, jokers) for suit in suits)
        case HandName.ROYAL_FLUSH:
            top = np.uint16(TOP_RANKS)
            return _any(
                np.bitwise_count(suit & top) + jokers >= HAND_SIZE for suit in suits
            )
        case HandName.FLUSH:
            return _any(np.bitwise_count(suit) + jokers >= HAND_SIZE for suit in suits)
        case HandName.TWO_PAIR | HandName.FULL_HOUSE:
            size = 2 if hand is HandName.TWO_PAIR else 3
            return _two_ranks(suits, jokers, size)
        case _:
            size = _OF_A_KIND[hand]
            return _any(
                (jokers >= used) & (ranks_showing(suits, size - used) != 0)
                for used in range(MOST_JOKERS + 1)
            )


_OF_A_KIND = {
    HandName.PAIR: 2,
    HandName.THREE_OF_A_KIND: 3,
    HandName.FOUR_OF_A_KIND: 4,
    HandName.FIVE_OF_A_KIND: 5,
    HandName.SIX_OF_A_KIND: 6,
}


def _any(found: Iterable[NDArray[np.bool_]]) -> NDArray[np.bool_]:
    return reduce(np.logical_or, found)


def _runs(ranks: Ranks, jokers: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Where five ranks in a row show, but for those that jokers stand in for."""
    line = ranks << np.uint16(1) | ranks >> np.uint16(RANKS - 1)  # the ace twice
    a, b, c, d, e = (line >> np.uint16(step) for step in range(HAND_SIZE))
    # how many of five in a row show, as binary numbers: each straight has its bit
    three, some = a ^ b ^ c, a & b | c & (a ^ b)
    ones, more = three ^ d ^ e, three & d | e & (three ^ d)
    twos, fours = some ^ more, some & more
    straights = np.uint16(ALL_STRAIGHTS)
    found = (fours & ones & straights) != 0
    found |= ((fours & straights) != 0) & (jokers >= 1)
    found |= (((fours | twos & ones) & straights) != 0) & (jokers >= 2)
    return np.asarray(found, np.bool_)


def _two_ranks(
    suits: Sequence[Ranks], jokers: NDArray[np.uint8], size: int
) -> NDArray[np.bool_]:
    """Two pair (size 2) or full house (size 3), of two different ranks."""
    found = np.zeros(jokers.shape, np.bool_)
    for used in range(MOST_JOKERS + 1):
        for more in range(MOST_JOKERS + 1 - used):
            first = ranks_showing(suits, size - used)
            second = ranks_showing(suits, 2 - more)
            either = first | second
            two = (either & (either - 1)) != 0  # more than one bit
            found |= two & (first != 0) & (second != 0) & (jokers >= used + more)
    return found


def ranks_showing(suits: Sequence[Ranks], count: int) -> Ranks:
    """The ranks that show in at least so many of the four suits, one bit each."""
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
            return np.full_like(a, ALL_RANKS if count < 1 else 0)
