"""Small card-like labels that name a face, legible on any background."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from scoring.cards import RANKS, Card, Colour, Joker, PokerFace, Suit

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoring.cards import Face

Ink = tuple[int, int, int]
Shape = tuple[tuple[float, float], ...]

RED: Ink = (200, 16, 30)
BLACK: Ink = (15, 15, 15)
PAPER: Ink = (255, 255, 252)
FINER = 4
"""Labels are drawn larger by this and averaged down."""


def face_label(
    face: Face | None, mark: str, height: int, border: tuple[int, int, int]
) -> NDArray[np.uint8]:
    """Draw a label.

    Args:
        face: what it names; None for a die that cannot be read.
        mark: text behind the face, as `?`.
        height: of the label in pixels, >= 8.
        border: BGR colour of the rim.

    Returns:
        (height, width, 4) uint8, BGR and alpha.
    """
    return _drawn(face, mark, height, border).copy()


@lru_cache(maxsize=512)
def _drawn(
    face: Face | None, mark: str, height: int, border: tuple[int, int, int]
) -> NDArray[np.uint8]:
    tall = height * FINER
    font = ImageFont.load_default(tall * 0.72)
    text, sign, ink = _parts(face)
    gap = tall * 0.12
    sign_wide = tall * 0.58 if sign else 0.0
    widths = [font.getlength(text), sign_wide, font.getlength(mark)]
    wide = sum(w + gap for w in widths if w) + 2 * gap
    columns = -(-round(wide) // FINER)
    sheet = Image.new("RGBA", (columns * FINER, tall), (*PAPER, 0))
    draw = ImageDraw.Draw(sheet)
    rim = (border[2], border[1], border[0], 255)
    draw.rounded_rectangle(
        (0, 0, sheet.width - 1, tall - 1), tall * 0.22, (*PAPER, 255), rim, FINER * 2
    )
    x = (sheet.width - wide) / 2 + 1.5 * gap
    if text:
        draw.text((x, tall / 2), text, ink, font, anchor="lm")
        x += widths[0] + gap
    if sign:
        _draw_sign(draw, sign, (x, tall * 0.21), sign_wide, ink)
        x += sign_wide + gap
    draw.text((x, tall / 2), mark, BLACK, font, anchor="lm")
    small = sheet.resize((columns, height), Image.Resampling.BOX)
    return np.asarray(small, np.uint8)[:, :, [2, 1, 0, 3]]


def _parts(face: Face | None) -> tuple[str, str, Ink]:
    """Text, sign (a suit's letter or `*`) and ink of a face."""
    match face:
        case Card(rank, suit):
            letter = "10" if RANKS[rank - 1] == "T" else RANKS[rank - 1]
            return letter, suit.value, RED if suit.colour is Colour.RED else BLACK
        case Joker(colour):
            return "JK", "*", RED if colour is Colour.RED else BLACK
        case PokerFace(rank):
            return "10" if RANKS[rank - 1] == "T" else RANKS[rank - 1], "", BLACK
        case None:
            return "", "", BLACK
        case _:
            return face.code, "", BLACK


def _draw_sign(
    draw: ImageDraw.ImageDraw, sign: str, at: tuple[float, float], size: float, ink: Ink
) -> None:
    """Draw a suit sign or a star into a square."""
    for shape in _sign_shapes(sign):
        points = [(at[0] + x * size, at[1] + y * size) for x, y in shape]
        draw.polygon(points, ink)


@lru_cache(maxsize=8)
def _sign_shapes(sign: str) -> tuple[Shape, ...]:
    """Outlines in the unit square, y down, that together make a sign."""
    foot: Shape = ((0.5, 0.55), (0.68, 1.0), (0.32, 1.0))
    match sign:
        case Suit.DIAMONDS:
            return (((0.5, 0.0), (0.9, 0.5), (0.5, 1.0), (0.1, 0.5)),)
        case Suit.HEARTS:
            return (_heart(1.0),)
        case Suit.SPADES:
            upper = tuple((x, 0.86 - 0.86 * y) for x, y in _heart(1.0))
            return (upper, foot)
        case Suit.CLUBS:
            leaves = ((0.5, 0.23), (0.24, 0.57), (0.76, 0.57))
            return (*(_disc(x, y, 0.23) for x, y in leaves), foot)
        case _:
            angles = np.deg2rad(np.arange(10) * 36 - 90)
            reach = np.where(np.arange(10) % 2 == 0, 0.52, 0.22)
            return (
                _closed(0.5 + reach * np.cos(angles), 0.53 + reach * np.sin(angles)),
            )


def _heart(height: float) -> Shape:
    """The curve x = 16 sin^3 t, y = 13 cos t - 5 cos 2t - 2 cos 3t - cos 4t, scaled."""
    t = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    x = np.sin(t) ** 3
    y = (13 * np.cos(t) - 5 * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t)) / 29
    return _closed(0.5 + 0.5 * x, (y.max() - y) / np.ptp(y) * height)


def _disc(x: float, y: float, radius: float) -> Shape:
    t = np.linspace(0, 2 * np.pi, 28, endpoint=False)
    return _closed(x + radius * np.cos(t), y + radius * np.sin(t))


def _closed(x: NDArray[np.float64], y: NDArray[np.float64]) -> Shape:
    return tuple((float(a), float(b)) for a, b in zip(x, y, strict=True))
