"""What each poker hand asks of the faces that lie there (rules HD-04 to HD-13)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from scoring.cards import Card, Suit

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

ACE_HIGH = 14
"""Rank number of the ace here; in a straight it also ends at the low side (HD-08)."""

LEAST_RANK = 2
RANKS_DOWN = tuple(range(ACE_HIGH, LEAST_RANK - 1, -1))
HAND_SIZE = 5
SUITS = 4


class HandName(StrEnum):
    """The twelve hands, in the order of HD-06, lowest first."""

    HIGH_CARD = "high_card"
    PAIR = "pair"
    TWO_PAIR = "two_pair"
    THREE_OF_A_KIND = "three_of_a_kind"
    STRAIGHT = "straight"
    FLUSH = "flush"
    FULL_HOUSE = "full_house"
    FOUR_OF_A_KIND = "four_of_a_kind"
    STRAIGHT_FLUSH = "straight_flush"
    ROYAL_FLUSH = "royal_flush"
    FIVE_OF_A_KIND = "five_of_a_kind"
    SIX_OF_A_KIND = "six_of_a_kind"


def high_rank(card: Card) -> int:
    """The rank with the ace on top: 2 to 14."""
    return ACE_HIGH if card.rank == 1 else card.rank


@dataclass(frozen=True, slots=True)
class Pool:
    """The cards that lie there and how many wild jokers help them.

    Attributes:
        by_rank: cards of each rank, at the place of its rank (2 to 14).
        jokers: wild jokers, dice and Joker cards together.
    """

    by_rank: tuple[tuple[Card, ...], ...]
    jokers: int


@dataclass(frozen=True, slots=True)
class Made:
    """One way to make a hand.

    Attributes:
        ranks: the tie-break ranks of HD-07, 2 to 14.
        cards: the natural cards in it.
        jokers: how many jokers are in it.
    """

    ranks: tuple[int, ...]
    cards: tuple[Card, ...]
    jokers: int = 0


def pool_of(cards: Iterable[Card], jokers: int) -> Pool:
    """Sort cards by rank."""
    by_rank: list[list[Card]] = [[] for _ in range(ACE_HIGH + 1)]
    for card in cards:
        by_rank[high_rank(card)].append(card)
    return Pool(tuple(map(tuple, by_rank)), jokers)


def make_hand(pool: Pool, name: HandName) -> Made | None:
    """The best way to make the named hand; None if it is not there.

    Contains in the sense of HD-13: four of a kind is also three of a kind. Fewer than
    five cards give fewer kickers (HD-04). A joker is a card that does not show, except
    in five and six of a kind (HD-05).
    """
    match name:
        case HandName.HIGH_CARD:
            return _with_kickers(pool, (), {}, ())
        case HandName.PAIR:
            return _of_a_kind(pool, 2)
        case HandName.TWO_PAIR:
            return _two_ranks(pool, 2)
        case HandName.THREE_OF_A_KIND:
            return _of_a_kind(pool, 3)
        case HandName.STRAIGHT:
            return _straight(pool)
        case HandName.FLUSH:
            return _flush(pool)
        case HandName.FULL_HOUSE:
            return _two_ranks(pool, 3)
        case HandName.FOUR_OF_A_KIND:
            return _of_a_kind(pool, 4)
        case HandName.STRAIGHT_FLUSH:
            return _straight_flush(pool, range(ACE_HIGH, HAND_SIZE - 1, -1))
        case HandName.ROYAL_FLUSH:
            return _straight_flush(pool, range(ACE_HIGH, ACE_HIGH - 1, -1))
        case HandName.FIVE_OF_A_KIND:
            return _of_a_kind(pool, 5)
        case HandName.SIX_OF_A_KIND:
            return _of_a_kind(pool, 6)


def _of_a_kind(pool: Pool, size: int) -> Made | None:
    for rank in RANKS_DOWN:
        cards = pool.by_rank[rank][:size]
        need = size - len(cards)
        if need <= pool.jokers:
            return _with_kickers(pool, (rank,), {rank: need}, cards)
    return None


def _two_ranks(pool: Pool, size: int) -> Made | None:
    """Two pair (size 2) or full house (size 3): of two different ranks (HD-13)."""
    for first in RANKS_DOWN:
        need = size - min(size, len(pool.by_rank[first]))
        if need > pool.jokers:
            continue
        for second in RANKS_DOWN:
            if second == first:
                continue
            more = 2 - min(2, len(pool.by_rank[second]))
            if need + more <= pool.jokers:
                cards = pool.by_rank[first][:size] + pool.by_rank[second][:2]
                jokers = {first: need, second: more}
                return _with_kickers(pool, (first, second), jokers, cards)
    return None


def _with_kickers(
    pool: Pool,
    ranks: tuple[int, ...],
    jokers: Mapping[int, int],
    cards: tuple[Card, ...],
) -> Made:
    """Fill a hand up to five dice with the highest of the others.

    Args:
        pool: everything that lies there.
        ranks: the tie-break ranks of what is made already.
        jokers: how many jokers stand in it, by rank.
        cards: the natural cards in it.
    """
    used = sum(jokers.values())
    room = HAND_SIZE - len(cards) - used
    if room <= 0:
        return Made(ranks, cards, used)
    others = [
        (rank, card)
        for rank in RANKS_DOWN
        for card in pool.by_rank[rank]
        if card not in cards
    ][:room]
    free: list[int] = []
    if used < pool.jokers:
        for rank in RANKS_DOWN:
            unseen = SUITS - len(pool.by_rank[rank]) - jokers.get(rank, 0)
            free += [rank] * max(0, unseen)
            if len(free) >= min(room, pool.jokers - used):
                break
        free = free[: pool.jokers - used]
    kickers: list[int] = []
    while len(kickers) < room and (others or free):
        if others and (not free or others[0][0] >= free[0]):
            rank, card = others.pop(0)
            cards = (*cards, card)
        else:
            rank = free.pop(0)
            used += 1
        kickers.append(rank)
    return Made((*ranks, *kickers), cards, used)


def _run(top: int) -> tuple[int, ...]:
    """The five ranks of a straight; an ace below the 2 is rank 14 like any ace."""
    low = top - HAND_SIZE + 1
    return tuple(ACE_HIGH if r < LEAST_RANK else r for r in range(low, top + 1))


_RUNS = {top: _run(top) for top in range(HAND_SIZE, ACE_HIGH + 1)}


def _straight(pool: Pool) -> Made | None:
    for top in range(ACE_HIGH, HAND_SIZE - 1, -1):
        cards = tuple(pool.by_rank[r][0] for r in _RUNS[top] if pool.by_rank[r])
        if HAND_SIZE - len(cards) <= pool.jokers:
            return Made((top,), cards, HAND_SIZE - len(cards))
    return None


def _suited(pool: Pool) -> dict[Suit, dict[int, Card]]:
    suited: dict[Suit, dict[int, Card]] = {suit: {} for suit in Suit}
    for rank in RANKS_DOWN:
        for card in pool.by_rank[rank]:
            suited[card.suit][rank] = card
    return suited


def _flush(pool: Pool) -> Made | None:
    made: list[Made] = []
    for by_rank in _suited(pool).values():
        if len(by_rank) + pool.jokers < HAND_SIZE:
            continue
        wild = [rank for rank in RANKS_DOWN if rank not in by_rank][: pool.jokers]
        ranks = tuple(sorted([*by_rank, *wild], reverse=True)[:HAND_SIZE])
        cards = tuple(by_rank[rank] for rank in ranks if rank in by_rank)
        made.append(Made(ranks, cards, HAND_SIZE - len(cards)))
    return max(made, key=_better, default=None)


def _straight_flush(pool: Pool, tops: range) -> Made | None:
    suited = _suited(pool)
    for top in tops:
        made: list[Made] = []
        for by_rank in suited.values():
            cards = tuple(by_rank[rank] for rank in _RUNS[top] if rank in by_rank)
            if HAND_SIZE - len(cards) <= pool.jokers:
                made.append(Made((top,), cards, HAND_SIZE - len(cards)))
        if made:
            return max(made, key=_better)
    return None


def _better(made: Made) -> tuple[tuple[int, ...], int]:
    """Sort key: higher ranks, then fewer jokers (HD-12)."""
    return made.ranks, -made.jokers
