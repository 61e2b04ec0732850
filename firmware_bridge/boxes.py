"""All button boxes of a table: the one door for whoever uses them."""

from __future__ import annotations

import re
import threading
import time
from typing import TYPE_CHECKING

from firmware_bridge.link import BoxLink
from firmware_bridge.register import Register
from firmware_bridge.serial_port import SerialPort, find_ports

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from firmware_bridge.events import BoxEvent, BoxState, BoxStatus
    from firmware_bridge.ports import Port

SEARCH_S = 1.0
"""Pause between two looks for new ports."""
PORTS = 16
"""Most ports watched."""


class ButtonBoxes:
    """Watches ports and keeps every box on them connected until `stop`.

    Args:
        deliver: takes each event once, on a link's thread, quickly; False says that
            there is no room now: a press is then offered again by the box. Order is
            kept within a box.
        ports: names of ports; None watches all that look like boxes.
        open_port: how to open one; raises PortError.
    """

    def __init__(
        self,
        deliver: Callable[[BoxEvent], bool],
        ports: Sequence[str] | None = None,
        open_port: Callable[[str], Port] = SerialPort,
    ) -> None:
        self._register = Register(deliver)
        self._open = open_port
        self._links: dict[str, BoxLink] = {}
        self._stopping = threading.Event()
        self._searcher: threading.Thread | None = None
        if ports is None:
            self._searcher = threading.Thread(
                target=self._search, name="box search", daemon=True
            )
            self._searcher.start()
        else:
            self._watch(ports)

    def show(self, state: BoxState, box: str = "") -> None:
        """Keep a box in a state, after every reconnect too; "" is all others."""
        self._register.want(box, state)

    def rename(self, box: str, name: str) -> None:
        """Give a connected box another name, which it keeps without power too.

        It is then lost under the old name and connected under the new one.

        Raises:
            ValueError: no name of 1 to 8 printable ASCII characters without space
                and `*`, the name is taken, or no such box is connected.
        """
        if not re.fullmatch("[!-)+-~]{1,8}", name):
            raise ValueError(
                f"name {name!r}: expected 1 to 8 printable ASCII characters "
                "without space and *"
            )
        links = {
            status.box: link
            for link in self._links.copy().values()
            if (status := link.status()).connected
        }
        if name in links:
            raise ValueError(f"name {name!r}: a box is named so already")
        if box not in links:
            raise ValueError(f"box {box!r} is not connected")
        links[box].rename(name)

    def status(self) -> tuple[BoxStatus, ...]:
        """Say how each port is, by name; an immutable snapshot."""
        return tuple(link.status() for _, link in sorted(self._links.copy().items()))

    def stop(self) -> bool:
        """End all threads within a second; False if one is stuck in `deliver`."""
        self._stopping.set()
        until = time.monotonic() + 1.0
        if self._searcher is not None:
            self._searcher.join(until - time.monotonic())
        links = list(self._links.values())
        for link in links:
            link.stop()
        return all([link.join(max(0.0, until - time.monotonic())) for link in links])

    def _watch(self, ports: Sequence[str]) -> None:
        for port in ports:
            if port not in self._links and len(self._links) < PORTS:
                self._links[port] = BoxLink(port, self._open, self._register)

    def _search(self) -> None:
        while not self._stopping.is_set():
            self._watch(find_ports())
            self._stopping.wait(SEARCH_S)
