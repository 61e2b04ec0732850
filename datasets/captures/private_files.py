"""Files that only their owner may read, and that are there whole or not at all."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import BinaryIO

PART = ".part"


def make_private(folder: Path) -> None:
    """Make a folder, and those above it, for its owner alone; one there stays so.

    Raises:
        OSError: it cannot be made.
    """
    if folder.is_dir():
        return
    make_private(folder.parent)
    folder.mkdir(mode=0o700, exist_ok=True)


def open_new_private(path: Path) -> BinaryIO:
    """Open a file that is not there yet, to be written; for its owner alone.

    Raises:
        FileExistsError: it is there.
        OSError: it cannot be made.
    """
    return open(path, "xb", opener=lambda name, flags: os.open(name, flags, 0o600))


def append_private(path: Path, data: bytes, size: int, *, sync: bool = True) -> None:
    """Append to a file; made for its owner alone if it is not there.

    Args:
        path: the file.
        data: what is appended.
        size: how long it is now, and stays if this fails.
        sync: wait for the disk.

    Raises:
        OSError: nothing was appended.
    """
    with _opened(path, os.O_APPEND) as handle:
        try:
            _write(handle, data)
            if sync:
                os.fsync(handle)
        except OSError:
            os.ftruncate(handle, size)
            raise


@contextmanager
def _opened(path: Path, flags: int) -> Iterator[int]:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | flags, 0o600)
    try:
        yield handle
    finally:
        os.close(handle)


def _write(handle: int, data: bytes) -> None:
    """Write all, with no buffer that would be written once more at closing."""
    left = memoryview(data)
    while left:
        left = left[os.write(handle, left) :]


def write_private(path: Path, data: bytes, *, sync: bool = True) -> None:
    """Write a file under another name, then give it its own.

    Two writers of one name at once must be kept apart by a lock.

    Args:
        path: the file; one that is there is replaced.
        data: all of it.
        sync: have it on the disk before it gets its name.

    Raises:
        OSError: it was not written, and nothing is left of the try.
    """
    half = part_of(path)
    try:
        # left by a program that was stopped: others might read it
        half.unlink(missing_ok=True)
        with _opened(half, os.O_EXCL) as handle:
            _write(handle, data)
            if sync:
                os.fsync(handle)
        half.replace(path)
    except OSError:
        half.unlink(missing_ok=True)
        raise


def part_of(path: Path) -> Path:
    """The name under which a file is written."""
    return path.with_name(path.name + PART)
