"""A table that people log in to, served for real so that browsers can open it."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import numpy as np
from network_tables import NetworkTable
from table_makers import HEIGHT_PX, WIDTH_PX

from vision.ports import Frame
from web_ui.access.roles import Actor, Role
from web_ui.server import Server, address_of, listen
from web_ui.settings import ServerSettings

if TYPE_CHECKING:
    from pathlib import Path

WAIT_S = 15


class ServedHall:
    """A table of the network, with a camera picture that stands still.

    Args:
        folder: where its logins are kept.
    """

    def __init__(self, folder: Path) -> None:
        self.hall = NetworkTable(folder)
        self.table = self.hall.table
        sock = listen("127.0.0.1", 0)
        self.url = address_of(sock)
        grey = np.full((HEIGHT_PX, WIDTH_PX, 3), 80, np.uint8)
        self.table.live.put(Frame(grey, "grey", 0, 0.0))
        self._server = Server(
            self.hall.app, sock, ServerSettings(port=0, streams=16, viewers=4)
        )
        self._thread = threading.Thread(target=self._server.serve, args=(self._end,))
        self._thread.start()

    def _end(self) -> None:
        self.table.feed.close()
        self.table.live.close()

    def cookie(self, role: Role, name: str = "") -> tuple[str, str]:
        """Name and value of the cookie of somebody who logged in."""
        keeper = self.hall.keeper
        return keeper.cookie_name, keeper.begin(Actor(role, name))

    def close(self) -> None:
        """End the server and the table."""
        self._server.stop()
        self._thread.join(WAIT_S)
        self.hall.close()
        if self._thread.is_alive():
            raise AssertionError("the server did not end")
