"""Label Studio sets: `tasks.json` to import there, or its JSON export."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import quote

from datasets.eval_labels import LabelError, LabelledPicture
from datasets.labels.class_names import ORDERS
from datasets.labels.coco_files import NO_FILE
from datasets.labels.exporting import (
    Carries,
    ExportContext,
    ExportedPicture,
    ExportFormat,
)
from datasets.labels.file_names import safe_name
from datasets.labels.json_lists import JsonList, read_json
from datasets.labels.json_values import entries, mapping, words
from datasets.labels.label_studio import (
    label_config,
    picture_name,
    read_regions,
    regions,
)
from datasets.labels.picture_files import PictureFolder, check_size
from datasets.labels.picture_tags import Labeller, labeller_of, with_origin

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from datasets.labels.importing import ImportOptions
    from datasets.labels.notes import NoteBook

TASKS_FILE = "tasks.json"
CONFIG_FILE = "label-config.xml"
NOT_LABELLED = "nobody has labelled it: left out"

KNOWN_ORDERS = frozenset(order.digest for order in ORDERS.values())

# Label Studio puts eight hex digits before the names of uploaded files
_UPLOADED = re.compile(r"^[0-9a-f]{8}-(?=.)")


class LabelStudioWriter:
    """Writes one file of tasks, and the labelling interface."""

    def __init__(self, context: ExportContext) -> None:
        self._context = context
        self._tasks = JsonList(context.folder / TASKS_FILE)
        config = label_config(context.options.order)
        (context.folder / CONFIG_FILE).write_text(config, "utf-8")

    def add(self, picture: ExportedPicture) -> str:
        """Write one picture; what a model read is a prediction, not an annotation."""
        label, key = picture.label, self._tasks.count + 1
        size = (label.width, label.height)
        result = [
            region
            for number, one in enumerate(picture.dice)
            for region in regions(one, f"die{number}", size, self._context.book)
        ]
        below = f"images/{picture.file}"
        by_model = labeller_of(label) is Labeller.MODEL
        self._tasks.add(
            {
                "id": key,
                "data": {
                    "image": f"/data/local-files/?d={quote(below)}",
                    "name": picture.file,
                    "side": picture.side,
                    "class_order": self._context.options.order.digest,
                },
                "predictions" if by_model else "annotations": [{"result": result}],
            }
        )
        return below

    def finish(self) -> None:
        """End the file."""
        self._tasks.close()

    def abandon(self) -> None:
        """Close the file."""
        self._tasks.abandon()


def read_label_studio(
    path: Path, options: ImportOptions, book: NoteBook
) -> Iterator[LabelledPicture]:
    """The pictures of a JSON export.

    Args:
        path: the file, or a folder with `tasks.json`.
        options: where the pictures are.
        book: is told what was changed or left out.

    Raises:
        LabelError: the file cannot be used; the task is named.
    """
    file = path / TASKS_FILE if path.is_dir() else path
    pictures = PictureFolder(options.pictures or file.parent, book)
    for number, raw in enumerate(entries(read_json(file, book), str(file))):
        place = f"{file}: task {number}"
        task = mapping(raw, place)
        found = _picture(task, pictures, place, book)
        if found is not None:
            yield found


def _picture(
    task: dict[str, object], pictures: PictureFolder, place: str, book: NoteBook
) -> LabelledPicture | None:
    data = mapping(task.get("data"), f"{place}: data")
    digest = data.get("class_order")
    if digest is not None and str(digest) not in KNOWN_ORDERS:
        raise LabelError(f"{place}: states an unknown class order {digest!r:.20}")
    named = data.get("name")
    name = words(named, place) if named else picture_name(data.get("image"), place)
    name = safe_name(name, place)
    path = pictures.find(name, place)
    if path is None:
        folder, slash, last = name.rpartition("/")
        name = f"{folder}{slash}{_UPLOADED.sub('', last)}"
        path = pictures.find(name, place)
    place = f"{place} ({name})"
    if path is None:
        book.tell(NO_FILE, place)
        return None
    result, labeller = _result(task, place, book)
    if result is None:
        book.tell(NOT_LABELLED, place)
        return None
    size = check_size(path, (0, 0), place)
    dice = read_regions(result, size, place, book)
    return with_origin(LabelledPicture(name, path, *size, dice), None, labeller)


def _result(
    task: dict[str, object], place: str, book: NoteBook
) -> tuple[object, Labeller | None]:
    """The newest annotation that was not cancelled; else a prediction."""
    for key in ("annotations", "predictions"):
        given = [
            mapping(raw, f"{place}: {key}")
            for raw in entries(task.get(key) or [], f"{place}: {key}")
        ]
        valid = [one for one in given if one.get("was_cancelled") is not True]
        if len(valid) > 1:
            book.tell("is labelled more than once: the last one is taken", place)
        if valid:
            if key == "predictions":
                book.tell(
                    "only a model has labelled it: its prediction is taken", place
                )
            result = valid[-1].get("result")
            if result is None:
                raise LabelError(f"{place}: {key} without a result")
            return result, Labeller.MODEL if key == "predictions" else None
    return None, None


LABEL_STUDIO = ExportFormat(
    "label-studio",
    frozenset([Carries.QUAD, Carries.STATE, Carries.UNREAD]),
    LabelStudioWriter,
)
