"""Shadows of dice on the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from datasets.cube import Die, Image
    from datasets.pinhole import Pinhole


def cast_shadows(
    rng: np.random.Generator, image: Image, camera: Pinhole, dice: list[Die]
) -> None:
    """Darken the table where the dice keep the light away, in place.

    One lamp at a free height gives each die a long or short shadow with a hard or soft
    edge; the sky light is kept away close to the foot of each die.
    """
    if not dice:
        return
    height, width = image.shape[:2]
    angle, reach = rng.uniform(0, 2 * np.pi), rng.uniform(0.1, 1.3)
    lamp = np.zeros((height, width), np.uint8)
    foot = np.zeros((height, width), np.uint8)
    for die in dice:
        base = die.top() * (1, 1, 0)
        step = die.size_mm * reach * np.array([np.cos(angle), np.sin(angle), 0.0])
        middle = base.mean(axis=0)
        for mask, points in (
            (lamp, np.concatenate([base, base + step])),
            (foot, middle + (base - middle) * 1.12),
        ):
            hull = cv2.convexHull(camera.project(points).astype(np.float32))
            cv2.fillConvexPoly(mask, np.rint(hull).astype(np.int32), 255)
    edge = np.linalg.norm(np.diff(camera.project(dice[0].top()), axis=0)[0])
    for mask, depth, soft in (
        (lamp, rng.uniform(0, 0.6), edge * rng.uniform(0.01, 0.15)),
        (foot, rng.uniform(0.15, 0.5), edge * 0.07),
    ):
        blurred = cv2.GaussianBlur(mask, (0, 0), max(0.4, float(soft)))
        image *= 1 - np.float32(depth / 255) * blurred.astype(np.float32)[:, :, None]
