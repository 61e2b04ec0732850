"""JSON files that users name on the command line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from pathlib import Path

MOST_BYTES = 64 * 1024 * 1024
"""A larger file is not a script: it is refused before it is read."""


class JsonFileError(ValueError):
    """A file that cannot be used; the message begins with its path."""


def read_json(path: Path) -> object:
    """Read a JSON file.

    Raises:
        JsonFileError: missing, unreadable, too large, not UTF-8 or not JSON; for JSON
            the line is named.
    """
    try:
        size = path.stat().st_size
        if size > MOST_BYTES:
            raise JsonFileError(f"{path}: {size} bytes, at most {MOST_BYTES} expected")
        return cast("object", json.loads(path.read_text("utf-8-sig")))
    except OSError as error:
        raise JsonFileError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise JsonFileError(f"{path}: not UTF-8: {error.reason}") from error
    except json.JSONDecodeError as error:
        raise JsonFileError(
            f"{path}: not JSON: {error.msg} in line {error.lineno}"
        ) from error
    except RecursionError as error:
        raise JsonFileError(f"{path}: nested too deeply") from error
