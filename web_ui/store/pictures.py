"""Evidence pictures: files named by the SHA-256 of what they hold."""

from __future__ import annotations

import os
import threading
import time
import uuid
from dataclasses import dataclass
from typing import TYPE_CHECKING

from datasets.captures.private_files import make_private, open_new_private
from datasets.whole_files import sync
from web_ui.store.chain import is_hash, sha256
from web_ui.store.database_faults import translated
from web_ui.store.errors import StoreError, Trouble

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

MOST_PICTURE_BYTES = 32 * 1024 * 1024
HALF = ".part"
ABANDONED_S = 3600
"""A half-written file older than this belongs to a program that was stopped."""


@dataclass(frozen=True, slots=True)
class PictureFile:
    """A picture that lies there, not looked into.

    Attributes:
        hash: its name.
        size: in bytes.
        written_s: when, in seconds since 1970 by the wall clock.
    """

    hash: str
    size: int
    written_s: float


@dataclass(frozen=True, slots=True)
class PictureCheck:
    """What became of comparing the pictures with the events that name them.

    Attributes:
        good: pictures that are there and are what they were.
        missing: named by an event, not there.
        damaged: there, but not what their name says.
        orphans: there, named by no event.
    """

    good: int
    missing: tuple[str, ...]
    damaged: tuple[str, ...]
    orphans: tuple[str, ...]


class Pictures:
    """A folder of pictures; may be used by several threads and processes.

    Args:
        folder: made when the first picture comes.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = threading.Lock()

    def path(self, hash_: str) -> Path:
        """Where a picture lies, or would.

        Raises:
            StoreError: refused: not a hash (so never a path from outside).
        """
        if not is_hash(hash_):
            raise StoreError(Trouble.REFUSED, f"{hash_!r:.80} is no picture's name.")
        return self.folder / hash_[:2] / hash_[2:4] / hash_

    def put(self, data: bytes) -> str:
        """Keep a picture for good; one that is there already is not written again.

        Args:
            data: an encoded picture.

        Returns:
            Its name.

        Raises:
            StoreError: it was not written (full, gone), or it is empty or too large.
        """
        if not 0 < len(data) <= MOST_PICTURE_BYTES:
            raise StoreError(
                Trouble.REFUSED,
                f"A picture has 1 to {MOST_PICTURE_BYTES} bytes, not {len(data)}.",
            )
        name = sha256(data)
        path = self.path(name)
        try:
            if self._is_there(path, data):
                return name
            self._write(path, data)
        except OSError as error:
            raise self._fault(error) from error
        return name

    def get(self, hash_: str) -> bytes | None:
        """A picture, proved to be the one that was kept.

        Returns:
            None if it is not there.

        Raises:
            StoreError: broken: it is not what it was. Gone: it cannot be read.
        """
        try:
            data = self.path(hash_).read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise self._fault(error) from error
        if sha256(data) != hash_:
            raise StoreError(Trouble.BROKEN, f"The picture {hash_} was damaged.")
        return data

    def listed(self) -> tuple[PictureFile, ...]:
        """All pictures, oldest first.

        Raises:
            StoreError: the folder cannot be read.
        """
        found = []
        try:
            for path in self.folder.glob("??/??/*"):
                if is_hash(path.name) and path == self.path(path.name):
                    state = path.stat()
                    found.append(PictureFile(path.name, state.st_size, state.st_mtime))
        except OSError as error:
            raise self._fault(error) from error
        return tuple(sorted(found, key=lambda one: (one.written_s, one.hash)))

    def beyond(self, most_bytes: int) -> tuple[PictureFile, ...]:
        """The oldest pictures that would have to go to keep to a budget.

        Nothing is removed: evidence goes only when somebody says so.

        Args:
            most_bytes: how much all may hold together.

        Raises:
            StoreError: the folder cannot be read.
        """
        every = self.listed()
        too_much = sum(one.size for one in every) - most_bytes
        gone = []
        for one in every:
            if too_much <= 0:
                break
            gone.append(one)
            too_much -= one.size
        return tuple(gone)

    def check(self, named: Iterable[str]) -> PictureCheck:
        """Compare with what the events name, and look into every picture.

        Raises:
            StoreError: the folder cannot be read.
        """
        wanted, there = set(named), {one.hash for one in self.listed()}
        damaged = []
        for name in sorted(there):
            try:
                if self.get(name) is None:
                    damaged.append(name)
            except StoreError as error:
                if error.kind is not Trouble.BROKEN:
                    raise
                damaged.append(name)
        good = len(there) - len(damaged)
        missing, orphans = sorted(wanted - there), sorted(there - wanted)
        return PictureCheck(good, tuple(missing), tuple(damaged), tuple(orphans))

    def tidy(self) -> int:
        """Remove half-written files of programs that were stopped; how many."""
        count, now = 0, time.time()
        for path in self.folder.glob(f"*{HALF}"):
            if now - path.stat().st_mtime > ABANDONED_S:
                path.unlink(missing_ok=True)
                count += 1
        return count

    def _is_there(self, path: Path, data: bytes) -> bool:
        """Whether it is there and whole: a damaged one is written anew."""
        try:
            return path.stat().st_size == len(data) and path.read_bytes() == data
        except FileNotFoundError:
            return False

    def _write(self, path: Path, data: bytes) -> None:
        with self._lock:
            new = [one for one in (path.parent, path.parent.parent) if not one.exists()]
            make_private(path.parent)
        half = self.folder / f"{uuid.uuid4().hex}{HALF}"
        try:
            with open_new_private(half) as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            half.replace(path)
        except BaseException:
            half.unlink(missing_ok=True)
            raise
        sync(path.parent)
        for folder in new:
            sync(folder.parent)

    def _fault(self, error: OSError) -> StoreError:
        return translated(error, f"of pictures {self.folder}", self.folder)
