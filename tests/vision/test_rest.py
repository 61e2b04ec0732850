"""What lies on the table from rest to rest, and which of it is told."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from scoring.cards import parse_face
from vision.reading import DieReading, DieState, Quad, Reading, Status
from vision.rest import Rest
from vision.unmoved import Change

NINE = ["AS", "2H", "3D", "4C", "5S", "6H", "7D", "8C", "TS"]


def die(code: str, x: float, y: float = 50, angle_deg: float = 10) -> DieReading:
    reach = 40 / math.sqrt(2)
    a, b, c, d = (
        (x + reach * math.cos(turn), y + reach * math.sin(turn))
        for turn in (math.radians(angle_deg + 45 + 90 * k) for k in range(4))
    )
    quad: Quad = (a, b, c, d)
    return DieReading(parse_face(code), 0.99, quad)


def row(codes: list[str], y: float = 50) -> tuple[DieReading, ...]:
    return tuple(die(code, 100.0 * (k + 1), y) for k, code in enumerate(codes))


def reading(dice: tuple[DieReading, ...], status: Status = Status.SURE) -> Reading:
    return Reading("square-shooters", status, 0.99, dice, (), "test")


def test_first_dice_are_roll_one() -> None:
    lying = Rest().settle(reading(row(NINE)), thrown=False)
    assert (lying.change, lying.roll) == (Change.ROLLED, 1)


def test_kept_dice_are_told_with_the_next_roll() -> None:
    rest = Rest()
    first = row(NINE)
    rest.settle(reading(first), thrown=True)
    picked = rest.settle(reading(first[:4], Status.REFUSE), thrown=False)
    assert picked.change is Change.PICKED_UP
    assert not picked.told
    new = row(["KS", "KH", "KD", "KC", "JS"], 300)
    lying = rest.settle(reading((*first[:4], *new)), thrown=True)
    assert lying.roll == 2
    assert lying.kept == (0, 1, 2, 3)
    assert lying.moved == ()


def test_kept_die_that_a_thrown_one_hit_is_told_as_moved() -> None:
    rest = Rest()
    first = row(NINE)
    rest.settle(reading(first), thrown=True)
    rest.settle(reading(first[:2], Status.REFUSE), thrown=False)
    new = row(["KS", "KH", "KD", "KC", "JS", "JD", "JH"], 300)
    hit = die("2H", 245, 80)
    lying = rest.settle(reading((first[0], hit, *new)), thrown=True)
    assert lying.roll == 2
    assert lying.kept == (0,)
    assert lying.moved == (1,)


def test_kept_die_that_shows_something_else_is_told_as_changed() -> None:
    rest = Rest()
    first = row(NINE)
    rest.settle(reading(first), thrown=True)
    lying = rest.settle(reading((die("KS", 100), *first[1:])), thrown=False)
    assert lying.change is Change.NOTHING
    assert lying.changed == (0,)
    assert not lying.told


def test_die_turned_again_and_again_by_hand_stays_one_roll() -> None:
    rest = Rest()
    first = row(NINE)
    rest.settle(reading(first), thrown=True)
    for code, y in (("KS", 200), ("QS", 300), ("JS", 400)):
        after = (die(code, 100, y), *first[1:])
        lying = rest.settle(reading(after), thrown=False)
        assert lying.change is Change.MOVED
        assert not lying.told
        assert len(rest.dice) == 9


@pytest.mark.parametrize("thrown", [False, True])
def test_dice_found_again_after_an_empty_table_are_no_roll(thrown: bool) -> None:
    rest = Rest()
    rest.settle(reading(row(NINE)), thrown=True)
    rest.clear()
    assert rest.settle(reading(row(NINE)), thrown).change is Change.NOTHING


def test_two_dice_that_fall_as_they_lay_are_a_roll_if_they_flew() -> None:
    for thrown, roll in ((True, 2), (False, None)):
        rest = Rest()
        rest.settle(reading(row(NINE[:2])), thrown=True)
        rest.clear()
        assert rest.settle(reading(row(NINE[:2])), thrown).roll == roll


def test_refused_roll_is_told_once_more_when_it_is_mended() -> None:
    rest = Rest()
    ten = row([*NINE, "KD"])
    assert rest.settle(reading(ten, Status.REFUSE), thrown=True).roll == 1
    assert rest.settle(reading(ten[:9]), thrown=False).roll == 1
    assert rest.settle(reading(ten[:9]), thrown=False).roll is None


def test_leaning_die_is_told_again_only_after_it_was_touched() -> None:
    rest = Rest()
    flat = row(NINE)
    leaning = (replace(flat[0], state=DieState.COCKED), *flat[1:])
    assert rest.settle(reading(leaning, Status.ASK), thrown=True).roll == 1
    assert rest.settle(reading(flat), thrown=False).roll is None
    put_right = (die("AS", 130, 80), *flat[1:])
    assert rest.settle(reading(put_right), thrown=False).roll == 1


def test_what_is_taken_for_dice_beside_a_whole_roll_is_no_roll() -> None:
    rest = Rest()
    first = row(NINE)
    rest.settle(reading(first), thrown=True)
    more = row(["KS", "KH", "KD", "KC"], 300)
    lying = rest.settle(reading((*first, *more), Status.REFUSE), thrown=True)
    assert (lying.change, lying.told) == (Change.NOTHING, False)
    # nor are they remembered: the same dice alone are still the same roll
    assert not rest.settle(reading(first), thrown=False).told


def test_dice_that_complete_a_refused_roll_are_told() -> None:
    rest = Rest()
    first = row(NINE)
    assert rest.settle(reading(first[:7], Status.REFUSE), thrown=True).roll == 1
    assert rest.settle(reading(first), thrown=True).told
