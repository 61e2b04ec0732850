"""Coordinates of label files: slightly outside is clipped and told, more is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from datasets.eval_labels import LabelError

if TYPE_CHECKING:
    from datasets.labels.notes import NoteBook

SLACK = 0.01
"""Share of the picture's side; ultralytics bears as much and refuses more."""
ROUNDING = 2e-6
"""Share of the side that figures of six decimals can be off: clipped in silence."""
CLIPPED = "a coordinate slightly outside the picture was clipped"


def clip_coordinate(value: float, most: float, place: str, book: NoteBook) -> float:
    """Bring a coordinate into the picture.

    Args:
        value: finite.
        most: side of the picture in the unit of `value`; 0 is the other end.
        place: file and line or entry.
        book: is told of a coordinate that was clipped.

    Raises:
        LabelError: outside by more than `SLACK`.
    """
    over = max(-value, value - most)
    if over <= 0:
        return value
    if over > SLACK * most:
        raise LabelError(
            f"{place}: coordinate {value:g} is outside the picture, 0..{most:g}"
        )
    if over > ROUNDING * most:
        book.tell(CLIPPED, f"{place} ({value:g})")
    return min(max(value, 0.0), most)
