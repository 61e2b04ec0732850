"""All rolls as bits, against the scalar rules."""

from __future__ import annotations

import numpy as np
import pytest

from scoring.cards import parse_face
from scoring.dice_sets import reference_dice_set
from scoring.hand_shapes import HandName
from scoring.hands import contains
from scoring.roll_bits import (
    face_bit,
    joker_count,
    roll_blocks,
    rolls_contain,
    shown_blocks,
    suit_ranks,
)

DICE = reference_dice_set().dice
assert DICE is not None
RNG = np.random.default_rng(3)
PLACES = RNG.integers(0, 6, (400, 9)).tolist()
# dice of one suit or with jokers are rare in random rolls
RARE = [
    "TS JS QS KS RJ 2H 3H BJ 5C",
    "AS 2S 3S 4S 5S 9H 9D KH QC",
    "AS 2S RJ 4S BJ 9H 9D KH QC",
    "9S 9H 9D 9C RJ BJ 2S 3S 4S",
    "9S 9H RJ BJ 2S 3H 4D 6C KC",
    "KS AS 2S 3S 4S 7H 8H 9D JD",
    "QH KH RJ 2H 3H 5C 6C 8D 9D",
]
ROLLS = [
    *(tuple(die[s] for die, s in zip(DICE, place, strict=True)) for place in PLACES),
    *(tuple(map(parse_face, roll.split())) for roll in RARE),
]
BITS = np.array([sum(map(face_bit, roll)) for roll in ROLLS], np.uint64)


@pytest.mark.parametrize("wild", [True, False], ids=["wild", "blank"])
@pytest.mark.parametrize("hand", HandName)
def test_hd_13_rolls_of_nine_contain_what_the_rules_say(
    hand: HandName, wild: bool
) -> None:
    expected = [contains(roll, hand, wild) for roll in ROLLS]
    assert rolls_contain(BITS, hand, wild).tolist() == expected


@pytest.mark.parametrize("count", [1, 5, 6, 7, 8])
def test_blocks_show_all_rolls_in_one_order(count: int) -> None:
    assert DICE is not None
    rolls = np.concatenate(list(roll_blocks(DICE[:count])))
    assert len(rolls) == 6**count
    shown = list(shown_blocks(DICE[:count]))
    jokers = np.concatenate([block.jokers for block in shown])
    assert np.array_equal(jokers, joker_count(rolls))
    for suit, ranks in enumerate(suit_ranks(rolls)):
        told = np.concatenate([block.suits[suit] for block in shown])
        assert np.array_equal(told, ranks)


def test_first_and_last_roll_are_the_first_and_last_sides() -> None:
    assert DICE is not None
    rolls = np.concatenate(list(roll_blocks(DICE[:3])))
    assert rolls[0] == sum(face_bit(die[0]) for die in DICE[:3])
    assert rolls[1] == sum(face_bit(f) for f in (DICE[0][0], DICE[1][0], DICE[2][1]))
    assert rolls[-1] == sum(face_bit(die[-1]) for die in DICE[:3])


def test_face_of_another_kind_of_die_has_no_bit() -> None:
    with pytest.raises(ValueError, match="not a face of card dice"):
        face_bit(parse_face("Q"))
