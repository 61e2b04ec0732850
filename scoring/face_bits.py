"""Faces of card dice as bits: a roll is one number with a bit for each face.

Bits 0 to 12 are the spades from the two to the ace, then come the hearts, diamonds
and clubs, then the red and the black joker.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoring.cards import Card, Joker
from scoring.hand_shapes import high_rank

if TYPE_CHECKING:
    from scoring.cards import Face

RANKS = 13
ALL_RANKS = (1 << RANKS) - 1
SUIT_SHIFT = {"S": 0, "H": 13, "D": 26, "C": 39}
JOKER_BIT = {"red": 52, "black": 53}
BITS = 54


def face_bit(face: Face) -> int:
    """The bit of a face.

    Raises:
        ValueError: it is neither a card nor a joker.
    """
    if isinstance(face, Card):
        return 1 << (SUIT_SHIFT[face.suit] + high_rank(face) - 2)
    if isinstance(face, Joker):
        return 1 << JOKER_BIT[face.colour]
    raise ValueError(f"{face.code} is not a face of card dice")
