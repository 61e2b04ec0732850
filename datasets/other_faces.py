"""Faces that are no card: pips, blanks and strange signs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from datasets.canvas import Art, Bgr, Canvas, rounded

if TYPE_CHECKING:
    from datasets.style import ArtStyle

_SPOTS = {
    1: ((0.5, 0.5),),
    2: ((0.26, 0.26), (0.74, 0.74)),
    3: ((0.26, 0.26), (0.5, 0.5), (0.74, 0.74)),
    4: ((0.27, 0.27), (0.73, 0.27), (0.27, 0.73), (0.73, 0.73)),
}
_SPOTS[5] = (*_SPOTS[4], (0.5, 0.5))
_SPOTS[6] = (*_SPOTS[4], (0.27, 0.5), (0.73, 0.5))
_SIGNS = "BXHMWR%&?#+="


def draw_pips(value: int, body: Bgr, ink: Bgr, size: float) -> Art:
    """Draw a face of an ordinary die.

    Args:
        value: 1 to 6.
        body: colour of the die.
        ink: colour of the pips.
        size: diameter of a pip in shares of the side.
    """
    canvas = Canvas(body)
    disc = np.zeros((64, 64), np.uint8)
    rounded(disc, 0.0, 0.5, 255)
    for spot in _SPOTS[value]:
        canvas.stamp(disc, ink, spot, (size, size))
    return canvas.finish()


def draw_other(rng: np.random.Generator, style: ArtStyle) -> Art:
    """Draw a pip face, a blank or a sign that no card has, in the style's colours."""
    kind = rng.random()
    if kind < 0.6:
        body: Bgr = style.body
        if rng.random() < 0.4:
            b, g, r = (float(v) for v in rng.uniform(0, 255, 3))
            body = (b, g, r)
        bright = sum(body) > 380
        ink: Bgr = (25.0, 25.0, 25.0) if bright else (240.0, 240.0, 240.0)
        if rng.random() < 0.15:
            ink = style.inks[1]
        value = int(rng.integers(1, 7))
        return draw_pips(value, body, ink, float(rng.uniform(0.14, 0.24)))
    canvas = Canvas(style.body)
    if kind > 0.85:
        sign = style.text_mask(_SIGNS[int(rng.integers(len(_SIGNS)))])
        canvas.stamp(sign, style.inks[int(rng.integers(2))], (0.5, 0.5), (0.7, 0.7))
    return canvas.finish()
