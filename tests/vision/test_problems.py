"""Every problem has its code, its dice and a sentence that says what to do."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from painted_dice import NINE
from tilted_rolls import seen_roll

from scoring.cards import ALL_FACES, parse_face
from scoring.dice_sets import bundled_dice_set
from vision.body import Body
from vision.classes import TURNS
from vision.face_reading import Evidence
from vision.limits import SHIPPED, Limits
from vision.look import Look
from vision.picture_quality import DieLight, PictureLight
from vision.problems import size_problems
from vision.reading import DieState, ProblemCode, Reading, Status
from vision.verdict import judge

if TYPE_CHECKING:
    from collections.abc import Sequence

CARD_DICE = bundled_dice_set("square-shooters")
GOOD = DieLight(40, 220, 0.06)
LIMITS = Limits(
    least_bright=50,
    least_picture=40,
    most_dark=200,
    least_contrast=40,
    most_picture=235,
    most_edge=0.2,
    most_edge_px=4,
)


def nine(codes: str = NINE, light: DieLight = GOOD) -> list[Evidence]:
    """Clear dice seen at an angle; a tenth lies beside them."""
    roll, pieces = seen_roll(20), []
    names = codes.split()
    quads = list(roll.quads)
    quads.append(quads[0] + (quads[1] - quads[0]).mean(axis=0) * 0.5)
    feet = [*roll.feet, roll.feet[0]]
    for name, quad, foot in zip(names, quads, feet, strict=False):
        p = np.full((len(ALL_FACES), TURNS), 1e-9)
        p[ALL_FACES.index(parse_face(name)), 0] = 1
        body = Body(quad, foot, 0.01, 0.02, 0.01, 0.01, 0.01)
        look = Look(light, 1.0, body)
        pieces.append(Evidence(quad, 0.9, np.log(p / p.sum()), np.log(1e-4), look))
    return pieces


def told(pieces: Sequence[Evidence], light: PictureLight | None = None) -> Reading:
    return judge(tuple(pieces), CARD_DICE, "m", LIMITS, light)


def codes(reading: Reading) -> set[ProblemCode]:
    return {problem.code for problem in reading.problems}


def with_body(piece: Evidence, **values: object) -> Evidence:
    assert piece.look is not None
    assert piece.look.body is not None
    body = replace(piece.look.body, **values)  # type: ignore[arg-type]  # any field
    return replace(piece, look=replace(piece.look, body=body))


def test_nine_good_dice_have_no_problem() -> None:
    reading = told(nine(), PictureLight(20, 180))
    assert (reading.status, reading.problems) == (Status.SURE, ())


@pytest.mark.parametrize(
    ("values", "code", "state"),
    [
        ({"foot": np.array([0.9, 0.1])}, ProblemCode.COCKED_DIE, DieState.COCKED),
        ({"stacked": 0.999}, ProblemCode.STACKED_DIE, DieState.STACKED),
        ({"covered": 0.999}, ProblemCode.HIDDEN_DIE, DieState.HIDDEN_PART),
    ],
)
def test_die_that_does_not_lie_flat_and_free_is_asked_about(
    values: dict[str, object], code: ProblemCode, state: DieState
) -> None:
    pieces = nine()
    pieces[4] = with_body(pieces[4], **values)
    reading = told(pieces)
    assert reading.status is Status.ASK
    (problem,) = reading.problems
    assert problem.code is code
    (place,) = problem.dice
    assert reading.dice[place].state is state
    assert reading.dice[place].face == parse_face(NINE.split()[4])
    assert problem.sentence.startswith("One die")


def test_face_without_a_die_is_doubtful() -> None:
    pieces = nine()
    pieces[2] = with_body(pieces[2], printed=0.999)
    reading = told(pieces)
    assert reading.status is Status.ASK
    assert codes(reading) == {ProblemCode.DOUBTFUL_DIE}


@pytest.mark.parametrize(
    "values",
    [
        pytest.param({"foot": np.array([0.9, 0.4])}, id="side of a die"),
        pytest.param({"printed": 0.999}, id="print on a card"),
    ],
)
def test_tenth_sighting_that_is_no_top_does_not_count(
    values: dict[str, object],
) -> None:
    ten = nine(NINE + " JH")
    assert told(ten).status is Status.REFUSE
    ten[9] = with_body(ten[9], **values)
    reading = told(ten)
    assert reading.status is Status.SURE
    assert parse_face("JH") not in {die.face for die in reading.dice}


def test_tenth_die_that_leans_a_little_still_counts() -> None:
    ten = nine(NINE + " JH")
    assert ten[9].look is not None
    assert ten[9].look.body is not None
    ten[9] = with_body(ten[9], foot=ten[9].look.body.foot + [0.4, 0.0])
    reading = told(ten)
    assert reading.status is Status.REFUSE
    assert {ProblemCode.TOO_MANY_DICE, ProblemCode.COCKED_DIE} <= codes(reading)


@pytest.mark.parametrize(
    ("light", "code", "advice"),
    [
        (DieLight(10, 40, 0.06), ProblemCode.TOO_DARK, "light the table"),
        (DieLight(230, 255, 0.06), ProblemCode.OVEREXPOSED, "lamp"),
        (DieLight(40, 220, 0.4), ProblemCode.BLURRED, "focus"),
    ],
)
def test_bad_light_is_told_with_what_to_do(
    light: DieLight, code: ProblemCode, advice: str
) -> None:
    reading = told(nine(light=light))
    assert reading.status is Status.ASK
    assert codes(reading) == {code}
    assert advice in reading.problems[0].sentence


def test_one_soft_die_of_nine_is_no_blurred_picture() -> None:
    pieces = nine()
    pieces[0] = replace(pieces[0], look=Look(DieLight(40, 220, 0.4)))
    assert ProblemCode.BLURRED not in codes(told(pieces))


def test_dark_or_white_picture_without_dice_says_so() -> None:
    dark, white = PictureLight(2, 20), PictureLight(245, 255)
    assert codes(told((), dark)) == {ProblemCode.NO_DICE, ProblemCode.TOO_DARK}
    assert codes(told((), white)) == {ProblemCode.NO_DICE, ProblemCode.OVEREXPOSED}
    assert codes(told((), PictureLight(30, 200))) == {ProblemCode.NO_DICE}
    # a dark table is none of our business while the dice are bright
    assert told(nine(), dark).status is Status.SURE


@pytest.mark.parametrize(
    ("side", "words"),
    [(10, "about 25 % of its distance"), (19, "about 45 % of its distance")],
)
def test_small_dice_say_how_near_the_camera_should_come(side: int, words: str) -> None:
    (problem,) = size_problems([float(side)] * 9, SHIPPED)
    assert problem.code is ProblemCode.DICE_TOO_SMALL
    assert problem.dice == tuple(range(9))
    assert words in problem.sentence
    assert size_problems([SHIPPED.smallest_px], SHIPPED) == []
    assert size_problems([], SHIPPED) == []


def test_one_small_die_among_large_ones_moves_no_camera() -> None:
    (problem,) = size_problems([15.0, *[60.0] * 8], SHIPPED)
    assert problem.dice == (0,)
    assert "camera" not in problem.sentence


def test_speck_gives_no_absurd_advice() -> None:
    (problem,) = size_problems([0.5] * 9, SHIPPED)
    assert "%" not in problem.sentence


def test_temperature_takes_confidence_back() -> None:
    pieces = nine()
    index = ALL_FACES.index(parse_face(NINE.split()[0]))
    p = np.exp(pieces[0].log_p)
    p[ALL_FACES.index(parse_face("JH")), 0] = 0.004
    pieces[0] = replace(pieces[0], log_p=np.log(p / (p.sum() + 1e-4)))
    cool = judge(tuple(pieces), CARD_DICE, "m", SHIPPED)
    warm = judge(tuple(pieces), CARD_DICE, "m", replace(SHIPPED, temperature=2.0))
    assert cool.status is Status.SURE
    assert warm.status is Status.ASK
    assert warm.confidence < cool.confidence
    assert [d.face for d in warm.dice] == [d.face for d in cool.dice]
    assert ALL_FACES[index] in [d.face for d in warm.dice]
