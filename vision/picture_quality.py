"""How well a picture shows its dice: light, contrast and sharpness."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.ports import CROP_MARGIN
from vision.ranks import percentile

if TYPE_CHECKING:
    from vision.ports import BgrImage

Floats = NDArray[np.float64]

WHOLE_PX = 160
"""A whole picture is judged at about this width: light has no fine detail."""

DIRECTIONS = (0.0, 45.0, 90.0, 135.0)
"""Along which edges are looked for, degrees: motion blurs those across it only."""


@dataclass(frozen=True, slots=True)
class DieLight:
    """How one die is lit and how sharply it is seen.

    Attributes:
        darkest: luminance of its darker parts (5 in 100 are darker), 0..255.
        brightest: luminance of its brighter parts (5 in 100 are brighter), 0..255.
        edge: width of the sharpest edges in sides of the face, in the direction in
            which they are least sharp; 1 if there are none.
    """

    darkest: float
    brightest: float
    edge: float

    @property
    def contrast(self) -> float:
        """Between ink and body, 0..255."""
        return self.brightest - self.darkest


@dataclass(frozen=True, slots=True)
class PictureLight:
    """How a whole picture is lit.

    Attributes:
        darkest: luminance of its darker parts (5 in 100 are darker), 0..255.
        brightest: luminance of its brighter parts (5 in 100 are brighter), 0..255.
    """

    darkest: float
    brightest: float


def picture_light(image: BgrImage) -> PictureLight:
    """Measure a whole picture.

    Args:
        image: (H, W, 3) uint8 BGR.
    """
    step = max(1, image.shape[1] // WHOLE_PX)
    grey = cv2.cvtColor(np.ascontiguousarray(image[::step, ::step]), cv2.COLOR_BGR2GRAY)
    low, high = np.percentile(grey, (5, 95))
    return PictureLight(float(low), float(high))


def dice_light(crops: NDArray[np.uint8]) -> tuple[DieLight, ...]:
    """Measure dice by the crops that the face reader gets.

    Args:
        crops: (N, S, S, 3) uint8 BGR, with `CROP_MARGIN` round the face.
    """
    return tuple(_die_light(crop) for crop in crops)


def _die_light(crop: NDArray[np.uint8]) -> DieLight:
    shades = cv2.cvtColor(np.ascontiguousarray(crop), cv2.COLOR_BGR2GRAY)
    grey = np.asarray(shades, np.uint8)
    side = grey.shape[0]
    rim = round(side * CROP_MARGIN / (1 + 2 * CROP_MARGIN))
    face = grey[rim : side - rim, rim : side - rim]
    low, high = (percentile(face, share) for share in (5, 95))
    return DieLight(low, high, _edge_width(grey, high - low) / (side - 2 * rim))


def _edge_width(grey: NDArray[np.uint8], contrast: float) -> float:
    """Width of the sharpest edges in pixels, where they are least sharp.

    An edge as high as the contrast and so many pixels wide rises by one part of it a
    pixel; noise is smoothed away first, which widens a sharp edge to about 2 pixels.
    """
    smooth = cv2.GaussianBlur(grey.astype(np.float32), (0, 0), 1.0)
    dx = cv2.Sobel(smooth, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8)
    dy = cv2.Sobel(smooth, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8)
    steepest = []
    for angle in np.deg2rad(DIRECTIONS):
        slope = np.abs(dx * np.float32(np.cos(angle)) + dy * np.float32(np.sin(angle)))
        steepest.append(percentile(slope, 98))
    side = float(grey.shape[0])
    return min(side, max(contrast, 1.0) / max(min(steepest), 1e-3))
