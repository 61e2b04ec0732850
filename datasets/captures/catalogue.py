"""The catalogue: what the manifest says, and what follows from it, kept at hand."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from datasets.captures.entry import faces_key
from datasets.captures.fields import CaptureError
from datasets.captures.kept_lists import KeptLists
from datasets.captures.likeness import MOST_BITS, bits_apart, same_places
from datasets.captures.listing import Counts
from datasets.captures.manifest import Manifest
from datasets.captures.sidecar import read_sidecar

if TYPE_CHECKING:
    from datasets.captures.capture import Capture
    from datasets.captures.entry import Entry
    from datasets.captures.files import Files
    from datasets.captures.listing import Filter, Order, Page, Tally

log = logging.getLogger(__name__)

LOOKED_AT = 50
"""Captures of the same faces that a new one is compared with, newest first."""


class Catalogue:
    """Entries of an album by id, in orders, by faces. Used by one thread at a time.

    Args:
        files: of the album.

    Attributes:
        manifest: where all of it comes from.

    Raises:
        CaptureError: the manifest cannot be used.
    """

    def __init__(self, files: Files) -> None:
        self.manifest = Manifest(files.manifest)
        self._files = files
        self._lists = KeptLists()
        self._counts = Counts()
        self._by_faces: dict[str, list[str]] = {}
        self.look()

    @property
    def entries(self) -> dict[str, Entry]:
        """All entries by id, as of the last look."""
        return self.manifest.entries

    @property
    def size(self) -> int:
        """Bytes of all pictures and sidecars."""
        return self._counts.size

    def look(self, *, locked: bool = False) -> None:
        """See what is new; `locked` as for `Manifest.refresh`."""
        self.manifest.refresh(locked=locked)
        self.follow()

    def follow(self) -> None:
        """Follow what the manifest has read or written since the last time."""
        manifest = self.manifest
        if manifest.anew:
            self._lists.forget()
            self._by_faces.clear()
            self._counts = Counts()
            self._counts.add(self.entries.values())
        for before, after in manifest.news:
            self._lists.follow(before, after)
            if before is not None:
                self._counts.add([before], -1)
            if after is not None:
                self._counts.add([after])
            if self._by_faces:
                self._move(before, after)
        manifest.anew = False
        manifest.news.clear()

    def _move(self, before: Entry | None, after: Entry | None) -> None:
        if before is not None and before.id in self._by_faces.get(before.faces, []):
            self._by_faces[before.faces].remove(before.id)
        if after is not None:
            self._by_faces.setdefault(after.faces, []).append(after.id)

    def entry(self, name: str) -> Entry:
        """The entry of a capture.

        Raises:
            CaptureError: there is no such capture.
        """
        entry = self.entries.get(name)
        if entry is None:
            folder = self._files.folder
            raise CaptureError(f"{folder}: there is no capture {name!r:.80}")
        return entry

    def page(self, which: Filter, order: Order, start: int, count: int) -> Page:
        """A part of a list; sorted once, then kept sorted."""
        return self._lists.page(self.entries.values(), which, order, start, count)

    def place(self, which: Filter, order: Order, entry: Entry) -> tuple[int, bool]:
        """Where an entry stands in a list, or would; and whether it is in it."""
        return self._lists.place(self.entries.values(), which, order, entry)

    def tally(self) -> Tally:
        """How many there are, and how many went."""
        return self._counts.tally(dict(self.manifest.dropped))

    def one_like(self, capture: Capture) -> Entry | None:
        """A capture that shows the same roll, lying there just so."""
        if not self._by_faces:
            for entry in self.entries.values():
                self._by_faces.setdefault(entry.faces, []).append(entry.id)
        names = self._by_faces.get(faces_key(capture), [])
        for name in reversed(names[-LOOKED_AT:]):
            found = self.entries.get(name)
            if found is None or found.dice_set != capture.dice_set:
                continue
            if bits_apart(found.likeness, capture.likeness) > MOST_BITS:
                continue
            try:
                if same_places(capture, read_sidecar(self._files.sidecar(name))):
                    return found
            except CaptureError as error:  # damaged: `verify` names it
                log.warning("%s", error)
        return None
