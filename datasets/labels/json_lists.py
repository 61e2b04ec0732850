"""Long JSON lists written entry by entry."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING

from datasets.eval_labels import LabelError
from datasets.labels.text_lines import decode_text, read_bytes

if TYPE_CHECKING:
    from pathlib import Path

    from datasets.labels.notes import NoteBook

MOST_JSON_BYTES = 1 << 30
"""A JSON file is read whole: about ten times its size in memory."""


class JsonList:
    """A list that grows on disk: one entry a line.

    Args:
        path: the file; its folder is made.
        start: what comes before the first entry, and the bracket.
    """

    def __init__(self, path: Path, start: str = "[") -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.count = 0
        self._file = path.open("w", encoding="utf-8", newline="\n")
        self._file.write(start)

    def add(self, entry: object) -> None:
        """Write one entry; figures must be finite."""
        mark = ",\n" if self.count else "\n"
        text = json.dumps(entry, ensure_ascii=False, allow_nan=False)
        self._file.write(mark + text)
        self.count += 1

    def close(self, end: str = "\n]\n") -> None:
        """Write what comes after the last entry.

        Raises:
            OSError: the disk is full.
        """
        self._file.write(end)
        self._file.close()

    def abandon(self) -> None:
        """Close the file as it is: nobody will read it."""
        with suppress(OSError):
            self._file.close()


def read_json(path: Path, book: NoteBook) -> object:
    """Read a JSON file whose encoding may be wrong.

    Raises:
        LabelError: cannot be read, no JSON, nested too deep or too large.
    """
    text = decode_text(read_bytes(path, MOST_JSON_BYTES), str(path), book)
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise LabelError(f"{path}: not JSON: {error}") from error
    return value
