"""Light and sharpness are measured, whatever the art."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from vision.picture_quality import dice_light, picture_light

if TYPE_CHECKING:
    from numpy.typing import NDArray


def crop(paper: int = 230, ink: int = 20, side: int = 96) -> NDArray[np.uint8]:
    image = np.full((side, side, 3), paper, np.uint8)
    cv2.putText(image, "Q", (25, 75), cv2.FONT_HERSHEY_SIMPLEX, 2.5, (ink,) * 3, 8)
    cv2.circle(image, (70, 30), 10, (ink,) * 3, -1)
    return image


def test_brightness_and_contrast_are_those_of_paper_and_ink() -> None:
    (light,) = dice_light(crop(200, 30)[None])
    assert light.brightest == pytest.approx(200, abs=3)
    assert light.darkest == pytest.approx(30, abs=3)
    assert light.contrast == pytest.approx(170, abs=5)


@pytest.mark.parametrize("sigma", [2.0, 4.0, 8.0])
def test_blur_widens_the_edges(sigma: float) -> None:
    sharp = crop()
    soft = cv2.GaussianBlur(sharp, (0, 0), sigma)
    lights = dice_light(np.stack([sharp, np.asarray(soft, np.uint8)]))
    assert lights[0].edge < 0.08
    assert lights[1].edge > lights[0].edge * (1 + sigma / 4)


@pytest.mark.parametrize("axis", [0, 1])
def test_motion_in_one_direction_is_seen(axis: int) -> None:
    kernel = np.ones((1, 21) if axis else (21, 1), np.float32) / 21
    smeared = np.asarray(cv2.filter2D(crop(), -1, kernel), np.uint8)
    sharp, moved = dice_light(np.stack([crop(), smeared]))
    assert moved.edge > 2 * sharp.edge


def test_darkness_does_not_look_like_blur() -> None:
    dark = (crop() * 0.2).astype(np.uint8)
    sharp, dim = dice_light(np.stack([crop(), dark]))
    assert dim.edge == pytest.approx(sharp.edge, rel=0.3)


def test_blank_face_has_no_edge() -> None:
    (light,) = dice_light(np.full((1, 96, 96, 3), 128, np.uint8))
    assert light.edge >= 1
    assert light.contrast == 0
    assert dice_light(np.zeros((0, 96, 96, 3), np.uint8)) == ()


@pytest.mark.parametrize("shape", [(1, 1, 3), (3, 2, 3), (720, 1280, 3), (5, 4000, 3)])
def test_picture_of_any_size_has_a_light(shape: tuple[int, int, int]) -> None:
    light = picture_light(np.full(shape, 77, np.uint8))
    assert (light.darkest, light.brightest) == (77, 77)
