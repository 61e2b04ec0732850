"""How far two quads cover each other."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Corners = list[tuple[float, float]]


def overlap(one: Floats, other: Floats) -> float:
    """Intersection of two convex quads as a share of the smaller one.

    OpenCV's `intersectConvexConvex` is not used: for quads with nearly parallel edges,
    as touching dice have, it was seen to return a whole quad for a sliver.

    Args:
        one: (4, 2) corners, clockwise on the screen (y down).
        other: (4, 2), likewise.

    Returns:
        0 to 1; 1 if one of them has no area.
    """
    smaller = min(_area(_corners(one)), _area(_corners(other)))
    if smaller <= 0:
        return 1.0
    return min(1.0, _area(_clipped(_corners(one), _corners(other))) / smaller)


def iou(one: Floats, other: Floats) -> float:
    """Intersection over union of two convex quads, (4, 2) each, clockwise; 0 to 1."""
    first, second = _corners(one), _corners(other)
    shared = _area(_clipped(first, second))
    union = _area(first) + _area(second) - shared
    return shared / union if union > 0 else 0.0


def _corners(quad: Floats) -> Corners:
    return [(float(x), float(y)) for x, y in quad]


def _area(corners: Corners) -> float:
    """Shoelace formula; positive if clockwise on the screen."""
    return 0.5 * sum(
        x0 * y1 - x1 * y0
        for (x0, y0), (x1, y1) in zip(corners, corners[1:] + corners[:1], strict=True)
    )


def _clipped(subject: Corners, window: Corners) -> Corners:
    """Sutherland and Hodgman's clipping: cut along each edge of the window in turn."""
    for (ax, ay), (bx, by) in zip(window, window[1:] + window[:1], strict=True):
        inside = [(bx - ax) * (y - ay) - (by - ay) * (x - ax) for x, y in subject]
        kept: Corners = []
        for k, here in enumerate(subject):
            before, side_before, side = subject[k - 1], inside[k - 1], inside[k]
            if (side_before < 0) != (side < 0):
                t = side_before / (side_before - side)
                kept.append(
                    (
                        before[0] + t * (here[0] - before[0]),
                        before[1] + t * (here[1] - before[1]),
                    )
                )
            if side >= 0:
                kept.append(here)
        subject = kept
    return subject
