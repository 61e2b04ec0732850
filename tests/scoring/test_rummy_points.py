from __future__ import annotations

from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.cards import CARD_DICE_FACES, CARDS, JOKERS, Card, Face, Joker
from scoring.hands import parse_faces
from scoring.rummy_points import rummy_points


def meld_points(cards: tuple[Card, ...]) -> int:
    """What these cards count as one set or run; 0 if they are neither (judge)."""
    ranks = sorted(card.rank for card in cards)
    if len(set(ranks)) == 1 and len(cards) in (3, 4):
        return sum(15 if rank == 1 else min(rank, 10) for rank in ranks)
    if len({card.suit for card in cards}) > 1:
        return 0
    for line in (ranks, sorted(14 if rank == 1 else rank for rank in ranks)):
        if line == list(range(line[0], line[0] + len(line))):
            return sum(15 if rank == 14 else min(rank, 10) for rank in line)
    return 0


def judge_cards(cards: tuple[Card, ...]) -> int:
    """The best split, by trying every meld that holds the first card, or none."""
    if len(cards) < 3:
        return 0
    first, rest = cards[0], cards[1:]
    best = judge_cards(rest)
    for size in range(2, len(rest) + 1):
        for others in combinations(rest, size):
            points = meld_points((first, *others))
            if points:
                left = tuple(card for card in rest if card not in others)
                best = max(best, points + judge_cards(left))
    return best


def judge(faces: list[Face], wild: bool) -> int:
    cards = [face for face in faces if isinstance(face, Card)]
    jokers = sum(isinstance(face, Joker) for face in faces) if wild else 0
    free = [card for card in CARDS if card not in cards]
    return max(judge_cards((*cards, *added)) for added in combinations(free, jokers))


def crowded(random: Random, count: int) -> list[Face]:
    """Cards of few ranks or two suits, so that sets and runs meet."""
    few = [c for c in CARDS if c.rank in (1, 2, 3, 12, 13)]
    if random.random() < 0.5:
        few = [c for c in CARDS if c.suit in "SH" and c.rank < 9]
    return list(random.sample(few, count))


def test_points_equal_the_judge_without_jokers() -> None:
    random = Random(31)
    for _ in range(150):
        faces = crowded(random, 9)
        assert rummy_points(faces, True) == judge(faces, True), faces


def test_points_equal_the_judge_with_one_joker() -> None:
    random = Random(32)
    for _ in range(12):
        faces = [*crowded(random, 6), JOKERS[0]]
        assert rummy_points(faces, True) == judge(faces, True), faces


def test_points_equal_the_judge_with_two_jokers() -> None:
    random = Random(33)
    for _ in range(4):
        faces = [*crowded(random, 4), *JOKERS]
        assert rummy_points(faces, True) == judge(faces, True), faces


@given(st.lists(st.sampled_from(CARD_DICE_FACES), max_size=9, unique=True))
def test_wild_jokers_never_cost_points(faces: list[Face]) -> None:
    assert rummy_points(faces, True) >= rummy_points(faces, False)


@pytest.mark.parametrize(
    ("codes", "points"),
    [
        pytest.param("AS AH AD 2C 4C 6C 8C TC QC", 45, id="rm-04-aces-in-a-set"),
        pytest.param("QS KS AS 2C 4C 6H 8D TC 3D", 35, id="rm-04-ace-high"),
        pytest.param("AS 2S 3S 5C 7C 9H JD TC 6D", 6, id="rm-04-ace-low"),
        pytest.param("KS AS 2S 5C 7C 9H JD TC 6D", 0, id="rm-05-no-going-round"),
        pytest.param("2S 3S 4S 5S 6S 7S 8S 9S TS", 54, id="rm-05-a-run-of-nine"),
    ],
)
def test_rule(codes: str, points: int) -> None:
    assert rummy_points(parse_faces(codes.split()), jokers_wild=True) == points
