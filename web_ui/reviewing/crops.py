"""Small pictures for the review page: dice cut out upright, and thumbnails."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from datasets.captures.fields import CaptureError
from datasets.captures.likeness import picture_size
from vision.rectify import rectify

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.reading import Quad

THUMB_WIDTH_PX = 320
QUALITY = 85
_REDUCED = (
    (8, cv2.IMREAD_REDUCED_COLOR_8),
    (4, cv2.IMREAD_REDUCED_COLOR_4),
    (2, cv2.IMREAD_REDUCED_COLOR_2),
)


def faces_strip(picture: bytes, quads: Sequence[Quad], side_px: int) -> bytes:
    """Cut dice out upright, one below the other.

    Args:
        picture: a JPEG file.
        quads: of the dice, at least one; continuous coordinates ((0, 0) is the outer
            corner of the first pixel).
        side_px: side of each crop.

    Returns:
        A JPEG, `side_px` wide and `side_px` high for each die.

    Raises:
        CaptureError: the picture cannot be decoded.
    """
    image = _decoded(picture, cv2.IMREAD_COLOR)
    crops = [
        # the pixel's centre, where the reader counts from
        rectify(image, np.asarray(quad, np.float64) - 0.5, side_px)
        for quad in quads
    ]
    return _jpeg(np.concatenate(crops))


def thumbnail(picture: bytes) -> bytes:
    """Make a picture small.

    Args:
        picture: a JPEG file.

    Returns:
        A JPEG, at most about twice `THUMB_WIDTH_PX` wide.

    Raises:
        CaptureError: the picture cannot be decoded.
    """
    width_px, _ = picture_size(picture)
    for parts, flag in _REDUCED:
        if width_px >= parts * THUMB_WIDTH_PX:
            return _jpeg(_decoded(picture, flag))
    return _jpeg(_decoded(picture, cv2.IMREAD_COLOR))


def _decoded(
    picture: bytes, flag: int
) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    image = cv2.imdecode(np.frombuffer(picture, np.uint8), flag)
    if image is None:
        raise CaptureError("the picture cannot be decoded")
    return np.asarray(image, np.uint8)


def _jpeg(image: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> bytes:
    good, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    if not good:
        raise CaptureError("the picture cannot be made small")
    return bytes(data.tobytes())
