"""Labels of real photos: `labels.json` beside the pictures, one entry a picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from datasets.shards import DataSetError
from scoring.cards import Face, parse_face
from scoring.json_files import JsonFileError, read_json

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

Point = tuple[float, float]
Corners = tuple[Point, Point, Point, Point]
Box = tuple[float, float, float, float]

LABELS = "labels.json"


@dataclass(frozen=True, slots=True)
class Item:
    """One labelled thing in a photo.

    Attributes:
        face: what it shows; None if it is no card or the label does not say.
        box: x0, y0 inside, x1, y1 outside; (0, 0) is the outer corner of a pixel.
        quad: corners in the same coordinates, clockwise from the upright top left;
            None if they are not known.
    """

    face: Face | None
    box: Box | None
    quad: Corners | None


@dataclass(frozen=True, slots=True)
class Photo:
    """A labelled photo.

    Attributes:
        path: of the picture.
        items: what is labelled in it.
        tags: as the labels give them.
        source: name, without ending, of the photo it was cut from; empty if none.
    """

    path: Path
    items: tuple[Item, ...]
    tags: tuple[str, ...]
    source: str = ""


def read_photos(folder: Path, tag: str = "") -> tuple[Photo, ...]:
    """Read the labels of a folder.

    Args:
        folder: holds `labels.json` and the pictures.
        tag: only pictures with this tag; empty for all.

    Raises:
        DataSetError: no labels, or an entry is wrong; the file and the entry are named.
    """
    path = folder / LABELS
    try:
        entries = read_json(path)
    except JsonFileError as error:
        raise DataSetError(str(error)) from error
    if not isinstance(entries, list):
        raise DataSetError(f"{path}: must be a list with one entry for each picture")
    photos = []
    for number, entry in enumerate(entries):
        try:
            photo = _photo(folder, entry)
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise DataSetError(
                f"{path}: entry {number} is no labelled picture: {error!r}"
            ) from error
        if not tag or tag in photo.tags:
            photos.append(photo)
    return tuple(photos)


def _photo(folder: Path, entry: Any) -> Photo:
    items = entry["cards"] if "cards" in entry else entry["dice"]
    return Photo(
        path=folder / str(entry["image"]),
        items=tuple(_item(item) for item in items),
        tags=tuple(str(tag) for tag in entry.get("tags", ())),
        source=str(entry.get("source", "")),
    )


def _item(item: Any) -> Item:
    code, box, quad = item.get("face"), item.get("box"), item.get("quad")
    return Item(
        face=parse_face(code) if code is not None else None,
        box=_box(box) if box is not None else None,
        quad=corners(quad) if quad is not None else None,
    )


def _box(values: Sequence[float]) -> Box:
    x0, y0, x1, y1 = (float(value) for value in values)
    if not (x0 < x1 and y0 < y1):
        raise ValueError(f"box must run from x0, y0 up to x1, y1, not {values}")
    return x0, y0, x1, y1


def corners(values: Sequence[Sequence[float]]) -> Corners:
    """Read four corners.

    Raises:
        ValueError: not four points of two numbers.
    """
    a, b, c, d = ((float(x), float(y)) for x, y in values)
    return a, b, c, d
