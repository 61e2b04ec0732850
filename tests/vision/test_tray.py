"""The tray: what may be one, which dice lie in it, and what is said of the others."""

from __future__ import annotations

import itertools
import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from painted_dice import NINE

from scoring.cards import ALL_FACES, parse_face
from scoring.dice_sets import bundled_dice_set
from vision.classes import TURNS
from vision.face_reading import FACES, Evidence
from vision.reading import ProblemCode, Reading, Status
from vision.reading_json import reading_record
from vision.tray import (
    Place,
    Tray,
    TrayError,
    TrayOrigin,
    parse_tray,
    tray_of,
    tray_record,
)
from vision.tray_roll import judge_in_tray, judge_roll
from vision.verdict import judge

if TYPE_CHECKING:
    from numpy.typing import NDArray

CARD_DICE = bundled_dice_set("square-shooters")
CORNERS = ((100.0, 80.0), (540.0, 90.0), (520.0, 300.0), (90.0, 310.0))
TRAY = tray_of(CORNERS, 640, 360)


def square(x: float, y: float, side: float = 30.0) -> NDArray[np.float64]:
    h = side / 2
    return np.array([(x - h, y - h), (x + h, y - h), (x + h, y + h), (x - h, y + h)])


def die(code: str, x: float, y: float, score: float = 0.9) -> Evidence:
    """A die that shows a face; `-` is something without a face."""
    none = 0.999 if code == "-" else 0.0001
    p = np.full((FACES, TURNS), 1e-9)
    p[ALL_FACES.index(parse_face("AS" if code == "-" else code)), 0] = 1.0
    p *= (1 - none) / p.sum()
    return Evidence(square(x, y), score, np.log(p), float(np.log(none)))


def nine(out: dict[str, tuple[float, float]] | None = None) -> tuple[Evidence, ...]:
    """Nine dice in a row in the tray, some of them elsewhere."""
    places = {code: (130.0 + 42 * k, 200.0) for k, code in enumerate(NINE.split())}
    places |= out or {}
    return tuple(die(code, x, y) for code, (x, y) in places.items())


def decide(evidence: tuple[Evidence, ...]) -> Reading:
    return judge_in_tray(evidence, TRAY, lambda part: judge(part, CARD_DICE, "m"))


def codes(reading: Reading) -> set[ProblemCode]:
    return {problem.code for problem in reading.problems}


@pytest.mark.parametrize("order", list(itertools.permutations(range(4)))[::5])
def test_corners_may_come_in_any_order(order: tuple[int, ...]) -> None:
    assert tray_of([CORNERS[k] for k in order], 640, 360) == TRAY


def test_tray_is_the_same_after_its_json() -> None:
    found = tray_of(CORNERS, 640, 360, TrayOrigin.SHEET)
    again = parse_tray(json.loads(json.dumps(tray_record(found))))
    assert again == found


def test_json_counts_from_the_outer_corner_of_the_first_pixel() -> None:
    assert tray_record(TRAY)["quad"][0] == [100.5, 80.5]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        pytest.param({"quad": []}, "4 corners, not 0", id="no-corners"),
        pytest.param({"quad": [[0, 0]] * 5}, "not 5", id="five"),
        pytest.param({"quad": "all"}, "list of corners", id="text"),
        pytest.param({"quad": [[0, 0], [9, 0], [9, 9], [0]]}, "two numbers", id="one"),
        pytest.param(
            {"quad": [[0, 0], [9, 0], [9, 9], [True, 9]]}, "two numbers", id="bool"
        ),
        pytest.param(
            {"quad": [[0, 0], [9, 0], [9, 9], [float("nan"), 9]]},
            "two numbers",
            id="nan",
        ),
        pytest.param(
            {"quad": [[0, 0], [9, 0], [9, 9], [1e300, 9]]}, "two numbers", id="huge"
        ),
        pytest.param(
            {"quad": [[0, 0], [640, 0], [640, 360], [-900, 360]]},
            "far off",
            id="far",
        ),
        pytest.param(
            {"quad": [[0, 0], [600, 0], [300, 20], [300, 300]]}, "convex", id="dent"
        ),
        pytest.param({"quad": [[5, 5]] * 4}, "convex", id="one-point"),
        pytest.param(
            {"quad": [[0, 0], [9, 0], [9, 9], [0, 9]]}, "at least 1 %", id="small"
        ),
        pytest.param({"width_px": 0}, "width_px must be 16", id="no-width"),
        pytest.param({"width_px": 10**9}, "width_px must be", id="wide"),
        pytest.param({"height_px": 360.5}, "whole numbers", id="half"),
        pytest.param({"height_px": None}, "whole numbers", id="none"),
        pytest.param({"origin": "guess"}, "origin must be", id="origin"),
        pytest.param({"format": "tableside-tray/9"}, "format", id="format"),
    ],
)
def test_what_is_no_tray_is_refused(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(TrayError, match=said):
        parse_tray(tray_record(TRAY) | changes)


@pytest.mark.parametrize("name", ["quad", "width_px", "height_px"])
def test_missing_field_is_named(name: str) -> None:
    record = tray_record(TRAY)
    del record[name]
    with pytest.raises(TrayError, match=name):
        parse_tray(record)


def test_tray_fits_pictures_of_another_size() -> None:
    twice = TRAY.fitted(1280, 720)
    assert twice.quad[0] == pytest.approx((200.5, 160.5))
    back = np.array(twice.fitted(640, 360).quad)
    assert back == pytest.approx(np.array(TRAY.quad))
    with pytest.raises(TrayError, match="shape"):
        TRAY.fitted(640, 480)


def test_tray_moves_with_the_picture() -> None:
    motion = np.array([[1.0, 0, 12], [0, 1, -7], [0, 0, 1]])
    assert TRAY.moved(motion).quad[0] == pytest.approx((112.0, 73.0))
    motion[0, 2] = 5000
    with pytest.raises(TrayError):
        TRAY.moved(motion)


@pytest.mark.parametrize(
    ("x", "y", "place"),
    [
        pytest.param(300, 200, Place.INSIDE, id="middle"),
        pytest.param(300, 105, Place.INSIDE, id="beside-the-edge"),
        pytest.param(300, 98, Place.INSIDE, id="a-little-over"),
        pytest.param(300, 88, Place.OVER_EDGE, id="half-over"),
        pytest.param(300, 80, Place.OUTSIDE, id="centre-out"),
        pytest.param(20, 20, Place.OUTSIDE, id="far-out"),
    ],
)
def test_centre_of_a_die_decides_where_it_lies(x: int, y: int, place: Place) -> None:
    assert TRAY.place_of(square(x, y)) is place


def test_roll_inside_the_tray_is_sure() -> None:
    reading = decide(nine())
    assert reading.status is Status.SURE
    assert reading.outside == ()


@pytest.mark.parametrize("where", [(30.0, 40.0), (600.0, 340.0), (300.0, 340.0)])
def test_die_outside_does_not_count_and_is_named(where: tuple[float, float]) -> None:
    reading = decide(nine({"5S": where}))
    assert reading.status is Status.REFUSE
    assert codes(reading) == {ProblemCode.TOO_FEW_DICE, ProblemCode.DIE_OUTSIDE_TRAY}
    assert len(reading.dice) == 8
    assert [die.face.code for die in reading.outside if die.face] == ["5S"]
    assert "5S" in reading.problems[-1].sentence
    record = reading_record(reading, "a.jpg", 1.0)
    assert [die["face"] for die in record["outside"]] == ["5S"]


def test_all_dice_outside_are_no_roll() -> None:
    out = {code: (30.0, 20.0 + 38 * k) for k, code in enumerate(NINE.split())}
    reading = decide(nine(out))
    assert reading.status is Status.REFUSE
    assert ProblemCode.NO_DICE in codes(reading)
    assert len(reading.outside) == 9


def test_tenth_die_outside_makes_a_whole_roll_a_question() -> None:
    reading = decide((*nine(), die("QH", 600, 340)))
    assert reading.status is Status.ASK
    assert codes(reading) == {ProblemCode.DIE_OUTSIDE_TRAY}
    assert len(reading.dice) == 9


@pytest.mark.parametrize("beside", [die("-", 600, 340), die("QH", 600, 340, 0.4)])
def test_what_is_hardly_a_die_outside_leaves_a_whole_roll_sure(
    beside: Evidence,
) -> None:
    assert decide((*nine(), beside)).status is Status.SURE


def test_faint_die_outside_is_told_while_one_is_missing() -> None:
    reading = decide((*nine()[:8], die("TS", 600, 340, 0.4)))
    assert ProblemCode.DIE_OUTSIDE_TRAY in codes(reading)


def test_die_over_the_edge_is_asked_about() -> None:
    reading = decide(nine({"5S": (300.0, 88.0)}))
    assert reading.status is Status.ASK
    (problem,) = reading.problems
    assert problem.code is ProblemCode.DIE_OUTSIDE_TRAY
    named = [reading.dice[k].face for k in problem.dice]
    assert named == [parse_face("5S")]


def test_tray_of_another_picture_shape_is_asked_about() -> None:
    reading = judge_roll(
        nine(), TRAY, (640, 480), lambda part: judge(part, CARD_DICE, "m")
    )
    assert reading.status is Status.ASK
    assert codes(reading) == {ProblemCode.CAMERA_MOVED}


def test_corners_that_are_no_numbers_make_no_tray() -> None:
    quad = ((float("inf"), 0.0), (600.0, 0.0), (600.0, 300.0), (0.0, 300.0))
    with pytest.raises(TrayError, match="numbers"):
        Tray(quad, 640, 360)
