"""The rows of the Showdown score card and what meets them (SH-05, SH-13 to SH-17)."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoring.cards import Face

TRIPLETS: dict[str, str] = {
    "aces": "A",
    "kings": "K",
    "queens": "Q",
    "jacks": "J",
    "tens": "T",
    "nines": "9",
}
"""Rows that ask for three of one face, and which."""

POINTS: dict[str, int] = {
    **dict.fromkeys(TRIPLETS, 3),
    "four_of_a_kind": 8,
    "big_straight": 7,
    "small_straight": 6,
    "full_house": 5,
    "maiden": 4,
    "one_pair": 2,
}
"""What each row counts (SH-05)."""

ROWS: tuple[str, ...] = tuple(POINTS)

LINE = "9TJQKA"
"""SH-14: the ace is high only."""

PIPS = frozenset("9TA")
"""SH-02."""


def fits(row: str, faces: Sequence[Face], five_is_full_house: bool = False) -> bool:
    """Whether five poker dice contain what a row asks for (SH-17).

    Args:
        row: one of `ROWS`.
        faces: the five faces in any order.
        five_is_full_house: SH-15: whether five of a kind is a full house too.
    """
    counts = Counter(face.code for face in faces)
    sizes = sorted(counts.values(), reverse=True)
    if row in TRIPLETS:
        return counts[TRIPLETS[row]] >= 3
    match row:
        case "four_of_a_kind":
            return sizes[0] >= 4
        case "big_straight":
            return _in_a_row(counts, 5)
        case "small_straight":
            return _in_a_row(counts, 4)
        case "full_house":
            return sizes == [3, 2] or (five_is_full_house and sizes == [5])
        case "maiden":
            pips = sum(counts[pip] for pip in PIPS)
            return counts["Q"] == 1 and pips == len(faces) - 1
        case "one_pair":
            return sizes[0] >= 2
        case _:
            raise ValueError(f"row must be one of {', '.join(ROWS)}, not {row!r}")


def _in_a_row(counts: Counter[str], length: int) -> bool:
    return any(
        all(counts[code] for code in LINE[start : start + length])
        for start in range(len(LINE) - length + 1)
    )
