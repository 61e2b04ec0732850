"""JSON files that come from users: read, or refused in a sentence that names them."""

from __future__ import annotations

import json
import os
import re
import stat
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from scoring.json_places import element_lines, oddity

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Never

    from scoring.json_places import Key

MOST_BYTES = 64 * 1024 * 1024
"""A larger file is not a script: it is refused before it is read."""

_MAYBE_HALF = re.compile(r"\\u[dD][89a-fA-F]")


class JsonFileError(ValueError):
    """A file that cannot be used; the message begins with its path."""


@dataclass(frozen=True, slots=True)
class JsonFile:
    """A JSON file that was read.

    Attributes:
        path: where it lies.
        text: what it holds.
        content: the same as JSON gives it.
    """

    path: Path
    text: str
    content: object

    def lines(self, *keys: Key) -> list[int]:
        """Lines, from 1, of the elements of a list; slow: for messages only.

        Args:
            keys: the way to the list, keys and places from the outermost value on.
        """
        return element_lines(self.text, *keys)


def read_json(path: Path, most_bytes: int = MOST_BYTES) -> object:
    """Read a JSON file.

    Args:
        path: the file.
        most_bytes: it may have.

    Raises:
        JsonFileError: as `read_json_file` does.
    """
    return read_json_file(path, most_bytes).content


def read_json_file(path: Path, most_bytes: int = MOST_BYTES) -> JsonFile:
    """Read a JSON file and keep its text.

    Args:
        path: the file.
        most_bytes: it may have.

    Raises:
        JsonFileError: missing, no ordinary file, unreadable, too large, not UTF-8 or
            not JSON (an object with a key twice, NaN and half a character among it);
            for the last two the line is named.
    """
    text = read_text(path, most_bytes)
    return JsonFile(path, text, _content(str(path), text))


def read_json_lines(path: Path) -> list[object]:
    """Read a file with one JSON value a line; empty lines are passed over.

    Raises:
        JsonFileError: as `read_json_file` does; the line is named.
    """
    return [
        _content(f"{path}: line {number}", line)
        for number, line in enumerate(read_text(path).splitlines(), start=1)
        if line.strip()
    ]


def read_text(path: Path, most_bytes: int = MOST_BYTES) -> str:
    """Read a text file that is not empty.

    Args:
        path: the file.
        most_bytes: it may have.

    Raises:
        JsonFileError: missing, no ordinary file, unreadable, too large, empty or not
            UTF-8.
    """
    try:
        data = _bytes(path, most_bytes + 1)
    except OSError as error:
        raise JsonFileError(f"{path}: cannot be read: {error.strerror}") from error
    if len(data) > most_bytes:
        raise JsonFileError(f"{path}: at most {most_bytes} bytes expected")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise JsonFileError(
            f"{path}: not UTF-8: {error.reason} in line {line}"
        ) from error
    if not text.strip():
        raise JsonFileError(f"{path}: not JSON: the file is empty")
    return text


def _bytes(path: Path, count: int) -> bytes:
    # a pipe that nobody writes to would otherwise be waited for without end
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    mode = os.fstat(handle).st_mode
    if not stat.S_ISREG(mode):
        os.close(handle)
        what = "a folder" if stat.S_ISDIR(mode) else "a pipe or a device"
        raise JsonFileError(f"{path}: is {what}, expected an ordinary file")
    with os.fdopen(handle, "rb") as file:
        return file.read(count)


class _OddJsonError(ValueError):
    """Something that JSON does not have; where, is looked for afterwards."""


def _content(where: str, text: str) -> object:
    try:
        content = json.loads(text, object_pairs_hook=_object, parse_constant=_constant)
        odd = oddity(text) if _MAYBE_HALF.search(text) else None
    except json.JSONDecodeError as error:
        raise JsonFileError(
            f"{where}: not JSON: {error.msg} in line {error.lineno}"
        ) from error
    except _OddJsonError:
        odd = oddity(text)
    except ValueError as error:  # a number of thousands of digits
        raise JsonFileError(f"{where}: not JSON: {error}") from error
    except RecursionError as error:
        raise JsonFileError(f"{where}: nested too deeply") from error
    if odd is not None:
        raise JsonFileError(f"{where}: not JSON: {odd}")
    return cast("object", content)


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise _OddJsonError
    return found


def _constant(_: str) -> Never:
    raise _OddJsonError
