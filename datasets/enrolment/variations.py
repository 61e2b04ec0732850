"""Lessons from few pictures: each shown die photographed anew in many ways."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from datasets.crops import NONE_CLASS, jittered
from datasets.enrolment.shots import PATCH_MARGIN
from datasets.optics import photograph
from vision.classes import TURNS, class_index
from vision.rectify import rectify

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

SMALLEST_PX, LARGEST_PX = 24.0, 90.0
NONE_SHARE = 0.08
"""Share of the lessons that show half a die or what lies beside it."""


def varied_crops(
    rng: np.random.Generator,
    patches: Sequence[NDArray[np.uint8]],
    faces: Sequence[int],
    count: int,
    crop_px: int,
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Make lessons; every patch serves as often as the others.

    Args:
        rng: source of every choice.
        patches: (P, P, 3) uint8 BGR each, upright art, `PATCH_MARGIN` sides round it.
        faces: place in `ALL_FACES` of what each shows.
        count: how many lessons.
        crop_px: side of the crops.

    Returns:
        (count, crop_px, crop_px, 3) uint8 BGR and their classes.
    """
    crops = np.zeros((count, crop_px, crop_px, 3), np.uint8)
    labels = np.zeros(count, np.int64)
    order = rng.permutation(count)
    for k in range(count):
        place = k % len(patches)
        turn = int(rng.integers(TURNS))
        none = rng.random() < NONE_SHARE
        crop = _varied(rng, patches[place], crop_px, beside=none)
        crops[order[k]] = np.rot90(crop, -turn)
        labels[order[k]] = NONE_CLASS if none else class_index(faces[place], turn)
    return crops, labels


def _varied(
    rng: np.random.Generator, patch: NDArray[np.uint8], crop_px: int, *, beside: bool
) -> NDArray[np.uint8]:
    """One more photograph of a patch, smaller or as large, and the crop cut from it."""
    own_px = patch.shape[0] / (1 + 2 * PATCH_MARGIN)
    low, high = min(SMALLEST_PX, own_px), max(30.0, min(own_px, LARGEST_PX))
    die_px = float(np.exp(rng.uniform(np.log(low), np.log(high))))
    px = max(16, round(die_px * (1 + 2 * PATCH_MARGIN)))
    small = cv2.resize(patch, (px, px), interpolation=cv2.INTER_AREA)
    picture = photograph(
        rng, small.astype(np.float32), float(np.clip(die_px / 42, 0.6, 1.5))
    )
    side = px / (1 + 2 * PATCH_MARGIN)
    near = PATCH_MARGIN * side - 0.5
    far = near + side
    quad = np.array([[near, near], [far, near], [far, far], [near, far]])
    quad = jittered(rng, quad, side)
    if beside:
        angle, off = rng.uniform(0, 2 * np.pi), rng.uniform(0.55, 0.9) * side
        quad = quad + off * np.array([np.cos(angle), np.sin(angle)])
    return rectify(picture, quad, crop_px)
