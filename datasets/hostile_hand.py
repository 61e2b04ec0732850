"""A hand in a sleeve that reaches into a picture from any side, to any point."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from datasets.cube import Image
    from datasets.pinhole import Floats

SKINS = ((150, 180, 225), (110, 145, 200), (60, 85, 130), (35, 50, 80))
"""BGR of skins."""
ARM_DICE = 45
"""Length of hand and arm, in widths of a die."""
WIDTH_DICE = 9


@dataclass(frozen=True, slots=True)
class Placed:
    """Where a hand is.

    Attributes:
        x: of the finger tips, pixels.
        y: of the finger tips, pixels.
        angle_deg: direction in which it points; 0 is right, 90 down.
    """

    x: float
    y: float
    angle_deg: float


class Hand:
    """One person's hand and sleeve.

    Args:
        rng: source of every choice.
        die_px: width of a die; fingers are about as wide.
    """

    def __init__(self, rng: np.random.Generator, die_px: float) -> None:
        long, wide = round(ARM_DICE * die_px), round(WIDTH_DICE * die_px)
        skin_mask, sleeve_mask = _outlines(rng, long, wide, die_px)
        soft = cv2.GaussianBlur(skin_mask, (0, 0), die_px * 0.3).astype(np.float32)
        skin = np.array(SKINS[int(rng.integers(len(SKINS)))]) * rng.uniform(0.85, 1.1)
        colour = skin * (0.55 + 0.5 * soft[:, :, None] / 255)
        folds = np.sin(np.arange(long) / die_px * rng.uniform(1.5, 4)) * 0.12 + 0.95
        cloth = rng.uniform(15, 235, 3) * folds[None, :, None] * np.ones((wide, 1, 1))
        share = sleeve_mask.astype(np.float32)[:, :, None] / 255
        colour = colour + share * (cloth - colour)
        self._colour = np.asarray(colour, np.float32)
        self._share = np.maximum(skin_mask, sleeve_mask).astype(np.float32) / 255
        self._tip = np.array([long - 1.0, wide / 2])
        self._depth = float(rng.uniform(0.1, 0.45))
        self._shadow = rng.uniform(-1, 1, 2) * die_px
        self._soft = float(rng.uniform(0.15, 0.6)) * die_px

    def paint(self, image: Image, placed: Placed) -> None:
        """Lay the hand and its shadow over a picture, in place."""
        height, width = image.shape[:2]
        angle = np.deg2rad(placed.angle_deg)
        c, s = np.cos(angle), np.sin(angle)
        turn: Floats = np.array([[c, -s], [s, c]])
        shift = np.array([placed.x, placed.y]) - turn @ self._tip
        matrix = np.column_stack([turn, shift])
        share = cv2.warpAffine(self._share, matrix, (width, height))
        over = cv2.warpAffine(self._colour, matrix, (width, height))
        cast = np.array([[1, 0, self._shadow[0]], [0, 1, self._shadow[1]]])
        dark = cv2.warpAffine(share, cast, (width, height))
        dark = cv2.GaussianBlur(dark, (0, 0), self._soft)
        image *= (1 - self._depth * dark)[:, :, None]
        image += share[:, :, None] * (over - image)


def _outlines(
    rng: np.random.Generator, long: int, wide: int, die_px: float
) -> tuple[np.ndarray, np.ndarray]:
    """Masks of the bare hand and of the sleeve, pointing right, tips at the end."""
    skin = np.zeros((wide, long), np.uint8)
    sleeve = np.zeros((wide, long), np.uint8)
    middle, tip = wide / 2, long - 1 - die_px * 0.5
    palm = tip - die_px * 3.6
    wrist = palm - die_px * rng.uniform(2.0, 3.5)

    def line(
        mask: np.ndarray, a: tuple[float, float], b: tuple[float, float], w: float
    ) -> None:
        start, end = (round(a[0]), round(a[1])), (round(b[0]), round(b[1]))
        cv2.line(mask, start, end, 255, max(2, round(w)), cv2.LINE_AA)

    line(skin, (0, middle), (palm, middle), die_px * 2.3)
    for k in range(4):
        root = (palm, middle + (k - 1.5) * die_px * 0.7)
        reach = tip - abs(k - 1.4) * die_px * rng.uniform(0.2, 0.6)
        side = root[1] + (k - 1.5) * die_px * rng.uniform(-0.2, 0.3)
        line(skin, root, (reach, side), die_px * 0.72)
    thumb = (palm + die_px * rng.uniform(0.6, 1.6), middle + die_px * 2.2)
    line(skin, (palm - die_px, middle + die_px * 0.6), thumb, die_px * 0.8)
    line(sleeve, (0, middle), (wrist, middle), die_px * rng.uniform(2.9, 4.2))
    cv2.GaussianBlur(skin, (0, 0), 0.7, dst=skin)
    return skin, sleeve
