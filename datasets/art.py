"""Drawing one face in a style: every layout as a few stamps."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from datasets.art_aside import ASIDE
from datasets.art_jokers import draw_joker
from datasets.art_pen import Pen, border, turned
from datasets.art_pips import big_rank, minicard, pips
from datasets.rank_faces import draw_rank_face
from scoring.cards import ALL_FACES, Card, Face, Joker

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from datasets.canvas import Art, Canvas
    from datasets.style import ArtStyle


def _stack(pen: Pen) -> None:
    rng = pen.rng
    rank_share, side = rng.uniform(0.4, 0.6), rng.uniform(0.72, 0.9)
    gap, top_first = rng.uniform(0.0, 0.06), rng.random() < 0.75
    high, low = side * rank_share - gap / 2, side * (1 - rank_share) - gap / 2
    top = (1 - side) / 2
    if top_first:
        pen.rank((0.5, top + high / 2), (rng.uniform(0.6, 0.85), high))
        pen.suit((0.5, 1 - top - low / 2), low)
    else:
        pen.suit((0.5, top + low / 2), low)
        pen.rank((0.5, 1 - top - high / 2), (rng.uniform(0.6, 0.85), high))


def _beside(pen: Pen) -> None:
    rng = pen.rng
    share, tall = rng.uniform(0.42, 0.58), rng.uniform(0.5, 0.85)
    side = rng.uniform(0.84, 0.94)
    left = (1 - side) / 2
    dy = rng.uniform(-0.12, 0.12)
    first, second = side * share, side * (1 - share)
    if rng.random() < 0.75:
        pen.rank((left + first / 2, 0.5 - dy / 2), (first * 0.95, tall))
        pen.suit((1 - left - second / 2, 0.5 + dy / 2), second * 0.95)
    else:
        pen.suit((left + first / 2, 0.5 + dy / 2), first * 0.95)
        pen.rank((1 - left - second / 2, 0.5 - dy / 2), (second * 0.95, tall))


def _index_corners(pen: Pen, corners: int, inset: float, box: float) -> None:
    """Print the rank in one, two (the second on its head) or four corners."""
    places = [(inset, inset, 0.0), (1 - inset, 1 - inset, 180.0)]
    if corners == 4:
        upright = pen.rng.random() < 0.4
        places[1] = (1 - inset, 1 - inset, 0.0 if upright else 180.0)
        places += [
            (1 - inset, inset, 0.0),
            (inset, 1 - inset, 0.0 if upright else 180.0),
        ]
    for x, y, turn in places[:corners]:
        pen.rank((x, y), (box * 1.15, box), turn)


def _index(pen: Pen) -> None:
    rng = pen.rng
    corners = int(rng.choice([1, 2, 2, 4]))
    box = rng.uniform(0.24, 0.36)
    inset = 0.06 + box / 2 + rng.uniform(0, 0.03)
    shift = rng.uniform(0.02, 0.12) if corners == 1 else 0.0
    pen.suit((0.5 + shift, 0.5 + shift), rng.uniform(0.42, 0.62))
    _index_corners(pen, corners, inset, box)


def _corners(pen: Pen) -> None:
    """Rank and suit share the four corners or face each other across the middle."""
    rng = pen.rng
    box, inset = rng.uniform(0.28, 0.4), rng.uniform(0.22, 0.27)
    kind = int(rng.integers(3))
    far = 180.0 if rng.random() < 0.6 else 0.0
    if kind == 0:
        pen.rank((inset, inset), (box * 1.1, box))
        pen.rank((1 - inset, 1 - inset), (box * 1.1, box), far)
        pen.suit((1 - inset, inset), box)
        pen.suit((inset, 1 - inset), box, far)
    elif kind == 1:
        for x, y, turn in ((inset, inset, 0.0), (1 - inset, 1 - inset, far)):
            pen.rank((x, y), (box * 1.2, box * 1.1), turn)
            sign = 1 if turn == 0 and x < 0.5 else -1
            pen.suit((x, y + sign * box * 0.95), box * 0.75, turn)
    else:
        for turn in (0.0, 90.0, 180.0, 270.0):
            dx, dy = turned((-0.31, -0.31), turn)
            pen.rank((0.5 + dx, 0.5 + dy), (box * 0.8, box * 0.75), turn)
        pen.suit((0.5, 0.5), rng.uniform(0.34, 0.46))


def _knockout(pen: Pen) -> None:
    """The rank in the body's colour inside a large suit sign."""
    rng = pen.rng
    pen.suit((0.5, 0.5), rng.uniform(0.88, 1.0))
    box = rng.uniform(0.3, 0.42)
    drop = {"H": -0.06, "S": 0.06, "C": 0.04}.get(pen.card.suit.value, 0.0)
    pen.rank((0.5, 0.5 + drop), (box, box), 0.0, pen.style.body)


def _overlap(pen: Pen) -> None:
    """A large rank with the suit sign over its lower corner, a gap printed round it."""
    rng = pen.rng
    tall = rng.uniform(0.62, 0.8)
    pen.rank((0.42, 0.45), (rng.uniform(0.6, 0.75), tall))
    box, x = rng.uniform(0.34, 0.46), rng.uniform(0.68, 0.76)
    right = rng.random() < 0.8
    place = (x if right else 1 - x, rng.uniform(0.66, 0.76))
    pen.suit(place, box * 1.2, 0.0, pen.style.body)
    pen.suit(place, box)


def _diagonal(pen: Pen) -> None:
    rng = pen.rng
    box, suit = rng.uniform(0.4, 0.56), rng.uniform(0.36, 0.52)
    left = 0.06 + box / 2
    down = 1 - 0.06 - suit / 2
    kind = rng.random()
    if kind < 0.6:
        pen.rank((left, left), (box, box))
        pen.suit((down, down), suit)
    elif kind < 0.8:
        pen.rank((1 - left, left), (box, box))
        pen.suit((1 - down, down), suit)
    else:
        pen.suit((1 - down, 1 - down), suit)
        pen.rank((1 - left, 1 - left), (box, box))


_LAYOUTS: dict[str, Callable[[Pen], None]] = {
    "stack": _stack,
    "beside": _beside,
    "index": _index,
    "big_rank": big_rank,
    "corners": _corners,
    "knockout": _knockout,
    "overlap": _overlap,
    "diagonal": _diagonal,
    "minicard": minicard,
    "pips": pips,
    **ASIDE,
}


def _aged(art: Art, style: ArtStyle, face: Face) -> Art:
    """A cloudy body, and ink that has been rubbed off in places."""
    rng = np.random.default_rng((style.seed, ALL_FACES.index(face)))
    out = art.astype(np.float32)
    side = art.shape[0]

    def clouds(cells: int) -> NDArray[np.float32]:
        grid = rng.normal(0, 1, (cells, cells)).astype(np.float32)
        big = cv2.resize(grid, (side, side), interpolation=cv2.INTER_CUBIC)
        return np.asarray(big, np.float32)

    if style.wear:
        rough = clouds(int(rng.integers(5, 40))) + 0.5 * clouds(side)
        limit = np.quantile(rough, style.wear)
        share = np.clip((limit - rough) / 0.3, 0, rng.uniform(0.5, 1.0))
        out += share[:, :, None] * (np.asarray(style.body, np.float32) - out)
    if style.marble:
        tint = rng.normal(1, 0.25, 3).astype(np.float32) * np.float32(style.marble)
        out += clouds(int(rng.integers(3, 9)))[:, :, None] * tint
    return np.clip(out, 0, 255).astype(np.uint8)


def draw_face(style: ArtStyle, face: Face) -> Art:
    """Draw a face, upright and never mirrored.

    Returns:
        (ART_PX, ART_PX, 3) uint8 BGR.
    """
    art = _drawn(style, face).finish()
    return _aged(art, style, face) if style.wear or style.marble else art


def _drawn(style: ArtStyle, face: Face) -> Canvas:
    if isinstance(face, Joker):
        return draw_joker(style, face)
    if isinstance(face, Card):
        pen = Pen(style, face)
        _LAYOUTS[style.layout](pen)
        border(pen.canvas, style, pen.ink)
        return pen.canvas
    return draw_rank_face(style, face)
