"""Hands as numbers, one at a time and many at once, against the plain judge."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import numpy as np
import pytest
from brute_hands import NAMES, Judged, judge
from hypothesis import given
from hypothesis import strategies as st

from scoring.cards import CARD_DICE_FACES, CARDS, JOKERS, Card, Face, PokerFace
from scoring.dice_sets import reference_dice_set
from scoring.face_bits import BITS, face_bit
from scoring.hand_numbers import hand_of_number, number_of, number_of_roll
from scoring.hands import HAND_ORDER, HandName, best_hand, strength
from scoring.many_hands import best_numbers, bits_of_rolls, count_best_hands
from scoring.refusals import RuleError
from scoring.roll_bits import shown_blocks, shown_contain
from scoring.turn_odds import known_layout

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from scoring.dice_sets import Layout

DICE = known_layout(reference_dice_set())
ODDS = json.loads((Path(__file__).parent / "cases/odds.json").read_text("utf-8"))
FIRST_ROLLS = [
    case["setup"] | case["expect"]
    for case in ODDS["cases"]
    if case["setup"]["kind"] == "first_roll"
]
ROLLS = st.lists(st.sampled_from(CARD_DICE_FACES), min_size=5, max_size=9, unique=True)
CROWDED = (
    CARDS,
    [card for card in CARDS if card.rank in (1, 2, 3, 13)],
    [card for card in CARDS if card.suit == "S" or card.rank == 9],
    [card for card in CARDS if card.rank < 7 and card.suit in "SH"],
)
"""All cards; few ranks; few suits; few of both: hands crowd there."""


def bits(faces: Iterable[Face]) -> int:
    return sum(map(face_bit, faces))


def mixed_rolls(count: int, seed: int) -> list[list[Face]]:
    random = Random(seed)
    rolls: list[list[Face]] = []
    for turn in range(count):
        cards = CROWDED[turn % len(CROWDED)]
        jokers = random.sample(JOKERS, random.randint(0, 2))
        faces: list[Face] = [*jokers]
        faces += random.sample(cards, random.randint(5, 9) - len(jokers))
        rolls.append(faces)
    return rolls


def judged_number(judged: Judged) -> int:
    return number_of(HandName(NAMES[judged[0]]), judged[1])


@pytest.mark.parametrize("wild", [True, False], ids=["wild", "blank"])
def test_numbers_of_many_hands_equal_those_of_one_at_a_time(wild: bool) -> None:
    rolls = mixed_rolls(2500, 31)
    for six in (True, False):
        hands = [best_hand(roll, wild, six_of_a_kind=six) for roll in rolls]
        expected = [number_of(hand.name, hand.ranks) for hand in hands]
        packed = np.array(list(map(bits, rolls)), np.uint64)
        many = best_numbers(packed, wild, six_of_a_kind=six)
        assert many.tolist() == expected
        single = [number_of_roll(bits(r), wild, six_of_a_kind=six) for r in rolls]
        assert single == expected


def test_numbers_equal_the_judge_with_wild_jokers() -> None:
    rolls = [roll for roll in mixed_rolls(400, 32) if len(roll) < 8]
    numbers = best_numbers(np.array(list(map(bits, rolls)), np.uint64))
    assert numbers.tolist() == [judged_number(judge(roll)) for roll in rolls]


def test_hd_04_numbers_equal_the_judge_where_blanks_leave_three_or_four_cards() -> None:
    random = Random(33)
    rolls: list[list[Face]] = []
    for size in (3, 4):
        for _ in range(1500):
            cards = random.sample(random.choice(CROWDED), size)
            rolls.append([*cards, *JOKERS[: 5 - size]])
    numbers = best_numbers(np.array(list(map(bits, rolls)), np.uint64), wild=False)
    expected = [judged_number(judge(roll, jokers_wild=False)) for roll in rolls]
    assert numbers.tolist() == expected


@given(st.lists(ROLLS, min_size=2, max_size=2), st.booleans())
def test_hd_10_numbers_compare_like_hands(rolls: list[list[Face]], wild: bool) -> None:
    one, two = (strength(best_hand(roll, wild)) for roll in rolls)
    first, second = best_numbers(np.array(list(map(bits, rolls)), np.uint64), wild)
    assert (first > second, first == second) == (one > two, one == two)


@given(ROLLS)
def test_number_is_read_back_as_the_hand(faces: list[Face]) -> None:
    hand = best_hand(faces)
    assert hand_of_number(number_of(hand.name, hand.ranks)) == (hand.name, hand.ranks)


@pytest.mark.parametrize("wild", [False, True], ids=["blank", "wild"])
def test_all_rolls_of_the_reference_layout_are_counted_by_best_hand(wild: bool) -> None:
    """The best hand is the highest one that is contained, over all 6^9 rolls."""
    held = dict.fromkeys(HandName, 0)
    best = dict.fromkeys(HandName, 0)
    for shown in shown_blocks(DICE):
        open_yet = np.ones(shown.jokers.shape, np.bool_)
        for name in reversed(HAND_ORDER):
            found = shown_contain(shown, name, wild)
            held[name] += int(np.count_nonzero(found))
            best[name] += int(np.count_nonzero(found & open_yet))
            open_yet &= ~found
    assert count_best_hands(DICE, wild) == best
    assert sum(best.values()) == 6**9
    stated = [case for case in FIRST_ROLLS if case["jokers_wild"] is wild]
    assert stated
    for case in stated:
        assert (held[HandName(case["hand"])], 6**9) == (case["count"], case["of"])


@pytest.mark.parametrize(("seed", "count"), [(1, 5), (2, 5), (3, 6)])
@pytest.mark.parametrize("wild", [True, False], ids=["wild", "blank"])
def test_counts_equal_those_of_one_hand_at_a_time(
    seed: int, count: int, wild: bool
) -> None:
    faces = list(CARD_DICE_FACES)
    Random(seed).shuffle(faces)
    faces.sort(key=lambda face: isinstance(face, Card))  # the jokers lie on two dice
    size = 6 if count == 5 else 4
    dice = tuple(tuple(faces[die::count][:size]) for die in range(count))
    for six in (True, False):
        expected = dict.fromkeys(HandName, 0)
        for roll in product(*dice):
            expected[best_hand(roll, wild, six_of_a_kind=six).name] += 1
        assert count_best_hands(dice, wild, six_of_a_kind=six) == expected


def test_rolls_of_any_shape_and_number_are_taken() -> None:
    packed = np.array([bits(roll) for roll in mixed_rolls(6, 34)], np.uint64)
    numbers = best_numbers(packed)
    assert np.array_equal(best_numbers(packed.reshape(2, 3)), numbers.reshape(2, 3))
    assert np.array_equal(best_numbers(packed[::2]), numbers[::2])
    assert best_numbers(packed[:0]).shape == (0,)
    assert best_numbers(packed[3].reshape(())) == numbers[3]
    many = np.resize(packed, 140_001)  # more than two blocks
    assert np.array_equal(best_numbers(many), np.resize(numbers, 140_001))


def test_bits_of_rolls_puts_faces_at_their_places() -> None:
    faces = sorted(CARD_DICE_FACES, key=face_bit)
    places = np.array([[0, 12, 13, 52, 53], [51, 5, 4, 3, 2]])
    expected = [bits([faces[place] for place in row]) for row in places]
    assert bits_of_rolls(places).tolist() == expected
    assert bits_of_rolls(places.astype(np.int8)).tolist() == expected
    assert [face_bit(face) for face in faces] == [1 << place for place in range(BITS)]


@pytest.mark.parametrize(
    "places",
    [
        pytest.param(np.array([1, 2, 3, 4, 5]), id="one-row-without-brackets"),
        pytest.param(np.array([[1.0, 2, 3, 4, 5]]), id="no-whole-numbers"),
        pytest.param(np.array([[1, 2, 3, 4, 54]]), id="beyond-the-jokers"),
        pytest.param(np.array([[-1, 2, 3, 4, 5]]), id="below-the-first"),
    ],
)
def test_places_that_are_none_are_refused(places: NDArray[np.int64]) -> None:
    with pytest.raises(ValueError, match=r"^places must be"):
        bits_of_rolls(places)


def test_hd_03_face_twice_in_a_roll_is_refused() -> None:
    with pytest.raises(RuleError, match=r"HD-03: .*roll 1"):
        bits_of_rolls(np.array([[1, 2, 3, 4, 5], [1, 2, 3, 4, 1]]))


@pytest.mark.parametrize(
    ("roll", "rule"),
    [
        pytest.param(0, "HD-02", id="nothing"),
        pytest.param(0b1111, "HD-02", id="four"),
        pytest.param(0b11_1111_1111, "HD-02", id="ten"),
        pytest.param(1 << 54 | 0b1111, "HD-01", id="no-such-face"),
    ],
)
def test_rolls_that_cannot_be_a_hand_are_refused(roll: int, rule: str) -> None:
    with pytest.raises(RuleError) as refused:
        best_numbers(np.array([0b11111, roll], np.uint64))
    assert refused.value.rule == rule


def test_rolls_of_another_type_are_refused() -> None:
    with pytest.raises(TypeError, match="uint64, not int64"):
        best_numbers(np.array([31]))


@pytest.mark.parametrize(
    ("dice", "rule"),
    [
        pytest.param(DICE[:4], "HD-02", id="four-dice"),
        pytest.param((*DICE, *DICE), "HD-02", id="eighteen-dice"),
        pytest.param((*DICE[:4], DICE[0]), "HD-03", id="one-die-twice"),
        pytest.param((*DICE[:4], (PokerFace(9),)), "HD-01", id="poker-die"),
    ],
)
def test_dice_that_cannot_make_a_hand_are_refused(dice: Layout, rule: str) -> None:
    with pytest.raises(RuleError) as refused:
        count_best_hands(dice)
    assert refused.value.rule == rule
