"""Marks of exported labels: what an album said of a picture when it was exported."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, cast

from scoring.json_files import JsonFileError, read_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from datasets.eval_labels import LabelledDie
    from datasets.labels.notes import NoteBook

EXPORT_FILE = "export.json"
"""What was exported and how; in every exported set."""
KEY = "albums"
LEVELS = 2
"""A label file lies at most so many folders below the set's own."""
MARK_SIGNS = 16
UNREADABLE = "cannot be read: whether a label was changed since the export is not known"

_HASH = re.compile(r"[0-9a-f]{64}")


def mark_of(dice: Iterable[LabelledDie]) -> str:
    """A short text that changes with the labels of a picture.

    Args:
        dice: as an album gives them.
    """
    record = [
        (die.face.code if die.face else None, die.quad, die.state.value) for die in dice
    ]
    text = json.dumps(record)
    return hashlib.sha256(text.encode()).hexdigest()[:MARK_SIGNS]


def captured_picture(name: str) -> str | None:
    """The hash of a picture that an album calls so; None if no album does."""
    stem = PurePosixPath(name).stem
    return stem if _HASH.fullmatch(stem) else None


def marks_about(places: Iterable[Path], book: NoteBook) -> dict[str, str]:
    """The marks of the exports that label files are from.

    Args:
        places: label files or folders, as an import names them.
        book: is told which list cannot be used.

    Returns:
        By the hash of the picture; empty where nothing tells of an export.
    """
    found: dict[str, str] = {}
    for path in _lists(places):
        try:
            record = read_json(path)
            marks = cast("Mapping[str, object]", record).get(KEY, {})
            pairs = [*cast("Mapping[object, object]", marks).items()]
        except (JsonFileError, AttributeError):
            book.tell(UNREADABLE, str(path))
            continue
        found.update((name, str(mark)) for name, mark in pairs if isinstance(name, str))
    return found


def _lists(places: Iterable[Path]) -> list[Path]:
    lists: dict[Path, None] = {}
    for place in places:
        folder = (place if place.is_dir() else place.parent).resolve()
        for one in (folder, *folder.parents[:LEVELS]):
            if (one / EXPORT_FILE).exists():
                lists[one / EXPORT_FILE] = None
                break
    return [*lists]
