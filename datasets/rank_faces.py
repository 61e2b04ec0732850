"""Faces of poker dice and of the Squint die: a rank or a number without a suit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from datasets.art_pen import border, rank_text
from datasets.canvas import Canvas, rounded
from datasets.shapes import court, star
from scoring.cards import PokerFace

if TYPE_CHECKING:
    from datasets.canvas import Bgr
    from datasets.fonts import Mask
    from datasets.style import ArtStyle
    from scoring.cards import SquintFace

_MANY: tuple[tuple[Bgr, Bgr], ...] = (
    ((40, 30, 200), (90, 80, 245)),
    ((170, 70, 20), (245, 190, 90)),
    ((50, 120, 20), (110, 215, 110)),
    ((25, 25, 25), (235, 235, 235)),
    ((140, 40, 120), (225, 130, 220)),
    ((20, 110, 200), (60, 190, 250)),
)
"""Inks of dice with another colour a rank: on light bodies, on dark ones."""

_KINDS = ("plain", "corners", "disc", "star", "figure", "four", "words")
_SHARES = (0.42, 0.18, 0.1, 0.06, 0.12, 0.06, 0.06)
_WORDS = {1: "ACE", 11: "JACK", 12: "QUEEN", 13: "KING"}


def draw_rank_face(style: ArtStyle, face: PokerFace | SquintFace) -> Canvas:
    """Draw a face, upright; one style draws all faces of a set in one way."""
    rng = np.random.default_rng(style.seed + 3)
    canvas, ink = Canvas(style.body), _ink(rng, style, face)
    kind = str(rng.choice(_KINDS, p=_SHARES))
    if isinstance(face, PokerFace):
        rank, text = face.rank, rank_text(style, face.rank)
    else:
        rank, text = face.number, face.code
        kind = {"words": "plain", "figure": "corners"}.get(kind, kind)
    mask = style.text_mask(text)
    match kind:
        case "plain":
            tall = rng.uniform(0.5, 0.85)
            canvas.stamp(mask, ink, (0.5, 0.5), (rng.uniform(0.6, 0.85), tall))
        case "corners":
            tall = rng.uniform(0.4, 0.55)
            canvas.stamp(mask, ink, (0.5, 0.5), (rng.uniform(0.5, 0.7), tall))
            for at, turn in (((0.16, 0.18), 0.0), ((0.84, 0.82), 180.0)):
                canvas.stamp(mask, ink, at, (0.2, 0.2), turn)
        case "disc" | "star":
            _on_shape(rng, canvas, style, mask, ink, kind)
        case "figure":
            _with_figure(rng, canvas, style, mask, ink, rank)
        case "four":
            far = rng.uniform(0.24, 0.28)
            for x, y in (
                (far, far),
                (1 - far, far),
                (far, 1 - far),
                (1 - far, 1 - far),
            ):
                canvas.stamp(mask, ink, (x, y), (0.36, 0.36))
        case _:
            word = style.text_mask(_WORDS[rank]) if rank in _WORDS else mask
            small = rng.uniform(0.16, 0.24)
            canvas.stamp(mask, ink, (0.5, 0.4), (0.6, 0.56))
            canvas.stamp(word, ink, (0.5, 0.97 - small / 2), (0.9, small))
    border(canvas, style, ink)
    return canvas


def _ink(
    rng: np.random.Generator, style: ArtStyle, face: PokerFace | SquintFace
) -> Bgr:
    """One ink, two, or another one for every face."""
    rank = face.rank if isinstance(face, PokerFace) else face.number
    share = rng.random()
    if share < 0.3:
        return style.inks[0]
    if share < 0.7:
        return style.inks[1 if (style.seed + rank) % 3 == 0 else 0]
    light, dark = _MANY[(style.seed + rank) % len(_MANY)]
    return light if sum(style.body) > 380 else dark


def _on_shape(
    rng: np.random.Generator,
    canvas: Canvas,
    style: ArtStyle,
    mask: Mask,
    ink: Bgr,
    kind: str,
) -> None:
    """The rank in the body's colour on a disc or a star of ink."""
    if kind == "disc":
        shape = np.zeros((96, 96), np.uint8)
        rounded(shape, 0.0, 0.5 if rng.random() < 0.7 else 0.2, 255)
        size, box = rng.uniform(0.72, 0.94), rng.uniform(0.42, 0.56)
    else:
        shape = star(int(rng.choice([5, 6, 8, 12])), round(rng.uniform(0.55, 0.8), 2))
        size, box = rng.uniform(0.85, 0.98), rng.uniform(0.3, 0.42)
    canvas.stamp(shape, ink, (0.5, 0.5), (size, size))
    canvas.stamp(mask, style.body, (0.5, 0.5), (box, box))


def _with_figure(
    rng: np.random.Generator,
    canvas: Canvas,
    style: ArtStyle,
    mask: Mask,
    ink: Bgr,
    rank: int,
) -> None:
    """The rank beside a court figure, a star, or as many spots as it counts."""
    box = rng.uniform(0.28, 0.38)
    canvas.stamp(mask, ink, (0.05 + box / 2, 0.05 + box / 2), (box, box))
    left = 0.5 + box * 0.28
    if rank > 10:
        figure = court(style.seed % 1024, rank)
        canvas.stamp(figure, ink, (left, 0.55), (0.98 - box * 0.7, 0.84))
    elif rank == 1:
        size = rng.uniform(0.5, 0.65)
        canvas.stamp(star(5, 0.42), ink, (left, 0.58), (size, size))
    else:
        spot = np.zeros((48, 48), np.uint8)
        rounded(spot, 0.0, 0.5, 255)
        for k in range(rank):
            row, column = divmod(k, 3)
            at = (0.42 + 0.22 * column, 0.3 + 0.19 * row)
            canvas.stamp(spot, ink, at, (0.13, 0.13))
