"""Odds computed before, kept in a folder by what they are the odds of."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import tempfile
import time
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Mapping

log = logging.getLogger(__name__)

FORMAT = "tableside-odds/1"
"""Another number for files that mean something else: old ones are then ignored."""

MOST_BYTES = 128 * 1024 * 1024
"""The folder is kept below this: some fifteen targets with nine dice."""

MOST_UNPACKED = 128 * 1024 * 1024
MOST_HEADER = 64 * 1024
ABANDONED_S = 3600.0
ENDING = ".odds"


class OddsStore:
    """A folder of computed odds; it may be emptied at any time.

    A file says what it is about and the hash of what it holds. One that is damaged, cut
    short or about something else is as good as none, and is written anew.
    """

    def __init__(self, folder: Path, most_bytes: int = MOST_BYTES) -> None:
        """Use a folder, made when something is first kept.

        Args:
            folder: where the files lie.
            most_bytes: how large they may become together.
        """
        self.folder = folder
        self.most_bytes = most_bytes

    def find(self, about: Mapping[str, object]) -> bytes | None:
        """What was kept about this, None if nothing usable is there."""
        path = self._path(about)
        if not path.is_file():  # a pipe would be waited for
            return None
        try:
            with path.open("rb") as file:
                header = file.readline(MOST_HEADER)
                packed = file.read(self.most_bytes + 1)
            os.utime(path)  # used last: thrown away last
        except OSError:
            return None
        return _unpacked(header, packed, about)

    def keep(self, about: Mapping[str, object], data: bytes) -> None:
        """Keep something, and throw away what was unused for longest if need be.

        A folder that cannot be written to is no fault: it is logged.
        """
        packed = zlib.compress(data, 1)
        header = {
            "format": FORMAT,
            "about": about,
            "sha256": hashlib.sha256(data).hexdigest(),
        }
        line = json.dumps(header).encode("utf-8") + b"\n"
        if len(line) + len(packed) > self.most_bytes or len(line) > MOST_HEADER:
            return
        half = None
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=self.folder, delete=False) as file:
                half = Path(file.name)  # a name of its own: others may write the same
                file.write(line + packed)
            half.replace(self._path(about))
            self._make_room()
        except OSError as error:
            log.warning("cannot keep odds in %s: %s", self.folder, error.strerror)
            if half is not None:
                half.unlink(missing_ok=True)

    def _path(self, about: Mapping[str, object]) -> Path:
        text = json.dumps({"format": FORMAT, "about": about}, sort_keys=True)
        name = hashlib.sha256(text.encode("utf-8")).hexdigest()[:32]
        return self.folder / (name + ENDING)

    def _make_room(self) -> None:
        now, held = time.time(), 0
        states = []
        for path in self.folder.iterdir():
            try:
                state = path.stat()
            except FileNotFoundError:  # somebody else made room
                continue
            if path.suffix == ENDING:
                states.append((state.st_mtime, state.st_size, path))
            elif path.name.startswith("tmp") and now - state.st_mtime > ABANDONED_S:
                path.unlink(missing_ok=True)  # of a program that was stopped
        for _, size, path in sorted(states, reverse=True):
            held += size
            if held > self.most_bytes:
                path.unlink(missing_ok=True)


def _unpacked(
    header: bytes, packed: bytes, about: Mapping[str, object]
) -> bytes | None:
    try:
        told = json.loads(header)
        if not isinstance(told, dict):
            return None
        fields = cast("dict[str, object]", told)
        if fields.get("format") != FORMAT or fields.get("about") != about:
            return None
        unpack = zlib.decompressobj()
        data = unpack.decompress(packed, MOST_UNPACKED)
    except (ValueError, RecursionError, zlib.error):
        return None
    whole = unpack.eof and not unpack.unused_data
    right = hashlib.sha256(data).hexdigest() == fields.get("sha256")
    return data if whole and right else None


def user_store() -> OddsStore | None:
    """The store in the user's folder for what can be computed again.

    Returns:
        None if the user has no such folder.
    """
    told = Path(os.environ.get("XDG_CACHE_HOME", ""))
    # a path that is not absolute is to be ignored (XDG Base Directory Specification)
    if not told.is_absolute():
        try:
            told = Path.home() / ".cache"
        except RuntimeError:
            return None
    return OddsStore(told / "tableside" / "odds")
