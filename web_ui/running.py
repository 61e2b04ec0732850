"""A running table: its threads and its server, started together and ended together."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING

from web_ui.app import create_app
from web_ui.camera_thread import CameraThread
from web_ui.evidence import EvidenceShelf
from web_ui.feed import Feed
from web_ui.live_picture import LivePicture
from web_ui.server import Server
from web_ui.table_door import Parts
from web_ui.table_thread import TableThread
from web_ui.tray_desk import TrayDesk
from web_ui.watch_thread import WatchThread

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable

    from scoring.target_deck import Target
    from vision.ports import Source
    from web_ui.camera_thread import CameraPlan
    from web_ui.settings import Settings
    from web_ui.table_state import House
    from web_ui.tray_store import TrayStore
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
        shuffle: gives a shuffled pile of targets.
        sock: the listening socket.
        trays: keeps trays; None to keep them while the table runs.
        camera: what the user calls the camera: trays are stored by that.

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
        shuffle: Callable[[], tuple[Target, ...]],
        sock: socket.socket,
        trays: TrayStore | None = None,
        camera: str = "",
    ) -> None:
        self.feed = Feed(f"{time.time_ns() // 1_000_000:x}")
        self.live = LivePicture(settings.video)
        shelf = EvidenceShelf(settings.game.readings_kept)
        self.table = TableThread(house, shuffle, self.feed, shelf)
        self._watcher = WatchThread(
            watcher, self.live, self.table.tell, settings.camera
        )
        self._camera = CameraThread(
            plan, source, self.live, self.table.tell, settings.camera
        )
        desk = TrayDesk(self.live, camera or plan.name, trays)
        desk.open(watcher, self.table.tell)
        parts = Parts(self.table, self.feed, shelf, self.live, house.demo, desk)
        self._server = Server(create_app(settings, parts), sock, settings.server)

    def serve(self) -> None:
        """Start the threads and serve until `stop`; then end everything."""
        self.table.start()
        self._watcher.start()
        self._camera.start()
        try:
            self._server.serve(self._end_streams)
        finally:
            self._end_streams()
            self._camera.stop(END_S)
            self._watcher.stop(END_S)
            self.table.stop(END_S)

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
