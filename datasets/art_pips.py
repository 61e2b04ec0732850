"""Faces and cards that carry pips, as playing cards do."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from datasets.art_pen import Pen, Point, turned
from datasets.canvas import ART_PX, Art, Canvas, rounded
from datasets.shapes import court

if TYPE_CHECKING:
    from datasets.style import ArtStyle
    from scoring.cards import Card

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


def big_rank(pen: Pen) -> None:
    """A large rank with small suit signs in one to four corners."""
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


def _panel(pen: Pen, middle: Point, wide: float, tall: float) -> None:
    """A thin frame round the figure of a court card."""
    high, across = max(8, round(200 * tall)), max(8, round(200 * wide))
    mask = np.zeros((high, across), np.uint8)
    line = int(pen.rng.integers(2, 5))
    cv2.rectangle(mask, (0, 0), (across - 1, high - 1), 255, 2 * line - 1)
    pen.canvas.stamp(mask, pen.rank_ink, middle, (wide, tall), 0.0, True)


def _court(pen: Pen, middle: Point, wide: float, tall: float) -> None:
    """What stands for the figure of a jack, queen or king."""
    rng = pen.rng
    kind, framed = int(rng.integers(5)), bool(rng.random() < 0.4)
    seed = pen.style.seed % 1024
    if framed:
        _panel(pen, middle, wide, tall)
        wide, tall = wide * 0.8, tall * 0.84
    if kind == 0:
        pen.canvas.stamp(court(seed, pen.card.rank), pen.ink, middle, (wide, tall))
    elif kind == 1:  # two heads, as on cards that have no upside down
        mask = court(seed, pen.card.rank)
        for sign, turn in ((-1, 0.0), (1, 180.0)):
            at = (middle[0], middle[1] + sign * tall / 4)
            pen.canvas.stamp(mask, pen.ink, at, (wide, tall / 2), turn)
    elif kind in (2, 3):
        pen.rank(middle, (wide, tall * (0.75 if kind == 2 else 0.55)))
    else:
        pen.suit(middle, min(wide, tall) * 0.9)


def _field(pen: Pen, left: float, top: float, right: float, bottom: float) -> None:
    """Fill a field with pips, a court figure or one large sign, as a card has."""
    rank, rng = pen.card.rank, pen.rng
    middle = ((left + right) / 2, (top + bottom) / 2)
    wide, tall = right - left, bottom - top
    if rank > 10:
        _court(pen, middle, wide, tall)
        return
    if rank == 1:
        pen.suit(middle, min(wide, tall) * 0.75)
        return
    box = min(tall / 3.4, wide / 2.6) * float(rng.uniform(0.8, 1.1))
    for column, row in _PIPS[rank]:
        x = left + box / 2 + (wide - box) * column / 2
        y = top + box / 2 + (tall - box) * row
        pen.suit((x, y), box, 180.0 if row > 0.5 else 0.0)


def minicard(pen: Pen) -> None:
    """A small playing card: index corners, the field between them."""
    rng = pen.rng
    box = rng.uniform(0.2, 0.3)
    x, y = 0.05 + box / 2, 0.06 + box / 2
    both = rng.random() < 0.85
    small = box * rng.uniform(0.7, 0.95)
    for turn in (0.0, 180.0)[: 1 + both]:
        for at, draw in (((x, y), "rank"), ((x, y + box * 0.98), "suit")):
            dx, dy = turned((at[0] - 0.5, at[1] - 0.5), turn)
            place = (0.5 + dx, 0.5 + dy)
            if draw == "rank":
                pen.rank(place, (box, box), turn)
            else:
                pen.suit(place, small, turn)
    _field(pen, 0.06 + box, 0.1, 0.94 - (box if both else 0.0), 0.9)


def pips(pen: Pen) -> None:
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
        big_rank(pen)


CARD_SIZE = (126, 176)
"""Width and height of a drawn playing card, pixels."""


def playing_card(style: ArtStyle, card: Card) -> Art:
    """Draw a whole playing card, which is no die: distractors, and print to avoid.

    Returns:
        (176, 126, 3) uint8 BGR.
    """
    pen = Pen(style, card)
    rng = pen.rng
    wide, tall = CARD_SIZE[0] / ART_PX, CARD_SIZE[1] / ART_PX
    paper = rng.uniform(225, 255) + rng.normal(0, 4, 3)
    pen.canvas = Canvas((paper[0], paper[1], paper[2]), wide, tall)
    if sum(style.body) < 380:  # inks for dark dice do not show on paper
        inks = ((30.0, 30.0, 30.0), (40.0, 30.0, 210.0))
        pen.ink = pen.rank_ink = inks["SHDC".index(card.suit.value) in (1, 2)]
    box = rng.uniform(0.14, 0.3)
    x, y = 0.04 + box / 2, 0.05 + box / 2
    four = rng.random() < 0.15
    for sign, turn in ((1, 0.0), (-1, 180.0)):
        for mirror in (1, -1)[: 1 + four]:
            for down, draw in ((y, pen.rank), (y + box * 0.98, None)):
                at = (
                    wide / 2 + sign * mirror * (x - wide / 2),
                    tall / 2 + sign * (down - tall / 2),
                )
                if draw is not None:
                    draw(at, (box, box), turn)
                else:
                    pen.suit(at, box * 0.8, turn)
    side = 0.08 + box
    if card.rank == 1:
        pen.suit((wide / 2, tall / 2), rng.uniform(0.3, 0.7))
    else:
        _field(pen, side, 0.12, wide - side, tall - 0.12)
    return pen.canvas.finish()
