"""Cutting the square picture of a face out of a photo, for training and reading."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.ports import CROP_MARGIN, BgrImage

if TYPE_CHECKING:
    from numpy.typing import NDArray


def rectify(
    image: BgrImage, quad: NDArray[np.float64], crop_px: int
) -> NDArray[np.uint8]:
    """Map a quad to the inner square of a crop.

    Args:
        image: (H, W, 3) uint8 BGR; beyond its edges the nearest pixel is repeated.
        quad: (4, 2) pixel corners, clockwise; the first lands at the crop's top left.
        crop_px: side of the crop.

    Returns:
        (crop_px, crop_px, 3) uint8 BGR with `CROP_MARGIN` of the side round the quad.
    """
    margin = crop_px * CROP_MARGIN / (1 + 2 * CROP_MARGIN)
    low, high = margin - 0.5, crop_px - margin - 0.5
    inner = np.array([[low, low], [high, low], [high, high], [low, high]], np.float32)
    matrix = cv2.getPerspectiveTransform(quad.astype(np.float32), inner)
    return np.asarray(
        cv2.warpPerspective(
            image,
            matrix,
            (crop_px, crop_px),
            flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        ),
        np.uint8,
    )
