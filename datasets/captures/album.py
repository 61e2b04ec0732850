"""The album: captures as plain files, with a manifest that is never ahead of them."""

from __future__ import annotations

import threading
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from datasets.captures.capture import Review
from datasets.captures.catalogue import Catalogue
from datasets.captures.changes import put_of, settle, write
from datasets.captures.fields import CaptureError
from datasets.captures.files import Files, sha256
from datasets.captures.likeness import likeness_of, picture_size
from datasets.captures.listing import ALL, Order
from datasets.captures.lock import locked
from datasets.captures.private_files import make_private
from datasets.captures.room import what_goes, worth_of
from datasets.captures.sidecar import read_sidecar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from datasets.captures.capture import Capture, CapturedDie
    from datasets.captures.changes import Put
    from datasets.captures.entry import Entry
    from datasets.captures.listing import Filter, Page, Tally

WAIT_S = 10.0
MOST_PICTURE_BYTES = 32 * 1024 * 1024
ROOM, TWICE, PERSON = "room", "twice", "person"
"""Why a capture went: the budget, a better one like it, somebody wanted it."""


class StaleError(CaptureError):
    """A change was made for a capture that is another one by now."""


class BrokenError(CaptureError):
    """What is known of a capture cannot be read; it is listed, and can be removed.

    Attributes:
        entry: what the manifest knows of it.
    """

    def __init__(self, entry: Entry, why: str) -> None:
        super().__init__(why)
        self.entry = entry


class Outcome(StrEnum):
    """What became of a capture that was to be kept."""

    KEPT = "kept"
    CHANGED = "changed"
    """Its picture was there; what is known of it is new."""
    TWICE = "twice"
    """One like it is there; this one was not kept."""
    NO_ROOM = "no room"


@dataclass(frozen=True, slots=True)
class Added:
    """What became of a capture.

    Attributes:
        outcome: in a word.
        id: of the capture that is there now; empty if none is.
        gone: ids of captures that went for it.
    """

    outcome: Outcome
    id: str
    gone: tuple[str, ...] = ()


class Album:
    """Captures in a folder; may be used by several threads and processes at once.

    Args:
        folder: of the album; made with the first capture.
        budget_bytes: most bytes of pictures and sidecars; None for no limit.
        wait_s: how long to wait for another program that writes.
        durable: have each capture on the disk before the next one; switched off only
            where all can be made again.

    Attributes:
        told: what was found and mended when it was opened or changed, in sentences.

    Raises:
        CaptureError: the manifest cannot be used; names file and line.
    """

    def __init__(
        self,
        folder: Path,
        budget_bytes: int | None = None,
        *,
        wait_s: float = WAIT_S,
        durable: bool = True,
    ) -> None:
        self.folder = folder
        self.budget_bytes = budget_bytes
        self.told: list[str] = []
        self._files = Files(folder)
        self._wait_s, self._durable = wait_s, durable
        self._guard = threading.RLock()
        self._catalogue = Catalogue(self._files)
        if self._files.left():
            try:
                with self._writing():
                    self._files.tidy()
            except CaptureError as error:  # what may only be read can still be read
                self.told.append(f"not mended: {error}")

    def __len__(self) -> int:
        with self._guard:
            self._catalogue.look()
            return len(self._catalogue.entries)

    def entries(self) -> tuple[Entry, ...]:
        """All entries, in the order in which they came."""
        with self._guard:
            self._catalogue.look()
            return tuple(self._catalogue.entries.values())

    def entry(self, name: str) -> Entry:
        """The entry of a capture.

        Raises:
            CaptureError: there is no such capture.
        """
        with self._guard:
            self._catalogue.look()
            return self._catalogue.entry(name)

    def get(self, name: str) -> Capture:
        """A capture, whole.

        Raises:
            BrokenError: its sidecar cannot be used.
            CaptureError: there is none.
        """
        return self._read(self.entry(name))

    def _read(self, entry: Entry) -> Capture:
        path = self._files.sidecar(entry.id)
        try:
            capture = read_sidecar(path)
            if capture.id != entry.id:
                raise CaptureError(f"{path}: describes {capture.id}")
        except CaptureError as error:
            raise BrokenError(entry, str(error)) from error
        return capture

    def path(self, name: str) -> Path:
        """Where the picture of a capture lies.

        Raises:
            CaptureError: there is no such capture.
        """
        return self._files.picture(self.entry(name).picture)

    def picture(self, name: str) -> bytes:
        """The JPEG of a capture, proved to be the one that was kept.

        Raises:
            CaptureError: there is none, or it was damaged.
        """
        entry = self.entry(name)
        path = self._files.picture(entry.picture)
        try:
            data = path.read_bytes()
        except OSError as error:
            raise CaptureError(f"{path}: cannot be read: {error.strerror}") from error
        if sha256(data) != entry.picture:
            raise CaptureError(f"{path}: is not the picture that was kept")
        return data

    def page(
        self,
        which: Filter = ALL,
        order: Order = Order.NEWEST,
        start: int = 0,
        count: int = 50,
    ) -> Page:
        """A part of a list.

        Args:
            which: what is listed.
            order: how.
            start: place in the list of the first, from 0.
            count: how many at most.
        """
        start, count = max(0, start), max(0, count)
        with self._guard:
            self._catalogue.look()
            return self._catalogue.page(which, order, start, count)

    def place(self, name: str, which: Filter, order: Order) -> tuple[int, bool]:
        """Where a capture stands in a list, from 0; and whether it is in it.

        Raises:
            CaptureError: there is no such capture.
        """
        with self._guard:
            self._catalogue.look()
            return self._catalogue.place(which, order, self._catalogue.entry(name))

    def tally(self) -> Tally:
        """How many there are, and how many went."""
        with self._guard:
            self._catalogue.look()
            return self._catalogue.tally()

    @property
    def size(self) -> int:
        """Bytes of all pictures and sidecars."""
        with self._guard:
            self._catalogue.look()
            return self._catalogue.size

    def add(self, capture: Capture, picture: bytes) -> Added:
        """Keep a capture.

        Args:
            capture: what is known of the picture; its likeness is worked out here.
            picture: the JPEG file.

        Raises:
            CaptureError: they do not belong together, it cannot be written, or another
                program holds the album. Nothing has changed then.
        """
        capture = _checked(capture, picture)
        with self._writing():
            known = self._catalogue.entries.get(capture.id)
            if known is not None:
                return self._known_picture(capture, picture, known)
            like = self._catalogue.one_like(capture)
            worth = worth_of(capture.kept, capture.review)
            if like is not None and worth <= worth_of(like.kept, like.review):
                return Added(Outcome.TWICE, like.id)
            gone = [] if like is None else [(like, TWICE)]
            put = put_of(self._files, capture, len(picture), picture)
            room = self._room_for(put.entry, like)
            if room is None:
                return Added(Outcome.NO_ROOM, "")
            gone += [(one, ROOM) for one in room]
            self._write(put, gone)
        return Added(Outcome.KEPT, capture.id, tuple(one.id for one, _ in gone))

    def _known_picture(self, capture: Capture, picture: bytes, known: Entry) -> Added:
        """The very picture is there: what is worth more, or whole, is believed."""
        new = worth_of(capture.kept, capture.review)
        if new <= worth_of(known.kept, known.review):
            with suppress(BrokenError):
                capture = self._read(known)
                if self._files.picture(known.picture).exists():
                    return Added(Outcome.TWICE, known.id)
        self._write(put_of(self._files, capture, len(picture), picture), [])
        return Added(Outcome.CHANGED, known.id)

    def _room_for(self, new: Entry, going: Entry | None) -> tuple[Entry, ...] | None:
        """What must go besides for a new capture; None if too little may."""
        if self.budget_bytes is None:
            return ()
        here = [one for one in self._catalogue.entries.values() if one is not going]
        freed = going.size if going is not None else 0
        too_much = self._catalogue.size - freed + new.size - self.budget_bytes
        return what_goes(here, too_much, new)

    def change(
        self, name: str, how: Callable[[Capture], Capture], seen: str = ""
    ) -> Capture:
        """Change what is known of a capture; nobody else changes it meanwhile.

        Args:
            name: id of the capture.
            how: gives the new one from the one before; the picture stays.
            seen: `Entry.sidecar` of what the change is made for; empty for any.

        Returns:
            The new one.

        Raises:
            StaleError: it is another one than `seen`; nothing has changed.
            BrokenError: its sidecar cannot be used.
            CaptureError: there is none, or it cannot be written.
        """
        with self._writing():
            known = self._seen(name, seen)
            before = self._read(known)
            after = how(before)
            if after.picture != before.picture:
                raise CaptureError(f"{name}: its picture cannot be changed")
            if after != before:
                self._rewrite(after, known)
            return after

    def label(
        self,
        name: str,
        dice: tuple[CapturedDie, ...],
        review: Review = Review.REVIEWED,
    ) -> Capture:
        """Say what is in a picture, or that it teaches nothing (`Review.DROPPED`).

        Raises:
            CaptureError: as for `change`.
        """
        return self.change(name, lambda one: replace(one, dice=dice, review=review))

    def drop(self, name: str, why: str = PERSON, seen: str = "") -> None:
        """Remove a capture with its files, for good.

        Args:
            name: id of the capture.
            why: in a word.
            seen: `Entry.sidecar` of what shall go; empty for any.

        Raises:
            StaleError: it is another one than `seen`; nothing has changed.
            CaptureError: there is none, or the folder cannot be written.
        """
        with self._writing():
            self._write(None, [(self._seen(name, seen), why)])

    def _seen(self, name: str, seen: str) -> Entry:
        known = self._catalogue.entry(name)
        if seen and known.sidecar != seen:
            raise StaleError(f"{name}: was changed by somebody else meanwhile")
        return known

    def _rewrite(self, capture: Capture, known: Entry) -> None:
        sidecar = self._files.sidecar(known.id).stat().st_size
        size = max(0, known.size - sidecar)
        self._write(put_of(self._files, capture, size, None), [])

    def _write(self, put: Put | None, gone: list[tuple[Entry, str]]) -> None:
        puts = [] if put is None else [put]
        manifest = self._catalogue.manifest
        write(self._files, manifest, puts, gone, durable=self._durable)
        self._catalogue.follow()

    @contextmanager
    def _writing(self) -> Iterator[None]:
        with self._guard:
            try:
                make_private(self.folder)
                with locked(self._files.lock, self._wait_s):
                    self._catalogue.look(locked=True)
                    self._settle()
                    yield
            except OSError as error:
                raise CaptureError(
                    f"{self.folder}: cannot be written: {error.strerror}"
                ) from error

    def _settle(self) -> None:
        """End what a program that died had begun."""
        plan = self._files.begun()
        if plan is not None:
            self.told += settle(self._files, self._catalogue.manifest, plan)
            self._catalogue.look()


def _checked(capture: Capture, picture: bytes) -> Capture:
    if not 0 < len(picture) <= MOST_PICTURE_BYTES:
        raise CaptureError(
            f"a picture has 1..{MOST_PICTURE_BYTES} bytes, not {len(picture)}"
        )
    if sha256(picture) != capture.picture:
        raise CaptureError(f"{capture.id}: the picture is not the one it names")
    size = picture_size(picture)
    if size != (capture.width_px, capture.height_px):
        raise CaptureError(
            f"{capture.id}: the picture has {size[0]} x {size[1]} pixels, not"
            f" {capture.width_px} x {capture.height_px}"
        )
    return replace(capture, likeness=likeness_of(picture, capture))
