"""Dice that lie where they lay are no new roll."""

from __future__ import annotations

import math

import pytest

from scoring.cards import parse_face
from vision.reading import DieReading, Quad
from vision.unmoved import Change, change_of


def die(
    x: float, y: float, angle_deg: float = 0, code: str = "AS", side: float = 40
) -> DieReading:
    reach = side / math.sqrt(2)
    a, b, c, d = (
        (x + reach * math.cos(turn), y + reach * math.sin(turn))
        for turn in (math.radians(angle_deg + 45 + 90 * k) for k in range(4))
    )
    quad: Quad = (a, b, c, d)
    return DieReading(parse_face(code), 0.99, quad)


ROW = tuple(die(100 * k, 50, 13 * k) for k in range(1, 6))


def test_first_dice_are_rolled() -> None:
    assert change_of((), ROW) is Change.ROLLED


def test_same_dice_in_any_order_are_nothing_new() -> None:
    assert change_of(ROW, ROW[::-1]) is Change.NOTHING


def test_another_reading_of_a_die_in_its_place_is_nothing_new() -> None:
    again = (die(100, 50, 13, "KH"), *ROW[1:])
    assert change_of(ROW, again) is Change.NOTHING


@pytest.mark.parametrize("gone", range(5))
def test_fewer_dice_in_their_places_were_picked_up(gone: int) -> None:
    left = ROW[:gone] + ROW[gone + 1 :]
    assert change_of(ROW, left) is Change.PICKED_UP


FIVE = tuple(
    die(100 * k, 50, 13 * k, code)
    for k, code in enumerate(["AS", "2S", "3S", "4S", "5S"])
)


def test_kept_dice_pushed_aside_are_no_roll() -> None:
    aside = (die(700, 300, 5, "4S"), die(760, 300, 5, "2S"))
    assert change_of(FIVE, aside) is Change.PICKED_UP


def test_fewer_dice_with_new_faces_are_rolled() -> None:
    thrown = (die(700, 300, 5, "4S"), die(760, 300, 5, "KH"))
    assert change_of(FIVE, thrown) is Change.ROLLED
    twice = (die(700, 300, 5, "4S"), die(760, 300, 5, "4S"))
    assert change_of(FIVE, twice) is Change.ROLLED


def test_all_dice_thrown_again_are_rolled_even_if_they_show_the_same() -> None:
    again = tuple(
        die(90 * k, 400, 5, d.face.code) for k, d in enumerate(FIVE) if d.face
    )
    assert change_of(FIVE, again) is Change.ROLLED


def test_more_dice_are_rolled() -> None:
    assert change_of(ROW[:4], ROW) is Change.ROLLED


@pytest.mark.parametrize(
    ("off", "change"),
    [
        (0, Change.NOTHING),
        (10, Change.NOTHING),
        (18, Change.ROLLED),
        (40, Change.ROLLED),
    ],
)
def test_die_that_moved_was_rolled(off: float, change: Change) -> None:
    assert change_of(ROW, (die(100 + off, 50, 13), *ROW[1:])) is change


@pytest.mark.parametrize(
    ("turn", "change"),
    [
        (10, Change.NOTHING),
        (40, Change.ROLLED),
        (90, Change.NOTHING),
        (265, Change.NOTHING),
    ],
)
def test_die_that_turned_on_its_place_was_rolled(turn: float, change: Change) -> None:
    # the corner that comes first may differ: quarters do not count
    assert change_of(ROW, (die(100, 50, 13 + turn), *ROW[1:])) is change


def test_two_dice_do_not_share_a_place() -> None:
    assert change_of(ROW[:2], (ROW[0], die(103, 52, 13))) is Change.ROLLED
