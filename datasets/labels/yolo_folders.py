"""YOLO sets for detect, OBB and pose: `images/SIDE`, `labels/SIDE`, `data.yaml`."""

from __future__ import annotations

import unicodedata
from functools import partial
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from datasets.eval_labels import LabelError, LabelledDie, LabelledPicture
from datasets.labels.exporting import (
    Carries,
    ExportContext,
    ExportedPicture,
    ExportFormat,
)
from datasets.labels.picture_files import PictureFolder, upright_size
from datasets.labels.text_lines import (
    MOST_TEXT_BYTES,
    decode_text,
    numbered_lines,
    read_bytes,
)
from datasets.labels.yolo_lines import RowContext, Rows, read_row, write_row
from datasets.labels.yolo_yaml import DATA_YAML, data_yaml, read_yolo_set

if TYPE_CHECKING:
    from collections.abc import Iterator

    from datasets.labels.importing import ImportOptions
    from datasets.labels.notes import NoteBook
    from scoring.cards import Face

OTHER_TEXTS = frozenset(
    ("classes.txt", "train.txt", "val.txt", "test.txt", "readme.txt", "license.txt")
)
"""Texts in such sets that label no picture, unless one is called like them."""


class YoloWriter:
    """Writes one text a picture and, at the end, `data.yaml`."""

    def __init__(self, rows: Rows, context: ExportContext) -> None:
        self._rows = rows
        self._context = context
        self._sides: set[str] = set()

    def add(self, picture: ExportedPicture) -> str:
        """Write one picture."""
        label = picture.label
        context = RowContext(self._rows, (), label.width, label.height)
        book = self._context.book
        rows = [
            write_row(one.die, one.number, context, one.place, book)
            for one in picture.dice
            if one.number is not None
        ]
        below = PurePosixPath("labels", picture.side, picture.file).with_suffix(".txt")
        path = self._context.folder / below
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{row}\n" for row in rows if row), "utf-8")
        self._sides.add(picture.side)
        return f"images/{picture.side}/{picture.file}"

    def finish(self) -> None:
        """Write `data.yaml`."""
        context = self._context
        text = data_yaml(context.final, self._sides, context.options.order, self._rows)
        (context.folder / DATA_YAML).write_text(text, "utf-8")

    def abandon(self) -> None:
        """Nothing is open."""


def read_rows(
    text: str, name: str, context: RowContext, book: NoteBook
) -> tuple[LabelledDie, ...]:
    """Read the text of one picture; an empty one means that there are no dice.

    Args:
        text: of the label file.
        name: of that file.
        context: what its rows hold.
        book: is told of what was changed and of repeated rows.

    Raises:
        LabelError: see `read_row`.
    """
    dice: dict[str, LabelledDie] = {}
    for number, line in numbered_lines(text):
        place = f"{name}:{number}"
        row = " ".join(line.split())
        if row in dice:
            book.tell("the same row stands there twice: taken once", place)
            continue
        dice[row] = read_row(row, context, place, book)
    return tuple(dice.values())


def read_yolo(
    rows: Rows, path: Path, options: ImportOptions, book: NoteBook
) -> Iterator[LabelledPicture]:
    """The pictures of a YOLO set.

    The label of a picture lies in `labels` where the picture lies in `images`, else
    beside it. Pictures without one are left out: nobody said that they are empty.

    Args:
        rows: what the label files hold.
        path: folder or `data.yaml`.
        options: what the set may not say itself.
        book: is told what was changed or left out.

    Raises:
        LabelError: the set cannot be used; file and line are named.
    """
    known = read_yolo_set(path, options, book)
    root = options.pictures or known.root
    pictures = PictureFolder(root, book)
    texts = _texts(known.root, known.listed)
    unclaimed = {
        stem: text
        for stem, text in texts.items()
        if text.name.lower() not in OTHER_TEXTS
    }
    claimed: dict[str, str] = {}
    for name, file in pictures.items():
        if known.folders and not any(file.is_relative_to(f) for f in known.folders):
            for other in _stems(name):
                unclaimed.pop(other, None)
            continue
        stem = next((stem for stem in _stems(name) if stem in texts), "")
        if not stem:
            book.tell("no label file: left out (an empty one would mean no dice)", name)
            continue
        unclaimed.pop(stem, None)
        if stem in claimed:
            raise LabelError(
                f"{texts[stem]}: labels {claimed[stem]} or {name}: rename one of them"
            )
        claimed[stem] = name
        yield _picture(name, file, texts[stem], (rows, known.faces), book)
    for orphan in unclaimed.values():
        book.tell("labels a picture that is not there: left out", str(orphan))


def _picture(
    name: str,
    file: Path,
    text: Path,
    kind: tuple[Rows, tuple[Face | None, ...]],
    book: NoteBook,
) -> LabelledPicture:
    width, height = upright_size(file)
    context = RowContext(*kind, width, height)
    content = decode_text(read_bytes(text, MOST_TEXT_BYTES), str(text), book)
    dice = read_rows(content, str(text), context, book)
    plain = PurePosixPath(name)
    if plain.parts[0] == "images" and len(plain.parts) > 1:
        plain = PurePosixPath(*plain.parts[1:])
    return LabelledPicture(str(plain), file, width, height, dice)


def _texts(root: Path, listed: Path | None) -> dict[str, Path]:
    """Label files by their names below the root without the suffix.

    Args:
        root: folder of the set.
        listed: the text that names the classes; it labels no picture.

    Raises:
        LabelError: two differ in the case of the suffix only.
    """
    texts: dict[str, Path] = {}
    for path in sorted(root.rglob("*")):
        if path.suffix.lower() != ".txt" or path == listed:
            continue
        stem = _nfc(path.relative_to(root).with_suffix("").as_posix())
        if stem in texts:
            raise LabelError(f"{path}: {texts[stem].name} labels the same picture")
        texts[stem] = path
    return texts


def _stems(name: str) -> tuple[str, ...]:
    """Where the label file of a picture may lie: in `labels`, and beside it."""
    beside = PurePosixPath(name).with_suffix("")
    parts = list(beside.parts)
    if "images" in parts[:-1]:
        last = len(parts) - 2 - parts[:-1][::-1].index("images")
        moved = PurePosixPath(*parts[:last], "labels", *parts[last + 1 :])
        return str(moved), str(beside)
    return f"labels/{beside}", str(beside)


def _nfc(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def _format(rows: Rows, *carried: Carries) -> ExportFormat:
    begin = partial(YoloWriter, rows)
    return ExportFormat(f"yolo-{rows}", frozenset(carried), begin)


YOLO_DETECT = _format(Rows.DETECT)
YOLO_OBB = _format(Rows.OBB, Carries.QUAD)
YOLO_POSE = _format(Rows.POSE, Carries.QUAD)
