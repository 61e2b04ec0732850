"""The best hands of many rolls at once, as numbers (`scoring.hand_numbers`).

A million rolls a second and more, in blocks, so that all 10,077,696 rolls of nine dice
need no more memory than a few.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoring.cards import Card, Joker
from scoring.dice_sets import codes, repeated
from scoring.face_bits import ALL_RANKS, BITS, RANKS
from scoring.hand_numbers import BASE, NAME_SHIFT, NAMES, RANK_BITS, tables
from scoring.hand_shapes import HAND_SIZE, HandName
from scoring.hands import LEAST_FACES, MOST_FACES
from scoring.refusals import RuleError
from scoring.roll_bits import (
    Shown,
    joker_count,
    ranks_showing,
    shown_blocks,
    suit_ranks,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoring.dice_sets import Layout
    from scoring.roll_bits import Ranks

BLOCK = 1 << 16
"""Rolls looked at together: what is made on the way stays in the processor's cache."""

_FOUR, _THREE, _TWO, _PAIR = 8, 4, 2, 1
"""What a roll has: four, three or two of one rank, and another pair beside it."""


def best_numbers(
    rolls: NDArray[np.uint64], wild: bool = True, *, six_of_a_kind: bool = True
) -> NDArray[np.uint32]:
    """The best hand of each roll, as `scoring.hands.best_hand` finds it.

    Args:
        rolls: any shape: one bit for each face that shows (`scoring.face_bits`), 5 to
            9 faces each.
        wild: whether jokers stand for cards; otherwise they are blanks.
        six_of_a_kind: whether six of a kind is played (HD-11).

    Returns:
        The shape of the rolls: the greater is the stronger, equal ones are a tie;
        `hand_of_number` reads them.

    Raises:
        TypeError: the rolls are not uint64.
        RuleError: HD-01, HD-02, the first roll that cannot be.
    """
    if rolls.dtype != np.uint64:
        raise TypeError(f"rolls must be uint64, not {rolls.dtype}")
    flat = rolls.ravel()
    numbers = np.empty(flat.shape, np.uint32)
    for start in range(0, len(flat), BLOCK):
        block = flat[start : start + BLOCK]
        _check(block)
        shown = Shown(suit_ranks(block), joker_count(block))
        numbers[start : start + BLOCK] = shown_numbers(shown, wild, six_of_a_kind)
    return numbers.reshape(rolls.shape)


def bits_of_rolls(places: NDArray[np.integer]) -> NDArray[np.uint64]:
    """Rolls as bits, from the places of their faces.

    Args:
        places: (n, k) whole numbers 0..53, a roll each: the places of the faces' bits.

    Returns:
        (n,) uint64.

    Raises:
        ValueError: not whole numbers of that shape and range.
        RuleError: HD-03, a face twice in a roll.
    """
    if places.ndim != 2 or not np.issubdtype(places.dtype, np.integer):
        raise ValueError(
            f"places must be (n, k) whole numbers, not {places.dtype} {places.shape}"
        )
    if places.size and not 0 <= places.min() <= places.max() < BITS:
        raise ValueError(f"places must be 0..{BITS - 1}")
    bits = np.uint64(1) << places.astype(np.uint64)
    rolls = np.bitwise_or.reduce(bits, axis=1, initial=np.uint64(0))
    twice = np.flatnonzero(np.bitwise_count(rolls) < places.shape[1])
    if len(twice):
        raise RuleError("HD-03", f"A face cannot show twice, as in roll {twice[0]}.")
    return np.asarray(rolls, np.uint64)


def count_best_hands(
    dice: Layout, wild: bool = True, *, six_of_a_kind: bool = True
) -> dict[HandName, int]:
    """How many of all rolls of some dice have each hand as their best.

    Args:
        dice: 5 to 9 dice of card dice faces, no face on two of them.
        wild: whether jokers stand for cards.
        six_of_a_kind: whether six of a kind is played (HD-11).

    Raises:
        RuleError: HD-01 to HD-03, the dice cannot make a hand.
    """
    _check_dice(dice)
    counts = np.zeros(len(NAMES), np.int64)
    for shown in shown_blocks(dice):
        names = shown_numbers(shown, wild, six_of_a_kind) >> np.uint32(NAME_SHIFT)
        counts += np.bincount(names, minlength=len(NAMES))
    return dict(zip(NAMES, counts.tolist(), strict=True))


def shown_numbers(shown: Shown, wild: bool, six_of_a_kind: bool) -> NDArray[np.uint32]:
    """The best hands of what shows in many rolls, as `best_numbers` gives them."""
    suits, jokers = shown
    if not wild:
        jokers = np.zeros_like(jokers)
    lookup = _lookup()
    one, two, three, four = (ranks_showing(suits, count) for count in (1, 2, 3, 4))
    # all ones where at least one joker helps, where both do
    some, both = (-(jokers >= count).astype(np.uint16) for count in (1, 2))
    # Ranks that show at least so often, jokers counted. All jokers help the same rank:
    # a second pair or a kicker is less than another of a kind (see `hand_numbers`).
    fours = four | three & some | two & both
    threes = three | two & some | one & both
    twos = two | one & some
    numbers = _of_ranks(one, two, fours, threes, twos)

    place = jokers.astype(np.int32) << RANKS
    for suit in suits:
        np.maximum(numbers, lookup.suited[place | suit], out=numbers)
    np.maximum(numbers, lookup.straight[place | one], out=numbers)

    _of_a_kind(numbers, four & some | three & both, HandName.FIVE_OF_A_KIND)
    if six_of_a_kind:
        _of_a_kind(numbers, four & both, HandName.SIX_OF_A_KIND)
    return numbers


class _Lookup(NamedTuple):
    """The tables of `hand_numbers`, those by jokers one behind the other.

    Attributes:
        top: (8192,) uint32.
        highest: (8192,) uint16: the highest rank alone.
        straight: (3 * 8192,) uint32.
        suited: (3 * 8192,) uint32.
        base: (16,) uint32: the number of a hand before its ranks are put in, by what
            the roll has (`_FOUR` and so on, added).
        keep: (16,) uint32: the ranks that the hand has.
        shift: (16,) uint8: how far to the right the ranks begin that show once.
    """

    top: NDArray[np.uint32]
    highest: NDArray[np.uint16]
    straight: NDArray[np.uint32]
    suited: NDArray[np.uint32]
    base: NDArray[np.uint32]
    keep: NDArray[np.uint32]
    shift: NDArray[np.uint32]


def _has(code: int) -> tuple[HandName, int, int]:
    """The hand of what a roll has, how many ranks it has, and how many before kickers.

    A roll with four of a rank is told to have no other pair.
    """
    if code & _FOUR:
        return HandName.FOUR_OF_A_KIND, 2, 1
    if code & _THREE:
        if code & _PAIR:
            return HandName.FULL_HOUSE, 2, 2
        return HandName.THREE_OF_A_KIND, 3, 1
    if code & _TWO:
        if code & _PAIR:
            return HandName.TWO_PAIR, 3, 2
        return HandName.PAIR, 4, 1
    return HandName.HIGH_CARD, HAND_SIZE, 0


@cache
def _lookup() -> _Lookup:
    made = tables()
    hands = [_has(code) for code in range(2 * _FOUR)]
    every = (1 << NAME_SHIFT) - 1
    ranks = np.arange(ALL_RANKS + 1)
    highest = [1 << int(each).bit_length() >> 1 for each in ranks]
    return _Lookup(
        np.array(made.top, np.uint32),
        np.array(highest, np.uint16),
        np.array(made.straight, np.uint32).ravel(),
        np.array(made.suited, np.uint32).ravel(),
        np.array([BASE[name] for name, _, _ in hands], np.uint32),
        np.array(
            [every & every << RANK_BITS * (HAND_SIZE - kept) for _, kept, _ in hands],
            np.uint32,
        ),
        np.array([RANK_BITS * before for _, _, before in hands], np.uint32),
    )


def _of_ranks(
    one: Ranks, two: Ranks, fours: Ranks, threes: Ranks, twos: Ranks
) -> NDArray[np.uint32]:
    """The best hands that ask only for equal ranks, up to four of a kind.

    Args:
        one: ranks that show.
        two: ranks that show at least twice, on cards.
        fours: ranks that show at least four times, jokers counted.
        threes: three times, jokers counted.
        twos: twice, jokers counted.
    """
    lookup = _lookup()
    has_four, has_three = fours != 0, threes != 0
    most = np.where(has_four, fours, np.where(has_three, threes, twos))
    rank = lookup.highest[most]
    pair = lookup.highest[np.where(has_four, np.uint16(0), two & ~rank)]
    has = (
        has_four * np.uint8(_FOUR)
        + has_three * np.uint8(_THREE)
        + (most != 0) * np.uint8(_TWO)
        + (pair != 0) * np.uint8(_PAIR)
    )
    kickers = lookup.top[one & ~rank & ~pair] >> lookup.shift[has]
    pairs = lookup.top[pair] >> np.uint32(RANK_BITS)
    ranks = (lookup.top[rank] | pairs | kickers) & lookup.keep[has]
    return np.asarray(lookup.base[has] | ranks, np.uint32)


def _of_a_kind(numbers: NDArray[np.uint32], ranks: Ranks, name: HandName) -> None:
    """Put in a hand of one rank where there is one; few rolls have it."""
    places = np.flatnonzero(ranks)
    lookup = _lookup()
    found = lookup.top[lookup.highest[ranks.ravel()[places]]] | np.uint32(BASE[name])
    flat = numbers.ravel()
    flat[places] = np.maximum(flat[places], found)


def _check(rolls: NDArray[np.uint64]) -> None:
    """Refuse the first roll that cannot be."""
    if len(strange := rolls[rolls >> np.uint64(BITS) != 0]):
        raise RuleError("HD-01", f"Not all faces of card dice: {hex(strange[0])}.")
    faces = np.bitwise_count(rolls)
    few = (faces < LEAST_FACES) | (faces > MOST_FACES)
    if len(odd := faces[few]):
        raise RuleError("HD-02", f"{_HAND_OF}, not {odd[0]}.")


_HAND_OF = f"A hand is made of {LEAST_FACES} to {MOST_FACES} dice"


def _check_dice(dice: Layout) -> None:
    if not LEAST_FACES <= len(dice) <= MOST_FACES:
        raise RuleError("HD-02", f"{_HAND_OF}, not {len(dice)}.")
    faces = [face for die in dice for face in die]
    if not all(isinstance(face, Card | Joker) for face in faces):
        raise RuleError("HD-01", f"Not all faces of card dice: {codes(faces)}.")
    if twice := repeated(face for die in dice for face in set(die)):
        raise RuleError("HD-03", f"On two dice: {codes(twice)}.")
