"""Placing the dice of a re-roll."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from table_makers import FIRST, SECOND, quads, reading

from scoring.cards import parse_face
from scoring.dice_sets import DiceSet, bundled_dice_set
from vision.reading import Status
from web_ui.table.needs import Need, lay_out
from web_ui.table.shown import Shown, Use

if TYPE_CHECKING:
    from scoring.cards import Face

DICE = bundled_dice_set("square-shooters")


def laid_out(codes: str, kept: dict[int, Face]) -> tuple[int, ...]:
    dice = reading(codes, 1).dice
    return lay_out(faces(codes), dice, Need(DICE, kept))


def faces(codes: str) -> tuple[Face | None, ...]:
    return tuple(parse_face(code) for code in codes.split())


def test_first_roll_lies_in_reading_order() -> None:
    assert laid_out(FIRST, {}) == tuple(range(9))


def test_kept_dice_stay_at_their_places_wherever_the_camera_sees_them() -> None:
    seen = "AS 3D TD 2H 8H TC KS 9C TH"
    kept = {0: parse_face("TC"), 1: parse_face("TD"), 7: parse_face("9C")}
    order = laid_out(seen, kept)
    placed = [seen.split()[place] for place in order]
    assert placed == ["TC", "TD", "AS", "3D", "2H", "8H", "KS", "9C", "TH"]


@pytest.mark.parametrize(
    "seen", [SECOND.replace("TC", "4C"), "TC TD AS 3D 2H 8H KS 9C"]
)
def test_order_is_left_alone_when_a_kept_die_or_any_die_is_missing(seen: str) -> None:
    kept = {3: parse_face("TC")}
    order = laid_out(seen, kept)
    assert order == tuple(range(len(seen.split())))


def shown(doubtful: tuple[int, ...], status: Status = Status.ASK) -> Shown:
    made = reading(FIRST, status=status, doubtful=doubtful)
    order = (8, 7, 6, 5, 4, 3, 2, 1, 0)
    return Shown(1, made, "", 1280, 720, order, (None,) * 9, Use.WAITING)


def test_doubtful_dice_are_told_by_place_until_answered() -> None:
    asked = shown((0, 3))
    assert asked.doubtful == (5, 8)
    assert [face.code for face in asked.faces if face][:2] == ["3H", "9C"]


def test_sure_reading_doubts_nothing() -> None:
    assert shown((), Status.SURE).doubtful == ()


def test_quads_of_the_makers_do_not_overlap() -> None:
    corners = [quad[0] for quad in quads(9, 3)]
    for place, (x, y) in enumerate(corners):
        for other_x, other_y in corners[:place]:
            assert abs(x - other_x) >= 90 or abs(y - other_y) >= 90


def test_dice_of_two_people_are_placed_from_left_to_right() -> None:
    two = DiceSet("two", DICE.faces, 2)
    dice = reading("KH 4C", 1).dice
    need = Need(two, {}, ("Ann", "Bob"))
    left = 0 if dice[0].quad[0][0] < dice[1].quad[0][0] else 1
    assert lay_out(faces("KH 4C"), dice, need) == (left, 1 - left)


def test_alike_poker_dice_are_kept_by_their_place_if_it_shows_the_face() -> None:
    poker = bundled_dice_set("poker-dice")
    codes = "9 A 9 K Q"
    dice = reading("9C AC 9D KC QC", 1).dice
    need = Need(poker, {2: parse_face("9")})
    assert lay_out(faces(codes), dice, need) == (0, 1, 2, 3, 4)
