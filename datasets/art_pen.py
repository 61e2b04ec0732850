"""The pen that draws the parts of one face in a style."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from datasets.canvas import Bgr, Canvas
from scoring.cards import RANKS, Card

if TYPE_CHECKING:
    from datasets.style import ArtStyle

Point = tuple[float, float]


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
            drop = turned((0.0, box[1] * 0.62), turn)
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


def turned(vector: Point, turn_deg: float) -> Point:
    """A vector turned clockwise, as y points down."""
    angle = np.deg2rad(turn_deg)
    c, s = float(np.cos(angle)), float(np.sin(angle))
    return vector[0] * c - vector[1] * s, vector[0] * s + vector[1] * c


def rank_text(style: ArtStyle, rank: int) -> str:
    """What is printed for a rank of 1 to 13."""
    return style.ten if rank == 10 else RANKS[rank - 1]


def border(canvas: Canvas, style: ArtStyle, ink: Bgr) -> None:
    """Print the style's border, if it has one."""
    rng = np.random.default_rng(style.seed + 1)
    inset, width = rng.uniform(0.01, 0.05), rng.uniform(0.012, 0.035)
    if style.frame in (1, 2):
        radius = 0.0 if style.frame == 1 else rng.uniform(0.08, 0.3)
        canvas.frame(ink, inset, width, radius)
    elif style.frame == 3:
        canvas.frame(ink, inset, width, 0.5)
