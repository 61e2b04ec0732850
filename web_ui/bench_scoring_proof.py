"""Proof of hands: all natural five-card hands, and jokers tried as every card."""

from __future__ import annotations

from itertools import combinations
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from scoring.cards import CARD_DICE_FACES
from scoring.face_bits import face_bit
from scoring.hand_numbers import hand_of_number, number_of
from scoring.hands import HandName, best_hand
from scoring.many_hands import best_numbers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from web_ui.bench_scoring_others import Other

CARDS = 52
HAND = 5
BLOCK = 100_000
SUITS_OF_A_RANK = [[13 * suit + rank for suit in range(4)] for rank in range(13)]


def all_fives() -> NDArray[np.uint8]:
    """All hands of five of the 52 cards: (2598960, 5), the places of the cards."""
    flat = np.fromiter(
        (place for five in combinations(range(CARDS), HAND) for place in five), np.uint8
    )
    return flat.reshape(-1, HAND)


def same_order(one: NDArray[np.int64], two: NDArray[np.int64]) -> bool:
    """Whether two rankings order the same things alike, ties included."""
    order = np.lexsort((two, one))
    one, two = one[order], two[order]
    return bool(np.array_equal(np.diff(one) > 0, np.diff(two) > 0)) and bool(
        (np.diff(two) >= 0).all()
    )


def judged(fives: NDArray[np.uint8], judge: Other) -> NDArray[np.int64]:
    """What another evaluator says of hands, the stronger the greater."""
    cards = [judge.card(place) for place in range(CARDS)]
    ranks = np.fromiter(
        (judge.rank([cards[place] for place in five]) for five in fives.tolist()),
        np.int64,
        len(fives),
    )
    return -ranks if judge.lower_wins else ranks


class PlainJudge:
    """Tries every card for every joker and every choice of five.

    Takes only the numbers of the natural five-card hands, whose order is proven by
    itself. Tables give the number of three cards with two others and of four with one
    other, so that all cards for the jokers are tried at once.
    """

    def __init__(self, fives: NDArray[np.uint8], numbers: NDArray[np.uint32]) -> None:
        """Sort the numbers of all five-card hands by their parts (some 180 MB)."""
        self._places, self._classes = np.unique(numbers, return_inverse=True)
        classes = self._classes.astype(np.uint16) + np.uint16(1)  # 0: no hand
        self._five = np.zeros(comb(CARDS, 5), np.uint16)
        self._five[_index(fives)] = classes
        self._with_pair = np.zeros((comb(CARDS, 3), comb(CARDS, 2)), np.uint16)
        self._with_one = np.zeros((comb(CARDS, 4), CARDS), np.uint16)
        for left in combinations(range(HAND), 2):
            stay = [place for place in range(HAND) if place not in left]
            cell = _index(fives[:, stay]), _index(fives[:, list(left)])
            self._with_pair[cell] = classes
        for out in range(HAND):
            stay = [place for place in range(HAND) if place != out]
            self._with_one[_index(fives[:, stay]), fives[:, out]] = classes
        pairs = np.array(list(combinations(range(CARDS), 2)))
        self._pairs = np.empty_like(pairs)
        self._pairs[_index(pairs)] = pairs

    def number(self, cards: Sequence[int], jokers: int) -> int:
        """The best hand of 5 to 9 faces with wild jokers (HD-05, HD-09).

        Args:
            cards: the places of the cards that show, ascending.
            jokers: how many jokers show, 0 to 2.
        """
        for size, name in (
            (6, HandName.SIX_OF_A_KIND),
            (5, HandName.FIVE_OF_A_KIND),
        ):
            for rank in range(12, -1, -1):
                naturals = len(set(SUITS_OF_A_RANK[rank]).intersection(cards))
                if jokers and naturals + jokers >= size:
                    return number_of(name, (rank + 2,))
        found = [0]
        unseen = np.ones(CARDS, np.bool_)
        unseen[list(cards)] = False
        if len(cards) >= 5:
            found.append(self._five[_choices(cards, 5)].max())
        if jokers >= 1 and len(cards) >= 4:
            best = self._with_one[_choices(cards, 4)].max(axis=0)
            found.append(best[unseen].max())
        if jokers == 2 and len(cards) >= 3:
            best = self._with_pair[_choices(cards, 3)].max(axis=0)
            found.append(best[unseen[self._pairs].all(axis=1)].max())
        return int(self._places[int(max(found)) - 1])


def _index(sets: NDArray[np.integer]) -> NDArray[np.int64]:
    """The place of ascending sets of cards among all such sets, from 0."""
    total = np.zeros(len(sets), np.int64)
    for place in range(sets.shape[1]):
        ways = np.array([comb(card, place + 1) for card in range(CARDS)], np.int64)
        total += ways[sets[:, place]]
    return total


def _choices(cards: Sequence[int], size: int) -> NDArray[np.int64]:
    return _index(np.array(list(combinations(cards, size))))


def random_faces(count: int, seed: int) -> list[tuple[list[int], int]]:
    """Random hands of five to nine faces with one or two jokers, sizes by turns."""
    rng = np.random.default_rng(seed)
    made = []
    for turn in range(count):
        size, jokers = 5 + turn % 5, 1 + turn // 5 % 2
        places = rng.choice(CARDS, size - jokers, replace=False)
        made.append((sorted(places.tolist()), jokers))
    return made


def packed(cards: Sequence[int], jokers: int) -> int:
    """Such a hand as bits (`scoring.face_bits`)."""
    return sum(1 << place for place in [*cards, *range(CARDS, CARDS + jokers)])


def differing(hands: Sequence[tuple[list[int], int]], judge: PlainJudge) -> list[str]:
    """The hands that one of the evaluators and the plain judge tell apart."""
    faces = sorted(CARD_DICE_FACES, key=face_bit)
    many = best_numbers(np.array([packed(*hand) for hand in hands], np.uint64)).tolist()
    found = []
    for (cards, jokers), number in zip(hands, many, strict=True):
        places = [*cards, *range(CARDS, CARDS + jokers)]
        hand = best_hand([faces[place] for place in places])
        plain = judge.number(cards, jokers)
        if not plain == number == number_of(hand.name, hand.ranks):
            codes = " ".join(faces[place].code for place in places)
            found.append(f"{codes}: {hand_of_number(number)}, {hand}, not {plain:x}")
    return found
