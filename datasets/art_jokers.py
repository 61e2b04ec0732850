"""Drawing jokers: words, stars, jesters and crowns in one or several inks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from datasets.art_pen import border
from datasets.canvas import Bgr, Canvas
from datasets.shapes import crown, jester, star
from scoring.cards import Colour, Joker

if TYPE_CHECKING:
    from datasets.fonts import Mask
    from datasets.style import ArtStyle

_BRIGHT: tuple[Bgr, ...] = (
    (200, 90, 30),
    (60, 150, 40),
    (40, 190, 235),
    (150, 60, 150),
    (90, 90, 235),
    (160, 150, 240),
)
"""Second inks of a coloured joker: blue, green, yellow, purple, red, pink."""


def joker_inks(style: ArtStyle, joker: Joker) -> tuple[Bgr, Bgr, Bgr]:
    """Inks of the parts of a figure; the first is the one that tells the jokers apart.

    A joker in several colours is the coloured one of its pair, so it counts as red; the
    black one has greys beside its ink.
    """
    rng = np.random.default_rng(style.seed + 4)
    first = style.joker_ink(joker.colour)
    if not style.many_inks:
        return first, first, first
    if joker.colour is Colour.RED:
        second = _BRIGHT[int(rng.integers(len(_BRIGHT)))]
        third = _BRIGHT[int(rng.integers(len(_BRIGHT)))]
        return first, second, first if rng.random() < 0.6 else third
    shares = rng.uniform(0.0, 0.6, 2)
    body = np.asarray(style.body, np.float64)
    greys = [tuple(np.asarray(first) * (1 - s) + body * s) for s in shares]
    return first, (greys[0][0], greys[0][1], greys[0][2]), first


class _JokerPen:
    """Prints the parts of one joker."""

    def __init__(self, style: ArtStyle, joker: Joker) -> None:
        self.style = style
        self.rng = np.random.default_rng(style.seed + 2)
        self.canvas = Canvas(style.body)
        self.inks = joker_inks(style, joker)
        self.word_ink = self.inks[0]
        with_figure = style.joker not in ("word", "two_lines")
        if with_figure and style.many_inks and self.rng.random() < 0.3:
            self.word_ink = style.joker_inks[1]

    def figure(self, at: tuple[float, float], size: float) -> None:
        """Print the star, jester or crown of the style."""
        seed = self.style.seed
        if self.style.figure == "star":
            points = int(self.rng.choice([5, 5, 5, 6, 8]))
            mask = star(points, round(self.rng.uniform(0.38, 0.55), 2))
            self.canvas.stamp(mask, self.inks[0], at, (size, size))
            return
        parts = (jester if self.style.figure == "jester" else crown)(seed % 256)
        for mask, ink in zip(parts, self.inks, strict=True):
            self.canvas.stamp(mask, ink, at, (size, size))

    def word(
        self,
        at: tuple[float, float],
        box: tuple[float, float],
        turn: float = 0.0,
        text: str | None = None,
    ) -> None:
        """Print the word, or a part of it, stretched into a box."""
        mask: Mask = self.style.text_mask(self.style.word if text is None else text)
        self.canvas.stamp(mask, self.word_ink, at, box, turn, text is None)

    def column(self, x: float, top: float, high: float, wide: float) -> None:
        """Print the letters of the word below each other, as on a card's corner."""
        word = self.style.word
        step = high / len(word)
        for k, letter in enumerate(word):
            self.word((x, top + (k + 0.5) * step), (wide, step * 0.9), 0.0, letter)


def draw_joker(style: ArtStyle, joker: Joker) -> Canvas:
    """Draw a joker."""
    pen = _JokerPen(style, joker)
    rng, word = pen.rng, style.word
    if style.joker == "word":
        slant = float(rng.choice([0.0, 0.0, -45.0, -30.0, 45.0]))
        wide = rng.uniform(0.82, 0.96)
        pen.word((0.5, 0.5), (wide, rng.uniform(0.25, 0.5)), slant)
    elif style.joker == "two_lines":
        half = (len(word) + 1) // 2
        for part, y in ((word[:half], 0.29), (word[half:], 0.71)):
            pen.word((0.5, y), (0.85, 0.38), 0.0, part)
    elif style.joker == "figure":
        pen.figure((0.5, 0.5), rng.uniform(0.65, 0.9))
    elif style.joker == "figure_word":
        size, high = rng.uniform(0.45, 0.66), rng.uniform(0.16, 0.28)
        top = bool(rng.random() < 0.6)
        pen.figure((0.5, 0.38 if top else 0.62), size)
        pen.word((0.5, 0.82 if top else 0.18), (rng.uniform(0.65, 0.92), high))
    elif style.joker == "column":
        wide = rng.uniform(0.13, 0.2)
        pen.figure((0.56, 0.5), rng.uniform(0.5, 0.66))
        pen.column(0.06 + wide / 2, 0.08, rng.uniform(0.55, 0.84), wide)
    else:
        high = rng.uniform(0.13, 0.2)
        turn = float(rng.choice([0.0, 90.0, 270.0]))
        for k in (0, 1):
            x, y = (0.06 + high / 2, 0.5) if turn else (0.5, 0.06 + high / 2)
            place = (1 - x, 1 - y) if k else (x, y)
            pen.word(place, (0.82, high), turn + 180 * k)
        pen.figure((0.5, 0.5), rng.uniform(0.45, 0.62))
    border(pen.canvas, style, pen.inks[0])
    return pen.canvas
