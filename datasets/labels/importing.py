"""Sets of other tools read as labelled pictures, and kept as a set of our own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from datasets.eval_labels import LabelError, LabelledPicture
from datasets.labels.exporting import ExportOptions, export_set
from datasets.labels.notes import Note, NoteBook
from datasets.labels.picture_tags import Labeller, with_origin

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from datasets.labels.class_names import ClassOrder
    from datasets.labels.exporting import ExportFormat
    from datasets.labels.whole_folders import Placing

MOST_DICE = 1000
"""In one picture; more is a damaged or hostile file."""


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """What a label file may not say itself.

    Attributes:
        pictures: folder of the pictures; None: beside the labels.
        order: the classes, where the file does not name them; None: then refuse.
        recording: of pictures that do not name theirs.
        labeller: who gave the labels, where they do not say.
    """

    pictures: Path | None = None
    order: ClassOrder | None = None
    recording: str | None = None
    labeller: Labeller | None = None


SetReader = Callable[["Path", ImportOptions, NoteBook], Iterator[LabelledPicture]]
"""Reads a file or folder of one format."""


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What was imported.

    Attributes:
        pictures: how many.
        dice: how many.
        notes: what was clipped, left out or not understood.
    """

    pictures: int
    dice: int
    notes: tuple[Note, ...]


def import_sets(
    paths: Sequence[Path],
    read: SetReader,
    out: tuple[Path, ExportFormat, Placing],
    options: ImportOptions,
) -> ImportReport:
    """Read sets and write them as one set with `labels.json`, whole or not at all.

    Args:
        paths: files or folders, as the format has them.
        read: of their format.
        out: folder of the new set, our own format, and how pictures come into it.
        options: what the files may not say.

    Raises:
        LabelError: a file cannot be used; file and line or entry are named.
    """
    book = NoteBook()
    folder, native, placing = out
    report = export_set(
        read_all(paths, read, options, book),
        folder,
        native,
        ExportOptions(placing=placing),
    )
    count = sum(number for _, number in report.pictures)
    return ImportReport(count, report.dice, (*book.notes(), *report.notes))


def read_all(
    paths: Iterable[Path], read: SetReader, options: ImportOptions, book: NoteBook
) -> Iterator[LabelledPicture]:
    """Read sets one after the other, tagged with their origin.

    Args:
        paths: files or folders, as the format has them.
        read: of their format.
        options: what the files may not say.
        book: is told what was clipped, left out or not understood.

    Raises:
        LabelError: a file cannot be used; file and line or entry are named.
    """
    for path in paths:
        for picture in read(path, options, book):
            if len(picture.dice) > MOST_DICE:
                raise LabelError(
                    f"{path}: {picture.name}: {len(picture.dice)} dice,"
                    f" at most {MOST_DICE} are taken"
                )
            yield with_origin(picture, options.recording, options.labeller)
