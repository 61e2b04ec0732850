"""Likeness: whether two pictures show the same roll lying in the same places."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import cv2
import numpy as np
from PIL import Image

from datasets.captures.entry import faces_key
from datasets.captures.fields import CaptureError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from datasets.captures.capture import Capture
    from vision.reading import Quad

SIDE, LOW = 32, 8
MOST_BITS = 8
"""Bits of 64 in which pictures of one roll may differ. Of 14 drawn rolls, the same
with noise, less light, other JPEG quality or moved by 4 pixels differed in 6 at most,
two different ones in 16 at least."""
NEAR = 0.25
"""How far a die may have moved to lie in the same place, in sides of the face."""
MARGIN = 0.05
ORIENTATION = 0x0112
"""EXIF's number for how a picture is turned."""


def picture_size(picture: bytes) -> tuple[int, int]:
    """Width and height of a JPEG, upright as a person sees it.

    Raises:
        CaptureError: it is no JPEG.
    """
    try:
        with Image.open(io.BytesIO(picture), formats=("JPEG",)) as image:
            width, height = image.size
            turned = image.getexif().get(ORIENTATION, 1) in (5, 6, 7, 8)
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise CaptureError(f"the picture is no JPEG: {error}") from error
    return (height, width) if turned else (width, height)


def likeness_of(picture: bytes, capture: Capture) -> str:
    """A perceptual hash of the part of a picture in which the dice lie.

    The signs of the lowest 8 x 8 cosine coefficients against their median: the usual
    hash, which light, noise and compression change in few bits.

    Args:
        picture: the JPEG file.
        capture: says where the dice are; without dice the whole picture counts.

    Returns:
        16 hex digits.

    Raises:
        CaptureError: it is no picture.
    """
    grey = _grey(picture, cv2.IMREAD_REDUCED_GRAYSCALE_4, capture.id)
    x0, y0, x1, y1 = _region(capture)
    rows, columns = grey.shape
    left = min(int(x0 * columns), columns - 1)
    top = min(int(y0 * rows), rows - 1)
    part = grey[
        top : max(top + 1, round(y1 * rows)), left : max(left + 1, round(x1 * columns))
    ]
    small = cv2.resize(part, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
    waves = cv2.dct(small.astype(np.float32))[:LOW, :LOW].ravel()
    bits = waves > np.median(waves[1:])
    return np.packbits(bits).tobytes().hex()


def _grey(picture: bytes, how: int, name: str) -> NDArray[np.uint8]:
    data = np.frombuffer(picture, np.uint8)
    image = cv2.imdecode(data, how) if data.size else None
    if image is None:
        raise CaptureError(f"{name}: its picture cannot be decoded")
    return np.asarray(image, np.uint8)


def _region(capture: Capture) -> tuple[float, float, float, float]:
    """Where the dice are, in parts of the picture; inside it, never empty."""
    corners = [corner for die in capture.dice for corner in die.quad]
    if not corners:
        return 0.0, 0.0, 1.0, 1.0
    xs = [x / capture.width_px for x, _ in corners]
    ys = [y / capture.height_px for _, y in corners]
    x0, y0 = (min(max(min(v) - MARGIN, 0.0), 0.99) for v in (xs, ys))
    x1, y1 = (max(min(max(v) + MARGIN, 1.0), 0.01) for v in (xs, ys))
    return x0, y0, max(x1, x0), max(y1, y0)


def bits_apart(one: str, other: str) -> int:
    """In how many bits two hashes differ; 64 if either is empty."""
    if not one or not other:
        return 64
    return (int(one, 16) ^ int(other, 16)).bit_count()


def same_places(one: Capture, other: Capture) -> bool:
    """Whether the same faces lie in nearly the same places."""
    if faces_key(one) != faces_key(other):
        return False
    left = [*other.dice]
    for die in one.dice:
        x, y, side = _middle(die.quad)
        for place, there in enumerate(left):
            x1, y1, _ = _middle(there.quad)
            near = abs(x - x1) <= NEAR * side and abs(y - y1) <= NEAR * side
            if near and there.face == die.face:
                del left[place]
                break
        else:
            return False
    return True


def _middle(quad: Quad) -> tuple[float, float, float]:
    """Middle of a quad and the length of its first side."""
    (ax, ay), (bx, by), _, _ = quad
    x, y = (sum(corner[axis] for corner in quad) / 4 for axis in (0, 1))
    return x, y, ((ax - bx) ** 2 + (ay - by) ** 2) ** 0.5
