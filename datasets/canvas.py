"""A square of ink: stamping masks in colour at any place, size and angle."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from datasets.fonts import Mask

ART_PX = 112
"""Side of a drawn face; twice the width of a large die in a 720p picture."""

Art = NDArray[np.uint8]
"""(ART_PX, ART_PX, 3) uint8 BGR, upright."""

Bgr = tuple[float, float, float]


class Canvas:
    """An upright face or card being drawn; lengths are in sides of a die's face.

    Args:
        colour: of the body or paper.
        width: of the canvas; 1 for a face.
        height: of the canvas; 1 for a face.
    """

    def __init__(self, colour: Bgr, width: float = 1.0, height: float = 1.0) -> None:
        shape = (round(ART_PX * height), round(ART_PX * width), 3)
        self.pixels = np.empty(shape, np.float32)
        self.pixels[:] = colour

    def stamp(
        self,
        mask: Mask,
        colour: Bgr,
        centre: tuple[float, float],
        box: tuple[float, float],
        turn_deg: float = 0.0,
        stretch: bool = False,
    ) -> None:
        """Print a mask.

        Args:
            mask: ink coverage; an empty mask prints nothing.
            colour: ink.
            centre: x, y in shares of the side, 0..1.
            box: greatest width and height in shares of the side, before turning.
            turn_deg: clockwise turn about the centre.
            stretch: fill the box; otherwise the shape keeps its proportions.
        """
        if mask.size == 0:
            return
        height, width = mask.shape
        sx, sy = box[0] * ART_PX / width, box[1] * ART_PX / height
        if not stretch:
            sx = sy = min(sx, sy)
        # an area filter first: a plain warp of a large glyph to a small size breaks up
        size = max(1, round(width * sx)), max(1, round(height * sy))
        if size[0] < width or size[1] < height:
            small = cv2.resize(mask, size, interpolation=cv2.INTER_AREA)
            mask = np.asarray(small, np.uint8)
            height, width = mask.shape
            sx = sy = 1.0
        angle = np.deg2rad(turn_deg)
        cos, sin = np.cos(angle), np.sin(angle)
        linear = np.array([[cos * sx, -sin * sy], [sin * sx, cos * sy]])
        half = np.abs(linear) @ (width / 2, height / 2) + 1
        cx, cy = centre[0] * ART_PX, centre[1] * ART_PX
        x0, y0 = max(0, int(cx - half[0])), max(0, int(cy - half[1]))
        x1 = min(self.pixels.shape[1], int(cx + half[0]) + 2)
        y1 = min(self.pixels.shape[0], int(cy + half[1]) + 2)
        if x1 <= x0 or y1 <= y0:
            return
        shift = (cx - x0 - 0.5, cy - y0 - 0.5) - linear @ (
            (width - 1) / 2,
            (height - 1) / 2,
        )
        alpha = cv2.warpAffine(
            mask, np.column_stack([linear, shift]), (x1 - x0, y1 - y0)
        )
        share = (alpha.astype(np.float32) / 255)[:, :, None]
        patch = self.pixels[y0:y1, x0:x1]
        patch += share * (np.asarray(colour, np.float32) - patch)

    def frame(self, colour: Bgr, inset: float, width: float, radius: float) -> None:
        """Print a rounded frame; all sizes in shares of the side."""
        big = np.zeros((ART_PX, ART_PX), np.uint8)
        rounded(big, inset, radius, 255)
        rounded(big, inset + width, max(0.0, radius - width), 0)
        self.stamp(big, colour, (0.5, 0.5), (1.0, 1.0))

    def finish(self) -> Art:
        """What was drawn, as eight bits."""
        return np.clip(self.pixels, 0, 255).astype(np.uint8)


def rounded(image: Mask, inset: float, radius: float, value: int) -> None:
    """Fill a rounded square in place; sizes in shares of the image's side."""
    side = image.shape[0]
    shift = 4  # sub-pixel bits
    one = 1 << shift
    low, high = inset * side, (1 - inset) * side - 1
    r = min(radius * side, (high - low) / 2)
    for (ax, ay), (bx, by) in (
        ((low + r, low), (high - r, high)),
        ((low, low + r), (high, high - r)),
    ):
        corners = [(ax, ay), (bx, ay), (bx, by), (ax, by)]
        points = np.array([[round(x * one), round(y * one)] for x, y in corners])
        cv2.fillConvexPoly(image, points.astype(np.int32), value, cv2.LINE_AA, shift)
    for x in (low + r, high - r):
        for y in (low + r, high - r):
            centre = (round(x * one), round(y * one))
            cv2.circle(image, centre, round(r * one), value, -1, cv2.LINE_AA, shift)
