from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.cards import CARD_DICE_FACES, JOKERS, Face
from scoring.hands import HandName, contains
from scoring.target_deck import Target, builtin_targets, read_deck
from scoring.target_score import ExactWithJoker, Match, PayRules, score_target

if TYPE_CHECKING:
    from random import Random

TARGETS = st.sampled_from(builtin_targets())
ROLLS = st.lists(
    st.sampled_from(CARD_DICE_FACES), min_size=9, max_size=9, unique=True
).map(tuple)


@st.composite
def near_rolls(draw: st.DrawFn) -> tuple[Target, tuple[Face, ...]]:
    """A target, and a roll that shows it but for a card or two."""
    target = draw(TARGETS)
    wanted = list(target.cards)[draw(st.integers(0, 2)) :]
    others = [f for f in CARD_DICE_FACES if f not in target.cards]
    jokers = list(JOKERS[: draw(st.integers(0, 2))])
    fill = draw(st.permutations([f for f in others if f not in jokers]))
    return target, (*wanted, *jokers, *fill)[:9]


@given(near_rolls(), st.randoms(use_true_random=False), st.integers(1, 3))
def test_the_order_of_the_dice_plays_no_part(
    near: tuple[Target, tuple[Face, ...]], random: Random, roll_number: int
) -> None:
    target, faces = near
    shuffled = random.sample(faces, len(faces))
    assert score_target(target, faces, roll_number) == score_target(
        target, shuffled, roll_number
    )


@given(near_rolls(), st.integers(1, 3), st.booleans())
def test_cl_07_to_cl_16_the_pay_follows_from_counting_what_is_missing(
    near: tuple[Target, tuple[Face, ...]], roll_number: int, wild: bool
) -> None:
    target, faces = near
    earned = score_target(target, faces, roll_number, PayRules(jokers_wild=wild))
    missing = len(set(target.cards) - set(faces))
    jokers = len(set(JOKERS) & set(faces)) if wild else 0
    if missing <= jokers:
        bonus = 2 if roll_number < 3 and missing == 0 else 0
        expected = (Match.EXACT, target.chips_exact, bonus)
    elif contains(faces, target.hand, wild):
        expected = (Match.TYPE, target.chips_type, 0)
    else:
        expected = (Match.NONE, 0, 0)
    assert (earned.kind, earned.chips, earned.bonus) == expected


@given(near_rolls(), st.integers(1, 2))
def test_cl_10_a_joker_in_the_exact_hand_takes_the_bonus_away(
    near: tuple[Target, tuple[Face, ...]], roll_number: int
) -> None:
    target, faces = near
    earned = score_target(target, faces, roll_number)
    if earned.kind is Match.EXACT:
        natural = set(target.cards) <= set(faces)
        assert earned.bonus == (2 if natural else 0)


@given(near_rolls(), st.integers(1, 3), st.integers(0, 1))
def test_cl_24_one_more_joker_card_never_earns_less(
    near: tuple[Target, tuple[Face, ...]], roll_number: int, cards: int
) -> None:
    target, faces = near
    less = score_target(target, faces, roll_number, joker_cards=cards)
    more = score_target(target, faces, roll_number, joker_cards=cards + 1)
    assert more.total >= less.total


@given(TARGETS, ROLLS)
def test_hd_14_an_exact_hand_contains_its_type(
    target: Target, faces: tuple[Face, ...]
) -> None:
    if score_target(target, faces, 3).kind is Match.EXACT:
        assert contains(faces, target.hand)


@given(near_rolls(), st.integers(1, 3))
def test_cl_11_kids_never_earn_less_and_no_bonus_for_type(
    near: tuple[Target, tuple[Face, ...]], roll_number: int
) -> None:
    target, faces = near
    adult = score_target(target, faces, roll_number)
    kid = score_target(target, faces, roll_number, kid=True)
    assert kid.total >= adult.total
    if kid.kind is Match.TYPE:
        assert (kid.chips, kid.bonus) == (target.chips_exact, 0)


@given(near_rolls())
def test_cl_14_option_exact_with_a_joker_pays_as_type(
    near: tuple[Target, tuple[Face, ...]],
) -> None:
    target, faces = near
    as_type = PayRules(exact_with_joker=ExactWithJoker.TYPE)
    earned = score_target(target, faces, 1, as_type)
    natural = set(target.cards) <= set(faces)
    assert (earned.kind is Match.EXACT) is natural


def test_cl_09_the_better_one_is_paid_even_if_that_is_the_type() -> None:
    (odd,) = read_deck(
        [
            {
                "id": "X1",
                "kind": "target",
                "hand": "pair",
                "cards": ["AS", "AH"],
                "chips_exact": 2,
                "chips_type": 7,
            }
        ]
    )
    assert isinstance(odd, Target)
    faces = (*odd.cards, *[f for f in CARD_DICE_FACES[:52:7] if f not in odd.cards])
    earned = score_target(odd, faces[:9], 1)
    assert (earned.kind, earned.chips) == (Match.TYPE, 7)


@pytest.mark.parametrize("target", builtin_targets(), ids=lambda target: target.id)
def test_every_builtin_target_pays_half_for_the_type(target: Target) -> None:
    assert target.chips_type * 2 == target.chips_exact
    assert target.hand in set(HandName)
