"""COCO sets: `annotations/instances_SIDE.json` and `images/SIDE`."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

from datasets.eval_labels import LabelError, LabelledDie, LabelledPicture
from datasets.labels.class_names import read_classes
from datasets.labels.coco import (
    annotation,
    categories,
    category_numbers,
    read_annotation,
)
from datasets.labels.exporting import (
    Carries,
    ExportContext,
    ExportedPicture,
    ExportFormat,
)
from datasets.labels.file_names import safe_name
from datasets.labels.json_lists import JsonList, read_json
from datasets.labels.json_values import entries, mapping, number, words
from datasets.labels.picture_files import PictureFolder, check_size

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from datasets.labels.importing import ImportOptions
    from datasets.labels.notes import NoteBook
    from scoring.cards import Face

NO_FILE = "the picture is not there: left out"


class CocoWriter:
    """Writes one file a side; annotations wait in a second file until the end."""

    def __init__(self, context: ExportContext) -> None:
        self._context = context
        self._files: dict[str, tuple[JsonList, JsonList]] = {}

    def add(self, picture: ExportedPicture) -> str:
        """Write one picture."""
        images, dice = self._of(picture.side)
        label, number_of = picture.label, images.count + 1
        images.add(
            {
                "id": number_of,
                "file_name": picture.file,
                "width": label.width,
                "height": label.height,
            }
        )
        for one in picture.dice:
            ids = (dice.count + 1, number_of)
            dice.add(annotation(one, ids, (label.width, label.height)))
        return f"images/{picture.side}/{picture.file}"

    def _of(self, side: str) -> tuple[JsonList, JsonList]:
        if side not in self._files:
            order = self._context.options.order
            head = {
                "info": {"description": "Tableside", "class_order": order.digest},
                "licenses": [],
                "categories": categories(order),
            }
            start = json.dumps(head, ensure_ascii=False)[:-1] + ',\n"images": ['
            path = self._path(side)
            waiting = path.with_suffix(".part")
            self._files[side] = (JsonList(path, start), JsonList(waiting, ""))
        return self._files[side]

    def _path(self, side: str) -> Path:
        return self._context.folder / "annotations" / f"instances_{side}.json"

    def finish(self) -> None:
        """Put the annotations behind the pictures."""
        for side, (images, waiting_list) in self._files.items():
            path = self._path(side)
            images.close('\n],\n"annotations": [')
            waiting_list.close("\n]}\n")
            waiting = path.with_suffix(".part")
            with path.open("ab") as whole, waiting.open("rb") as rest:
                shutil.copyfileobj(rest, whole)
            waiting.unlink()

    def abandon(self) -> None:
        """Close the files."""
        for pair in self._files.values():
            for one in pair:
                one.abandon()


def read_coco(
    path: Path, options: ImportOptions, book: NoteBook
) -> Iterator[LabelledPicture]:
    """The pictures of a COCO file, or of all in the folder `annotations`.

    Args:
        path: file, or folder with `annotations`.
        options: where the pictures are.
        book: is told what was changed or left out.

    Raises:
        LabelError: the file cannot be used; the entry is named.
    """
    files = [path]
    if path.is_dir():
        files = sorted((path / "annotations").glob("*.json"))
        if not files:
            raise LabelError(f"{path}: there is no annotations/*.json in it")
    for file in files:
        yield from _read_file(file, options, book)


def _read_file(
    file: Path, options: ImportOptions, book: NoteBook
) -> Iterator[LabelledPicture]:
    place = str(file)
    raw = mapping(read_json(file, book), place)
    ordered, names = category_numbers(raw.get("categories"), place)
    info = raw.get("info")
    digest = info.get("class_order") if isinstance(info, dict) else None
    classes = dict(zip(ordered, read_classes(names, digest, place), strict=True))
    above = file.parent.parent if file.parent.name == "annotations" else file.parent
    pictures = PictureFolder(options.pictures or above, book)
    notes = _by_picture(raw.get("annotations", []), place)
    seen: set[int] = set()
    for place_in, value in enumerate(entries(raw.get("images"), f"{place}: images")):
        here = f"{place}: image {place_in}"
        one = mapping(value, here)
        key = _whole(one.get("id"), f"{here}: id")
        if key in seen:
            raise LabelError(f"{here}: id {key} is there twice")
        seen.add(key)
        found = _picture(one, notes.pop(key, []), (classes, pictures), here, book)
        if found is not None:
            yield found
    for rest in notes.values():
        for number_in, _ in rest:
            book.tell(
                "belongs to no picture of the file: left out",
                f"{place}: annotation {number_in}",
            )


def _whole(raw: object, place: str) -> int:
    value = number(raw, place)
    if value != int(value):
        raise LabelError(f"{place} must be a whole number, not {value:g}")
    return int(value)


Numbered = tuple[int, "dict[str, object]"]
"""An annotation and its place in the file."""


def _by_picture(raw: object, place: str) -> dict[int, list[Numbered]]:
    notes: dict[int, list[Numbered]] = {}
    for number_in, value in enumerate(entries(raw, f"{place}: annotations")):
        here = f"{place}: annotation {number_in}"
        one = mapping(value, here)
        key = _whole(one.get("image_id"), f"{here}: image_id")
        notes.setdefault(key, []).append((number_in, one))
    return notes


def _picture(
    one: dict[str, object],
    notes: list[Numbered],
    known: tuple[Mapping[int, Face | None], PictureFolder],
    place: str,
    book: NoteBook,
) -> LabelledPicture | None:
    classes, pictures = known
    name = safe_name(words(one.get("file_name"), f"{place}: file_name"), place)
    file = pictures.find(name, place)
    if file is None:
        book.tell(NO_FILE, f"{place} ({name})")
        return None
    stated = (
        number(one.get("width", 0), f"{place}: width"),
        number(one.get("height", 0), f"{place}: height"),
    )
    size = check_size(file, stated, f"{place} ({name})")
    base = place.rpartition(": image ")[0]
    dice: list[LabelledDie] = []
    for number_in, raw in notes:
        here = f"{base}: annotation {number_in} ({name})"
        die = read_annotation(raw, classes, size, here, book)
        if die is not None:
            dice.append(die)
    return LabelledPicture(name, file, *size, tuple(dice))


COCO = ExportFormat("coco", frozenset([Carries.QUAD, Carries.STATE]), CocoWriter)
