"""Our own format: `labels.json` beside `images/`, lossless."""

from __future__ import annotations

from typing import TYPE_CHECKING

from datasets.eval_labels import (
    LABELS,
    LabelError,
    LabelledDie,
    LabelledPicture,
    read_labels,
)
from datasets.labels.exporting import (
    Carries,
    ExportContext,
    ExportedPicture,
    ExportFormat,
)
from datasets.labels.file_names import safe_name
from datasets.labels.json_lists import JsonList
from datasets.labels.picture_files import OUTSIDE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from datasets.labels.importing import ImportOptions
    from datasets.labels.notes import NoteBook

Record = dict[str, object]


def picture_record(picture: LabelledPicture) -> Record:
    """Turn a labelled picture or clip into what `parse_picture` reads.

    Args:
        picture: its path is not written.
    """
    record: Record = {"clip" if picture.throws else "image": picture.name}
    record["width"], record["height"] = picture.width, picture.height
    if picture.die_px is not None:
        record["die_px"] = picture.die_px
    if picture.groups:
        record["tags"] = list(picture.groups)
    if picture.throws:
        record["fps"] = picture.fps
        record["throws"] = [
            {"rest_frame": throw.rest_frame, "dice": _records(throw.dice)}
            for throw in picture.throws
        ]
    else:
        record["cards" if picture.cards else "dice"] = _records(picture.dice)
    return record


def _records(dice: tuple[LabelledDie, ...]) -> list[Record]:
    return [die_record(die) for die in dice]


def die_record(die: LabelledDie) -> Record:
    """Turn a labelled die into what `parse_picture` reads."""
    record: Record = {"face": die.face.code if die.face else None}
    if die.face is None and die.rank is not None:
        record["rank"] = die.rank
    if die.quad is not None:
        record["quad"] = [list(point) for point in die.quad]
    if die.box is not None:
        record["box"] = list(die.box)
    record["state"] = die.state.value
    return record


class NativeWriter:
    """Writes `labels.json`; of a split set, one in the folder of each side."""

    def __init__(self, context: ExportContext) -> None:
        self._context = context
        self._lists: dict[str, JsonList] = {}

    def add(self, picture: ExportedPicture) -> str:
        """Write one picture."""
        below = f"{picture.side}/" if self._context.options.split else ""
        if below not in self._lists:
            path = self._context.folder / below / LABELS
            self._lists[below] = JsonList(path)
        record = picture_record(picture.label)
        record["clip" if picture.label.throws else "image"] = picture.file
        self._lists[below].add(record)
        return f"{below}images/{picture.file}"

    def finish(self) -> None:
        """End the lists."""
        for one in self._lists.values():
            one.close()

    def abandon(self) -> None:
        """Close the files."""
        for one in self._lists.values():
            one.abandon()


def read_native(
    path: Path, options: ImportOptions, book: NoteBook
) -> Iterator[LabelledPicture]:
    """The pictures of a folder with `labels.json`, all of them below that folder.

    A set may come from anybody: what it names elsewhere on the disk is not looked at.

    Raises:
        LabelError: see `read_labels`; or a name leads out of the folder, or what it
            names is no ordinary file.
    """
    del options
    folder = (path if path.is_dir() else path.parent).resolve()
    for picture in read_labels(path):
        safe_name(picture.name, str(path))
        found = picture.path.resolve()
        if not found.is_relative_to(folder):
            book.tell(OUTSIDE, picture.name)
            continue
        if _is_there(found) and not found.is_file():
            raise LabelError(f"{picture.path}: is not an ordinary file")
        yield picture


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # a name too long for any file
        return False


NATIVE = ExportFormat("native", frozenset(Carries), NativeWriter)
