"""Speed and proof of hands, and that the proof can fail."""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING

import numpy as np
import pytest
from brute_hands import NAMES, judge

from scoring.cards import CARD_DICE_FACES
from scoring.face_bits import face_bit
from scoring.hand_numbers import number_of
from scoring.hands import HandName
from scoring.many_hands import best_numbers, bits_of_rolls
from web_ui.bench_scoring_others import PACKAGES, other_evaluator
from web_ui.bench_scoring_proof import (
    PlainJudge,
    all_fives,
    differing,
    judged,
    random_faces,
    same_order,
)
from web_ui.cli import main

if TYPE_CHECKING:
    from numpy.typing import NDArray

FACES = sorted(CARD_DICE_FACES, key=face_bit)


@pytest.fixture(scope="module")
def fives() -> NDArray[np.uint8]:
    return all_fives()


@pytest.mark.parametrize("package", PACKAGES[:2])  # pokerkit gives no number
def test_others_order_random_natural_hands_alike(
    package: str, fives: NDArray[np.uint8]
) -> None:
    judge_of = other_evaluator(package)
    if judge_of is None:
        pytest.skip(f"{package} is not installed")

    some = fives[np.random.default_rng(4).choice(len(fives), 60_000, replace=False)]
    numbers = best_numbers(bits_of_rolls(some)).astype(np.int64)
    told = judged(some, judge_of)
    assert same_order(numbers, told)
    spoiled = numbers.copy()
    spoiled[numbers.argmax()] = numbers.min()
    assert not same_order(spoiled, told)


def test_hands_with_wild_jokers_equal_brute_force(fives: NDArray[np.uint8]) -> None:
    numbers = best_numbers(bits_of_rolls(fives))
    brute = PlainJudge(fives, numbers)
    hands = random_faces(3000, 5)
    assert differing(hands, brute) == []
    few = [hand for hand in hands if len(hand[0]) + hand[1] < 8]
    for cards, jokers in Random(6).sample(few, 60):
        faces = [FACES[place] for place in [*cards, *range(52, 52 + jokers)]]
        name, ranks = judge(faces)
        assert brute.number(cards, jokers) == number_of(HandName(NAMES[name]), ranks)


def test_orders_that_tie_otherwise_differ() -> None:
    assert same_order(np.array([3, 1, 1]), np.array([9, 2, 2]))
    assert not same_order(np.array([3, 1, 1]), np.array([9, 2, 3]))
    assert not same_order(np.array([3, 1, 2]), np.array([9, 2, 2]))
    assert not same_order(np.array([1, 2]), np.array([2, 1]))


def test_speeds_are_told_for_every_kind(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "scoring", "--hands", "30", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    rows = record["hands_per_second"]
    assert all(rate > 0 for row in rows.values() for rate in row.values())
    assert len(rows["9 faces, 2 wild"]) == 3
    assert main(["bench", "scoring", "--hands", "30"]) == 0
    assert "9 faces, 2 wild" in capsys.readouterr().out


@pytest.mark.parametrize(
    "words", [["--hands", "0"], ["--random", "0"], ["--seed", "-1"]]
)
def test_unusable_numbers_are_named(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench", "scoring", *words]) == 2
    assert "must be 1 or more" in capsys.readouterr().err
