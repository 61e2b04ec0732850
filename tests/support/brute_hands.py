"""A slow, plain judge of poker hands: every choice of dice, every card of a joker."""

from __future__ import annotations

from functools import cache
from itertools import combinations, combinations_with_replacement
from typing import TYPE_CHECKING

from scoring.cards import CARDS, Card, Face, Joker

if TYPE_CHECKING:
    from collections.abc import Sequence

NAMES = [
    "high_card",
    "pair",
    "two_pair",
    "three_of_a_kind",
    "straight",
    "flush",
    "full_house",
    "four_of_a_kind",
    "straight_flush",
    "royal_flush",
    "five_of_a_kind",
    "six_of_a_kind",
]

Judged = tuple[int, tuple[int, ...]]
"""Place in `NAMES`, then the tie-break ranks with the ace as 14."""


@cache
def judge_ranks(ranks: tuple[int, ...], one_suit: bool) -> Judged:
    """Judge up to six cards by their ranks, high to low, exclusively."""
    counted = sorted(((ranks.count(r), r) for r in set(ranks)), reverse=True)
    counts = [count for count, _ in counted]
    by_count = tuple(rank for _, rank in counted)
    if counts[0] == 6:
        return 11, by_count
    if counts[0] == 5:
        return 10, by_count
    five = len(counts) == 5
    span = 5 if ranks == (14, 5, 4, 3, 2) else ranks[0]
    straight = five and (span == 5 or ranks[0] - ranks[4] == 4)
    if straight and one_suit:
        return (9, (14,)) if span == 14 else (8, (span,))
    if counts[0] == 4:
        return 7, by_count
    if counts[:2] == [3, 2]:
        return 6, by_count
    if five and one_suit:
        return 5, ranks
    if straight:
        return 4, (span,)
    if counts[0] == 3:
        return 3, by_count
    if counts[:2] == [2, 2]:
        return 2, by_count
    return (1, by_count) if counts[0] == 2 else (0, ranks)


def judge_cards(cards: Sequence[Card]) -> Judged:
    ranks = sorted((14 if c.rank == 1 else c.rank for c in cards), reverse=True)
    return judge_ranks(tuple(ranks), len({card.suit for card in cards}) == 1)


def judge(faces: Sequence[Face], jokers_wild: bool = True) -> Judged:
    """The best hand of the faces, by trying everything (HD-04, HD-05, HD-09)."""
    best, _ = judge_with_jokers(faces, jokers_wild)
    return best


def judge_with_jokers(
    faces: Sequence[Face], jokers_wild: bool = True
) -> tuple[Judged, int]:
    """The best hand of the faces and the fewest jokers that make it (HD-12)."""
    cards = [face for face in faces if isinstance(face, Card)]
    jokers = sum(isinstance(face, Joker) for face in faces) if jokers_wild else 0
    found: set[tuple[Judged, int]] = set()
    for wild in range(jokers + 1):
        for size in (5, 6):
            for chosen in combinations(cards, min(size - wild, len(cards))):
                if size == 6 and (wild < 2 or len({card.rank for card in chosen}) > 1):
                    continue
                found |= {(best, -wild) for best in _completed(chosen, cards, wild)}
    best, spent = max(found)
    return best, -spent


def _completed(
    chosen: tuple[Card, ...], showing: Sequence[Card], wild: int
) -> set[Judged]:
    judged = set()
    for added in combinations_with_replacement(CARDS, wild):
        hand = (*chosen, *added)
        if len(hand) > 5 and len({card.rank for card in hand}) > 1:
            continue
        result = judge_cards(hand)
        repeats = len(set(added)) < wild or any(card in showing for card in added)
        if not repeats or result[0] >= NAMES.index("five_of_a_kind"):
            judged.add(result)
    return judged
