"""Dice that do not lie flat are told from dice seen at an angle."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tilted_rolls import SeenRoll, seen_roll

from scoring.cards import ALL_FACES
from vision.body import Body, mean_body, refined_quads
from vision.classes import TURNS
from vision.face_reading import Evidence
from vision.lie import lies_of
from vision.limits import SHIPPED
from vision.look import Look, shares_inside
from vision.picture_quality import DieLight
from vision.reading import DieState

SPREAD = 0.02
LIGHT = DieLight(40, 220, 0.05)


def evidence_of(roll: SeenRoll, bodies: bool = True) -> list[Evidence]:
    log_p = np.full((len(ALL_FACES), TURNS), np.log(1e-4))
    pieces = []
    for quad, foot in zip(roll.quads, roll.feet, strict=True):
        body = Body(quad, foot, SPREAD, SPREAD, 0.01, 0.01, 0.01) if bodies else None
        pieces.append(Evidence(quad, 0.9, log_p, -9.0, Look(LIGHT, 1.0, body)))
    return pieces


def states(pieces: list[Evidence]) -> list[DieState]:
    return [lie.state for lie in lies_of(pieces)]


def changed(piece: Evidence, **values: Any) -> Evidence:
    assert piece.look is not None
    assert piece.look.body is not None
    look = replace(piece.look, body=replace(piece.look.body, **values))
    return replace(piece, look=look)


@pytest.mark.parametrize("bodies", [True, False])
@pytest.mark.parametrize("tilt", [0, 15, 30, 45])
def test_flat_dice_are_not_suspected(tilt: int, bodies: bool) -> None:
    for seed in range(8):
        roll = seen_roll(tilt, seed=seed, error=SPREAD)
        assert set(states(evidence_of(roll, bodies))) == {DieState.FLAT}


@pytest.mark.parametrize("tilt", [0, 15, 30])
def test_leaning_die_is_told_by_its_foot(tilt: int) -> None:
    for seed in range(8):
        roll = seen_roll(tilt, {3: 30}, seed, error=SPREAD)
        told = states(evidence_of(roll))
        assert [k for k in range(9) if told[k] is DieState.COCKED] == [3]


def test_without_bodies_only_strong_leans_are_told() -> None:
    strong = [
        states(evidence_of(seen_roll(10, {3: 60}, seed, SPREAD), bodies=False))
        for seed in range(20)
    ]
    found = [told[3] is DieState.COCKED for told in strong]
    assert sum(found) > 12
    assert all(told.count(DieState.FLAT) >= 8 for told in strong)


def test_die_seen_badly_is_not_called_leaning() -> None:
    pieces = evidence_of(seen_roll(20, {3: 25}))
    assert states(pieces)[3] is DieState.COCKED
    pieces[3] = changed(pieces[3], foot_spread=0.4)
    assert states(pieces)[3] is DieState.FLAT


def test_what_the_body_says_is_told() -> None:
    pieces = evidence_of(seen_roll(20))
    pieces[1] = changed(pieces[1], stacked=0.999)
    pieces[2] = changed(pieces[2], covered=0.999)
    told = states(pieces)
    assert (told[1], told[2]) == (DieState.STACKED, DieState.HIDDEN_PART)
    assert told.count(DieState.FLAT) == 7


def test_face_cut_by_the_border_is_told_without_bodies_too() -> None:
    pieces = evidence_of(seen_roll(20), bodies=False)
    pieces[5] = replace(pieces[5], look=Look(LIGHT, SHIPPED.least_inside - 0.01))
    assert states(pieces)[5] is DieState.HIDDEN_PART


def test_few_dice_are_not_suspected_of_leaning() -> None:
    pieces = evidence_of(seen_roll(0, {1: 60}))[:3]
    assert states(pieces) == [DieState.FLAT] * 3
    assert lies_of([]) == ()


def test_share_inside_the_picture() -> None:
    square = np.array([[0, 0], [10, 0], [10, 10], [0, 10]], np.float64)
    quads = np.stack([square + 20, square + [95, 20], square + [200, 0]])
    assert shares_inside(quads, 100, 50) == pytest.approx([1, 0.5, 0], abs=0.1)
    assert len(shares_inside(np.zeros((0, 4, 2)), 10, 10)) == 0


def test_bodies_of_several_looks_are_averaged() -> None:
    piece = evidence_of(seen_roll(20))[0]
    assert piece.look is not None
    body = piece.look.body
    assert body is not None
    other = replace(body, foot=body.foot + 0.2, covered=0.51)
    both = mean_body([body, other])
    assert both is not None
    assert both.foot == pytest.approx(body.foot + 0.1)
    assert both.covered == pytest.approx(0.26)
    assert mean_body([body]) is body
    assert mean_body([body, None]) is None
    assert mean_body([]) is None


def test_dice_nearer_than_an_edge_lie_on_each_other() -> None:
    pieces = evidence_of(seen_roll(20))
    first, other = pieces[2].quad, pieces[7].quad
    side = np.linalg.norm(first[0] - first[1])
    moved = other - other.mean(axis=0) + first.mean(axis=0) + [0.45 * side, 0]
    assert pieces[7].look is not None
    assert pieces[7].look.body is not None
    body = replace(pieces[7].look.body, quad=moved, covered=0.3)
    pieces[7] = replace(pieces[7], quad=moved, look=replace(pieces[7].look, body=body))
    told = states(pieces)
    assert (told[2], told[7]) == (DieState.STACKED, DieState.HIDDEN_PART)


def test_dice_that_touch_lie_side_by_side() -> None:
    square = np.array([[-20, -20], [20, -20], [20, 20], [-20, 20]], np.float64)
    places = [(100 + 40 * (k % 3), 100 + 40 * (k // 3)) for k in range(9)]
    quads = np.array([square + place for place in places])
    roll = SeenRoll(quads, np.zeros((9, 2)))
    assert set(states(evidence_of(roll))) == {DieState.FLAT}


def test_refined_quads_are_half_way() -> None:
    quads = np.array([[[0, 0], [10, 0], [10, 10], [0, 10]]], np.float64)
    body = Body(quads[0] + [2, -4], np.zeros(2), 0.03, 0.1, 0.0, 0.0, 0.0)
    assert refined_quads(quads, (body,)) == pytest.approx(quads + [1, -2])
    assert refined_quads(quads, ()) is quads
