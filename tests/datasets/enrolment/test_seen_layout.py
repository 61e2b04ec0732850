import numpy as np
import pytest

from datasets.enrolment.layout_curve import (
    layout_curve,
    random_layout,
    simulated_rolls,
)
from datasets.enrolment.seen_layout import seen_layout
from scoring.cards import CARD_DICE_FACES, parse_face
from scoring.dice_sets import (
    DiceSetError,
    Layout,
    check_card_layout,
    reference_dice_set,
)


def groups(dice: Layout) -> set[frozenset[object]]:
    return {frozenset(die) for die in dice}


def test_layout_is_not_certain_from_nothing() -> None:
    seen = seen_layout([])
    assert not seen.certain
    assert seen.throws == 0
    assert not seen.reason


@pytest.mark.parametrize("alike", [False, True])
def test_layout_is_found_in_spite_of_reading_errors(alike: bool) -> None:
    for seed in range(4):
        rng = np.random.default_rng(seed)
        dice = random_layout(rng)
        check_card_layout(dice)
        seen = seen_layout(simulated_rolls(rng, dice, 100, 0.01, alike=alike))
        assert seen.certain
        assert groups(seen.dice) == groups(dice)


def test_layout_is_found_from_throws_of_some_of_the_dice() -> None:
    rng = np.random.default_rng(3)
    dice = random_layout(rng)
    rolls = simulated_rolls(rng, dice, 400, 0.01, alike=False)
    some = [
        tuple(roll[int(k)] for k in rng.permutation(9)[: 2 + number % 6])
        for number, roll in enumerate(rolls)
    ]
    seen = seen_layout(some)
    assert seen.certain
    assert groups(seen.dice) == groups(dice)


def test_layout_is_never_proposed_wrongly_while_rolls_are_few() -> None:
    points = layout_curve(
        12, 0.01, 5, lambda items, _: items, alike=True, points=(5, 15, 25, 40)
    )
    assert points[0].proposed == 0
    assert points[-1].proposed == 12
    assert [point.wrong for point in points] == [0, 0, 0, 0]


def test_one_roll_seen_ten_thousand_times_tells_nothing() -> None:
    dice = reference_dice_set().dice
    assert dice is not None
    roll = tuple(die[0] for die in dice)
    assert not seen_layout([roll] * 10_000).certain


def test_throws_of_two_different_sets_are_not_one_set() -> None:
    rng = np.random.default_rng(8)
    throws = []
    for _ in range(6):
        throws += simulated_rolls(rng, random_layout(rng), 60, 0.0, alike=False)
    seen = seen_layout(throws)
    assert not seen.certain


def test_exchanged_dice_are_noticed_though_most_rolls_are_older() -> None:
    rng = np.random.default_rng(4)
    old = reference_dice_set().dice
    assert old is not None
    new = (old[0][:5] + old[1][:1], old[0][5:] + old[1][1:], *old[2:])
    throws = simulated_rolls(rng, old, 300, 0.01, alike=True)
    assert seen_layout(throws).certain
    throws += simulated_rolls(rng, new, 60, 0.01, alike=True)
    seen = seen_layout(throws)
    assert not seen.certain
    assert "begin anew" in seen.reason


def test_layout_that_cannot_be_is_not_proposed() -> None:
    dice = tuple(CARD_DICE_FACES[k : k + 6] for k in range(0, 54, 6))
    rng = np.random.default_rng(1)
    seen = seen_layout(simulated_rolls(rng, dice, 300, 0.0, alike=False))
    assert groups(seen.dice) == groups(dice)
    assert not seen.certain
    assert "Square Shooters cannot be so" in seen.reason


@pytest.mark.parametrize(
    ("throw", "words"),
    [
        pytest.param(["AS", "AS"], "one face twice", id="face-twice"),
        pytest.param(["A"], "no face of card dice", id="poker-die"),
        pytest.param([f.code for f in CARD_DICE_FACES[:10]], "10 dice", id="ten-dice"),
    ],
)
def test_strange_throws_are_refused_by_number(throw: list[str], words: str) -> None:
    good = [parse_face("AS")]
    with pytest.raises(DiceSetError, match="throw 2.*" + words):
        seen_layout([good, [parse_face(code) for code in throw]])
