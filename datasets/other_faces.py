"""Faces that are no card: pips, blanks and strange signs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
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


def draw_pips(
    value: int,
    body: Bgr,
    ink: Bgr,
    size: float,
    hollow: Bgr | None = None,
    spread: float = 1.0,
) -> Art:
    """Draw a face of an ordinary die.

    Args:
        value: 1 to 6.
        body: colour of the die.
        ink: colour of the pips.
        size: diameter of a pip in shares of the side.
        hollow: colour of a smaller disc in every pip, as the shade of a drilled one;
            None for flat pips.
        spread: how far apart the pips are; 1 is ordinary.
    """
    canvas = Canvas(body)
    disc = np.zeros((64, 64), np.uint8)
    rounded(disc, 0.0, 0.5, 255)
    for x, y in _SPOTS[value]:
        spot = (0.5 + (x - 0.5) * spread, 0.5 + (y - 0.5) * spread)
        canvas.stamp(disc, ink, spot, (size, size))
        if hollow is not None:
            low = (spot[0] + 0.1 * size, spot[1] + 0.1 * size)
            canvas.stamp(disc, hollow, low, (0.6 * size, 0.6 * size))
    return canvas.finish()


def _pip_ink(rng: np.random.Generator, style: ArtStyle, body: Bgr) -> Bgr:
    """Mostly black or white; now and then a colour that stands out less."""
    kind = rng.random()
    if kind < 0.12:
        return style.inks[1]
    if kind < 0.3:
        b, g, r = (float(v) for v in rng.uniform(0, 255, 3))
        if abs(b + g + r - sum(body)) > 120:
            return b, g, r
    return (25.0, 25.0, 25.0) if sum(body) > 380 else (240.0, 240.0, 240.0)


def _clouded(rng: np.random.Generator, art: Art) -> Art:
    """The swirls of marbled and of clear plastic, in a second colour."""
    side = art.shape[0]
    cells = int(rng.integers(3, 8))
    grid = rng.normal(0, 1, (cells, cells)).astype(np.float32)
    swirl = cv2.resize(grid, (side, side), interpolation=cv2.INTER_CUBIC)
    share = np.clip(swirl * rng.uniform(0.2, 0.6), 0, 0.6)[:, :, None]
    tint = rng.uniform(0, 255, 3)
    out = np.clip(art + share * (tint - art), 0, 255)
    return np.asarray(out, np.uint8)


def draw_other(rng: np.random.Generator, style: ArtStyle) -> Art:
    """Draw a pip face, a blank or a sign that no card has, in the style's colours."""
    kind = rng.random()
    if kind < 0.6:
        body: Bgr = style.body
        if rng.random() < 0.4:
            b, g, r = (float(v) for v in rng.uniform(0, 255, 3))
            body = (b, g, r)
        ink = _pip_ink(rng, style, body)
        hollow = None
        if rng.random() < 0.25:
            share = rng.uniform(0.5, 1.6)
            b, g, r = (float(np.clip(v * share, 0, 255)) for v in ink)
            hollow = (b, g, r)
        art = draw_pips(
            int(rng.integers(1, 7)),
            body,
            ink,
            float(rng.uniform(0.13, 0.24)),
            hollow,
            float(rng.uniform(0.95, 1.1)),
        )
        return _clouded(rng, art) if rng.random() < 0.3 else art
    canvas = Canvas(style.body)
    if kind > 0.85:
        sign = style.text_mask(_SIGNS[int(rng.integers(len(_SIGNS)))])
        canvas.stamp(sign, style.inks[int(rng.integers(2))], (0.5, 0.5), (0.7, 0.7))
    return canvas.finish()
