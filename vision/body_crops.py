"""Square cut-outs that show a whole die round its top face, and measures in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from vision.detect import quad_sides
from vision.face_reading import cut_crops
from vision.ports import CROP_MARGIN

if TYPE_CHECKING:
    from vision.ports import BgrImage

Floats = NDArray[np.float64]

SPAN = 2.6
"""Side of a cut-out in sides of the face: at 45 degrees the foot is still inside."""


def axes(quads: Floats) -> tuple[NDArray[np.complex128], NDArray[np.complex128]]:
    """Where the squares stand that are most like the quads.

    Args:
        quads: (N, 4, 2) corners in pixels, clockwise.

    Returns:
        (N,) centres `x + iy` and (N,) first sides: as long as the mean side, in the
        direction of the first side of that square.
    """
    corners = quads[..., 0] + 1j * quads[..., 1]
    sides = np.roll(corners, -1, axis=1) - corners
    # each side turned back by the quarters it is ahead of the first
    mean = (sides * np.array([1, -1j, -1, 1j])).mean(axis=1)
    length = np.maximum(np.abs(mean), 1e-9)
    return corners.mean(axis=1), mean / length * quad_sides(quads)


def cut_bodies(image: BgrImage, quads: Floats, crop_px: int) -> NDArray[np.uint8]:
    """Cut out squares of `SPAN` sides round top faces, aligned with them.

    Args:
        image: (H, W, 3) uint8 BGR; beyond its edges the nearest pixel is repeated.
        quads: (N, 4, 2) corners in its pixels, clockwise.
        crop_px: side of the cut-outs.

    Returns:
        (N, crop_px, crop_px, 3) uint8 BGR.
    """
    centre, side = axes(quads)
    half = SPAN / 2 / (1 + 2 * CROP_MARGIN)
    corners = np.array([-1 - 1j, 1 - 1j, 1 + 1j, -1 + 1j]) * half
    squares = centre[:, None] + side[:, None] * corners
    return cut_crops(image, np.stack([squares.real, squares.imag], axis=-1), crop_px)


def to_sides(
    points: NDArray[np.complex128], side: NDArray[np.complex128]
) -> NDArray[np.complex128]:
    """Vectors of the picture, (N, ...) pixels, in sides along the first side."""
    return points / side.reshape(-1, *[1] * (points.ndim - 1))


def to_pixels(
    points: NDArray[np.complex128], side: NDArray[np.complex128]
) -> NDArray[np.complex128]:
    """The reverse of `to_sides`."""
    return points * side.reshape(-1, *[1] * (points.ndim - 1))
