"""The printed sheet is found from every side, in the dark, and half hidden."""

from __future__ import annotations

from itertools import combinations

import cv2
import numpy as np
import pytest
from sheet_views import View, photographed, random_view

from vision.tray import TrayOrigin
from vision.tray_sheet import (
    LEAST_MARKERS,
    MARKERS_A_SHEET,
    MODULES,
    PLANS,
    find_markers,
    find_sheet,
    marker_modules,
)

A4 = PLANS["a4"]
CLEAR = {
    "from-above": View(),
    "tilted": View(tilt_deg=48, turn_deg=20),
    "upside-down": View(tilt_deg=25, turn_deg=180),
    "far": View(share=0.5, tilt_deg=20),
    "dark": View(gain=0.12, noise=3),
    "noisy": View(noise=14),
    "blurred": View(blur_px=2.0, share=0.95),
    "bent-by-the-lens": View(bend=-0.12, tilt_deg=15),
    "hand": View(hands=1, tilt_deg=15),
    "two-hands": View(hands=2),
    "hard-packed": View(jpeg=25),
}


def off_px(tray: tuple[tuple[float, float], ...], truth: np.ndarray) -> float:
    """How far the worst corner is off, whichever is counted first."""
    apart = np.linalg.norm(np.array(tray)[:, None] - truth[None], axis=2)
    return float(apart.min(axis=1).max())


@pytest.mark.parametrize("paper", PLANS)
def test_every_sheet_is_told_from_the_others(paper: str) -> None:
    image, truth = photographed(PLANS[paper], View(tilt_deg=20, turn_deg=70), 1)
    found = find_sheet(image)
    assert found is not None
    assert found.paper == paper
    assert found.tray.origin is TrayOrigin.SHEET
    assert off_px(found.tray.quad, truth) < 3
    assert found.confidence > 0.9


@pytest.mark.parametrize("view", CLEAR.values(), ids=CLEAR)
def test_sheet_is_found(view: View) -> None:
    image, truth = photographed(A4, view, 3)
    found = find_sheet(image)
    assert found is not None
    assert off_px(found.tray.quad, truth) < 5


def test_most_random_views_are_found_and_no_sure_one_is_wrong() -> None:
    rng = np.random.default_rng(11)
    good = 0
    for seed in range(8):
        view = random_view(rng)
        image, truth = photographed(A4, view, seed)
        found = find_sheet(image)
        if found is None:
            continue
        off = off_px(found.tray.quad, truth)
        good += off < 6
        assert found.confidence < 0.85 or off < 8, view
    assert good >= 6


def test_markers_of_different_sheets_share_no_number() -> None:
    numbers = [set(plan.markers()) for plan in PLANS.values()]
    assert all(len(one) == MARKERS_A_SHEET for one in numbers)
    assert all(not one & other for one, other in combinations(numbers, 2))


def test_marker_has_a_black_rim_and_a_pattern_of_its_own() -> None:
    patterns = {
        marker_modules(k).tobytes() for plan in PLANS.values() for k in plan.markers()
    }
    assert len(patterns) == len(PLANS) * MARKERS_A_SHEET
    rim = np.ones((MODULES, MODULES), bool)
    rim[1:-1, 1:-1] = False
    assert marker_modules(0)[rim].all()


def test_two_markers_suffice_and_say_so_and_one_does_not() -> None:
    image, _ = photographed(A4, View(), 3)
    whole = find_sheet(image)
    assert whole is not None
    covered = image.copy()
    for count, corners in enumerate(whole.markers.values()):
        if count == MARKERS_A_SHEET - LEAST_MARKERS:
            found = find_sheet(covered)
            assert found is not None
            assert len(found.markers) == LEAST_MARKERS
            assert found.confidence < 0.7 < whole.confidence
        cv2.fillConvexPoly(covered, np.round(corners).astype(np.int32), (90, 120, 200))
        if count == MARKERS_A_SHEET - LEAST_MARKERS:
            assert find_sheet(covered) is None
            break


def test_marker_that_lies_elsewhere_is_left_out() -> None:
    image, truth = photographed(A4, View(share=0.7), 3)
    corners = find_markers(image)[3]
    low, high = corners.min(axis=0).astype(int) - 6, corners.max(axis=0).astype(int) + 7
    piece = image[low[1] : high[1], low[0] : high[0]].copy()
    image[low[1] : high[1], low[0] : high[0]] = 200
    image[5 : 5 + piece.shape[0], 5 : 5 + piece.shape[1]] = piece
    found = find_sheet(image)
    assert found is not None
    assert 3 not in found.markers
    assert off_px(found.tray.quad, truth) < 4


@pytest.mark.parametrize(
    "image",
    [
        pytest.param(np.zeros((720, 1280, 3), np.uint8), id="black"),
        pytest.param(np.full((1, 1, 3), 255, np.uint8), id="one-pixel"),
        pytest.param(np.zeros((3, 4000, 3), np.uint8), id="strip"),
        pytest.param(
            np.random.default_rng(1).integers(0, 256, (480, 640, 3)).astype(np.uint8),
            id="noise",
        ),
    ],
)
def test_picture_without_a_sheet_has_none(image: np.ndarray) -> None:
    assert find_sheet(image) is None


def test_large_picture_is_shrunk_and_its_corners_are_right() -> None:
    image, truth = photographed(A4, View(tilt_deg=15), 3)
    large = cv2.resize(image, None, fx=3, fy=3, interpolation=cv2.INTER_CUBIC)
    found = find_sheet(np.asarray(large, np.uint8))
    assert found is not None
    assert off_px(found.tray.quad, (truth + 0.5) * 3 - 0.5) < 9
