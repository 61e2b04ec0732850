"""Where the files of an album lie, and what a crash may have left of a change."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from datasets.captures.capture import ID_SIGNS, is_id
from datasets.captures.entry import Entry, entry_of
from datasets.captures.fields import CaptureError
from datasets.captures.private_files import make_private, part_of, write_private
from datasets.captures.sidecar import parse_sidecar

if TYPE_CHECKING:
    from pathlib import Path

    from datasets.captures.capture import Capture

MANIFEST = "manifest.jsonl"
PENDING = "pending.json"
LOCK = "lock"
PICTURES, SIDECARS = "pictures", "sidecars"


def sha256(data: bytes) -> str:
    """The hash of a file, 64 hex digits."""
    return hashlib.sha256(data).hexdigest()


@dataclass(frozen=True, slots=True)
class Plan:
    """A change that was begun, written down before it begins.

    Attributes:
        puts: SHA-256 of picture and of sidecar of each capture that is written.
        drops: SHA-256 of the picture, and why, of each capture that goes.
    """

    puts: tuple[tuple[str, str], ...] = ()
    drops: tuple[tuple[str, str], ...] = ()

    @staticmethod
    def name_of(picture: str) -> str:
        """Id of the capture of a picture."""
        return picture[:ID_SIGNS]


class Files:
    """The files of one album. All that write need the album's lock.

    Args:
        folder: of the album.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.manifest = folder / MANIFEST
        self.pending = folder / PENDING
        self.lock = folder / LOCK

    def picture(self, picture: str) -> Path:
        """Where a picture lies, by its hash."""
        return self.folder / PICTURES / picture[:2] / f"{picture}.jpg"

    def sidecar(self, name: str) -> Path:
        """Where a sidecar lies, by the id of its capture.

        Raises:
            CaptureError: that is no id (so never a path from outside).
        """
        if not is_id(name):
            raise CaptureError(f"{name!r:.80} is not the id of a capture")
        return self.folder / SIDECARS / name[:2] / f"{name}.json"

    def write_picture(self, picture: str, data: bytes, *, sync: bool) -> None:
        """Write a picture, unless it is there."""
        path = self.picture(picture)
        make_private(path.parent)
        write_private(path, data, sync=sync)

    def write_sidecar(self, name: str, data: bytes, *, sync: bool) -> None:
        """Write a sidecar, in place of one that is there."""
        path = self.sidecar(name)
        make_private(path.parent)
        write_private(path, data, sync=sync)

    def remove(self, picture: str) -> None:
        """Remove what belongs to a picture, halves as well."""
        for path in (self.picture(picture), self.sidecar(picture[:ID_SIGNS])):
            path.unlink(missing_ok=True)
            part_of(path).unlink(missing_ok=True)

    def remove_halves(self, picture: str) -> None:
        """Remove what was begun to be written of a capture that is there."""
        for path in (self.picture(picture), self.sidecar(picture[:ID_SIGNS])):
            part_of(path).unlink(missing_ok=True)

    def begin(self, plan: Plan) -> None:
        """Write down what is about to be done."""
        record = {"puts": plan.puts, "drops": plan.drops}
        # a crash of the program cannot lose it, and after a loss of power `verify`
        # finds what lies about: not worth waiting for the disk
        write_private(self.pending, json.dumps(record).encode(), sync=False)

    def end(self) -> None:
        """The change is done, or was taken back."""
        self.pending.unlink(missing_ok=True)

    def left(self) -> bool:
        """Whether a program that died may have left something."""
        return self.pending.exists() or any(one.exists() for one in self._halves())

    def tidy(self) -> None:
        """Remove what only a program that died can have left beside the manifest."""
        for path in self._halves():
            path.unlink(missing_ok=True)

    def _halves(self) -> tuple[Path, Path]:
        return part_of(self.pending), part_of(self.manifest)

    def begun(self) -> Plan | None:
        """What a program that died was about to do; None if there is nothing.

        A plan that cannot be read is none: it was cut off before anything was done.
        """
        try:
            raw = json.loads(self.pending.read_bytes())
            puts = tuple((str(picture), str(side)) for picture, side in raw["puts"])
            drops = tuple((str(picture), str(why)) for picture, why in raw["drops"])
        except FileNotFoundError:
            return None
        except (ValueError, KeyError, TypeError, RecursionError):
            return Plan()
        named = [picture for picture, _ in (*puts, *drops)]
        # never follow a path that somebody else wrote there
        if not all(is_id(name[:ID_SIGNS]) and name.isalnum() for name in named):
            return Plan()
        return Plan(puts, drops)

    def written(self, picture: str, sidecar: str) -> Entry | None:
        """The entry of a capture whose files are both there, whole; None if not."""
        try:
            data = self.sidecar(picture[:ID_SIGNS]).read_bytes()
            image = self.picture(picture).read_bytes()
            capture = parse_sidecar(data)
        except (OSError, CaptureError):
            return None
        if sha256(data) != sidecar or sha256(image) != picture:
            return None
        return self.entry(capture, data, len(image))

    def entry(self, capture: Capture, sidecar: bytes, picture_size: int) -> Entry:
        """The entry of a capture with these files."""
        return entry_of(capture, sha256(sidecar), len(sidecar) + picture_size)
