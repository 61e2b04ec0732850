"""A nudged camera is noticed and measured; hands, dice and lamps are no nudge."""

from __future__ import annotations

import numpy as np
import pytest
from nudged_views import (
    HEIGHT,
    WIDTH,
    lamp,
    motion_of,
    seen,
    table,
    with_arm,
    with_dice,
)

from vision.camera_nudge import VIEW_PX, Sight, View, grey_view
from vision.picture_motion import farthest_px

GROUND = table()
PLACE = seen(GROUND)
VIEW = View(grey_view(PLACE))
HALF = WIDTH / VIEW_PX
NUDGES = {
    "4-px": motion_of(4, 0),
    "10-px": motion_of(7, -7),
    "60-px": motion_of(-50, 33),
    "120-px": motion_of(104, 60),
    "turned-1": motion_of(turn_deg=1),
    "turned-6": motion_of(5, 5, turn_deg=-6),
    "nearer": motion_of(10, 0, zoom=1.04),
}


def full_size(motion: np.ndarray) -> np.ndarray:
    """A motion of the small view in pixels of the picture."""
    shift = HALF / 2 - 0.5
    grow = np.array([(HALF, 0, shift), (0, HALF, shift), (0, 0, 1.0)])
    return np.asarray(grow @ motion @ np.linalg.inv(grow), np.float64)


@pytest.mark.parametrize("motion", NUDGES.values(), ids=NUDGES)
@pytest.mark.parametrize("gain", [1.0, 0.45])
def test_nudge_is_seen_and_measured(motion: np.ndarray, gain: float) -> None:
    look = VIEW.look(grey_view(seen(GROUND, motion, 5, gain)))
    assert look.sight is Sight.MOVED
    assert look.motion is not None
    off = np.linalg.inv(motion) @ full_size(look.motion)
    assert farthest_px(off, WIDTH, HEIGHT) < 2.5


def test_nudge_is_seen_past_an_arm_and_other_dice() -> None:
    moved = with_arm(with_dice(seen(GROUND, motion_of(9, 6), 2), 3), 4)
    look = VIEW.look(grey_view(moved))
    assert look.sight is Sight.MOVED
    assert look.motion is not None
    off = np.linalg.inv(motion_of(9, 6)) @ full_size(look.motion)
    assert farthest_px(off, WIDTH, HEIGHT) < 2.5


@pytest.mark.parametrize("shift", [(0.0, 0.0), (1.0, 0.0), (1.2, 1.2)])
def test_what_moves_no_further_than_noise_stands_still(
    shift: tuple[float, float],
) -> None:
    assert VIEW.look(grey_view(seen(GROUND, motion_of(*shift), 7))).sight is Sight.STILL


@pytest.mark.parametrize("seed", range(6))
def test_arms_dice_and_lamps_are_no_nudge(seed: int) -> None:
    busy = with_arm(with_dice(seen(GROUND, None, seed), seed), seed)
    for image in (busy, lamp(busy, seed), lamp(PLACE, seed), seen(GROUND, gain=0.3)):
        assert VIEW.look(grey_view(image)).sight in (Sight.STILL, Sight.UNKNOWN)


def test_dice_that_lay_there_and_were_thrown_again_are_no_nudge() -> None:
    view = View(grey_view(with_dice(PLACE, 1)))
    again = with_dice(seen(GROUND, None, 2), 8)
    assert view.look(grey_view(again)).sight is Sight.STILL


def test_known_move_is_the_new_stillness() -> None:
    moved = grey_view(seen(GROUND, motion_of(30, -20, 2), 1))
    first = VIEW.look(moved)
    assert first.motion is not None
    later = grey_view(seen(GROUND, motion_of(30, -20, 2), 9, 0.8))
    assert VIEW.look(later, first.motion).sight is Sight.STILL
    assert VIEW.look(grey_view(PLACE), first.motion).sight is Sight.MOVED


@pytest.mark.parametrize("level", [0, 12])
def test_nothing_is_said_in_the_dark(level: int) -> None:
    dark = np.full((HEIGHT, WIDTH, 3), level, np.uint8)
    assert VIEW.look(grey_view(dark)).sight is Sight.UNKNOWN


def test_another_scene_is_unlike() -> None:
    assert VIEW.look(grey_view(seen(table(77)))).sight is Sight.UNLIKE


@pytest.mark.parametrize("size", [(1, 1), (40, 30), (640, 480)])
def test_plain_or_tiny_view_cannot_be_watched(size: tuple[int, int]) -> None:
    grey = np.full((size[1], size[0]), 90, np.uint8)
    view = View(grey)
    assert not view.watchable
    assert view.look(grey).sight is Sight.UNKNOWN


def test_picture_of_another_size_says_nothing() -> None:
    assert VIEW.look(np.zeros((100, 100), np.uint8)).sight is Sight.UNKNOWN
