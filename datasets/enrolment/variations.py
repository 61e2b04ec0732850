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

SHEEN_SHARE = 0.3
"""Share of the lessons with a lamp or window mirrored in the face, up to ink that is
hardly seen: at a table this is what hides faces most often."""

OFF_SHARE, MOST_OFF = 0.25, 3.0
"""Share of the lessons that are cut further off than a detector mostly is, and how much
further at most: of dice in the dark it may find the wrong edges."""

SMEAR_SHARE = 0.12
"""Share of the lessons whose die had not come to rest, or was out of focus."""


def varied_crops(
    rng: np.random.Generator,
    patches: Sequence[NDArray[np.uint8]],
    faces: Sequence[int],
    count: int,
    crop_px: int,
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Make lessons; every face serves as often, and in turn each of its patches.

    However often a face was shown: it is as likely to be rolled as any other.

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
    of_face: dict[int, list[int]] = {}
    for place, face in enumerate(faces):
        of_face.setdefault(face, []).append(place)
    groups = list(of_face.values())
    for k in range(count):
        often, group = divmod(k, len(groups))
        place = groups[group][often % len(groups[group])]
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
    lit = small.astype(np.float32)
    if rng.random() < SHEEN_SHARE:
        _add_sheen(rng, lit)
    strength = float(np.clip(die_px / 42, 0.6, 1.5))
    if rng.random() < SMEAR_SHARE:
        strength *= rng.uniform(1.5, 2.5)
    picture = photograph(rng, lit, strength)
    side = px / (1 + 2 * PATCH_MARGIN)
    near = PATCH_MARGIN * side - 0.5
    far = near + side
    quad = np.array([[near, near], [far, near], [far, far], [near, far]])
    off = rng.uniform(1, MOST_OFF) if rng.random() < OFF_SHARE else 1.0
    quad = jittered(rng, quad, side, off)
    if beside:
        angle, far = rng.uniform(0, 2 * np.pi), rng.uniform(0.55, 0.9) * side
        quad = quad + far * np.array([np.cos(angle), np.sin(angle)])
    return rectify(picture, quad, crop_px)


def _add_sheen(rng: np.random.Generator, patch: NDArray[np.float32]) -> None:
    """Add a mirrored light to the face of a patch, in place, beyond what is white."""
    px = patch.shape[0]
    side = px / (1 + 2 * PATCH_MARGIN)
    at = (np.arange(px, dtype=np.float32) + 0.5) / px - 0.5
    y, x = at[:, None] * (px / side), at[None] * (px / side)  # 1: a side of the die
    off, wide, angle = rng.normal(0, 0.7, 2), rng.uniform(0.6, 4, 2), rng.uniform(0, 3)
    u = ((x - off[0]) * np.cos(angle) + (y - off[1]) * np.sin(angle)) / wide[0]
    v = ((y - off[1]) * np.cos(angle) - (x - off[0]) * np.sin(angle)) / wide[1]
    blob = np.exp(-((u * u + v * v) ** int(rng.integers(1, 4))))
    # on the face only: the sides of a die mirror something else
    edge = np.clip((0.48 - np.maximum(abs(x), abs(y))) * side, 0, 1)
    tint = rng.uniform(0.85, 1.0, 3)
    patch += (blob * edge * rng.uniform(40, 420))[:, :, None].astype(np.float32) * tint
