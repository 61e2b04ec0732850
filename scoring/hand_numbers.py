"""The best hand of a roll as one number, looked up rather than searched for.

The greater number is the stronger hand and equal numbers are a tie (HD-10). From the
left: the place of the name in HD-06, then five ranks of four bits each, 2 to 14, and 0
for a rank that the hand does not have (HD-04: a missing kicker is lower than any card).
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from scoring.face_bits import ALL_RANKS, JOKER_BIT, RANKS, SUIT_SHIFT
from scoring.hand_shapes import ACE_HIGH, HAND_SIZE, LEAST_RANK, HandName

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_JOKERS = 2
RANK_BITS = 4
NAME_SHIFT = HAND_SIZE * RANK_BITS
NAMES = tuple(HandName)
BASE = {name: place << NAME_SHIFT for place, name in enumerate(NAMES)}
"""The number of a hand before its ranks are put in."""

_RUNS = {
    top: sum(1 << (top - step - LEAST_RANK) % RANKS for step in range(HAND_SIZE))
    for top in range(ACE_HIGH, HAND_SIZE - 1, -1)
}
"""The ranks of each straight, the highest first; below the two lies the ace (HD-08)."""

_SHIFTS = tuple(SUIT_SHIFT.values())
_RED, _BLACK = JOKER_BIT.values()

_HIGH_CARD, _PAIR, _TWO_PAIR, _THREE = (BASE[name] for name in NAMES[:4])
_FULL_HOUSE, _FOUR = BASE[HandName.FULL_HOUSE], BASE[HandName.FOUR_OF_A_KIND]
_FIVE, _SIX = BASE[HandName.FIVE_OF_A_KIND], BASE[HandName.SIX_OF_A_KIND]


class Tables(NamedTuple):
    """What is looked up, by a set of ranks (13 bits, the two lowest).

    Attributes:
        top: the five highest ranks, as the end of a hand's number.
        straight: by jokers 0 to 2: the number of the best straight, 0 if there is none.
        suited: by jokers: the best hand of cards of one suit that show just these
            ranks: flush, straight flush or royal flush, 0 if there is none.
    """

    top: tuple[int, ...]
    straight: tuple[tuple[int, ...], ...]
    suited: tuple[tuple[int, ...], ...]


def number_of(name: HandName, ranks: Sequence[int]) -> int:
    """A hand as a number.

    Args:
        name: which hand.
        ranks: its tie-break ranks of HD-07, 2 to 14, five at most.
    """
    packed = 0
    for rank in ranks:
        packed = packed << RANK_BITS | rank
    return BASE[name] | packed << RANK_BITS * (HAND_SIZE - len(ranks))


def hand_of_number(number: int) -> tuple[HandName, tuple[int, ...]]:
    """The name and the tie-break ranks of a number."""
    shifts = range(NAME_SHIFT - RANK_BITS, -1, -RANK_BITS)
    ranks = (number >> shift & (1 << RANK_BITS) - 1 for shift in shifts)
    return NAMES[number >> NAME_SHIFT], tuple(rank for rank in ranks if rank)


@cache
def tables() -> Tables:
    """The tables; made when first asked for, in some hundredths of a second."""
    sets = range(ALL_RANKS + 1)
    jokers = range(MOST_JOKERS + 1)
    top = tuple(_top(ranks) for ranks in sets)
    straight = tuple(tuple(_straight(ranks, wild) for ranks in sets) for wild in jokers)
    suited = tuple(
        tuple(_suited(ranks, wild, top, straight[wild]) for ranks in sets)
        for wild in jokers
    )
    return Tables(top, straight, suited)


def _top(ranks: int) -> int:
    packed = 0
    for shift in range(NAME_SHIFT - RANK_BITS, -1, -RANK_BITS):
        if not ranks:
            break
        highest = ranks.bit_length() - 1
        packed |= highest + LEAST_RANK << shift
        ranks ^= 1 << highest
    return packed


def _straight(ranks: int, jokers: int) -> int:
    if ranks.bit_count() + jokers < HAND_SIZE:
        return 0
    for top, run in _RUNS.items():
        if (run & ~ranks).bit_count() <= jokers:
            return number_of(HandName.STRAIGHT, (top,))
    return 0


def _suited(
    ranks: int, jokers: int, top: Sequence[int], straight: Sequence[int]
) -> int:
    if ranks.bit_count() + jokers < HAND_SIZE:
        return 0
    if straight[ranks]:
        _, (high,) = hand_of_number(straight[ranks])
        royal = high == ACE_HIGH
        name = HandName.ROYAL_FLUSH if royal else HandName.STRAIGHT_FLUSH
        return number_of(name, (high,))
    for _ in range(jokers):  # the highest card that is not there (HD-05)
        ranks |= 1 << (ALL_RANKS ^ ranks).bit_length() - 1
    return BASE[HandName.FLUSH] | top[ranks]


def number_of_roll(roll: int, wild: bool = True, *, six_of_a_kind: bool = True) -> int:
    """The number of the best hand of a roll given as bits (`scoring.face_bits`).

    Args:
        roll: 5 to 9 faces; this is not checked.
        wild: whether jokers stand for cards; otherwise they are blanks.
        six_of_a_kind: whether six of a kind is played (HD-11).
    """
    jokers = (roll >> _RED & 1) + (roll >> _BLACK & 1) if wild else 0
    return best_number(suits_of(roll), jokers, six_of_a_kind=six_of_a_kind)


def suits_of(roll: int) -> tuple[int, int, int, int]:
    """The ranks that show of spades, hearts, diamonds and clubs, the two lowest."""
    s, h, d, c = _SHIFTS
    return (
        roll >> s & ALL_RANKS,
        roll >> h & ALL_RANKS,
        roll >> d & ALL_RANKS,
        roll >> c & ALL_RANKS,
    )


def best_number(
    suits: tuple[int, int, int, int], jokers: int, *, six_of_a_kind: bool = True
) -> int:
    """The number of the best hand.

    Args:
        suits: the ranks that show of each suit, as bits, the two lowest.
        jokers: wild jokers, 0 to 2. With them there are at least five dice; without,
            any number of cards.
        six_of_a_kind: whether six of a kind is played (HD-11).
    """
    top, straights, suited = tables()
    a, b, c, d = suits
    # ranks that show at least once, twice, ...
    one = a | b | c | d
    two = a & b | c & d | (a | b) & (c | d)
    three = a & b & (c | d) | c & d & (a | b)
    four = a & b & c & d
    flushes = suited[jokers]
    best = max(flushes[a], flushes[b], flushes[c], flushes[d], straights[jokers][one])
    kind = _of_ranks((one, two, three, four), jokers, top, six_of_a_kind)
    return max(best, kind)


def _of_ranks(
    showing: tuple[int, int, int, int],
    jokers: int,
    top: Sequence[int],
    six_of_a_kind: bool,
) -> int:
    """The best hand that asks only for equal ranks.

    All jokers help the same rank: what one could do elsewhere (a second pair, a kicker)
    is less than another of a kind. So no joker is left over, and the others that show
    are cards.
    """
    one, two, three, four = showing
    # ranks that show at least so often, jokers counted
    fives = sixes = 0
    fours, threes, twos = four, three, two
    if jokers == 1:
        fives, fours, threes, twos = four, three, two, one
    elif jokers == MOST_JOKERS:
        sixes, fives, fours, threes, twos = four, three, two, one, one
    if sixes and six_of_a_kind:
        return _SIX | top[_highest(sixes)]
    if fives:
        return _FIVE | top[_highest(fives)]
    most = fours or threes or twos
    if not most:
        return _HIGH_CARD | top[one]
    rank = _highest(most)
    number, others = top[rank], one ^ rank
    if fours:
        return _FOUR | number | top[others] >> 4 & 0x0F000
    if second := two & ~rank:
        pair = _highest(second)
        number |= top[pair] >> 4
        if threes:
            return _FULL_HOUSE | number
        return _TWO_PAIR | number | top[others ^ pair] >> 8 & 0x00F00
    if threes:
        return _THREE | number | top[others] >> 4 & 0x0FF00
    return _PAIR | number | top[others] >> 4 & 0x0FFF0


def _highest(ranks: int) -> int:
    return 1 << ranks.bit_length() - 1
