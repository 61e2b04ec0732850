"""Clients of a table in plenty: event streams, live pictures, commands, stalled ones.

They speak HTTP over plain sockets in one asyncio loop, so that a few hundred of them
cost the machine as little as may be beside the server that is measured.
"""

from __future__ import annotations

import asyncio
import json
import re
import socket
import time
from typing import Any, cast

MARK = re.compile(rb'"total_s": ([0-9.]+)')
"""The field of the state by which an event is known again."""
FIRST_MARK_S = 1000.0
"""Seconds that the timer is set to by event 0; each further event adds 1 ms."""
API = "/api/v1"


class Marks:
    """When each event was posted, and how late each viewer saw it.

    Attributes:
        posted: event number to the monotonic time in seconds.
        late_s: seconds from posting to arrival, one for each viewer and event.
    """

    def __init__(self) -> None:
        self.posted: dict[int, float] = {}
        self.late_s: list[float] = []

    def arrived(self, number: int, now_s: float) -> None:
        """A viewer has received an event."""
        posted_s = self.posted.get(number)
        if posted_s is not None:
            self.late_s.append(now_s - posted_s)


class Viewer(asyncio.Protocol):
    """A client that takes whatever an endless answer sends.

    Args:
        path: what it asks for.
        marks: where arrivals are noted; None for a live picture.
    """

    def __init__(self, path: str, marks: Marks | None) -> None:
        self._path, self._marks = path, marks
        self._buffer = b""
        self._last = -1
        self.status = 0
        self.received = 0
        self.transport: asyncio.Transport | None = None
        self.answered = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask."""
        self.transport = cast("asyncio.Transport", transport)
        self.transport.write(request(self._path))

    def data_received(self, data: bytes) -> None:
        """Note the status, then the events."""
        self.received += len(data)
        if not self.answered.done():
            self.status = int(data.split(b" ", 2)[1])
            self.answered.set_result(None)
        if self._marks is None:
            return
        self._buffer += data
        if not self._buffer.endswith((b"\n\n", b"\r\n")):  # a chunk ends so too
            return
        now_s = time.monotonic()
        for found in MARK.finditer(self._buffer):
            number = round((float(found[1]) - FIRST_MARK_S) * 1000)
            if number > self._last:
                self._last = number
                self._marks.arrived(number, now_s)
        self._buffer = b""

    def connection_lost(self, exc: Exception | None) -> None:
        """The server hung up, or we did."""
        if not self.answered.done():
            self.answered.set_result(None)


def request(path: str, body: bytes | None = None) -> bytes:
    """Write a request."""
    head = f"{'GET' if body is None else 'POST'} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    if body is not None:
        head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
    return f"{head}\r\n".encode() + (body or b"")


async def open_viewers(
    port: int, path: str, count: int, marks: Marks | None = None
) -> list[Viewer]:
    """Open viewers one after another and wait until each is answered."""
    loop = asyncio.get_running_loop()
    viewers = []
    for _ in range(count):
        _, viewer = await loop.create_connection(
            lambda: Viewer(path, marks), "127.0.0.1", port
        )
        await asyncio.wait_for(viewer.answered, 20)
        viewers.append(viewer)
    return viewers


def hang_up(viewers: list[Viewer]) -> None:
    """Close viewers without a word."""
    for viewer in viewers:
        if viewer.transport is not None:
            viewer.transport.abort()


def open_stalled(port: int, count: int) -> list[socket.socket]:
    """Open event streams that never read a byte, with little room in the system."""
    stalled = []
    for _ in range(count):
        sock = socket.socket()
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        sock.connect(("127.0.0.1", port))
        sock.sendall(request(f"{API}/stream"))
        stalled.append(sock)
    return stalled


async def post_events(port: int, marks: Marks, every_s: float) -> None:
    """Set the timer over and over until cancelled: each time an event of the table."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        while True:
            began_s = time.monotonic()
            number = len(marks.posted)
            seconds = round(FIRST_MARK_S + number / 1000, 3)
            order = {"do": "timer", "timer": "start", "seconds": seconds}
            marks.posted[number] = began_s
            writer.write(request(f"{API}/commands", json.dumps(order).encode()))
            status, body = await answer(reader)
            if status != 200:
                raise RuntimeError(f"the table answered {status}: {body[:200]!r}")
            await asyncio.sleep(max(0.0, began_s + every_s - time.monotonic()))
    finally:
        writer.close()


async def answer(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    """Read one answer that states its length."""
    head = await reader.readuntil(b"\r\n\r\n")
    found = re.search(rb"(?i)content-length: (\d+)", head)
    body = await reader.readexactly(int(found[1])) if found else b""
    return int(head.split(b" ", 2)[1]), body


async def metrics(port: int) -> dict[str, Any]:
    """Ask for the table's metrics: name with labels to value."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(request(f"{API}/metrics"))
        _, body = await answer(reader)
    finally:
        writer.close()
    lines = (line.rpartition(" ") for line in body.decode().splitlines())
    return {name: float(value) for name, _, value in lines if not name.startswith("#")}
