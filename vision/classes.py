"""The classes of the face model: every face in each quarter-turn, and "not a face"."""

from __future__ import annotations

from scoring.cards import ALL_FACES

TURNS = 4
"""Quarter-turns told apart: the art is turned clockwise by 0, 90, 180 or 270°."""

NOT_A_FACE = "none"
CLASS_NAMES: tuple[str, ...] = (
    *(f"{face.code}@{turn * 90}" for face in ALL_FACES for turn in range(TURNS)),
    NOT_A_FACE,
)
"""Class `TURNS * face_index + turn`, faces in the order of `ALL_FACES`; none last."""


def class_index(face_index: int, turn: int) -> int:
    """Class of a face (place in `ALL_FACES`) turned by `turn` clockwise quarters."""
    return TURNS * face_index + turn % TURNS
