"""The plane of the tops is found, and dice that do not lie in it stand out."""

from __future__ import annotations

import numpy as np
import pytest
from tilted_rolls import SeenRoll, seen_roll

from vision.plane import LEAST_DICE, PlaneFit, fit_plane


def fitted(roll: SeenRoll, error: float = 0.01) -> PlaneFit:
    count = len(roll.quads)
    spread = np.full(count, error)
    fit = fit_plane(roll.quads, spread, roll.feet, spread)
    assert fit is not None
    return fit


def off(fit: PlaneFit) -> list[float]:
    return [float(v) for v in np.linalg.norm(fit.foot, axis=1)]


@pytest.mark.parametrize("tilt", [0, 12, 30, 45])
@pytest.mark.parametrize("seed", range(4))
def test_flat_dice_fit_from_every_angle(tilt: int, seed: int) -> None:
    fit = fitted(seen_roll(tilt, seed=seed))
    assert max(off(fit)) < 0.03
    assert float(np.abs(fit.size).max()) < 0.01
    assert float(np.abs(fit.shape).max()) < 0.02


@pytest.mark.parametrize("tilt", [0, 20, 40])
@pytest.mark.parametrize("lean", [10, 20, 40])
@pytest.mark.parametrize("seed", range(4))
def test_foot_of_a_leaning_die_is_off_by_the_sine(
    tilt: int, lean: int, seed: int
) -> None:
    far = off(fitted(seen_roll(tilt, {3: lean}, seed)))
    # a lean along the line of sight is seen foreshortened
    least = 0.6 * np.sin(np.deg2rad(lean)) * np.cos(np.deg2rad(tilt))
    assert far[3] > least
    assert max(far[:3] + far[4:]) < 0.05 < far[3]


def test_two_leaning_dice_are_told_from_the_seven_others() -> None:
    for seed in range(6):
        far = off(fitted(seen_roll(25, {1: 25, 6: 35}, seed, error=0.01)))
        assert sorted(range(9), key=lambda k: -far[k])[:2] in ([1, 6], [6, 1])


def test_die_on_another_is_nearer_and_looks_larger() -> None:
    fit = fitted(seen_roll(20, raised={4: 1.0}))
    # 18 mm of 600: what is nearer by that looks larger by as much
    assert float(fit.size[4]) == pytest.approx(18 / 582, abs=0.012)
    assert int(np.argmax(fit.size)) == 4


def test_places_are_in_edges_of_a_die() -> None:
    square = np.array([[-20, -20], [20, -20], [20, 20], [-20, 20]], np.float64)
    quads = np.array([square + [100 * k, 40 * (k % 2)] for k in range(6)])
    fit = fit_plane(quads, np.full(6, 0.01))
    assert fit is not None
    apart = np.linalg.norm(fit.places[1:] - fit.places[:-1], axis=1)
    assert apart == pytest.approx(np.hypot(2.5, 1), rel=0.02)


def test_corners_may_begin_anywhere() -> None:
    roll = seen_roll(30, {2: 20}, error=0.01)
    rolled = SeenRoll(
        np.stack([np.roll(q, k, axis=0) for k, q in enumerate(roll.quads)]), roll.feet
    )
    assert off(fitted(rolled)) == pytest.approx(off(fitted(roll)), abs=1e-6)


def test_picture_of_another_size_gives_the_same() -> None:
    roll = seen_roll(30, {2: 20}, error=0.01)
    larger = SeenRoll(roll.quads * 3.1 + 400, roll.feet)
    assert off(fitted(larger)) == pytest.approx(off(fitted(roll)), abs=1e-6)


def test_few_dice_have_no_plane() -> None:
    roll = seen_roll(30)
    few = LEAST_DICE - 1
    assert fit_plane(roll.quads[:few], np.full(few, 0.01)) is None
    assert fit_plane(np.zeros((0, 4, 2)), np.zeros(0)) is None


def test_shapes_alone_tell_strong_leans() -> None:
    roll = seen_roll(20, {5: 60})
    fit = fit_plane(roll.quads, np.full(9, 0.02))
    assert fit is not None
    far = np.linalg.norm(fit.shape, axis=1)
    assert int(np.argmax(far)) == 5
    assert not fit.foot.any()


@pytest.mark.parametrize(
    "quads",
    [
        pytest.param(np.zeros((9, 4, 2)), id="points"),
        pytest.param(np.full((5, 4, 2), 1e9), id="far away"),
        pytest.param(
            np.tile([[0, 0], [10, 0], [20, 0], [10, 0]], (6, 1, 1)), id="lines"
        ),
        pytest.param(
            np.random.default_rng(1).normal(0, 500, (60, 4, 2)), id="anything"
        ),
    ],
)
def test_nonsense_gives_finite_numbers(quads: np.ndarray) -> None:
    quads = quads.astype(np.float64)
    spread = np.full(len(quads), 0.02)
    fit = fit_plane(quads, spread, np.zeros((len(quads), 2)), spread)
    assert fit is not None
    assert np.isfinite(fit.foot).all()
    assert np.isfinite(fit.size).all()
    assert np.isfinite(fit.shape).all()
