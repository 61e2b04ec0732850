"""Drawing one face in a style: every layout as a few stamps."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from datasets.canvas import Art, Bgr, Canvas, rounded
from datasets.shapes import court, jester, star
from scoring.cards import RANKS, Card, Face, Joker, PokerFace

if TYPE_CHECKING:
    from collections.abc import Callable

    from datasets.fonts import Mask
    from datasets.style import ArtStyle

Point = tuple[float, float]

# Where a card of each rank carries its pips: columns 0..2 and rows 0..1 of the field.
_PIPS: dict[int, tuple[Point, ...]] = {
    1: ((1, 0.5),),
    2: ((1, 0), (1, 1)),
    3: ((1, 0), (1, 0.5), (1, 1)),
    4: ((0, 0), (2, 0), (0, 1), (2, 1)),
    5: ((0, 0), (2, 0), (1, 0.5), (0, 1), (2, 1)),
    6: ((0, 0), (2, 0), (0, 0.5), (2, 0.5), (0, 1), (2, 1)),
}
_PIPS[7] = (*_PIPS[6], (1, 0.25))
_PIPS[8] = (*_PIPS[6], (1, 0.25), (1, 0.75))
_FOUR_ROWS: tuple[Point, ...] = tuple(
    (column, row / 3) for row in range(4) for column in (0, 2)
)
_PIPS[9] = (*_FOUR_ROWS, (1, 0.5))
_PIPS[10] = (*_FOUR_ROWS, (1, 1 / 6), (1, 5 / 6))


class Pen:
    """Draws the parts of one card face; measures come from the style's own seed."""

    def __init__(self, style: ArtStyle, card: Card) -> None:
        self.style, self.card = style, card
        self.rng = np.random.default_rng(style.seed)
        self.canvas = Canvas(style.body)
        self.ink = style.ink(card.suit)
        self.rank_ink = style.inks[0] if style.neutral_rank else self.ink
        self.text = rank_text(style, card.rank)
        self.size = float(self.rng.uniform(0.82, 1.08))

    def rank(
        self,
        at: Point,
        box: Point,
        turn: float = 0.0,
        ink: Bgr | None = None,
    ) -> None:
        """Print the rank."""
        mask = self.style.text_mask(self.text)
        box = (box[0] * self.size, box[1] * self.size)
        self.canvas.stamp(mask, ink or self.rank_ink, at, box, turn)
        if self.style.underline and self.card.rank in (6, 9):
            drop = _turned((0.0, box[1] * 0.62), turn)
            bar = np.full((8, 48), 255, np.uint8)
            place = (at[0] + drop[0], at[1] + drop[1])
            self.canvas.stamp(bar, ink or self.rank_ink, place, (box[1] * 0.6, 1), turn)

    def suit(
        self, at: Point, box: float, turn: float = 0.0, ink: Bgr | None = None
    ) -> None:
        """Print the suit sign in a square box."""
        mask = self.style.suit_mask(self.card.suit)
        size = box * self.size
        self.canvas.stamp(mask, ink or self.ink, at, (size, size), turn)


def _turned(vector: Point, turn_deg: float) -> Point:
    angle = np.deg2rad(turn_deg)
    c, s = float(np.cos(angle)), float(np.sin(angle))
    return vector[0] * c - vector[1] * s, vector[0] * s + vector[1] * c


def rank_text(style: ArtStyle, rank: int) -> str:
    """What is printed for a rank of 1 to 13."""
    return style.ten if rank == 10 else RANKS[rank - 1]


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


def _big_rank(pen: Pen) -> None:
    rng = pen.rng
    box, inset = rng.uniform(0.2, 0.32), rng.uniform(0.17, 0.22)
    shift = rng.uniform(0.0, 0.07)
    tall = rng.uniform(0.55, 0.78)
    pen.rank((0.5 - shift, 0.5 - shift), (rng.uniform(0.55, 0.75), tall))
    corners = [(1 - inset, 1 - inset, 0.0), (inset, inset, 0.0)]
    corners += [(1 - inset, inset, 0.0), (inset, 1 - inset, 0.0)]
    count = int(rng.choice([1, 1, 2, 4]))
    on_head = bool(rng.random() < 0.5) and count > 1
    for k, (x, y, _) in enumerate(corners[:count]):
        pen.suit((x, y), box, 180.0 if on_head and k in (0, 3) else 0.0)


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
            dx, dy = _turned((-0.31, -0.31), turn)
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


def _field(pen: Pen, left: float, top: float, right: float, bottom: float) -> None:
    """Fill a field with pips, a court figure or one large sign, as a card has."""
    rank, rng = pen.card.rank, pen.rng
    middle = ((left + right) / 2, (top + bottom) / 2)
    wide, tall = right - left, bottom - top
    courts = int(rng.integers(3))
    if rank > 10:
        if courts == 0:
            mask = court(pen.style.seed % 1024, rank)
            pen.canvas.stamp(mask, pen.ink, middle, (wide, tall))
        elif courts == 1:
            pen.rank(middle, (wide, tall * 0.75))
        else:
            pen.suit(middle, min(wide, tall) * 0.9)
        return
    if rank == 1:
        pen.suit(middle, min(wide, tall) * 0.75)
        return
    box = min(tall / 3.4, wide / 2.6) * float(rng.uniform(0.8, 1.1))
    for column, row in _PIPS[rank]:
        x = left + box / 2 + (wide - box) * column / 2
        y = top + box / 2 + (tall - box) * row
        pen.suit((x, y), box, 180.0 if row > 0.5 else 0.0)


def _minicard(pen: Pen) -> None:
    """A small playing card: index corners, the field between them."""
    rng = pen.rng
    box = rng.uniform(0.2, 0.3)
    x, y = 0.05 + box / 2, 0.06 + box / 2
    both = rng.random() < 0.85
    small = box * rng.uniform(0.7, 0.95)
    for turn in (0.0, 180.0)[: 1 + both]:
        for at, draw in (((x, y), "rank"), ((x, y + box * 0.98), "suit")):
            dx, dy = _turned((at[0] - 0.5, at[1] - 0.5), turn)
            place = (0.5 + dx, 0.5 + dy)
            if draw == "rank":
                pen.rank(place, (box, box), turn)
            else:
                pen.suit(place, small, turn)
    _field(pen, 0.06 + box, 0.1, 0.94 - (box if both else 0.0), 0.9)


def _pips(pen: Pen) -> None:
    """Pips all over, with a rank in one corner, in the middle, or none for numbers."""
    rng = pen.rng
    index = rng.random()
    if index < 0.45:
        box = rng.uniform(0.24, 0.34)
        if pen.card.rank > 10:  # a court figure alone would not tell the suit
            pen.suit((0.56, 0.56), 0.62)
        else:
            _field(pen, 0.1 + box * 0.8, 0.1, 0.92, 0.92)
        pen.rank((0.05 + box / 2, 0.05 + box / 2), (box, box))
    elif index < 0.75 and pen.card.rank <= 10:
        _field(pen, 0.08, 0.08, 0.92, 0.92)
        box = rng.uniform(0.28, 0.38)
        disc = np.zeros((96, 96), np.uint8)
        rounded(disc, 0.0, 0.5, 255)
        pen.canvas.stamp(disc, pen.style.body, (0.5, 0.5), (box * 1.25, box * 1.25))
        pen.rank((0.5, 0.5), (box, box))
    elif pen.card.rank <= 10:
        _field(pen, 0.12, 0.1, 0.88, 0.9)
    else:
        _big_rank(pen)


_LAYOUTS: dict[str, Callable[[Pen], None]] = {
    "stack": _stack,
    "beside": _beside,
    "index": _index,
    "big_rank": _big_rank,
    "corners": _corners,
    "knockout": _knockout,
    "overlap": _overlap,
    "diagonal": _diagonal,
    "minicard": _minicard,
    "pips": _pips,
}


def _border(canvas: Canvas, style: ArtStyle, ink: Bgr) -> None:
    rng = np.random.default_rng(style.seed + 1)
    inset, width = rng.uniform(0.01, 0.05), rng.uniform(0.012, 0.035)
    if style.frame in (1, 2):
        radius = 0.0 if style.frame == 1 else rng.uniform(0.08, 0.3)
        canvas.frame(ink, inset, width, radius)
    elif style.frame == 3:
        canvas.frame(ink, inset, width, 0.5)


def _draw_joker(style: ArtStyle, joker: Joker) -> Canvas:
    rng = np.random.default_rng(style.seed + 2)
    canvas, ink = Canvas(style.body), style.joker_ink(joker.colour)
    word = style.text_mask(style.word)
    shape: Mask = (
        jester(style.seed % 256)
        if style.joker in ("jester", "corner_word")
        else star(int(rng.choice([5, 5, 5, 6, 8])), round(rng.uniform(0.38, 0.55), 2))
    )
    slant = float(rng.choice([0.0, 0.0, -45.0, -30.0, 45.0]))
    if style.joker == "word":
        wide = rng.uniform(0.82, 0.96)
        canvas.stamp(word, ink, (0.5, 0.5), (wide, rng.uniform(0.25, 0.5)), slant, True)
    elif style.joker == "two_lines":
        half = (len(style.word) + 1) // 2
        for part, y in ((style.word[:half], 0.29), (style.word[half:], 0.71)):
            canvas.stamp(style.text_mask(part), ink, (0.5, y), (0.85, 0.38))
    elif style.joker in ("star", "jester"):
        size = rng.uniform(0.65, 0.9)
        canvas.stamp(shape, ink, (0.5, 0.5), (size, size))
    elif style.joker == "star_word":
        size, high = rng.uniform(0.45, 0.6), rng.uniform(0.2, 0.28)
        top = bool(rng.random() < 0.5)
        canvas.stamp(shape, ink, (0.5, 0.36 if top else 0.64), (size, size))
        canvas.stamp(word, ink, (0.5, 0.82 if top else 0.18), (0.9, high), 0, True)
    else:
        high = rng.uniform(0.13, 0.2)
        turn = float(rng.choice([0.0, 90.0, 270.0]))
        for k in (0, 1):
            x, y = (0.06 + high / 2, 0.5) if turn else (0.5, 0.06 + high / 2)
            place = (1 - x, 1 - y) if k else (x, y)
            canvas.stamp(word, ink, place, (0.82, high), turn + 180 * k, True)
        size = rng.uniform(0.45, 0.62)
        canvas.stamp(shape, ink, (0.5, 0.5), (size, size))
    _border(canvas, style, ink)
    return canvas


def _draw_plain(style: ArtStyle, text: str, ink: Bgr) -> Canvas:
    """A face of a poker or Squint die: its rank alone, with or without small copies."""
    rng = np.random.default_rng(style.seed + 3)
    canvas = Canvas(style.body)
    mask = style.text_mask(text)
    kind = rng.random()
    tall = rng.uniform(0.5, 0.85) if kind < 0.7 else rng.uniform(0.4, 0.55)
    canvas.stamp(mask, ink, (0.5, 0.5), (rng.uniform(0.6, 0.85), tall))
    if kind >= 0.7:
        for at, turn in (((0.16, 0.18), 0.0), ((0.84, 0.82), 180.0)):
            canvas.stamp(mask, ink, at, (0.2, 0.2), turn)
    _border(canvas, style, ink)
    return canvas


def draw_face(style: ArtStyle, face: Face) -> Art:
    """Draw a face, upright and never mirrored.

    Returns:
        (ART_PX, ART_PX, 3) uint8 BGR.
    """
    if isinstance(face, Joker):
        return _draw_joker(style, face).finish()
    if isinstance(face, Card):
        pen = Pen(style, face)
        _LAYOUTS[style.layout](pen)
        _border(pen.canvas, style, pen.ink)
        return pen.canvas.finish()
    rank = face.rank if isinstance(face, PokerFace) else face.number
    text = rank_text(style, rank) if isinstance(face, PokerFace) else face.code
    ink = style.inks[1 if (style.seed + rank) % 3 == 0 else 0]
    return _draw_plain(style, text, ink).finish()
