"""Faces as people type them: read, or explained why not and what would do."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scoring.cards import (
    ALL_FACES,
    JOKERS,
    RANKS,
    Card,
    FaceCodeError,
    parse_face,
)

if TYPE_CHECKING:
    from scoring.cards import Face
    from scoring.dice_sets import DiceSet

LONGEST_SHOWN = 12
_RANK = re.compile(rf"[{RANKS}]|10?")
_SUIT = re.compile(r"[SHDC♠♥♦♣]")
_JOKER = frozenset({"J*", "JK", "JKR", "JO", "JOKER", "★", "*"})


class TypedError(ValueError):
    """A text that names no face.

    Attributes:
        sentence: what is wrong with it.
        resolve: what would put it right.
    """

    def __init__(self, sentence: str, resolve: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.resolve = resolve


def read_typed(text: str, dice_set: DiceSet | None) -> Face | None:
    """Read what somebody typed for a die.

    Args:
        text: rank, then suit, as `parse_face` takes it; empty or `?` is a face that
            nobody can tell.
        dice_set: what is played with; None if it is not known.

    Raises:
        TypedError: it names no face, or leaves open which.
    """
    plain = text.strip().upper().replace("\ufe0e", "").replace("\ufe0f", "")
    if plain in ("", "?"):
        return None
    cards = dice_set is None or any(isinstance(f, Card) for f in dice_set.faces)
    if cards and plain in _JOKER:
        raise TypedError(
            "there are two jokers",
            f"Type {JOKERS[0].code} for the red one, {JOKERS[1].code} for the black.",
        )
    if cards and dice_set is not None and _RANK.fullmatch(plain):
        raise TypedError(f"{plain} has no suit yet", "Add S, H, D or C.")
    if cards and _SUIT.fullmatch(plain):
        raise TypedError(f"{plain} is a suit alone", f"Put a rank before it: Q{plain}.")
    if cards and plain in ("R", "B"):
        raise TypedError(f"{plain} is not whole yet", f"Type {plain}J for the joker.")
    try:
        return parse_face(plain)
    except FaceCodeError:
        raise TypedError(
            f"{text.strip()[:LONGEST_SHOWN]!r} is no face", _how(dice_set)
        ) from None


def _how(dice_set: DiceSet | None) -> str:
    """How faces of a set are typed."""
    if dice_set is not None and not any(isinstance(f, Card) for f in dice_set.faces):
        return f"Type one of {', '.join(face.code for face in dice_set.faces)}."
    return "Type the rank, then the suit, as in QH or 10S; RJ or BJ for a joker."


def ways_to_type(face: Face) -> tuple[str, ...]:
    """All texts, in capitals, that are whole and mean this face on the page."""
    if isinstance(face, Card) and face.rank == 10:
        return (face.code, f"10{face.suit}")
    return (face.code,)


def faces_of(dice_set: DiceSet | None) -> tuple[Face, ...]:
    """The faces that a die may show; all there are if the set is not known."""
    return ALL_FACES if dice_set is None else dice_set.faces
