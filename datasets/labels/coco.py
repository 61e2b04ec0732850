"""One annotation of COCO, and the die it stands for.

A die is a box, its quad as a polygon and as four keypoints: 2 inside the picture, 1
(labelled, not visible) outside of it. State and rank are `attributes`, as CVAT has it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from datasets.eval_labels import LabelError
from datasets.labels.bounds import clip_coordinate
from datasets.labels.json_values import entries, mapping, number, numbers
from datasets.labels.outlines import clipped_box, quad_area, whole_box
from datasets.labels.pixel_outlines import (
    found_die,
    moved_in,
    pixel_box,
    pixel_outline,
)
from datasets.labels.yolo_lines import CORNERS, PART_OF_QUAD, clockwise_told

if TYPE_CHECKING:
    from collections.abc import Mapping

    from datasets.eval_labels import Box, LabelledDie
    from datasets.labels.class_names import ClassOrder
    from datasets.labels.exporting import ExportedDie
    from datasets.labels.notes import NoteBook
    from scoring.cards import Face
    from vision.reading import Quad

KEYPOINTS = ("top_left", "top_right", "bottom_right", "bottom_left")
"""Of the upright art."""
SKELETON = [[1, 2], [2, 3], [3, 4], [4, 1]]
DIGITS = 4
"""Pixels are written to a ten-thousandth."""
MASK = "a mask instead of an outline: only the box is taken"
FAR = 1.0
"""A keypoint that is not visible may be outside by this share of the side."""


def categories(order: ClassOrder) -> list[dict[str, object]]:
    """The classes; numbered from 1, as in COCO itself."""
    return [
        {
            "id": number + 1,
            "name": name,
            "supercategory": "die",
            "keypoints": KEYPOINTS,
            "skeleton": SKELETON,
        }
        for number, name in enumerate(order.names)
    ]


def annotation(
    one: ExportedDie, ids: tuple[int, int], size: tuple[float, float]
) -> dict[str, object]:
    """Write a die.

    Args:
        one: with a class, and partly in the picture.
        ids: of the annotation and of its picture.
        size: width and height of the picture.

    Raises:
        ValueError: no class, or nothing of it is in the picture.
    """
    die = one.die
    box = clipped_box(whole_box(die, *size), *size)
    if box is None or one.number is None:
        raise ValueError(f"{one.place}: needs a class and a place in the picture")
    x0, y0, x1, y1 = box
    quad = die.quad and moved_in(die.quad, size)
    area = abs(quad_area(quad)) if quad else (x1 - x0) * (y1 - y0)
    record: dict[str, object] = {
        "id": ids[0],
        "image_id": ids[1],
        "category_id": one.number + 1,
        "bbox": _rounded(x0, y0, x1 - x0, y1 - y0),
        "area": round(area, DIGITS),
        "iscrowd": 0,
        "segmentation": [],
        "attributes": {"state": die.state.value},
    }
    if die.quad is not None and quad is not None:
        seen = [2 if a == b else 1 for a, b in zip(quad, die.quad, strict=True)]
        record["segmentation"] = [_rounded(*(value for p in quad for value in p))]
        record["num_keypoints"] = len(seen)
        record["keypoints"] = [
            value
            for (x, y), v in zip(die.quad, seen, strict=True)
            for value in (*_rounded(x, y), v)
        ]
    return record


def read_annotation(
    raw: Mapping[str, object],
    classes: Mapping[int, Face | None],
    size: tuple[float, float],
    place: str,
    book: NoteBook,
) -> LabelledDie | None:
    """Read a die.

    Args:
        raw: the annotation.
        classes: the face of each category number.
        size: width and height of the picture.
        place: file and annotation.
        book: is told what was clipped or left.

    Returns:
        None for a crowd, which is no die.

    Raises:
        LabelError: unknown category, outside the picture, or no outline.
    """
    if raw.get("iscrowd") == 1:
        book.tell("is a crowd, not a die: left out", place)
        return None
    kind = raw.get("category_id")
    if isinstance(kind, bool) or not isinstance(kind, int) or kind not in classes:
        raise LabelError(
            f"{place}: category {kind!r:.40} is none of the {len(classes)} of the file"
        )
    x, y, w, h = _exactly(numbers(raw.get("bbox"), f"{place}: bbox"), 4, place)
    box = pixel_box((x, y, x + w, y + h), size, place, book)
    points = raw.get("keypoints")
    quad = _keypoints(points, size, place, book) if points else None
    if quad is None:
        quad = _polygon(raw.get("segmentation"), size, place, book)
    more = raw.get("attributes")
    more = mapping(more, f"{place}: attributes") if more is not None else {}
    outline: tuple[Quad | None, Box | None] = (quad, None) if quad else (None, box)
    return found_die(classes[kind], outline, more.get("state"))


def _rounded(*values: float) -> list[float]:
    return [round(value, DIGITS) for value in values]


def _exactly(values: list[float], count: int, place: str) -> list[float]:
    if len(values) != count:
        raise LabelError(f"{place}: {len(values)} numbers, {count} expected")
    return values


def _keypoints(
    raw: object, size: tuple[float, float], place: str, book: NoteBook
) -> Quad | None:
    values = _exactly(numbers(raw, f"{place}: keypoints"), 3 * CORNERS, place)
    rows = [values[k : k + 3] for k in range(0, len(values), 3)]
    if strange := [v for _, _, v in rows if v not in (0, 1, 2)]:
        raise LabelError(f"{place}: visibility {strange[0]:g}: 0, 1 or 2 expected")
    if any(v == 0 for _, _, v in rows):
        if any(v for _, _, v in rows):
            book.tell(PART_OF_QUAD, place)
        return None
    a, b, c, d = (
        (
            _keypoint(x, v, size[0], place, book),
            _keypoint(y, v, size[1], place, book),
        )
        for x, y, v in rows
    )
    return clockwise_told((a, b, c, d), place, book)


def _keypoint(
    value: float, seen: float, side: float, place: str, book: NoteBook
) -> float:
    if seen == 2:
        return clip_coordinate(value, side, place, book)
    if not -FAR * side <= value <= side + FAR * side:
        raise LabelError(f"{place}: keypoint {value:g} is far outside 0..{side:g}")
    return value


def _polygon(
    raw: object, size: tuple[float, float], place: str, book: NoteBook
) -> Quad | None:
    if not raw:
        return None
    if isinstance(raw, dict):
        book.tell(MASK, place)
        return None
    parts = entries(raw, f"{place}: segmentation")
    flat = numbers(parts[0], f"{place}: segmentation")
    if len(parts) > 1 or len(flat) % 2:
        book.tell("an outline in several parts: only the box is taken", place)
        return None
    points = list(zip(flat[::2], flat[1::2], strict=True))
    return pixel_outline(points, size, place, book)[0]


def category_numbers(raw: object, place: str) -> tuple[list[int], list[object]]:
    """Numbers and names of the categories, in the order of their numbers.

    Raises:
        LabelError: no list of categories, or a number twice.
    """
    numbered: dict[int, object] = {}
    for place_in, value in enumerate(entries(raw, f"{place}: categories")):
        one = mapping(value, f"{place}: category {place_in}")
        kind = number(one.get("id"), f"{place}: category {place_in}: id")
        if kind != int(kind) or int(kind) in numbered:
            raise LabelError(f"{place}: category {place_in}: id {kind:g} is unusable")
        numbered[int(kind)] = one.get("name")
    ordered = sorted(numbered)
    return ordered, [numbered[kind] for kind in ordered]
