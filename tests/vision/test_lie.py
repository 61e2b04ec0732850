"""A die that leans is told from dice seen at an angle."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.lie import cocked_dice, foreshortening

Floats = NDArray[np.float64]


def rotation(axis: str, angle_deg: float) -> Floats:
    c, s = np.cos(np.deg2rad(angle_deg)), np.sin(np.deg2rad(angle_deg))
    if axis == "z":
        return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    return np.array([[1, 0, 0], [0, c, -s], [0, s, c]])


def seen(
    tilt_deg: float, lean_deg: float = 0, seed: int = 0, blur: float = 0.0
) -> Floats:
    """Nine faces on a table from a camera tilted from overhead; the fourth leans."""
    rng = np.random.default_rng(seed)
    square = np.array([[-9, -9, 0], [9, -9, 0], [9, 9, 0], [-9, 9, 0]], np.float64)
    quads = []
    for k in range(9):
        face = square @ rotation("z", rng.uniform(0, 360)).T
        if k == 3:
            face = face @ rotation("x", lean_deg).T
            face = face @ rotation("z", rng.uniform(0, 360)).T
        place = np.array([rng.uniform(-90, 90), rng.uniform(-70, 70), 0])
        points = (face + place) @ rotation("x", tilt_deg).T + [0, 0, 600]
        quads.append(points[:, :2] / points[:, 2:] * 1400)
    side = 18 * 1400 / 600
    return np.stack(quads) + rng.normal(0, blur * side, (9, 4, 2))


@pytest.mark.parametrize("tilt", [0, 15, 30, 45])
@pytest.mark.parametrize("seed", range(10))
def test_flat_dice_are_not_suspected(tilt: int, seed: int) -> None:
    assert cocked_dice(seen(tilt, 0, seed, blur=0.025)) == ()


@pytest.mark.parametrize("tilt", [0, 15, 30])
def test_leaning_die_is_found(tilt: int) -> None:
    # in most directions: a lean towards the camera looks like none
    found = [cocked_dice(seen(tilt, 55, seed, blur=0.02)) for seed in range(40)]
    assert set(found) <= {(3,), ()}
    assert found.count((3,)) > 20


@pytest.mark.parametrize("tilt", [0, 20, 45])
def test_foreshortening_is_that_of_the_tilt(tilt: int) -> None:
    lengths = np.abs(foreshortening(seen(tilt)))
    angle = np.deg2rad(tilt)
    expected = np.sin(angle) ** 2 / (2 * np.cos(angle))
    assert np.median(lengths) == pytest.approx(expected, abs=0.06)


def test_few_dice_are_never_suspected() -> None:
    assert cocked_dice(seen(0, 60)[2:6]) == ()
    assert cocked_dice(np.zeros((0, 4, 2))) == ()


def test_flattened_quads_do_not_divide_by_zero() -> None:
    quads = seen(0)
    quads[0] = [[0, 0], [10, 0], [20, 0], [10, 0]]
    assert cocked_dice(quads) == (0,)
