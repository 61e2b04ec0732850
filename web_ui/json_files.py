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
        with path.open("rb") as file:  # devices and pipes do not tell their size
            data = file.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise JsonFileError(f"{path}: at most {MOST_BYTES} bytes expected")
        return cast("object", json.loads(data.decode("utf-8-sig")))
    except OSError as error:
        raise JsonFileError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise JsonFileError(f"{path}: not UTF-8: {error.reason}") from error
    except json.JSONDecodeError as error:
        raise JsonFileError(
            f"{path}: not JSON: {error.msg} in line {error.lineno}"
        ) from error
    except JsonFileError:
        raise
    except ValueError as error:  # a number of thousands of digits
        raise JsonFileError(f"{path}: not JSON: {error}") from error
    except RecursionError as error:
        raise JsonFileError(f"{path}: nested too deeply") from error
