"""Text files of unknown origin as lines, and the numbers in them."""

from __future__ import annotations

import math
import os
import re
import stat
from typing import TYPE_CHECKING

from datasets.eval_labels import LabelError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from datasets.labels.notes import NoteBook

MOST_TEXT_BYTES = 1 << 20
"""Of a file of lines: 10,000 dice with all their corners."""
NOT_UTF8 = "is not UTF-8: read as Windows-1252"

_BREAK = re.compile(r"\r\n|\n|\r")
# what float() takes besides (1_0, Arabic digits, infinity) is a slip in a label file
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[+-]?(?:nan|inf|infinity)", re.IGNORECASE)


def read_bytes(path: Path, most: int) -> bytes:
    """The content of an ordinary file.

    Args:
        path: the file.
        most: bytes it may have.

    Raises:
        LabelError: cannot be read, no ordinary file, or larger.
    """
    try:
        # a pipe that nobody writes to would otherwise be waited for without end
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            os.close(handle)
            raise LabelError(f"{path}: is not an ordinary file")
        with os.fdopen(handle, "rb") as file:
            data = file.read(most + 1)
    except OSError as error:
        raise LabelError(f"{path}: cannot be read: {error.strerror}") from error
    if len(data) > most:
        raise LabelError(f"{path}: larger than {most:,} bytes")
    return data


def decode_text(data: bytes, name: str, book: NoteBook) -> str:
    """Turn bytes into text: UTF-8, UTF-16 with its mark, else Windows-1252.

    Args:
        data: the file; a byte order mark is dropped.
        name: of the file.
        book: is told, with the line, when it is not UTF-8.

    Raises:
        LabelError: no text in any of them.
    """
    coding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        text = data.decode(coding)
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        if coding == "utf-16":
            raise LabelError(f"{name}: is no UTF-16, though it begins so") from error
        try:
            text = data.decode("cp1252")
        except UnicodeDecodeError:
            raise LabelError(f"{name}:{line}: is not text") from error
        book.tell(NOT_UTF8, f"{name}:{line}")
    if "\0" in text:
        raise LabelError(f"{name}: is not text: there are zero bytes in it")
    return text


def numbered_lines(text: str) -> Iterator[tuple[int, str]]:
    """Lines that are not blank, stripped, with their numbers from 1."""
    for number, line in enumerate(_BREAK.split(text), start=1):
        if stripped := line.strip():
            yield number, stripped


def decimal(word: str, place: str) -> float:
    """Read a number.

    Raises:
        LabelError: not a decimal number, or not finite.
    """
    if _NUMBER.fullmatch(word):
        value = float(word)
        if math.isfinite(value):
            return value
    elif not _NOT_FINITE.fullmatch(word):
        hint = ": write a point, not a comma" if "," in word else ""
        raise LabelError(f"{place}: {word!r:.40} is not a number{hint}")
    raise LabelError(f"{place}: {word:.40} is not a finite number")
