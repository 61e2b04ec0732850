"""Making a manifest anew from the sidecars, where it was lost or damaged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from datasets.captures.fields import CaptureError
from datasets.captures.files import SIDECARS, Files, sha256
from datasets.captures.lock import locked
from datasets.captures.manifest import Manifest
from datasets.captures.sidecar import parse_sidecar

if TYPE_CHECKING:
    from pathlib import Path

    from datasets.captures.entry import Entry

WAIT_S = 10.0


def rebuild(folder: Path) -> tuple[int, tuple[str, ...]]:
    """Write the manifest anew from what lies there; the old one stays beside it.

    How many captures were dropped before is forgotten.

    Args:
        folder: of an album.

    Returns:
        How many captures are listed now; and which sidecars could not be used.

    Raises:
        CaptureError: there is nothing, or it cannot be written.
    """
    files = Files(folder)
    if not (folder / SIDECARS).is_dir():
        raise CaptureError(f"{folder}: there is no album")
    entries: list[Entry] = []
    faults: list[str] = []
    try:
        with locked(files.lock, WAIT_S):
            for path in sorted((folder / SIDECARS).glob("??/*.json")):
                try:
                    entries.append(_entry(files, path))
                except CaptureError as error:
                    faults.append(f"{path}: {error}")
                except OSError as error:
                    faults.append(f"{path}: {error.strerror}")
            if files.manifest.exists():
                files.manifest.replace(files.manifest.with_suffix(".jsonl.replaced"))
            files.end()
            entries.sort(key=lambda entry: (entry.taken_at, entry.id))
            Manifest(files.manifest).rewrite(entries)
    except OSError as error:
        raise CaptureError(f"{folder}: cannot be written: {error.strerror}") from error
    return len(entries), tuple(faults)


def _entry(files: Files, path: Path) -> Entry:
    data = path.read_bytes()
    capture = parse_sidecar(data)
    if files.sidecar(capture.id) != path:
        raise CaptureError(f"describes {capture.id}")
    image = files.picture(capture.picture).read_bytes()
    if sha256(image) != capture.picture:
        raise CaptureError("its picture is not the one that was kept")
    return files.entry(capture, data, len(image))
