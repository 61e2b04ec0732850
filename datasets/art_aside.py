"""Designs of faces that no lesson ever shows: they measure how a new set is learned."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from datasets.art_pen import Pen, turned
from datasets.canvas import rounded

if TYPE_CHECKING:
    from collections.abc import Callable

    from datasets.fonts import Mask

_MASK_PX = 192

# Which of the seven segments a rank lights, a to g as on a display, and three strokes
# that letters need.
_SEGMENTS = {
    1: "abcefg",
    2: "abged",
    3: "abgcd",
    4: "fgbc",
    5: "afgcd",
    6: "afgedc",
    7: "abc",
    8: "abcdefg",
    9: "gfabcd",
    10: "az",
    11: "bcde",
    12: "abcdefx",
    13: "fexy",
}
_STROKES = {
    "a": ((0.1, 0.05), (0.9, 0.05)),
    "b": ((0.9, 0.1), (0.9, 0.45)),
    "c": ((0.9, 0.55), (0.9, 0.9)),
    "d": ((0.1, 0.95), (0.9, 0.95)),
    "e": ((0.1, 0.55), (0.1, 0.9)),
    "f": ((0.1, 0.1), (0.1, 0.45)),
    "g": ((0.15, 0.5), (0.85, 0.5)),
    "x": ((0.5, 0.55), (0.9, 0.95)),
    "y": ((0.2, 0.5), (0.9, 0.08)),
    "z": ((0.5, 0.1), (0.5, 0.95)),
}


def _blank() -> Mask:
    return np.zeros((_MASK_PX, _MASK_PX), np.uint8)


def _polygon(points: list[tuple[float, float]]) -> Mask:
    mask = _blank()
    corners = np.rint(np.array(points) * (_MASK_PX - 1)).astype(np.int32)
    cv2.fillConvexPoly(mask, corners, 255, cv2.LINE_AA)
    return mask


def _badge(pen: Pen) -> None:
    """The rank in the body's colour on a filled badge, signs at the four sides."""
    rng = pen.rng
    wide = rng.uniform(0.52, 0.6)
    if rng.random() < 0.5:
        mask = _blank()
        rounded(mask, 0.0, 0.5, 255)
    else:
        angles = np.arange(6) * np.pi / 3
        mask = _polygon(
            [(0.5 + 0.5 * np.cos(a), 0.5 + 0.5 * np.sin(a)) for a in angles]
        )
    pen.canvas.stamp(mask, pen.ink, (0.5, 0.5), (wide, wide))
    pen.rank((0.5, 0.5), (wide * 0.62, wide * 0.6), 0.0, pen.style.body)
    out = 0.5 - rng.uniform(0.1, 0.12)
    for turn in (0.0, 90.0, 180.0, 270.0):
        dx, dy = turned((0.0, -out), turn)
        pen.suit((0.5 + dx, 0.5 + dy), 0.19, turn)


def _halves(pen: Pen) -> None:
    """One corner filled with ink, the rank on it; the sign in the other corner."""
    rng = pen.rng
    left = bool(rng.random() < 0.5)
    corners = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)]
    far = 0.7
    if not left:
        corners = [(1 - x, y) for x, y in corners]
    pen.canvas.stamp(_polygon(corners), pen.ink, (0.5, 0.5), (1.0, 1.0), 0.0, True)
    near = 0.3
    pen.rank((near if left else 1 - near, near), (0.4, 0.42), 0.0, pen.style.body)
    pen.suit((far if left else 1 - far, far), rng.uniform(0.4, 0.46))


def _ring(pen: Pen) -> None:
    """The rank within a ring of small signs."""
    rng = pen.rng
    count = int(rng.choice([6, 8]))
    radius, tall = rng.uniform(0.36, 0.39), rng.uniform(0.38, 0.44)
    upright = bool(rng.random() < 0.5)
    pen.rank((0.5, 0.48), (0.44, tall))
    for k in range(count):
        turn = 360.0 * k / count
        dx, dy = turned((0.0, -radius), turn)
        pen.suit((0.5 + dx, 0.5 + dy), 0.2, 0.0 if upright else turn)


def _segments(pen: Pen) -> None:
    """The rank in strokes of a display, the sign small below it or beside it."""
    rng = pen.rng
    mask = np.zeros((_MASK_PX, _MASK_PX * 5 // 8), np.uint8)
    size = np.array([mask.shape[1] - 1, mask.shape[0] - 1])
    line = int(rng.integers(18, 26))
    for name in _SEGMENTS[pen.card.rank]:
        a, b = (np.array(p) for p in _STROKES[name])
        inset = line / 2 + 1
        ends = [np.rint(inset + p * (size - 2 * inset)).astype(int) for p in (a, b)]
        start, end = ((int(x), int(y)) for x, y in ends)
        cv2.line(mask, start, end, 255, line, cv2.LINE_AA)
    if rng.random() < 0.5:
        pen.canvas.stamp(mask, pen.rank_ink, (0.32, 0.5), (0.44, 0.72))
        pen.suit((0.75, 0.7), 0.36)
    else:
        pen.canvas.stamp(mask, pen.rank_ink, (0.5, 0.36), (0.4, 0.56))
        pen.suit((0.5, 0.82), 0.28)


def _banner(pen: Pen) -> None:
    """A band of ink across the face with the rank on it, signs above and below."""
    rng = pen.rng
    high = rng.uniform(0.38, 0.44)
    band = np.full((_MASK_PX, _MASK_PX), 255, np.uint8)
    pen.canvas.stamp(band, pen.ink, (0.5, 0.5), (1.0, high), 0.0, True)
    pen.rank((0.5, 0.5), (0.6, high * 0.78), 0.0, pen.style.body)
    count = int(rng.choice([1, 3]))
    size, off = 0.24, 0.5 - high / 2
    for k in range(count):
        x = 0.5 + 0.3 * (k - (count - 1) / 2)
        pen.suit((x, off / 2), size)
        pen.suit((1 - x, 1 - off / 2), size, 180.0)


def _initials(pen: Pen) -> None:
    """The first letter of the suit's name in place of its sign."""
    rng = pen.rng
    mask = pen.style.text_mask(pen.card.suit.value)
    low, small = rng.uniform(0.66, 0.72), rng.uniform(0.34, 0.4)
    pen.rank((0.36, 0.4), (0.5, 0.62))
    pen.canvas.stamp(mask, pen.ink, (0.76, low), (small, small))
    if rng.random() < 0.5:
        bar = np.full((8, 48), 255, np.uint8)
        pen.canvas.stamp(bar, pen.ink, (0.5, 0.92), (0.8, 0.04), 0.0, True)


ASIDE: dict[str, Callable[[Pen], None]] = {
    "badge": _badge,
    "halves": _halves,
    "ring": _ring,
    "segments": _segments,
    "banner": _banner,
    "initials": _initials,
}
"""How each design that is kept aside is drawn."""
