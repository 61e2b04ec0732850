"""The most points that nine dice give in sets and runs (RM-03 to RM-06)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from scoring.cards import CARDS, Card, Joker, Suit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from scoring.cards import Face

ACE_POINTS = 15
"""In a set and at the high end of a run; at the low end it is 1 (RM-04)."""

COURT_POINTS = 10
ACE_HIGH = 14
LEAST_CARDS = 3
MOST_CARDS = 9

_BIT = {card: 1 << place for place, card in enumerate(CARDS)}


@dataclass(frozen=True, slots=True)
class Meld:
    """A set or a run.

    Attributes:
        cards: its cards as bits, those of jokers included.
        jokers: how many of them show on no die.
        points: what it counts.
    """

    cards: int
    jokers: int
    points: int


def card_points(rank: int) -> int:
    """What a card counts; 14 is an ace that ends a run or is in a set (RM-04)."""
    if rank == ACE_HIGH:
        return ACE_POINTS
    return min(rank, COURT_POINTS)


def rummy_points(faces: Sequence[Face], jokers_wild: bool) -> int:
    """Find the split into sets and runs with the most points (RM-05).

    Args:
        faces: different faces of card dice, nine in the game.
        jokers_wild: whether each joker stands for a card that shows on no die (RM-06);
            otherwise jokers are blanks.
    """
    shown = {face for face in faces if isinstance(face, Card)}
    jokers = sum(isinstance(face, Joker) for face in faces) if jokers_wild else 0
    melds = sorted(_melds(shown, jokers), key=lambda meld: -meld.points)
    return _most(melds, 0, 0, jokers)


def _most(melds: Sequence[Meld], start: int, used: int, jokers: int) -> int:
    """The most points of disjoint melds from place `start` on."""
    most = 0
    for place in range(start, len(melds)):
        meld = melds[place]
        if meld.jokers > jokers or meld.cards & used:
            continue
        rest = _most(melds, place + 1, used | meld.cards, jokers - meld.jokers)
        most = max(most, meld.points + rest)
    return most


def _melds(shown: set[Card], jokers: int) -> Iterator[Meld]:
    """Every set and run that the dice and jokers can lay."""
    for rank in range(1, ACE_HIGH):
        points = card_points(ACE_HIGH if rank == 1 else rank)
        cards = [Card(rank, suit) for suit in Suit]
        for size in (3, 4):
            for chosen in combinations(cards, size):
                yield from _if_there(chosen, points * size, shown, jokers)
    for suit in Suit:
        line = [*(Card(rank, suit) for rank in range(1, ACE_HIGH)), Card(1, suit)]
        for start in range(len(line)):
            for end in range(start + LEAST_CARDS, len(line) + 1):
                if end - start > MOST_CARDS:
                    break
                points = sum(card_points(rank) for rank in range(start + 1, end + 1))
                yield from _if_there(line[start:end], points, shown, jokers)


def _if_there(
    cards: Iterable[Card], points: int, shown: set[Card], jokers: int
) -> Iterator[Meld]:
    cards = tuple(cards)
    missing = sum(card not in shown for card in cards)
    if missing <= jokers:
        yield Meld(sum(_BIT[card] for card in cards), missing, points)
