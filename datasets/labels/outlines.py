"""Outlines of dice: boxes about quads, and which way round corners go."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datasets.eval_labels import Box, LabelledDie
    from vision.reading import Quad


def quad_box(quad: Quad) -> Box:
    """The upright box about a quad."""
    xs, ys = [x for x, _ in quad], [y for _, y in quad]
    return min(xs), min(ys), max(xs), max(ys)


def box_quad(box: Box) -> Quad:
    """Corners of a box, clockwise from its top left."""
    x0, y0, x1, y1 = box
    return (x0, y0), (x1, y0), (x1, y1), (x0, y1)


def whole_box(die: LabelledDie, width: float, height: float) -> Box:
    """The upright box of a die; of one without a place, the whole picture.

    Args:
        die: its quad comes before its box.
        width: of the picture, pixels.
        height: likewise.

    Returns:
        It may reach outside the picture.
    """
    if die.quad is not None:
        return quad_box(die.quad)
    return die.box if die.box is not None else (0.0, 0.0, width, height)


def clipped_box(box: Box, width: float, height: float) -> Box | None:
    """The part of a box that is in the picture; None if nothing is."""
    x0, y0, x1, y1 = box
    x0, x1 = max(x0, 0.0), min(x1, width)
    y0, y1 = max(y0, 0.0), min(y1, height)
    return (x0, y0, x1, y1) if x1 > x0 and y1 > y0 else None


def turning(quad: Quad) -> tuple[float, float, float, float]:
    """Twice the signed area of the triangle at each corner.

    Returns:
        Square pixels; all above 0: convex and clockwise (y down). All below 0: convex,
        the other way round.
    """
    a, b, c, d = (
        (x1 - x0) * (y2 - y1) - (y1 - y0) * (x2 - x1)
        for (x0, y0), (x1, y1), (x2, y2) in (
            (quad[k - 1], quad[k], quad[(k + 1) % 4]) for k in range(4)
        )
    )
    return a, b, c, d


def quad_area(quad: Quad) -> float:
    """Area in square pixels; below 0 if the corners go anticlockwise."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = quad
    return ((cx - ax) * (dy - by) - (cy - ay) * (dx - bx)) / 2


def clockwise(quad: Quad) -> Quad:
    """The same outline clockwise, with the same first corner."""
    a, b, c, d = quad
    return (a, d, c, b) if quad_area(quad) < 0 else quad
