"""Glyph shapes from the fonts of this machine, as masks that drawing can stamp."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

Mask = NDArray[np.uint8]
"""(H, W) uint8 ink coverage, cut tight round the ink."""

FONT_FOLDERS = (Path("/usr/share/fonts"), Path("/usr/local/share/fonts"))
RANK_TEXTS = ("A", *"23456789", "10", "T", "J", "Q", "K")
SUIT_SIGNS = "♠♥♦♣"
GLYPH_PX = 96
"""Nominal size at which glyphs are rasterised, pixels per em."""

HELD_OUT_SHARE = 6
"""One font in this many is kept aside: training never sees it, held-out sets do."""


class FontsError(RuntimeError):
    """The machine has too few fonts to draw varied faces."""


@dataclass(frozen=True, slots=True)
class FontBook:
    """The usable fonts of this machine.

    Attributes:
        ranks: files whose rank letters can all be told apart, one per design.
        suits: files that draw all four suit signs.
        digest: short hash of the file names, for data and model cards.
    """

    ranks: tuple[str, ...]
    suits: tuple[str, ...]
    digest: str


@lru_cache(maxsize=4096)
def _font(path: str) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(path, GLYPH_PX)


@lru_cache(maxsize=60000)
def glyph(path: str, text: str) -> Mask:
    """Rasterise a text in a font.

    Returns:
        The tight mask; 0x0 if the font draws nothing for it.

    Raises:
        OSError: the file is not a font that FreeType can read.
    """
    font = _font(path)
    left, top, right, bottom = (int(v) for v in font.getbbox(text))
    if right - left < 1 or bottom - top < 1:
        return np.zeros((0, 0), np.uint8)
    image = Image.new("L", (right - left + 4, bottom - top + 4))
    ImageDraw.Draw(image).text((2 - left, 2 - top), text, fill=255, font=font)
    mask = np.asarray(image)
    rows, cols = np.flatnonzero(mask.any(1)), np.flatnonzero(mask.any(0))
    if not len(rows):
        return np.zeros((0, 0), np.uint8)
    return np.ascontiguousarray(mask[rows[0] : rows[-1] + 1, cols[0] : cols[-1] + 1])


def _usable(path: str, texts: tuple[str, ...]) -> str | None:
    """Hash of the drawn texts; None if any is missing, tiny or drawn like another."""
    try:
        masks = [glyph(path, text) for text in texts]
        missing = glyph(path, "\U0010ffff")
    except (OSError, ValueError):
        return None
    shapes = [m.tobytes() + bytes(str(m.shape), "ascii") for m in masks]
    if len(set(shapes)) < len(shapes) or any(min(m.shape) < 6 for m in masks):
        return None
    if missing.tobytes() in {m.tobytes() for m in masks}:
        return None
    # ink share: outlines and script flourishes that no die would carry
    ink = [float(m.mean()) / 255 for m in masks]
    if min(ink) < 0.12 or max(m.shape[1] / m.shape[0] for m in masks) > 2.6:
        return None
    return hashlib.sha256(b"".join(shapes)).hexdigest()


@lru_cache(maxsize=1)
def font_book() -> FontBook:
    """Find the usable fonts once; the result depends only on the files present.

    Raises:
        FontsError: fewer than five rank fonts or no suit font; says what to install.
    """
    files = sorted(
        str(path)
        for folder in FONT_FOLDERS
        if folder.is_dir()
        for path in folder.rglob("*")
        if path.suffix.lower() in {".ttf", ".otf", ".pfb", ".ttc"}
    )
    ranks: dict[str, str] = {}
    suits: dict[str, str] = {}
    for path in files:
        if (key := _usable(path, RANK_TEXTS)) is not None:
            ranks.setdefault(key, path)
        if (key := _usable(path, tuple(SUIT_SIGNS))) is not None:
            suits.setdefault(key, path)
    if len(ranks) < 5 or not suits:
        raise FontsError(
            f"only {len(ranks)} fonts for ranks and {len(suits)} for suits found under "
            f"{', '.join(map(str, FONT_FOLDERS))}: install fonts-dejavu, "
            "fonts-freefont-ttf and fonts-liberation, or more"
        )
    names = sorted(Path(p).name for p in (*ranks.values(), *suits.values()))
    digest = hashlib.sha256("\n".join(names).encode()).hexdigest()[:12]
    return FontBook(tuple(ranks.values()), tuple(suits.values()), digest)


def is_held_out(path: str) -> bool:
    """Whether a font is kept aside; by file name, so the same on every machine."""
    digest = hashlib.sha256(Path(path).name.encode()).digest()
    return digest[0] % HELD_OUT_SHARE == 0
