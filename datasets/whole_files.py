"""Files that are there whole or not at all, whenever the program is stopped."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def write_whole(path: Path, data: bytes | str) -> None:
    """Write a file under another name, then give it its own.

    Args:
        path: the file; one that is there is replaced.
        data: bytes, or text to be written as UTF-8.

    Raises:
        OSError: the folder cannot be written to.
    """
    half = path.with_name(path.name + ".part")
    half.write_bytes(data.encode("utf-8") if isinstance(data, str) else data)
    half.replace(path)
