"""Opening the album of a table; whatever is wrong with it, play goes on."""

from __future__ import annotations

import logging
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

from datasets.captures.album import Album
from datasets.captures.fields import CaptureError
from web_ui.captures.capture_thread import CaptureThread, OverheardJournal
from web_ui.printable import printable

if TYPE_CHECKING:
    from pathlib import Path

    from web_ui.serving.metrics import Metrics
    from web_ui.settings import CaptureSettings
    from web_ui.table.books import Books
    from web_ui.table.ports import Journal

log = logging.getLogger(__name__)

CAPTURES = "captures"
MEGABYTE = 1_000_000
LONGEST_NAME = 100
WAIT_S = 2.0
"""How long a capture waits while another program holds the album."""


def captures_folder(data: Path) -> Path:
    """Where the album of a table lies.

    Args:
        data: the table's folder.
    """
    return data / CAPTURES


class Capturing:
    """What keeps the rolls of a running table; does nothing where nothing is kept.

    Args:
        settings: what is kept.
        books: the table's, whose events tell what was decided.
        camera: name of the camera.
        demo: whether the demo is playing: it is never kept.

    Attributes:
        trouble: why nothing is kept that should be; empty if all is well.
        album: where rolls are kept; None if none are.
    """

    def __init__(
        self, settings: CaptureSettings, books: Books, camera: str, *, demo: bool
    ) -> None:
        self.trouble = ""
        self.album: Album | None = None
        self._books = books
        self._thread: CaptureThread | None = None
        if demo or settings.keep == "off":
            return
        folder = captures_folder(books.folder)
        try:
            album = Album(folder, settings.budget_mb * MEGABYTE, wait_s=WAIT_S)
        except CaptureError as error:
            self.trouble = str(error)
            log.warning("no roll is kept for training: %s", error)
            return
        self.album = album
        camera = plain_name(camera)
        recording = f"{camera} {datetime.now(UTC):%Y-%m-%dT%H:%M:%S.%fZ}"
        self._thread = CaptureThread(
            album, settings, books.pictures.get, recording, camera, books.past
        )

    @property
    def journal(self) -> Journal:
        """The journal that the table writes into, overheard if rolls are kept."""
        if self._thread is None:
            return self._books.journal
        return OverheardJournal(self._books.journal, self._thread.hear)

    @property
    def thread(self) -> CaptureThread | None:
        """What keeps them; None if nothing is kept."""
        return self._thread

    def measure(self, metrics: Metrics) -> None:
        """Add how it is doing to what the table tells of itself."""
        thread = self._thread
        if thread is None:
            return
        for name, words in WATCHED.items():
            metrics.watch(f"captures_{name}", words, partial(_count, thread, name))
        metrics.watch(
            "captures_trouble",
            "1 while the last roll could not be kept.",
            lambda: float(bool(thread.state.trouble)),
        )

    def start(self) -> None:
        """Begin to look at what the table decides."""
        if self._thread is not None:
            self._thread.start()

    def stop(self, deadline_s: float) -> None:
        """Keep what waits, and end; waits for it at most `deadline_s`."""
        if self._thread is not None and self._thread.is_alive():
            self._thread.stop(deadline_s)


def plain_name(camera: str) -> str:
    """The name of a camera as captures carry it: short, and without passwords.

    Captures are exported, and an address may name who logs in to a camera: before the
    host, in the query, or in the path as `user=ann_password=secret`.
    """
    name = camera
    if "://" in camera:
        name, query, rest = camera.partition("?")
        if query and "@" in rest and "@" not in name:
            name = ""  # which of them is the host cannot be told
    name = name.rpartition("@")[2].strip()
    if "://" in camera:
        name = "/".join(part for part in name.split("/") if "=" not in part)
    return printable(name)[:LONGEST_NAME] or "camera"


def _count(thread: CaptureThread, name: str) -> float:
    return float(getattr(thread.state, name))


WATCHED = {
    "kept": "Rolls kept for training in this run, or labelled anew.",
    "twice": "Rolls not kept because one like it is there.",
    "dropped": "Captures dropped to make room, or that found none.",
    "failed": "Rolls that could not be kept.",
    "waiting": "Events that are still to be looked at.",
    "lost": "Events not looked at because too many waited.",
}
"""What is measured: names in `CaptureState`, and what they are."""
