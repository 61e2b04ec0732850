from __future__ import annotations

from itertools import combinations
from random import Random
from typing import TYPE_CHECKING

import pytest
from brute_hands import NAMES, judge, judge_cards, judge_with_jokers
from hypothesis import given
from hypothesis import strategies as st

from scoring.cards import CARD_DICE_FACES, CARDS, JOKERS, Card, Face, Joker, PokerFace
from scoring.hands import (
    HAND_ORDER,
    Hand,
    HandName,
    best_hand,
    compare,
    contains,
    describe,
    parse_faces,
    strength,
)
from scoring.refusals import RuleError

if TYPE_CHECKING:
    from collections.abc import Sequence

FACE = st.sampled_from(CARD_DICE_FACES)


def rolls(most: int = 9) -> st.SearchStrategy[list[Face]]:
    return st.lists(FACE, min_size=5, max_size=most, unique=True)


def key(hand: Hand) -> tuple[int, tuple[int, ...]]:
    return NAMES.index(hand.name), hand.ranks


def check_against_judge(faces: Sequence[Face], jokers_wild: bool) -> None:
    hand = best_hand(faces, jokers_wild)
    judged, fewest = judge_with_jokers(faces, jokers_wild)
    assert key(hand) == judged, faces
    jokers = [face for face in hand.uses if isinstance(face, Joker)]
    assert len(jokers) == fewest, faces  # HD-12
    assert set(hand.uses) <= set(faces)
    assert len(set(hand.uses)) == len(hand.uses)


def test_best_hand_equals_the_judge_over_6000_rolls_without_wild_jokers() -> None:
    random = Random(20)
    for _ in range(6000):
        faces = random.sample(CARD_DICE_FACES, random.randint(5, 9))
        check_against_judge(faces, jokers_wild=False)


def test_best_hand_equals_the_judge_over_300_rolls_with_one_wild_joker() -> None:
    random = Random(21)
    for _ in range(300):
        cards: list[Face] = list(random.sample(CARDS, random.randint(4, 8)))
        check_against_judge([*cards, random.choice(JOKERS)], jokers_wild=True)


def test_best_hand_equals_the_judge_over_60_rolls_with_two_wild_jokers() -> None:
    random = Random(22)
    for _ in range(60):
        cards: list[Face] = list(random.sample(CARDS, random.randint(3, 6)))
        check_against_judge([*cards, *JOKERS], jokers_wild=True)


def test_best_hand_equals_the_judge_where_hands_crowd() -> None:
    """Few ranks or few suits: quads, houses, flushes and jokers at once."""
    random = Random(23)
    for turn in range(250):
        few = [c for c in CARDS if c.rank in (1, 2, 3, 13)]
        if turn % 2:
            few = [c for c in CARDS if c.suit == "S" or c.rank == 9]
        cards: list[Face] = list(random.sample(few, random.randint(5, 7)))
        check_against_judge([*cards, *JOKERS[: turn % 3 % 2]], jokers_wild=True)
        check_against_judge(cards, jokers_wild=True)


def test_best_hand_ranks_a_seeded_share_of_all_natural_five_card_hands() -> None:
    random = Random(24)
    for number, five in enumerate(combinations(CARDS, 5)):
        if number % 101 == 0 and random.random() < 0.25:
            assert key(best_hand(five)) == judge_cards(five)


@given(rolls(), st.randoms(use_true_random=False), st.booleans())
def test_hd_09_the_order_of_the_faces_plays_no_part(
    faces: list[Face], random: Random, wild: bool
) -> None:
    shuffled = list(faces)
    random.shuffle(shuffled)
    assert key(best_hand(faces, wild)) == key(best_hand(shuffled, wild))


@given(rolls(8), FACE, st.booleans())
def test_one_more_face_never_makes_the_hand_worse(
    faces: list[Face], more: Face, wild: bool
) -> None:
    if more in faces:
        return
    before, after = best_hand(faces, wild), best_hand([*faces, more], wild)
    assert strength(after) >= strength(before)


@given(rolls())
def test_wild_jokers_never_make_the_hand_worse(faces: list[Face]) -> None:
    assert strength(best_hand(faces, True)) >= strength(best_hand(faces, False))


@given(rolls(), st.booleans())
def test_the_best_hand_is_the_highest_one_contained(
    faces: list[Face], wild: bool
) -> None:
    held = [name for name in HAND_ORDER if contains(faces, name, wild)]
    assert max(held, key=HAND_ORDER.index) is best_hand(faces, wild).name


INCLUDED = {
    HandName.STRAIGHT: {"straight", "straight_flush", "royal_flush"},
    HandName.FLUSH: {"flush", "straight_flush", "royal_flush"},
    HandName.FULL_HOUSE: {"full_house"},
    HandName.STRAIGHT_FLUSH: {"straight_flush", "royal_flush"},
    HandName.ROYAL_FLUSH: {"royal_flush"},
}


@given(st.lists(st.sampled_from(CARDS), min_size=5, max_size=9, unique=True))
def test_hd_13_contains_equals_trying_every_choice_of_five(cards: list[Card]) -> None:
    met = {NAMES[judge_cards(five)[0]] for five in combinations(cards, 5)}
    for name, names in INCLUDED.items():
        assert contains(cards, name) is bool(met & names)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        pytest.param("three_of_a_kind", True, id="three"),
        pytest.param("pair", True, id="pair"),
        pytest.param("two_pair", False, id="two-pair-needs-two-ranks"),
        pytest.param("full_house", False, id="full-house-needs-two-ranks"),
    ],
)
def test_hd_13_what_four_of_a_kind_contains(name: str, expected: bool) -> None:
    faces = parse_faces(["QS", "QH", "QD", "QC", "2S", "4H", "6D", "8C", "TS"])
    assert contains(faces, HandName(name)) is expected


def test_hd_06_another_order_lets_the_flush_beat_the_full_house() -> None:
    faces = parse_faces(["AH", "KH", "9H", "4H", "2H", "9D", "9C", "4S", "JD"])
    order = list(HAND_ORDER)
    flush, house = order.index(HandName.FLUSH), order.index(HandName.FULL_HOUSE)
    order[flush], order[house] = order[house], order[flush]
    assert best_hand(faces).name is HandName.FULL_HOUSE
    assert best_hand(faces, hand_order=order).name is HandName.FLUSH
    hands = (best_hand(faces, hand_order=order), best_hand(faces))
    assert compare(hands, order) == ((0,), (1,))


def test_hd_12_fewest_jokers_among_equal_straight_flushes() -> None:
    faces = parse_faces(["TS", "JS", "QS", "KS", "TH", "JH", "QH", "RJ", "BJ"])
    hand = best_hand(faces)
    assert hand.name is HandName.ROYAL_FLUSH
    assert sum(isinstance(face, Joker) for face in hand.uses) == 1


def test_hd_12_a_natural_kicker_is_used_before_a_joker() -> None:
    order = [name for name in HAND_ORDER if name is not HandName.TWO_PAIR]
    faces = parse_faces(["AS", "AH", "AD", "KS", "KH", "RJ"])
    hand = best_hand(faces, hand_order=[*order, HandName.TWO_PAIR])
    assert hand.letters == ("A", "K", "A")
    assert set(hand.uses) == set(faces[:5])


def test_hd_11_six_of_a_kind_off_leaves_five() -> None:
    faces = parse_faces(["7C", "7D", "7H", "7S", "RJ", "BJ", "2C"])
    assert len(best_hand(faces).uses) == 6
    five = best_hand(faces, six_of_a_kind=False)
    assert (five.name, len(five.uses)) == (HandName.FIVE_OF_A_KIND, 5)


def test_cl_24_joker_cards_are_further_jokers_without_a_die() -> None:
    faces = parse_faces(["KS", "KH", "KD", "2C", "4D", "6H", "8S", "TC", "QD"])
    hand = best_hand(faces, joker_cards=1)
    assert (hand.name, hand.joker_cards) == (HandName.FOUR_OF_A_KIND, 1)
    assert best_hand(faces, False, joker_cards=1).name is HandName.THREE_OF_A_KIND


def test_hd_05_joker_is_never_a_card_that_shows_beside_the_hand() -> None:
    # the ace of hearts shows: the joker in the flush of hearts can be the king at best
    faces = parse_faces(["AH", "QH", "9H", "4H", "RJ"])
    assert best_hand(faces).letters == ("A", "K", "Q", "9", "4")
    assert key(best_hand(faces)) == judge(faces)


@pytest.mark.parametrize(
    ("codes", "rule"),
    [
        pytest.param("", "HD-02", id="nothing"),
        pytest.param("AS KS QS JS", "HD-02", id="four"),
        pytest.param("AS KS QS JS TS 9S 8S 7S 6S 5S", "HD-02", id="ten"),
        pytest.param("AS AS QS JS TS", "HD-03", id="ace-twice"),
        pytest.param("RJ RJ QS JS TS", "HD-03", id="joker-twice"),
    ],
)
def test_faces_that_cannot_be_a_hand_are_refused(codes: str, rule: str) -> None:
    with pytest.raises(RuleError) as refused:
        best_hand(parse_faces(codes.split()))
    assert refused.value.rule == rule


@pytest.mark.parametrize("text", ["1C", "11D", "", "JK", "9", "A", "1", "ASS", "A S"])
def test_hd_01_what_is_no_face_of_card_dice_is_named(text: str) -> None:
    with pytest.raises(RuleError, match=f"HD-01: '{text}'"):
        parse_faces([text])


def test_hd_01_faces_of_other_dice_are_no_cards() -> None:
    faces = [*parse_faces(["AS", "KS", "QS", "JS"]), PokerFace(9)]
    with pytest.raises(RuleError, match="HD-01"):
        best_hand(faces)


@given(FACE)
def test_hd_01_what_is_written_is_read_back(face: Face) -> None:
    assert parse_faces([face.code]) == (face,)
    assert parse_faces([f" {face.code.lower()} "]) == (face,)


@pytest.mark.parametrize(
    ("codes", "text"),
    [
        ("KS 9H 7D 4C 2S", "High card, king"),
        ("6S 6H KD 5C 3S", "Pair of sixes"),
        ("JS JH 4D 4C AS", "Two pair, jacks and fours"),
        ("6S 6H 6D QC 2S", "Three of a kind, sixes"),
        ("AS 2H 3D 4C 5S", "Straight, five high"),
        ("AH JH 8H 6H 3H", "Flush, ace high"),
        ("TS TH TD 4C 4S", "Full house, tens over fours"),
        ("9S 9H 9D 9C 3S", "Four of a kind, nines"),
        ("5D 6D 7D 8D 9D", "Straight flush, nine high"),
        ("TC JC QC KC AC", "Royal flush"),
        ("2S 2H 2D 2C RJ", "Five of a kind, twos"),
        ("3S 3H 3D 3C RJ BJ", "Six of a kind, threes"),
    ],
)
def test_hand_is_described_in_english(codes: str, text: str) -> None:
    assert describe(best_hand(parse_faces(codes.split()))) == text
