"""Many viewers: stalled ones are dropped, opens and closes leave nothing behind."""

from __future__ import annotations

import http.client
import os
import socket
import threading
import time
from typing import TYPE_CHECKING

import pytest
from open_tables import WAIT_S, ServedTable, with_server

from web_ui import server
from web_ui.feed import Feed
from web_ui.seats import STALLED_S, Seats
from web_ui.sse import sse_event

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

STREAM = "/api/v1/stream"


def ask(port: int, path: str, method: str = "GET") -> tuple[int, str, bytes]:
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=WAIT_S)
    line.request(method, path)
    answer = line.getresponse()
    told = answer.status, answer.getheader("Retry-After", ""), answer.read()
    line.close()
    return told


def hold(port: int, path: str = STREAM) -> socket.socket:
    sock = socket.create_connection(("127.0.0.1", port), timeout=WAIT_S)
    sock.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
    assert sock.recv(12) == b"HTTP/1.1 200"
    return sock


def becomes(true: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + WAIT_S
    while not true():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def figure(port: int, name: str) -> float:
    text = ask(port, "/api/v1/metrics")[2].decode()
    found = [line for line in text.splitlines() if line.startswith(f"{name} ")]
    return float(found[0].rpartition(" ")[2]) if found else 0.0


def test_snapshot_is_framed_once_for_all_viewers() -> None:
    feed = Feed("r")
    feed.publish('{"a": 1}')
    first, second = feed.after(0, 0.0)[0], feed.after(0, 0.0)[0]
    assert first.framed is second.framed
    assert first.framed == sse_event('{"a": 1}', event="state", event_id="r-1")


@pytest.mark.parametrize(
    ("sending_s", "dropped"),
    [(0.0, []), (STALLED_S - 0.1, []), (STALLED_S, ["streams"])],
)
def test_only_a_viewer_that_took_nothing_for_long_counts_as_dropped(
    sending_s: float, dropped: list[str]
) -> None:
    told: list[str] = []
    now = [100.0]
    seats = Seats("streams", 1, told.append, lambda: now[0])
    stream = seats.occupy(iter([b"a", b"b"]))
    taking = iter(stream)
    assert next(taking) == b"a"
    now[0] += sending_s
    stream.close()
    assert told == dropped
    assert seats.taken == 0


def test_stalled_client_is_hung_up_on_and_costs_no_memory(
    quiet_script: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "STALLED_S", 1)
    served = ServedTable(quiet_script, with_server(streams=1))
    try:
        served.wait_for('"settled"')
        stalled = socket.socket()
        stalled.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        stalled.connect(("127.0.0.1", served.port))
        stalled.sendall(f"GET {STREAM} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        assert becomes(lambda: figure(served.port, "tableside_stream_viewers") == 1)
        assert ask(served.port, STREAM)[:2] == (503, "5")
        for _ in range(3):  # each is more than the system keeps for a client
            served.running.feed.publish("x" * 2_000_000)
        assert becomes(lambda: figure(served.port, "tableside_stream_viewers") == 0)
        hold(served.port).close()
        stalled.close()
    finally:
        served.close()


def test_opens_and_closes_leave_no_thread_and_no_socket(served: ServedTable) -> None:
    served.wait_for('"settled"')

    def open_and_close() -> tuple[int, int]:
        for _ in range(10):
            held = [hold(served.port) for _ in range(5)]
            for sock in held:
                sock.close()
            assert becomes(lambda: figure(served.port, "tableside_stream_viewers") == 0)
        return threading.active_count(), len(os.listdir("/proc/self/fd"))  # noqa: PTH208

    first = open_and_close()
    threads, files = open_and_close()
    assert threads <= first[0]
    assert files <= first[1] + 2  # connections that are being closed


@pytest.mark.parametrize("path", [STREAM, "/api/v1/video"])
def test_head_of_an_endless_answer_ends_and_takes_no_seat(
    served: ServedTable, path: str
) -> None:
    assert [ask(served.port, path, "HEAD")[0] for _ in range(5)] == [200] * 5
    assert figure(served.port, "tableside_stream_viewers") == 0
    assert figure(served.port, "tableside_video_viewers") == 0


def test_bodies_and_heads_that_are_too_large_are_refused(served: ServedTable) -> None:
    line = http.client.HTTPConnection("127.0.0.1", served.port, timeout=WAIT_S)
    line.putrequest("POST", "/api/v1/commands")
    line.putheader("Content-Length", str(10_000_000))
    line.endheaders()
    assert line.getresponse().status == 413
    line.close()
    line = http.client.HTTPConnection("127.0.0.1", served.port, timeout=WAIT_S)
    line.request("GET", "/", headers={"X-Long": "x" * 60_000})
    assert line.getresponse().status in (400, 413)
    line.close()
