"""Fitting any picture into the fixed input of a network, and points back out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.ports import BgrImage

PAD = 114
"""Grey of the bars, as in training."""


@dataclass(frozen=True, slots=True)
class Fit:
    """Where a picture lies in a network's input.

    Attributes:
        scale_x: input pixels per picture pixel across.
        scale_y: the same down.
        left_px: width of the bar on the left.
        top_px: height of the bar above.
    """

    scale_x: float
    scale_y: float
    left_px: int
    top_px: int

    def to_picture(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Map points from the input back to the picture.

        Args:
            points: (..., 2) in the input, continuous (0 is the first pixel's edge).

        Returns:
            (..., 2) in the picture, OpenCV pixel coordinates (0 is the centre of the
            first pixel).
        """
        moved = points - np.array([self.left_px, self.top_px], np.float64)
        scaled: NDArray[np.float64] = moved / np.array([self.scale_x, self.scale_y])
        return scaled - 0.5


def letterbox(
    image: BgrImage, input_px: tuple[int, int], zoom: float = 1.0
) -> tuple[BgrImage, Fit]:
    """Scale a picture into a network's input, in the middle of grey bars.

    Args:
        image: (H, W, 3) uint8 BGR.
        input_px: height and width of the input.
        zoom: 1 fills the input; less leaves more grey and makes dice smaller.

    Returns:
        (height, width, 3) uint8 BGR, and where the picture lies in it.
    """
    height, width = input_px
    scale = zoom * min(height / image.shape[0], width / image.shape[1])
    inner_w = max(1, min(width, round(image.shape[1] * scale)))
    inner_h = max(1, min(height, round(image.shape[0] * scale)))
    # averaging when shrinking: skipping pixels would tear thin strokes
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    inner = cv2.resize(image, (inner_w, inner_h), interpolation=way)
    left, top = (width - inner_w) // 2, (height - inner_h) // 2
    canvas = np.full((height, width, 3), PAD, np.uint8)
    canvas[top : top + inner_h, left : left + inner_w] = inner
    return canvas, Fit(inner_w / image.shape[1], inner_h / image.shape[0], left, top)
