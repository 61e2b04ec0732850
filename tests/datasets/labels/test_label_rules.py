"""The rules of the set, checked while labels are typed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from label_makers import a_die, square

from datasets.labels.rules import FindingCode, check_labels
from scoring.dice_sets import bundled_dice_set, reference_dice_set

if TYPE_CHECKING:
    from datasets.eval_labels import LabelledDie
    from vision.reading import Quad

SIZE = (640.0, 480.0)
PLAIN = bundled_dice_set("square-shooters")
REFERENCE = reference_dice_set()


def row(*codes: str | None) -> list[LabelledDie]:
    """Dice side by side."""
    return [
        a_die(code, square(20 + 50 * number, 100, 30))
        for number, code in enumerate(codes)
    ]


def found(
    dice: list[LabelledDie], dice_set: object = PLAIN
) -> list[tuple[FindingCode, tuple[int, ...]]]:
    findings = check_labels(dice, *SIZE, dice_set)  # type: ignore[arg-type]  # a set or None
    return [(one.code, one.dice) for one in findings]


def test_nothing_typed_yet_is_fine() -> None:
    assert found([]) == []


def test_roll_of_the_set_is_fine() -> None:
    assert REFERENCE.dice is not None
    codes = [die[0].code for die in REFERENCE.dice]
    assert found(row(*codes), REFERENCE) == []


def test_unread_dice_break_no_rule_of_faces() -> None:
    assert found(row(None, None, "QH")) == []


def test_face_shown_twice_names_all_its_dice() -> None:
    dice = row("QH", "KS", "QH")
    assert found(dice) == [(FindingCode.FACE_TWICE, (0, 2))]
    (finding,) = check_labels(dice, *SIZE, PLAIN)
    assert finding.sentence == "QH is shown by die 1 and die 3"


def test_poker_dice_may_show_a_face_twice() -> None:
    assert found(row("9", "9", "A"), bundled_dice_set("poker-dice")) == []


def test_ten_dice_of_nine_are_too_many() -> None:
    dice = row(*(f"{rank}S" for rank in "A23456789T"))
    assert found(dice) == [(FindingCode.TOO_MANY_DICE, ())]


def test_face_of_another_set_is_found() -> None:
    assert found(row("QH", "9")) == [(FindingCode.NOT_OF_THE_SET, (1,))]


def test_two_faces_of_one_die_are_found_when_the_layout_is_known() -> None:
    assert REFERENCE.dice is not None
    first, second = REFERENCE.dice[4][:2]
    other = REFERENCE.dice[5][0]
    dice = row(first.code, other.code, second.code)
    assert found(dice, REFERENCE) == [(FindingCode.SAME_DIE, (0, 2))]
    assert found(dice, PLAIN) == []


@pytest.mark.parametrize("number", range(9))
def test_every_pair_of_faces_of_a_die_is_found(number: int) -> None:
    assert REFERENCE.dice is not None
    sides = REFERENCE.dice[number]
    for first in range(6):
        for second in range(first):
            dice = row(sides[first].code, sides[second].code)
            assert found(dice, REFERENCE) == [(FindingCode.SAME_DIE, (0, 1))]


def test_outlines_are_checked_without_a_set() -> None:
    assert found(row("QH", "QH"), None) == []


A, B, C, D = square(100, 100, 40)


@pytest.mark.parametrize(
    ("quad", "code"),
    [
        pytest.param((A, D, C, B), FindingCode.NOT_CLOCKWISE, id="anticlockwise"),
        pytest.param((A, C, B, D), FindingCode.NOT_CONVEX, id="crossing"),
        pytest.param((A, B, (105, 105), D), FindingCode.NOT_CONVEX, id="bent"),
        pytest.param((A, A, C, D), FindingCode.NOT_CONVEX, id="corner-twice"),
        pytest.param(square(100, 100, 7), FindingCode.TINY, id="tiny"),
        pytest.param(square(-25, 100, 40), FindingCode.OUTSIDE, id="mostly-outside"),
        pytest.param(square(700, 100, 40), FindingCode.OUTSIDE, id="beside"),
    ],
)
def test_bad_outline_is_found(quad: Quad, code: FindingCode) -> None:
    die = replace(a_die("QH"), quad=quad)
    assert found([die]) == [(code, (0,))]


@pytest.mark.parametrize("first", range(4))
def test_good_outline_may_begin_anywhere(first: int) -> None:
    corners = ((100, 100), (140, 110), (130, 150), (95, 135))
    a, b, c, d = corners[first:] + corners[:first]
    assert found([replace(a_die("QH"), quad=(a, b, c, d))]) == []


def test_die_cut_by_the_edge_is_fine() -> None:
    assert found([a_die("QH", square(-10, 100, 40))]) == []


def test_one_die_labelled_twice_is_found() -> None:
    dice = [a_die("QH", square(100, 100, 40)), a_die("KH", square(110, 105, 40))]
    assert found(dice) == [(FindingCode.SAME_PLACE, (0, 1))]


def test_picture_of_unknown_size_has_no_outside() -> None:
    dice = [a_die("QH", square(9000, 100, 40))]
    assert check_labels(dice, 0, 0, PLAIN) == ()
    assert check_labels([a_die("QH")], 0, 0, PLAIN) == ()


def test_boxes_are_checked_too() -> None:
    dice = [a_die("QH", box=(10, 10, 12, 12)), a_die("KH", box=(700, 0, 740, 40))]
    assert found(dice) == [(FindingCode.TINY, (0,)), (FindingCode.OUTSIDE, (1,))]
