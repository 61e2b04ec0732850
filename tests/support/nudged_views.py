"""A table with things on it, seen by a camera that is nudged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from vision.ports import BgrImage

Floats = NDArray[np.float64]
WIDTH, HEIGHT = 1280, 720
MARGIN = 160
"""The table is painted larger than the picture, so that a nudge shows more of it."""


def table(seed: int = 1) -> BgrImage:
    """A table with books, papers and a mat; larger than a picture by `MARGIN`."""
    rng = np.random.default_rng(seed)
    high, wide = HEIGHT + 2 * MARGIN, WIDTH + 2 * MARGIN
    small = rng.normal(0, 1, (high // 8, wide // 8, 3))
    grain = cv2.resize(small, (wide, high)) * 9
    image = np.clip(np.array((70, 95, 120)) + grain, 0, 255).astype(np.uint8)
    for _ in range(70):
        centre = tuple(float(v) for v in rng.uniform(0, 1, 2) * (wide, high))
        size = tuple(float(v) for v in rng.uniform(25, 170, 2))
        box = cv2.boxPoints((centre, size, float(rng.uniform(0, 90))))
        colour = tuple(int(v) for v in rng.integers(20, 235, 3))
        cv2.fillConvexPoly(image, box.astype(np.int32), colour, cv2.LINE_AA)
    return image


def motion_of(
    dx: float = 0, dy: float = 0, turn_deg: float = 0, zoom: float = 1
) -> Floats:
    """(3, 3): a turn and zoom about the middle of the picture, then a shift, pixels."""
    about = cv2.getRotationMatrix2D((WIDTH / 2, HEIGHT / 2), turn_deg, zoom)
    motion = np.vstack([np.asarray(about, np.float64), (0.0, 0.0, 1.0)])
    motion[:2, 2] += dx, dy
    return motion


def seen(
    ground: BgrImage,
    motion: Floats | None = None,
    seed: int = 0,
    gain: float = 1.0,
    noise: float = 3.0,
) -> BgrImage:
    """What the camera shows of a table, (HEIGHT, WIDTH, 3)."""
    rng = np.random.default_rng(seed)
    inset = np.array([(1, 0, -MARGIN), (0, 1, -MARGIN), (0, 0, 1.0)])
    matrix = inset if motion is None else motion @ inset
    size = (WIDTH, HEIGHT)
    image = cv2.warpPerspective(ground, matrix, size, flags=cv2.INTER_LINEAR)
    lit = image * gain + rng.normal(0, noise, image.shape)
    return np.asarray(np.clip(lit, 0, 255), np.uint8)


def with_arm(image: BgrImage, seed: int = 0, wide: int = 190) -> BgrImage:
    """An arm from the border to the middle."""
    rng = np.random.default_rng(seed)
    drawn = image.copy()
    start = (int(rng.integers(0, WIDTH)), HEIGHT + 50)
    end = (int(rng.integers(400, 900)), int(rng.integers(200, 450)))
    cv2.line(drawn, start, end, (120, 150, 205), wide, cv2.LINE_AA)
    cv2.circle(drawn, end, round(wide * 0.6), (125, 155, 210), -1, cv2.LINE_AA)
    return drawn


def with_dice(image: BgrImage, seed: int, size_px: float = 46.0) -> BgrImage:
    """Nine dice thrown into the middle of the picture."""
    rng = np.random.default_rng(seed)
    drawn = image.copy()
    for _ in range(9):
        x, y = rng.uniform(0.3, 0.7, 2) * (WIDTH, HEIGHT)
        turn = float(rng.uniform(0, 90))
        box = cv2.boxPoints(((x, y), (size_px, size_px), turn)).astype(np.int32)
        cv2.fillConvexPoly(drawn, box, (235, 240, 240), cv2.LINE_AA)
        cv2.circle(drawn, (round(x), round(y)), 9, (20, 20, 160), -1, cv2.LINE_AA)
    return drawn


def lamp(image: BgrImage, seed: int) -> BgrImage:
    """Another lamp: light that falls off to one side, with a hard shadow."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[:HEIGHT, :WIDTH]
    turn = rng.uniform(0, 2 * np.pi)
    slope = np.cos(turn) * x / WIDTH + np.sin(turn) * y / HEIGHT
    light = 0.55 + 0.5 * slope
    light = np.where(
        x * np.sin(turn) + 0.3 * y > rng.uniform(300, 900), light * 0.6, light
    )
    return np.asarray(np.clip(image * light[..., None], 0, 255), np.uint8)
