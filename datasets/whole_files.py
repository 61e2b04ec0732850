"""Files that are there whole or not at all, whenever the program is stopped."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def write_whole(path: Path, data: bytes | str) -> None:
    """Write a file under another name, then give it its own.

    Args:
        path: the file; one that is there is replaced.
        data: bytes, or text to be written as UTF-8.

    Raises:
        OSError: it cannot be written; nothing is left of the try.
    """
    half = path.with_name(path.name + ".part")
    try:
        half.write_bytes(data.encode("utf-8") if isinstance(data, str) else data)
        half.replace(path)
    finally:
        half.unlink(missing_ok=True)


def sync(path: Path) -> None:
    """Have a file, or the names in a folder, survive a loss of power.

    Raises:
        OSError: it is not there, or the disk fails.
    """
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
