"""Dice of which single frames say different things are asked about."""

from __future__ import annotations

import numpy as np

from scoring.cards import ALL_FACES, parse_face
from scoring.dice_sets import bundled_dice_set
from vision.classes import TURNS
from vision.face_reading import FACES, Evidence
from vision.reading import Alternative, DieReading, ProblemCode, Reading, Status
from vision.steady import ask_about, wavering_dice

CARDS = bundled_dice_set("square-shooters")


def seen(x: float, p: dict[str, float], none: float = 0.01) -> Evidence:
    table = np.full((FACES, TURNS), 1e-6)
    for code, share in p.items():
        table[ALL_FACES.index(parse_face(code)), 1] = share
    table *= (1 - none) / table.sum()
    quad = np.array([(x, 10.0), (x + 20, 10), (x + 20, 30), (x, 30)])
    return Evidence(quad, 0.9, np.log(table), float(np.log(none)))


def sure(*codes: str, x: float = 0.0) -> Reading:
    quads = [
        (
            (x + 50.0 * k, 10.0),
            (x + 50 * k + 20, 10.0),
            (x + 50 * k + 20, 30.0),
            (x + 50 * k, 30.0),
        )
        for k in range(len(codes))
    ]
    dice = tuple(
        DieReading(parse_face(code), 0.99, quad, (Alternative(parse_face("KS"), 0.01),))
        for code, quad in zip(codes, quads, strict=True)
    )
    return Reading("square-shooters", Status.SURE, 0.99, dice, (), "test")


STEADY, ONCE, TWICE = {"3C": 0.99}, {"3C": 0.9, "8C": 0.1}, {"8C": 0.9, "3C": 0.1}


def test_looks_that_agree_waver_not() -> None:
    looks = [(seen(0, STEADY),), (seen(0, ONCE),), (seen(0, STEADY),)]
    assert wavering_dice(looks, CARDS) == ()
    assert wavering_dice([], CARDS) == ()
    assert wavering_dice(looks[:1], CARDS) == ()


def test_doubt_alone_is_no_wavering() -> None:
    looks = [(seen(0, STEADY),), (seen(0, {"3C": 0.4, "8C": 0.45, "6C": 0.15}),)]
    assert wavering_dice(looks, CARDS) == ()


def test_die_that_is_no_face_in_one_look_wavers_not() -> None:
    looks = [(seen(0, STEADY),), (seen(0, {"8C": 1.0}, none=0.9),)]
    assert wavering_dice(looks, CARDS) == ()


def test_convinced_looks_that_disagree_waver() -> None:
    looks = [(seen(0, ONCE), seen(50, STEADY)), (seen(1, TWICE), seen(50, STEADY))]
    (one,) = wavering_dice([*looks, looks[0]], CARDS)
    assert [face.code for face, _ in one.faces] == ["3C", "8C"]


def test_wavering_die_is_asked_with_what_it_looked_like_first() -> None:
    looks = [(seen(0, ONCE), seen(50, STEADY)), (seen(1, TWICE), seen(50, STEADY))]
    reading = ask_about(sure("3C", "4C"), wavering_dice(looks, CARDS))
    assert reading.status is Status.ASK
    (problem,) = reading.problems
    assert (problem.code, problem.dice) == (ProblemCode.UNSTEADY_DIE, (0,))
    assert "3C and 8C" in problem.sentence
    assert [a.face.code for a in reading.dice[0].alternatives] == ["8C", "KS"]
    assert reading.dice[1] == sure("3C", "4C").dice[1]


def test_what_is_no_die_of_the_reading_is_not_asked_about() -> None:
    looks = [(seen(400, ONCE),), (seen(400, TWICE),)]
    wavering = wavering_dice(looks, CARDS)
    assert len(wavering) == 1
    assert ask_about(sure("3C"), wavering) == sure("3C")
