"""Checking an album: is all there, is it what it was, does anything lie about?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from datasets.captures.entry import entry_of
from datasets.captures.fields import CaptureError
from datasets.captures.files import LOCK, MANIFEST, PENDING, SIDECARS, Files, sha256
from datasets.captures.sidecar import parse_sidecar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from datasets.captures.album import Album
    from datasets.captures.entry import Entry


@dataclass(frozen=True, slots=True)
class Check:
    """What became of looking into every file of an album.

    Attributes:
        good: captures of which all is there and as it was.
        faults: what is wrong, in sentences that name the file.
        orphans: files that belong to no capture, below the album's folder.
    """

    good: int
    faults: tuple[str, ...]
    orphans: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.faults and not self.orphans


def verify(
    album: Album,
    progress: Callable[[Iterable[Entry], int], Iterable[Entry]] = lambda all_, n: all_,
) -> Check:
    """Look into every file.

    What is added meanwhile by others is not looked at; what they remove may be named.

    Args:
        album: to be looked at.
        progress: shows a bar.

    Raises:
        CaptureError: the folder cannot be read.
    """
    files = Files(album.folder)
    # listed before the entries: what is written in between has an entry then
    there = _listed(album.folder)
    entries = album.entries()
    good, faults = 0, []
    for entry in progress(entries, len(entries)):
        wrong = _faults(files, entry)
        good += not wrong
        faults += wrong
    known = {files.picture(entry.picture) for entry in entries}
    known |= {files.sidecar(entry.id) for entry in entries}
    known |= {album.folder / name for name in (MANIFEST, PENDING, LOCK)}
    orphans = sorted(str(path.relative_to(album.folder)) for path in there - known)
    return Check(good, tuple(faults), tuple(orphans))


def sidecars_there(folder: Path) -> int:
    """How many sidecars lie in an album, whatever its manifest says; quick to ask.

    Raises:
        CaptureError: the folder cannot be read.
    """
    try:
        return sum(1 for _ in (folder / SIDECARS).glob("*/*.json"))
    except OSError as error:
        raise CaptureError(f"{folder}: cannot be read: {error.strerror}") from error


def _listed(folder: Path) -> set[Path]:
    try:
        return {path for path in folder.rglob("*") if not path.is_dir()}
    except OSError as error:
        raise CaptureError(f"{folder}: cannot be read: {error.strerror}") from error


def _faults(files: Files, entry: Entry) -> list[str]:
    faults = []
    picture, sidecar = files.picture(entry.picture), files.sidecar(entry.id)
    try:
        image = picture.read_bytes()
        if sha256(image) != entry.picture:
            faults.append(f"{picture}: is not the picture that was kept")
    except OSError as error:
        image = b""
        faults.append(f"{picture}: cannot be read: {error.strerror}")
    try:
        data = sidecar.read_bytes()
        if sha256(data) != entry.sidecar:
            faults.append(f"{sidecar}: is not what the manifest knows")
        capture = parse_sidecar(data)
    except OSError as error:
        faults.append(f"{sidecar}: cannot be read: {error.strerror}")
    except CaptureError as error:
        faults.append(f"{sidecar}: {error}")
    else:
        same = entry_of(capture, entry.sidecar, len(data) + len(image)) == entry
        if not faults and not same:
            faults.append(f"{files.manifest}: says of {entry.id} what is not so")
    return faults
