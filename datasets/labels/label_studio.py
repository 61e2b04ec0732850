"""One region of Label Studio, and the die it stands for; figures are per cent.

Polygons for quads, rectangles for boxes, and choices of the same region for the state.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, unquote, urlsplit
from xml.sax.saxutils import quoteattr

from datasets.eval_labels import LabelError
from datasets.labels.class_names import DIE, face_named
from datasets.labels.json_values import entries, mapping, number, numbers, words
from datasets.labels.outlines import clipped_box, whole_box
from datasets.labels.pixel_outlines import (
    found_die,
    moved_in,
    pixel_box,
    pixel_outline,
)
from datasets.labels.yolo_lines import CUT
from vision.reading import DieState

if TYPE_CHECKING:
    from datasets.eval_labels import Box, LabelledDie
    from datasets.labels.class_names import ClassOrder
    from datasets.labels.exporting import ExportedDie
    from datasets.labels.notes import NoteBook
    from vision.reading import Point, Quad

Region = dict[str, object]
Outline = tuple["Quad | None", "Box | None"]

DIGITS = 6
"""Per cent are written to a millionth: a hundred-thousandth of a pixel in 1280."""
OUTLINES = {"polygonlabels": "quads", "rectanglelabels": "boxes"}
"""Types of regions, and the names of their controls."""
STATE = "state"


def label_config(order: ClassOrder) -> str:
    """The labelling interface to paste into a project of Label Studio."""
    names = dict.fromkeys((*order.names, DIE))
    labels = "".join(f"    <Label value={quoteattr(name)}/>\n" for name in names)
    choices = "".join(f"    <Choice value={quoteattr(s.value)}/>\n" for s in DieState)
    return (
        '<View>\n  <Image name="image" value="$image"/>\n'
        f'  <PolygonLabels name="quads" toName="image">\n{labels}  </PolygonLabels>\n'
        f'  <RectangleLabels name="boxes" toName="image">\n{labels}'
        "  </RectangleLabels>\n"
        f'  <Choices name="{STATE}" toName="image" perRegion="true">\n{choices}'
        "  </Choices>\n</View>\n"
    )


def regions(
    one: ExportedDie, key: str, size: tuple[float, float], book: NoteBook
) -> list[Region]:
    """Write a die: its outline and, if it does not lie flat, its state.

    Args:
        one: partly in the picture; an unread one gets the label `die`.
        key: that ties the regions of one die together.
        size: width and height of the picture.
        book: is told of corners outside the picture.

    Raises:
        ValueError: nothing of the die is in the picture.
    """
    die, (width, height) = one.die, size
    label = die.face.code if die.face and one.number is not None else DIE
    if die.quad is not None:
        quad = moved_in(die.quad, size)
        if quad != die.quad:
            book.tell(CUT, one.place)
        kind = "polygonlabels"
        points = [[_cent(x, width), _cent(y, height)] for x, y in quad]
        value: Region = {"points": points, "closed": True}
    else:
        box = clipped_box(whole_box(die, *size), *size)
        if box is None:
            raise ValueError(f"{one.place}: nothing of it is in the picture")
        x0, y0, x1, y1 = box
        kind = "rectanglelabels"
        value = {"x": _cent(x0, width), "y": _cent(y0, height), "rotation": 0}
        value |= {"width": _cent(x1 - x0, width), "height": _cent(y1 - y0, height)}
    value[kind] = [label]
    shared: Region = {
        "id": key,
        "to_name": "image",
        "original_width": width,
        "original_height": height,
        "image_rotation": 0,
    }
    made = [{**shared, "from_name": OUTLINES[kind], "type": kind, "value": value}]
    if die.state is not DieState.FLAT:
        chosen = {**value, "choices": [die.state.value]}
        del chosen[kind]
        choice = {"from_name": STATE, "type": "choices", "value": chosen}
        made.append({**shared, **choice})
    return made


def _cent(value: float, side: float) -> float:
    return round(100 * value / side, DIGITS)


def read_regions(
    raw: object, size: tuple[float, float], place: str, book: NoteBook
) -> tuple[LabelledDie, ...]:
    """Read the dice of one picture.

    Args:
        raw: the list `result` of an annotation.
        size: width and height of the picture, upright.
        place: file and task.
        book: is told what was clipped or left out.

    Raises:
        LabelError: a region cannot be used; it is named.
    """
    found: list[tuple[object, tuple[object, Outline]]] = []
    states: dict[object, object] = {}
    for number_in, value in enumerate(entries(raw, f"{place}: result")):
        here = f"{place} region {number_in}"
        one = mapping(value, here)
        kind, content = (
            str(one.get("type")),
            mapping(one.get("value", {}), f"{here}: value"),
        )
        if kind in OUTLINES:
            _check_picture(one, size, here)
            labels = entries(content.get(kind), f"{here}: {kind}")
            if len(labels) != 1:
                raise LabelError(f"{here}: {len(labels)} labels, one expected")
            face = face_named(labels[0], here)
            outline = _outline(kind, content, size, here, book)
            found.append((one.get("id"), (face, outline)))
        elif kind == "choices":
            chosen = entries(content.get("choices"), f"{here}: choices")
            states[_text(one.get("id"))] = chosen[0] if chosen else None
        elif kind not in ("polygon", "rectangle", "labels"):
            book.tell(f"a region of type {kind:.40} is no die: left out", here)
    return tuple(
        found_die(face, outline, states.get(_text(key)))  # type: ignore[arg-type]  # a face
        for key, (face, outline) in found
    )


def _text(key: object) -> str:
    return str(key)


def _check_picture(one: Region, size: tuple[float, float], place: str) -> None:
    if one.get("image_rotation") not in (None, 0):
        raise LabelError(f"{place}: the picture was turned in Label Studio")
    stated = (one.get("original_width"), one.get("original_height"))
    if None not in stated and stated != size:
        raise LabelError(
            f"{place}: is for {stated[0]!r:.20}x{stated[1]!r:.20} pixels, the picture"
            f" has {size[0]:g}x{size[1]:g} as a person sees it"
        )


def _outline(
    kind: str, content: Region, size: tuple[float, float], place: str, book: NoteBook
) -> Outline:
    width, height = size
    if kind == "polygonlabels":
        points: list[Point] = []
        for raw in entries(content.get("points"), f"{place}: points"):
            pair = numbers(raw, f"{place}: point")
            if len(pair) != 2:
                raise LabelError(f"{place}: a point needs two numbers")
            points.append((pair[0] / 100 * width, pair[1] / 100 * height))
        return pixel_outline(points, size, place, book)
    x, y, w, h = (
        number(content.get(key), f"{place}: {key}") / 100 * side
        for key, side in (
            ("x", width),
            ("y", height),
            ("width", width),
            ("height", height),
        )
    )
    degrees = number(content.get("rotation", 0), f"{place}: rotation")
    if degrees == 0:
        return None, pixel_box((x, y, x + w, y + h), size, place, book)
    # Label Studio turns a rectangle clockwise about its top left corner
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    corners = ((0.0, 0.0), (w, 0.0), (w, h), (0.0, h))
    turned = [(x + a * cos - b * sin, y + a * sin + b * cos) for a, b in corners]
    return pixel_outline(turned, size, place, book)


def picture_name(raw: object, place: str) -> str:
    """Name of the picture that a task's address leads to.

    Args:
        raw: `data.image`: a name, an address, or one of Label Studio's local storage
            (`/data/local-files/?d=NAME`).
        place: file and task.

    Raises:
        LabelError: no text.
    """
    text = words(raw, f"{place}: data.image")
    try:
        parts = urlsplit(text)
    except ValueError:
        return text
    if local := parse_qs(parts.query).get("d"):
        return local[0].lstrip("/")
    if parts.scheme in ("http", "https", "s3", "gs") or text.startswith("/data/"):
        return unquote(parts.path).lstrip("/").rpartition("/")[2]
    return text
