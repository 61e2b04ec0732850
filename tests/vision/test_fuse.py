"""Looks at resting dice add up, die by die."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.body import Body
from vision.classes import TURNS
from vision.face_reading import FACES, Evidence
from vision.fuse import fuse
from vision.look import Look
from vision.picture_quality import DieLight


def piece(x: float, p: dict[tuple[int, int], float], first_corner: int = 0) -> Evidence:
    """A die at x whose quad is listed from another corner, its turns with it."""
    table = np.full((FACES, TURNS), 1e-6)
    for (face, turn), share in p.items():
        table[face, turn] = share
    table /= table.sum() * 1.01
    quad = np.array([(x, 10.0), (x + 20, 10), (x + 20, 30), (x, 30)])
    turned = np.roll(np.log(table), -first_corner, axis=1)
    return Evidence(
        np.roll(quad, -first_corner, axis=0), 0.8, turned, float(np.log(1 - 1 / 1.01))
    )


def test_one_frame_is_kept_as_it_is() -> None:
    evidence = (piece(0, {(3, 1): 1.0}),)
    assert fuse([evidence]) is evidence


def test_agreeing_looks_make_surer_but_not_as_sure_as_different_dice_would() -> None:
    one = (piece(0, {(3, 1): 0.9, (4, 1): 0.1}),)
    (both,) = fuse([one] * 5)
    odds_once = one[0].log_p[3, 1] - one[0].log_p[4, 1]
    odds = both.log_p[3, 1] - both.log_p[4, 1]
    assert odds_once < odds < 5 * odds_once
    whole = np.exp(both.log_p).sum() + np.exp(both.log_none)
    assert whole == pytest.approx(1)


def test_one_misreading_is_outvoted() -> None:
    right, wrong = (
        piece(0, {(3, 1): 0.9, (4, 1): 0.1}),
        piece(1, {(4, 1): 0.9, (3, 1): 0.1}),
    )
    (both,) = fuse([(right,), (wrong,), (right,)])
    assert int(both.log_p.argmax()) == 3 * TURNS + 1


@pytest.mark.parametrize("corner", range(TURNS))
def test_first_corner_of_a_quad_does_not_matter(corner: int) -> None:
    first = piece(0, {(3, 1): 0.9})
    other = piece(0.5, {(3, 1): 0.9}, first_corner=corner)
    (both,) = fuse([(first,), (other,)])
    assert np.exp(both.log_p[3, 1]) > 0.9
    assert both.quad == pytest.approx(first.quad + [0.25, 0])


def test_dice_are_followed_whatever_their_order() -> None:
    a, b = piece(0, {(3, 1): 0.9}), piece(40, {(5, 2): 0.9})
    both = fuse([(a, b), (b, a), (a, b)])
    assert [int(e.log_p.argmax()) for e in both] == [3 * TURNS + 1, 5 * TURNS + 2]


def test_sighting_of_one_frame_in_three_is_dropped() -> None:
    a, ghost = piece(0, {(3, 1): 0.9}), piece(300, {(5, 2): 0.9})
    assert len(fuse([(a,), (a, ghost), (a,)])) == 1


def test_die_missed_once_in_three_is_kept() -> None:
    a, b = piece(0, {(3, 1): 0.9}), piece(60, {(5, 2): 0.9})
    assert len(fuse([(a, b), (a,), (a, b)])) == 2


def test_nothing_seen_stays_nothing() -> None:
    assert fuse([(), (), ()]) == ()


def lying(foot: float, covered: float) -> Evidence:
    die = piece(0, {(3, 1): 1.0})
    body = Body(die.quad, np.array([foot, 0.0]), 0.03, 0.1, covered, 0.0, 0.0)
    return replace(die, look=Look(DieLight(20.0, 200.0, 0.05), body=body))


def test_how_a_die_lies_is_the_mean_of_all_looks() -> None:
    (both,) = fuse([(lying(0.1, 0.2),), (lying(0.5, 0.6),)])
    assert both.look is not None
    assert both.look.body is not None
    assert both.look.body.foot == pytest.approx([0.3, 0.0])
    assert both.look.body.covered == pytest.approx(0.4)


def test_a_look_without_a_body_leaves_the_last_one() -> None:
    nobody = piece(0, {(3, 1): 1.0})
    (last,) = fuse([(nobody,), (lying(0.5, 0.6),)])
    assert last.look is not None
    assert last.look.body is not None
    assert last.look.body.covered == 0.6
    assert fuse([(lying(0.5, 0.6),), (nobody,)])[0].look is None
