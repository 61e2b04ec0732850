"""The catalogue: what the manifest says, and what follows from it, kept at hand."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from datasets.captures.entry import faces_key
from datasets.captures.fields import CaptureError
from datasets.captures.likeness import MOST_BITS, bits_apart, same_places
from datasets.captures.listing import in_order
from datasets.captures.manifest import Manifest
from datasets.captures.sidecar import read_sidecar

if TYPE_CHECKING:
    from collections.abc import Iterable

    from datasets.captures.capture import Capture
    from datasets.captures.entry import Entry
    from datasets.captures.files import Files
    from datasets.captures.listing import Filter, Order

log = logging.getLogger(__name__)

LOOKED_AT = 50
"""Captures of the same faces that a new one is compared with, newest first."""
MOST_LISTS = 16


class Catalogue:
    """Entries of an album by id, in orders, by faces. Used by one thread at a time.

    Args:
        files: of the album.

    Attributes:
        manifest: where all of it comes from.
        size: bytes of all pictures and sidecars.

    Raises:
        CaptureError: the manifest cannot be used.
    """

    def __init__(self, files: Files) -> None:
        self.manifest = Manifest(files.manifest)
        self.size = 0
        self._files = files
        self._lists: dict[tuple[Filter, Order], tuple[Entry, ...]] = {}
        self._by_faces: dict[str, list[str]] = {}
        self._known = -1
        self.look()

    @property
    def entries(self) -> dict[str, Entry]:
        """All entries by id, as of the last look."""
        return self.manifest.entries

    def look(self, *, locked: bool = False) -> None:
        """See what is new; `locked` as for `Manifest.refresh`."""
        self.manifest.refresh(locked=locked)
        if self._known == self.manifest.version:
            return
        self._known = self.manifest.version
        self._lists.clear()
        self._by_faces.clear()
        self.size = sum(one.size for one in self.entries.values())

    def changed(self, puts: Iterable[Entry], gone: Iterable[Entry]) -> None:
        """Follow a change of our own without looking at everything again.

        Args:
            puts: entries that were not there before.
            gone: entries that are there no more.
        """
        self._known = self.manifest.version
        self._lists.clear()
        self.size -= sum(one.size for one in gone)
        for entry in puts:
            self.size += entry.size
            if self._by_faces:
                self._by_faces.setdefault(entry.faces, []).append(entry.id)

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

    def listed(self, which: Filter, order: Order) -> tuple[Entry, ...]:
        """All that pass, in order; quick when asked again."""
        key = which, order
        found = self._lists.get(key)
        if found is None:
            if len(self._lists) >= MOST_LISTS:
                self._lists.clear()
            found = in_order(self.entries.values(), which, order)
            self._lists[key] = found
        return found

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
