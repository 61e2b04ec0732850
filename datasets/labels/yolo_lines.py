"""One line of a YOLO label file, and the die it stands for.

All figures are shares of the picture's width and height. Rows: `class cx cy w h`
(detect), `class x1 y1 .. x4 y4` (OBB), `class cx cy w h x1 y1 v1 .. x4 y4 v4` (pose).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from datasets.eval_labels import LabelError, LabelledDie, rank_of
from datasets.labels.bounds import clip_coordinate
from datasets.labels.outlines import (
    box_quad,
    clipped_box,
    clockwise,
    quad_area,
    quad_box,
    whole_box,
)
from datasets.labels.text_lines import decimal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from datasets.eval_labels import Box
    from datasets.labels.notes import NoteBook
    from scoring.cards import Face
    from vision.reading import Point, Quad

CORNERS = 4
DIGITS = 6
NO_AREA = 1e-6
"""Share of its box that a quad must fill."""
TURNED = "corners went anticlockwise: turned round, the first one kept"
FIRST_CORNER = "where the art's top left is cannot be known: the first corner is taken"
NO_QUAD = "has no quad: its upright box is written"
CUT = "a corner outside the picture was moved to its edge"
HIDDEN_CORNER = "a corner outside the picture is written as not labelled"
PART_OF_QUAD = "not all four corners are labelled: only the box is taken"


class Rows(StrEnum):
    """What the rows of a label file hold."""

    DETECT = "detect"
    OBB = "obb"
    POSE = "pose"


COLUMNS = {Rows.DETECT: (5,), Rows.OBB: (9,), Rows.POSE: (17, 13)}
"""How many words a row may have; a pose without visibilities has 13."""


@dataclass(frozen=True, slots=True)
class RowContext:
    """What a row does not say itself.

    Attributes:
        rows: what the rows hold.
        faces: the face of each class; None stands for a die whatever it shows.
        width: of the picture, pixels, upright.
        height: likewise.
    """

    rows: Rows
    faces: tuple[Face | None, ...]
    width: float
    height: float


def write_row(
    die: LabelledDie, number: int, context: RowContext, place: str, book: NoteBook
) -> str | None:
    """Write a die.

    Args:
        die: with its place in pixels.
        number: its class.
        context: what the rows hold, and the picture's size; `faces` is not looked at.
        place: picture and die.
        book: is told what was lost.

    Returns:
        The row without its end; None if nothing of the die is in the picture.
    """
    width, height = context.width, context.height
    box = clipped_box(whole_box(die, width, height), width, height)
    if box is None:
        return None
    centre = _centre(box, width, height)
    if context.rows is Rows.DETECT:
        return _row(number, centre)
    if context.rows is Rows.OBB:
        if die.quad is None:
            book.tell(NO_QUAD, place)
        quad = die.quad or box_quad(box)
        if not all(_inside(point, width, height) for point in quad):
            book.tell(CUT, place)
        return _row(number, [v for p in quad for v in _share(p, width, height)])
    values: list[float] = []
    for point in die.quad or ():
        seen = _inside(point, width, height)
        if not seen:
            book.tell(HIDDEN_CORNER, place)
        values += [*_share(point, width, height), 2] if seen else [0, 0, 0]
    return _row(number, [*centre, *(values or [0] * (3 * CORNERS))])


def read_row(line: str, context: RowContext, place: str, book: NoteBook) -> LabelledDie:
    """Read a die.

    Args:
        line: a row, not blank.
        context: what it holds.
        place: file and line, for errors and notes.
        book: is told what was clipped or left.

    Raises:
        LabelError: wrong number of columns, no number, unknown class, outside the
            picture, or without an area.
    """
    words = line.split()
    columns = COLUMNS[context.rows]
    if len(words) not in columns:
        expected = " or ".join(map(str, columns))
        raise LabelError(
            f"{place}: {len(words)} columns, {expected} expected"
            f" for {context.rows}{_guess(len(words))}"
        )
    face = _face(words[0], context.faces, place)
    values = [decimal(word, place) for word in words[1:]]
    if context.rows is Rows.OBB:
        quad = clockwise_told(_points(values, context, place, book), place, book)
        book.tell(FIRST_CORNER, place)
        return LabelledDie(face, rank_of(face) if face else None, quad, None)
    box = _read_box(values[:4], context, place, book)
    corners = None
    if context.rows is Rows.POSE:
        corners = _keypoints(values[4:], context, place, book)
    return LabelledDie(
        face, rank_of(face) if face else None, corners, None if corners else box
    )


def clockwise_told(quad: Quad, place: str, book: NoteBook) -> Quad:
    """A quad that goes clockwise; the book is told if it had to be turned round.

    Raises:
        LabelError: it encloses no area.
    """
    x0, y0, x1, y1 = quad_box(quad)
    if abs(quad_area(quad)) <= NO_AREA * (x1 - x0) * (y1 - y0):
        raise LabelError(f"{place}: the four corners enclose no area, or cross")
    turned = clockwise(quad)
    if turned != quad:
        book.tell(TURNED, place)
    return turned


def _row(number: int, values: Sequence[float]) -> str:
    # visibilities are whole numbers, and a person reads 0.5 better than 0.500000
    words = (f"{value:.{DIGITS}f}".rstrip("0").rstrip(".") for value in values)
    return " ".join([str(number), *words])


def _centre(box: Box, width: float, height: float) -> list[float]:
    x0, y0, x1, y1 = box
    middle = [(x0 + x1) / 2 / width, (y0 + y1) / 2 / height]
    return [*middle, (x1 - x0) / width, (y1 - y0) / height]


def _inside(point: Point, width: float, height: float) -> bool:
    return 0 <= point[0] <= width and 0 <= point[1] <= height


def _share(point: Point, width: float, height: float) -> tuple[float, float]:
    x, y = point[0] / width, point[1] / height
    return min(max(x, 0.0), 1.0), min(max(y, 0.0), 1.0)


def _guess(columns: int) -> str:
    for rows, known in COLUMNS.items():
        if columns in known:
            return f": is this {rows}?"
    return ": is the last one a confidence?" if columns == 6 else ""


def _face(word: str, faces: tuple[Face | None, ...], place: str) -> Face | None:
    number = decimal(word, place)
    if number != int(number):
        raise LabelError(f"{place}: class {word:.40} is not a whole number")
    if not 0 <= number < len(faces):
        raise LabelError(
            f"{place}: class {number:.0f} of {len(faces)}:"
            f" they go from 0 to {len(faces) - 1}"
        )
    return faces[int(number)]


def _read_box(
    values: list[float], context: RowContext, place: str, book: NoteBook
) -> Box:
    cx, cy, w, h = (clip_coordinate(value, 1.0, place, book) for value in values)
    if w <= 0 or h <= 0:
        raise LabelError(f"{place}: a box needs a width and a height above 0")
    edges = (cx - w / 2, cy - h / 2, cx + w / 2, cy + h / 2)
    if min(edges) < -2e-6 or max(edges) > 1 + 2e-6:
        book.tell("a box reached outside the picture: cut off there", place)
    x0, y0, x1, y1 = (min(max(edge, 0.0), 1.0) for edge in edges)
    if x1 <= x0 or y1 <= y0:
        raise LabelError(f"{place}: nothing of the box is in the picture")
    width, height = context.width, context.height
    return x0 * width, y0 * height, x1 * width, y1 * height


def _points(
    values: list[float], context: RowContext, place: str, book: NoteBook
) -> Quad:
    sides = (context.width, context.height)
    inside = [
        clip_coordinate(value, 1.0, place, book) * sides[k % 2]
        for k, value in enumerate(values)
    ]
    a, b, c, d = ((inside[k], inside[k + 1]) for k in range(0, 2 * CORNERS, 2))
    return a, b, c, d


def _keypoints(
    values: list[float], context: RowContext, place: str, book: NoteBook
) -> Quad | None:
    each = len(values) // CORNERS
    rows = [values[k : k + each] for k in range(0, len(values), each)]
    if each == 3:
        seen = [row[2] for row in rows]
        if strange := [value for value in seen if value not in (0, 1, 2)]:
            raise LabelError(f"{place}: visibility {strange[0]:g}: 0, 1 or 2 expected")
        if 0 in seen:
            if any(seen):
                book.tell(PART_OF_QUAD, place)
            return None
    flat = [value for row in rows for value in row[:2]]
    return clockwise_told(_points(flat, context, place, book), place, book)
