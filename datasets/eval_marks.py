"""How figures and faces are written on the page of a report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from datasets.eval_charts import nines
from datasets.eval_labels import JOKER_RANK
from scoring.cards import Colour, FaceCodeError, Joker, Suit, parse_face

if TYPE_CHECKING:
    from scoring.cards import Face

Record = dict[str, Any]
DASH = "\u2013"
TEXT = "\ufe0e"
"""Asks for the plain sign where a font has a coloured picture too."""


def percent(share: Record, digits: int = 1) -> str:
    """The rate of a share as text; a dash if there was nothing to count."""
    return DASH if share["rate"] is None else f"{100 * share['rate']:.{digits}f} %"


def interval(share: Record) -> str:
    """The interval of a share as text."""
    return f"{100 * share['low']:.1f} {DASH} {100 * share['high']:.1f} %"


def span(step: Record) -> str:
    """The widths of a step of the size curve as text: `40-45`, `90 and more`."""
    if step["high_px"] is None:
        return f"{step['low_px']:g} and more"
    return f"{step['low_px']:g}{DASH}{step['high_px']:g}"


def nines_place(p: float) -> str:
    """Place of a probability on the scale of nines, in percent of its length."""
    return f"{100 * nines(p):.2f}"


def face_words(code: str | None) -> tuple[str, str]:
    """A face, rank or suit as people write it, and its colour.

    Args:
        code: of a face, a rank or a suit; other words stay as they are.

    Returns:
        Text, and `red`, `black` or `plain`.
    """
    if not code:
        return "?", "plain"
    if code in list(Suit):
        suit = Suit(code)
        return suit.symbol + TEXT, suit.colour.value
    if code == JOKER_RANK:
        return "★" + TEXT, "plain"
    try:
        return _face_words(parse_face(code))
    except FaceCodeError:
        return code, "plain"


def _face_words(face: Face) -> tuple[str, str]:
    colour = getattr(face, "colour", None)
    tone = colour.value if isinstance(colour, Colour) else "plain"
    if isinstance(face, Joker):
        return "★" + TEXT, tone
    rank = "10" if face.code[0] == "T" else face.code[0]
    suit = getattr(face, "suit", None)
    return rank + (suit.symbol + TEXT if isinstance(suit, Suit) else ""), tone


def face_mark(code: str | None) -> Markup:
    """A face as a small card; what is no face, as `(not read)`, as plain text."""
    words, tone = face_words(code)
    if words.startswith("("):
        return Markup('<span class="quiet">{}</span>').format(words[1:-1])
    return Markup('<span class="face {}">{}</span>').format(tone, words)
