"""Pairing what was said with what is there: by overlap, one to one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.assignment import assign
from vision.overlap import iou as quad_iou

if TYPE_CHECKING:
    from collections.abc import Sequence

    from datasets.eval_labels import Box
    from vision.reading import Quad

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Place:
    """Where something is in a picture; without quad and box it fills the picture.

    Attributes:
        quad: corners, continuous coordinates.
        box: upright box, likewise.
    """

    quad: Quad | None
    box: Box | None = None

    def upright(self, width: float, height: float) -> Box:
        """Upright box of the place in a picture of so many pixels."""
        if self.box is not None:
            return self.box
        if self.quad is None:
            return 0.0, 0.0, width, height
        xs, ys = zip(*self.quad, strict=True)
        return min(xs), min(ys), max(xs), max(ys)


@dataclass(frozen=True, slots=True)
class Pair:
    """A labelled item and the answer that fits it.

    Attributes:
        truth: place in the list of labelled items.
        said: place in the list of answers.
        iou: how well they cover each other, 0..1.
    """

    truth: int
    said: int
    iou: float


def iou_table(
    truth: Sequence[Place], said: Sequence[Place], width: float, height: float
) -> Floats:
    """Intersection over union of all against all.

    Two quads are compared as polygons, their corners in any order; if one side has no
    quad, both are compared as upright boxes.

    Args:
        truth: labelled places.
        said: answered places.
        width: of the picture, for places that fill it.
        height: likewise.

    Returns:
        (len(truth), len(said)), 0..1.
    """
    table = np.zeros((len(truth), len(said)))
    hulls = [None if place.quad is None else _hull(place.quad) for place in said]
    for row, place in enumerate(truth):
        own = None if place.quad is None else _hull(place.quad)
        for column, other in enumerate(said):
            hull = hulls[column]
            if own is None or hull is None:
                boxes = place.upright(width, height), other.upright(width, height)
                table[row, column] = _box_iou(*boxes)
            elif _may_meet(own, hull):
                table[row, column] = quad_iou(own, hull)
    return table


def pair_up(table: Floats, least: float) -> tuple[Pair, ...]:
    """Pair one to one: as many as can be, and of these the greatest sum of IoU.

    Args:
        table: (T, S) IoU of labelled items with answers.
        least: IoU a pair needs.

    Returns:
        The pairs, by labelled item.
    """
    if 0 in table.shape:
        return ()
    fits = table >= least
    # one more pair outweighs whatever it costs in overlap
    worth = np.where(fits, min(table.shape) + 1 + table, 0.0)
    turned = table.shape[0] > table.shape[1]
    columns, _ = assign(-worth.T if turned else -worth)
    found = ((int(c), k) if turned else (k, int(c)) for k, c in enumerate(columns))
    return tuple(
        Pair(row, column, float(table[row, column]))
        for row, column in sorted(found)
        if fits[row, column]
    )


def _hull(quad: Quad) -> Floats:
    """Convex hull of the corners, clockwise on the screen (y down)."""
    # OpenCV's hull takes 32-bit floats: give it offsets, not places in a large picture
    corners = np.array(quad, np.float64)
    offsets = (corners - corners[0]).astype(np.float32)
    kept = cv2.convexHull(offsets, returnPoints=False).ravel()
    hull: Floats = corners[kept]
    x, y = hull[:, 0], hull[:, 1]
    if (x * np.roll(y, -1) - np.roll(x, -1) * y).sum() < 0:
        hull = hull[::-1]
    return hull


def _may_meet(one: Floats, other: Floats) -> bool:
    """Whether the upright boxes of two hulls overlap: saves clipping all pairs."""
    low = np.maximum(one.min(axis=0), other.min(axis=0))
    high = np.minimum(one.max(axis=0), other.max(axis=0))
    return bool((low < high).all())


def _box_iou(one: Box, other: Box) -> float:
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    shared = max(0.0, wide) * max(0.0, high)
    areas = [(x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in (one, other)]
    union = sum(areas) - shared
    return shared / union if union > 0 else 0.0
