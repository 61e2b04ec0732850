"""Radial lens distortion of a finished picture and of the labels in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from datasets.cube import Image
    from datasets.pinhole import Floats


@dataclass(frozen=True, slots=True)
class Lens:
    """One-term radial model: a ray at radius r comes from `r * (1 + k * r**2)`.

    Attributes:
        k: strength; radius 1 is half the picture's diagonal; > 0 bends like a barrel.
        width: of the picture, pixels.
        height: of the picture, pixels.
    """

    k: float
    width: int
    height: int

    def _scaled(self, points: Floats) -> tuple[Floats, Floats, float]:
        middle = np.array([self.width - 1, self.height - 1]) / 2
        half = float(np.hypot(self.width, self.height)) / 2
        return (points - middle) / half, middle, half

    def source(self, points: Floats) -> Floats:
        """Where in the straight picture the pixels of the bent one come from."""
        seen, middle, half = self._scaled(points)
        r2 = (seen**2).sum(axis=-1, keepdims=True)
        out: Floats = seen * (1 + self.k * r2) * half + middle
        return out

    def bend(self, points: Floats) -> Floats:
        """Where points of the straight picture land in the bent one, (..., 2)."""
        straight, middle, half = self._scaled(points)
        seen = straight
        for _ in range(8):  # fixed point; converges fast for |k| < 0.2
            r2 = (seen**2).sum(axis=-1, keepdims=True)
            seen = straight / (1 + self.k * r2)
        out: Floats = seen * half + middle
        return out

    def bend_picture(self, image: Image) -> Image:
        """Bend a picture; what comes from outside repeats the edge."""
        y, x = np.mgrid[: self.height, : self.width].astype(np.float64)
        at = self.source(np.stack([x, y], axis=-1)).astype(np.float32)
        bent = cv2.remap(
            image,
            at[..., 0],
            at[..., 1],
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )
        return np.asarray(bent, np.float32)
