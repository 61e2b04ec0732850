"""Rolls of card dice as bits, many at once: what each of them contains (HD-13).

A roll is one number with a bit for each face that shows: 13 ranks (2 lowest, ace
highest) for each of spades, hearts, diamonds and clubs, then the red and the black
joker. Dice with a face in common cannot be told that way.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from scoring.cards import Card, Joker
from scoring.hand_shapes import ACE_HIGH, HAND_SIZE, HandName, high_rank

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from scoring.cards import Face
    from scoring.dice_sets import Layout

Rolls = Any
"""uint64, any shape: one roll each."""

Ranks = Any
"""uint16, the shape of the rolls: one bit for each rank, 2 lowest."""

RANKS = 13
ALL_RANKS = (1 << RANKS) - 1
SUIT_SHIFT = {"S": 0, "H": 13, "D": 26, "C": 39}
JOKER_BIT = {"red": 52, "black": 53}
BLOCK_DICE = 7
"""`roll_blocks` gives 6^7 rolls at a time: a few MB."""


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


def face_bit(face: Face) -> int:
    """The bit of a face.

    Raises:
        ValueError: it is neither a card nor a joker.
    """
    if isinstance(face, Card):
        return 1 << (SUIT_SHIFT[face.suit] + high_rank(face) - 2)
    if isinstance(face, Joker):
        return 1 << JOKER_BIT[face.colour]
    raise ValueError(f"{face.code} is not a face of card dice")


def joker_count(rolls: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """How many jokers show: uint8, the shape of the rolls."""
    red, black = (np.uint64(shift) for shift in JOKER_BIT.values())
    one = np.uint64(1)
    return ((rolls >> red & one) + (rolls >> black & one)).astype(np.uint8)


def suit_ranks(rolls: NDArray[np.uint64]) -> list[Ranks]:
    """The ranks that show of spades, hearts, diamonds and clubs."""
    return [
        (rolls >> np.uint64(shift) & np.uint64(ALL_RANKS)).astype(np.uint16)
        for shift in SUIT_SHIFT.values()
    ]


def rolls_contain(
    rolls: NDArray[np.uint64], hand: HandName, wild: bool
) -> NDArray[np.bool_]:
    """Which rolls contain a hand (HD-13).

    Args:
        rolls: any number of dice each; fewer than five contain what they contain.
        hand: the hand.
        wild: whether jokers stand for cards.
    """
    suits = suit_ranks(rolls)
    jokers = joker_count(rolls) if wild else np.zeros(rolls.shape, np.uint8)
    match hand:
        case HandName.HIGH_CARD:
            return np.ones(rolls.shape, np.bool_)
        case HandName.STRAIGHT:
            return _enough(straight_gaps(HAND_SIZE)[ranks_showing(suits, 1)] <= jokers)
        case HandName.STRAIGHT_FLUSH | HandName.ROYAL_FLUSH | HandName.FLUSH:
            need = suit_gaps(hand)
            found = [need[suit] <= jokers for suit in suits]
            return _enough(np.logical_or.reduce(found))
        case HandName.TWO_PAIR | HandName.FULL_HOUSE:
            size = 2 if hand is HandName.TWO_PAIR else 3
            return _two_ranks(suits, jokers, size)
        case _:
            size = _OF_A_KIND[hand]
            ways = [
                (jokers >= used) & (ranks_showing(suits, size - used) != 0)
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


def _two_ranks(
    suits: list[Ranks], jokers: NDArray[np.uint8], size: int
) -> NDArray[np.bool_]:
    """Two pair (size 2) or full house (size 3), of two different ranks."""
    found = np.zeros(jokers.shape, np.bool_)
    for used in range(3):
        for more in range(3 - used):
            first, second = (
                ranks_showing(suits, size - used),
                ranks_showing(suits, 2 - more),
            )
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


def suit_gaps(hand: HandName) -> NDArray[np.uint8]:
    """How many cards a suit lacks to a hand of one suit, by the ranks that show of it.

    Args:
        hand: flush, straight flush or royal flush.

    Returns:
        (2^13,) uint8, to be looked up by a suit's ranks.
    """
    if hand is HandName.FLUSH:
        lacks = [max(0, HAND_SIZE - bits.bit_count()) for bits in range(ALL_RANKS + 1)]
        return np.array(lacks, np.uint8)
    return straight_gaps(ACE_HIGH if hand is HandName.ROYAL_FLUSH else HAND_SIZE)


@lru_cache(maxsize=2)
def straight_gaps(lowest_top: int) -> NDArray[np.uint8]:
    """How many cards are missing to the nearest straight, by the ranks that show.

    Args:
        lowest_top: straights with this top rank or a higher one count, 5 to 14.

    Returns:
        (2^13,) uint8, to be looked up by ranks.
    """
    runs = []
    for top in range(lowest_top, ACE_HIGH + 1):
        ranks = range(top - HAND_SIZE + 1, top + 1)
        runs.append(sum(1 << ((rank - 2) % RANKS) for rank in ranks))
    gaps = [
        min(HAND_SIZE - (bits & run).bit_count() for run in runs)
        for bits in range(ALL_RANKS + 1)
    ]
    return np.array(gaps, np.uint8)
