"""Placing the dice of a re-roll."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from table_makers import FIRST, SECOND, quads, reading

from scoring.cards import parse_face
from vision.reading import Status
from web_ui.shown import Shown, Use, lay_out

if TYPE_CHECKING:
    from scoring.cards import Face


def faces(codes: str) -> tuple[Face | None, ...]:
    return tuple(parse_face(code) for code in codes.split())


def test_first_roll_lies_in_reading_order() -> None:
    assert lay_out(faces(FIRST), {}, 9) == tuple(range(9))


def test_kept_dice_stay_at_their_places_wherever_the_camera_sees_them() -> None:
    seen = "AS 3D TD 2H 8H TC KS 9C TH"
    kept = {0: parse_face("TC"), 1: parse_face("TD"), 7: parse_face("9C")}
    order = lay_out(faces(seen), kept, 9)
    placed = [seen.split()[place] for place in order]
    assert placed == ["TC", "TD", "AS", "3D", "2H", "8H", "KS", "9C", "TH"]


@pytest.mark.parametrize(
    "seen", [SECOND.replace("TC", "4C"), "TC TD AS 3D 2H 8H KS 9C"]
)
def test_order_is_left_alone_when_a_kept_die_or_any_die_is_missing(seen: str) -> None:
    kept = {3: parse_face("TC")}
    order = lay_out(faces(seen), kept, 9)
    assert order == tuple(range(len(seen.split())))


def shown(doubtful: tuple[int, ...], status: Status = Status.ASK) -> Shown:
    made = reading(FIRST, status=status, doubtful=doubtful)
    order = (8, 7, 6, 5, 4, 3, 2, 1, 0)
    return Shown(1, made, 1280, 720, order, (None,) * 9, Use.WAITING)


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
