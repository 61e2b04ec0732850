"""What one set of dice looks like: fonts, suit signs, inks, layout."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from datasets.fonts import FontBook, Mask, glyph, is_held_out
from datasets.shapes import drawn_suit, outline
from scoring.cards import Colour, Suit

if TYPE_CHECKING:
    from datasets.canvas import Bgr

LAYOUTS = (
    "stack",
    "beside",
    "index",
    "big_rank",
    "corners",
    "knockout",
    "overlap",
    "diagonal",
    "minicard",
    "pips",
)
ASIDE_LAYOUTS = ("badge", "halves", "ring", "segments", "banner", "initials")
"""Layouts that no lesson shows, see `datasets.art_aside`."""

LOOK_ALIKE = ("badge", "ring", "banner")
"""Of them, those on which only a bar tells a six from a nine on its head."""

JOKER_KINDS = (
    "word",
    "two_lines",
    "figure",
    "figure_word",
    "corner_word",
    "column",
)
FIGURES = ("star", "jester", "crown")
JOKER_WORDS = ("JOKER", "WILD", "Joker", "Wild", "joker", "JKR")


@dataclass(frozen=True, slots=True)
class ArtStyle:
    """One design of dice faces; every face of a set is drawn with the same style.

    Attributes:
        seed: of all free measures, so that a style draws the same face twice alike.
        layout: one of `LAYOUTS` or `ASIDE_LAYOUTS`.
        rank_font: font file of ranks and words.
        suit_font: font file of the suit signs; empty: signs drawn by formula.
        ten: "10" or "T".
        joker: one of `JOKER_KINDS`.
        word: the joker's word.
        body: colour of the die, BGR 0..255.
        inks: BGR per suit, in the order S H D C.
        joker_inks: BGR of the red and of the black joker.
        neutral_rank: ranks in the black suits' ink whatever the suit.
        frame: kind of the border, 0 none, 1 square, 2 rounded, 3 disc behind.
        underline: a bar under 6 and 9.
        figure: what a joker's figure is, one of `FIGURES`.
        many_inks: the jokers' figures have several inks.
        hollow: suit signs are printed as outlines.
        wear: share of the ink that is rubbed off, 0 to about 0.35.
        marble: spread of the body's cloudy colour, 0..255.
    """

    seed: int
    layout: str
    rank_font: str
    suit_font: str
    ten: str
    joker: str
    word: str
    body: Bgr
    inks: tuple[Bgr, Bgr, Bgr, Bgr]
    joker_inks: tuple[Bgr, Bgr]
    neutral_rank: bool
    frame: int
    underline: bool
    figure: str = "star"
    many_inks: bool = False
    hollow: bool = False
    wear: float = 0.0
    marble: float = 0.0

    def ink(self, suit: Suit) -> Bgr:
        """Ink of a suit."""
        return self.inks["SHDC".index(suit)]

    def joker_ink(self, colour: Colour) -> Bgr:
        """Ink of a joker."""
        return self.joker_inks[0 if colour is Colour.RED else 1]

    def suit_mask(self, suit: Suit) -> Mask:
        """The suit's sign."""
        if self.suit_font:
            mask = glyph(self.suit_font, suit.symbol)
        else:
            mask = drawn_suit(self.seed % 4096, suit.value)
        return outline(mask, 0.1) if self.hollow else mask

    def text_mask(self, text: str) -> Mask:
        """A rank or word in the rank font."""
        return glyph(self.rank_font, text)


@lru_cache(maxsize=16)
def _pool(fonts: tuple[str, ...], held_out: bool) -> tuple[str, ...]:
    return tuple(f for f in fonts if is_held_out(f) == held_out) or fonts


def _pick(rng: np.random.Generator, fonts: tuple[str, ...], held_out: bool) -> str:
    """Choose a font on one side of the held-out line, bold ones more often."""
    pool = _pool(fonts, held_out)
    tries = [pool[int(rng.integers(len(pool)))] for _ in range(3)]
    if rng.random() < 0.25:
        return tries[0]
    return max(tries, key=_weight)


@lru_cache(maxsize=8192)
def _weight(font: str) -> float:
    mask = glyph(font, "8")
    return float(mask.mean()) if mask.size else 0.0  # a font of signs has no digits


def _around(rng: np.random.Generator, bgr: Bgr, spread: float) -> Bgr:
    b, g, r = (float(np.clip(v + rng.normal(0, spread), 0, 255)) for v in bgr)
    return b, g, r


def _light_colours(
    rng: np.random.Generator, four: bool
) -> tuple[Bgr, tuple[Bgr, Bgr, Bgr, Bgr], Bgr, Bgr]:
    bodies: list[Bgr] = [(250, 250, 250), (225, 240, 245), (232, 232, 232)]
    bodies += [(205, 225, 238), (250, 240, 230), (180, 215, 240), (240, 225, 225)]
    body = _around(rng, bodies[int(rng.choice(7, p=[0.36, 0.2, 0.16] + [0.07] * 4))], 6)
    red = _around(
        rng, [(40, 25, 200), (30, 30, 225), (60, 20, 170)][rng.integers(3)], 16
    )
    dark = _around(rng, [(25, 25, 25), (40, 30, 25), (70, 35, 20)][rng.integers(3)], 8)
    blue = _around(rng, (190, 80, 20), 20) if four else red
    green = _around(rng, (40, 120, 20), 20) if four else dark
    return body, (dark, red, blue, green), red, dark


def _dark_colours(
    rng: np.random.Generator, four: bool
) -> tuple[Bgr, tuple[Bgr, Bgr, Bgr, Bgr], Bgr, Bgr]:
    bodies: list[Bgr] = [(28, 28, 28), (60, 30, 20), (25, 60, 25), (40, 40, 40)]
    bodies += [(50, 25, 60), (25, 25, 70)]
    body = _around(
        rng, bodies[int(rng.choice(6, p=[0.4, 0.2, 0.1, 0.15, 0.1, 0.05]))], 6
    )
    red = _around(
        rng, [(70, 60, 240), (60, 90, 250), (130, 90, 250)][rng.integers(3)], 14
    )
    pale = _around(
        rng, [(240, 240, 240), (215, 230, 235), (200, 200, 200)][rng.integers(3)], 8
    )
    blue = _around(rng, (240, 180, 80), 20) if four else red
    green = _around(rng, (110, 220, 110), 20) if four else pale
    return body, (pale, red, blue, green), red, pale


def random_style(
    rng: np.random.Generator, book: FontBook, held_out: bool = False
) -> ArtStyle:
    """Invent a style.

    Args:
        rng: source of every choice.
        book: the fonts to choose from.
        held_out: draw with the fonts that training never sees.
    """
    four = bool(rng.random() < 0.1)
    colours = _dark_colours if rng.random() < 0.25 else _light_colours
    body, inks, red, dark = colours(rng, four)
    weights = np.array([2.0, 1.3, 1.6, 1.3, 1.4, 0.8, 1.0, 1.2, 1.6, 1.2])
    return ArtStyle(
        seed=int(rng.integers(1 << 31)),
        layout=str(rng.choice(LAYOUTS, p=weights / weights.sum())),
        rank_font=_pick(rng, book.ranks, held_out),
        suit_font=_pick(rng, book.suits, held_out) if rng.random() < 0.5 else "",
        ten="10" if rng.random() < 0.8 else "T",
        joker=str(rng.choice(JOKER_KINDS, p=[0.17, 0.08, 0.2, 0.25, 0.18, 0.12])),
        word=str(rng.choice(JOKER_WORDS, p=[0.4, 0.25, 0.12, 0.1, 0.05, 0.08])),
        body=body,
        inks=inks,
        joker_inks=(red, dark),
        neutral_rank=bool(rng.random() < 0.06),
        frame=int(rng.choice(4, p=[0.72, 0.08, 0.14, 0.06])),
        underline=bool(rng.random() < 0.12),
        figure=str(rng.choice(FIGURES, p=[0.4, 0.35, 0.25])),
        many_inks=bool(rng.random() < 0.5),
        hollow=bool(rng.random() < 0.04),
        wear=float(rng.uniform(0.05, 0.35)) if rng.random() < 0.15 else 0.0,
        marble=float(rng.uniform(2, 14)) if rng.random() < 0.15 else 0.0,
    )


def aside_style(rng: np.random.Generator, book: FontBook, layout: str) -> ArtStyle:
    """Invent a style of a layout that is kept aside, with fonts that are, too.

    Args:
        rng: source of every choice.
        book: the fonts to choose from.
        layout: one of `ASIDE_LAYOUTS`.
    """
    style = random_style(rng, book, held_out=True)
    return replace(
        style,
        layout=layout,
        underline=style.underline or layout in LOOK_ALIKE,
        frame=0,
    )
