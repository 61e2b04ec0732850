"""Quads as two smooth points: how a network states a square seen in perspective.

A square has no first corner, so corners in any fixed order jump when the square turns.
The half-diagonals `d1`, `d2` (as complex numbers) are known up to sign and order only,
and every symmetric function of their squares is free of that choice. With
`s = d1**2 + d2**2`, `p = d1**2 * d2**2` and `r = |p|**(1/4)`, the points `s / r` and
`p / r**3`, both seen from the centre, move smoothly however the square turns and tilts,
scale with it, and give the half-diagonals back as the square roots of the roots of
`x**2 - s*x + p`. A pose head can learn them as two ordinary keypoints.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def encode_quads(quads: Floats) -> Floats:
    """Turn quads into the centre and the two points.

    Args:
        quads: (N, 4, 2) corners in pixels, in order round the quad, either way.

    Returns:
        (N, 3, 2): centre (mean corner), `s` point, `p` point, in pixels.
    """
    corners = quads[..., 0] + 1j * quads[..., 1]
    centre = corners.mean(axis=1)
    z1 = ((corners[:, 0] - corners[:, 2]) / 2) ** 2
    z2 = ((corners[:, 1] - corners[:, 3]) / 2) ** 2
    p = z1 * z2
    r = np.maximum(np.abs(p) ** 0.25, 1e-6)
    points = np.stack([centre, centre + (z1 + z2) / r, centre + p / r**3], axis=1)
    return np.stack([points.real, points.imag], axis=-1)


def decode_quads(points: Floats) -> Floats:
    """Turn centres and points back into parallelograms.

    Args:
        points: (N, 3, 2) as `encode_quads` gives them.

    Returns:
        (N, 4, 2) corners, clockwise in image coordinates (y down); which is first is
        arbitrary.
    """
    values = points[..., 0] + 1j * points[..., 1]
    centre = values[:, 0]
    u = values[:, 1:] - centre[:, None]
    r = np.maximum(np.abs(u[:, 1]), 1e-6)
    s, p = u[:, 0] * r, u[:, 1] * r**3
    root = np.sqrt(s**2 / 4 - p)
    d1, d2 = np.sqrt(s / 2 + root), np.sqrt(s / 2 - root)
    # clockwise on the screen: d2 must lie a positive angle (y down) after d1
    d2 = np.where((np.conj(d1) * d2).imag < 0, -d2, d2)
    corners = centre[:, None] + np.stack([d1, d2, -d1, -d2], axis=1)
    return np.stack([corners.real, corners.imag], axis=-1)
