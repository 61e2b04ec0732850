"""Outlines that label files give in pixels: checked, clipped, turned clockwise."""

from __future__ import annotations

from typing import TYPE_CHECKING

from datasets.eval_labels import JOKER_RANK, LabelError, LabelledDie, rank_of
from datasets.labels.bounds import clip_coordinate
from datasets.labels.yolo_lines import CORNERS, FIRST_CORNER, clockwise_told
from scoring.cards import RANKS
from vision.reading import DieState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from datasets.eval_labels import Box
    from datasets.labels.notes import NoteBook
    from scoring.cards import Face
    from vision.reading import Point, Quad

KNOWN_RANKS = frozenset((*RANKS, "1", JOKER_RANK))
MANY_CORNERS = "an outline without exactly four corners: the box about it is taken"


def pixel_box(
    corners: Sequence[float], size: tuple[float, float], place: str, book: NoteBook
) -> Box:
    """Check an upright box.

    Args:
        corners: x0, y0, x1, y1 in pixels.
        size: width and height of the picture.
        place: file and entry.
        book: is told of what is clipped.

    Raises:
        LabelError: outside the picture, or without an area.
    """
    x0, y0, x1, y1 = (
        clip_coordinate(value, size[k % 2], place, book)
        for k, value in enumerate(corners)
    )
    if x1 <= x0 or y1 <= y0:
        raise LabelError(f"{place}: a box needs a width and a height above 0")
    return x0, y0, x1, y1


def pixel_outline(
    points: Sequence[Point], size: tuple[float, float], place: str, book: NoteBook
) -> tuple[Quad | None, Box | None]:
    """Check a polygon: four corners are a quad, others give a box.

    Args:
        points: corners in pixels, either way round.
        size: width and height of the picture.
        place: file and entry.
        book: is told of what is clipped or changed.

    Returns:
        The quad, clockwise from the first point, or the box; the other is None.

    Raises:
        LabelError: fewer than three corners, outside the picture, or without an area.
    """
    if len(points) < 3:
        raise LabelError(f"{place}: {len(points)} corners are no outline")
    inside = [
        (
            clip_coordinate(x, size[0], place, book),
            clip_coordinate(y, size[1], place, book),
        )
        for x, y in points
    ]
    if len(inside) == CORNERS:
        a, b, c, d = inside
        book.tell(FIRST_CORNER, place)
        return clockwise_told((a, b, c, d), place, book), None
    book.tell(MANY_CORNERS, place)
    xs, ys = [x for x, _ in inside], [y for _, y in inside]
    corners = (min(xs), min(ys), max(xs), max(ys))
    return None, pixel_box(corners, size, place, book)


def moved_in(quad: Quad, size: tuple[float, float]) -> Quad:
    """A quad whose corners outside the picture are moved to its edge."""
    a, b, c, d = (
        (min(max(x, 0.0), size[0]), min(max(y, 0.0), size[1])) for x, y in quad
    )
    return a, b, c, d


def found_die(
    face: Face | None,
    outline: tuple[Quad | None, Box | None],
    state: object = None,
    rank: object = None,
) -> LabelledDie:
    """A die as a label file has it.

    Args:
        face: None if it is not known.
        outline: quad or box.
        state: word for how it lies; another word than ours means flat.
        rank: what is known of an unread face; another word than ours means nothing.
    """
    known = [one for one in DieState if one == state]
    known_rank = rank if isinstance(rank, str) and rank in KNOWN_RANKS else None
    return LabelledDie(
        face,
        rank_of(face) if face else known_rank,
        *outline,
        state=known[0] if known else DieState.FLAT,
    )
