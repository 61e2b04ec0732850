"""A running table: its threads and its server, started together and ended together."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING

from web_ui.app import create_app
from web_ui.camera_desk import CameraDesk
from web_ui.camera_thread import CameraThread
from web_ui.captures.opening import Capturing
from web_ui.enrolling.opening import open_enrolment
from web_ui.evidence import EvidenceShelf
from web_ui.feed import Feed
from web_ui.layouts.opening import open_layouts
from web_ui.live_picture import LivePicture
from web_ui.model_swap import NO_MODELS
from web_ui.server import Server
from web_ui.table.advice import Adviser
from web_ui.table.box_desk import BoxDesk
from web_ui.table.table_thread import TableThread
from web_ui.table_door import Parts
from web_ui.tray_desk import TrayDesk
from web_ui.watch_thread import Expected, WatchThread

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable
    from pathlib import Path

    from vision.ports import Source
    from web_ui.access.keeper import Keeper
    from web_ui.camera_thread import CameraPlan
    from web_ui.model_swap import ModelSwap
    from web_ui.settings import Settings
    from web_ui.table.books import Books
    from web_ui.table.state import House, TableState
    from web_ui.tray_store import TrayStore
    from web_ui.virtual.table import VirtualTable
    from web_ui.watch_thread import RollWatcher

log = logging.getLogger(__name__)

END_S = 0.6
"""How long the end waits for each thread."""


class RunningTable:
    """Everything that `tableside play` keeps going.

    Args:
        settings: all settings.
        house: dice, game, demo or not.
        plan: what the camera's thread opens.
        source: that source, opened already.
        watcher: judges frames.
        books: where games and pictures are kept.
        sock: the listening socket.
        trays: keeps trays; None to keep them while the table runs.
        camera: what the user calls the camera: trays are stored by that.
        virtual: the table, if it is drawn.
        keeper: judges logins; needed where others can reach the table.
        swap: lets other models be taken up; None where nothing is read.
        models: folder of the models in use; None for those of Tableside.

    Raises:
        TrayStoreError: the stored trays cannot be used.
    """

    def __init__(
        self,
        settings: Settings,
        house: House,
        plan: CameraPlan,
        source: Source,
        watcher: RollWatcher,
        books: Books,
        sock: socket.socket,
        trays: TrayStore | None = None,
        camera: str = "",
        virtual: VirtualTable | None = None,
        keeper: Keeper | None = None,
        swap: ModelSwap | None = None,
        models: Callable[[], Path | None] = lambda: None,
    ) -> None:
        self.feed = Feed(f"{time.time_ns() // 1_000_000:x}")
        self.live = LivePicture(settings.video)
        shelf = EvidenceShelf(settings.game.readings_kept)
        self._books = books
        self.captures = Capturing(settings.capture, books, plan.name, demo=house.demo)
        journal = self.captures.journal
        self.table = TableThread(
            house, self.feed, shelf, journal, books.pictures, books.past
        )
        self._adviser = Adviser(self.table.tell, books.odds)
        self.table.ask = self._adviser.ask
        self._watcher = WatchThread(
            watcher, self.live, self.table.tell, settings.camera
        )
        self._swap = swap
        if swap is not None:
            self._watcher.between_rolls = swap.between_rolls
        self.table.expect = self._expect
        self.boxes = BoxDesk(settings.box, self.table.press, self.table.tell)
        self.table.boxes = self.boxes.record
        self.table.light = self.boxes.light
        self._camera = CameraThread(
            plan, source, self.live, self.table.tell, settings.camera
        )
        self.layouts = open_layouts(
            settings,
            house,
            books,
            lambda: self.table.state,
            virtual=virtual is not None,
        )
        self.enrolling = open_enrolment(self.live, books.folder, models)
        self._watcher.looks_elsewhere = lambda: self.enrolling.looks
        desk = TrayDesk(self.live, camera or plan.name, trays)
        desk.open(watcher, self.table.tell)
        parts = Parts(
            self.table,
            self.feed,
            shelf,
            self.live,
            house.demo,
            desk,
            books,
            None
            if virtual is not None
            else CameraDesk(self._camera, desk, camera or plan.name),
            virtual=virtual,
            models=lambda: NO_MODELS if swap is None else swap.state,
            layouts=self.layouts,
            album=self.captures.album,
            enrolling=self.enrolling,
        )
        self._virtual = virtual
        self._watcher.timed = parts.metrics.frame_read
        self.table.wrote = parts.metrics.events_written
        self.table.shown = parts.metrics.reading_published
        parts.metrics.watch(
            "model_swaps_count",
            "Times that other models were taken up.",
            lambda: parts.models().swaps,
        )
        self.captures.measure(parts.metrics)
        parts.metrics.watch(
            "journal_pending_events", "Not safe yet.", lambda: journal.pending
        )
        app = create_app(settings, parts, keeper)
        self._server = Server(app, sock, settings.server)

    def _expect(self, state: TableState) -> None:
        """Tell the eyes which dice the game waits for, from the table's thread."""
        need = state.need
        if need is not None:
            fewer = tuple(n for n in need.counts if n != need.dice_set.dice_count)
            self._watcher.expect(Expected(need.dice_set, fewer))
            if self._virtual is not None:
                self._virtual.expect(need.dice_set, None, tuple(need.kept.values()))

    def serve(self) -> None:
        """Start the threads and serve until `stop`; then end everything."""
        self._adviser.start()
        self.captures.start()
        self.table.start()
        self._watcher.start()
        self._camera.start()
        if self._swap is not None:
            self._swap.start()
        if self.layouts is not None:
            self.layouts.start()
        try:
            self._server.serve(self._end_streams)
        finally:
            self._end_streams()
            self.enrolling.stop()
            if self.layouts is not None:
                self.layouts.stop(END_S)
            if self._swap is not None:
                self._swap.stop(END_S)
            self._camera.stop(END_S)
            self._watcher.stop(END_S)
            self.table.stop(END_S)
            self.captures.stop(END_S)
            self._adviser.stop(END_S)
            self.boxes.stop()
            self._books.close()

    @property
    def failure(self) -> str:
        """Why nothing could be read any more; empty if nothing failed."""
        return self._watcher.failure

    def _end_streams(self) -> None:
        self.feed.close()
        self.live.close()

    def stop(self) -> None:
        """Ask for the end; from any thread or signal handler."""
        self._server.stop()
