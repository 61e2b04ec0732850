"""Served for real: streams, resuming, many viewers, and an end within two seconds."""

from __future__ import annotations

import http.client
import json
import socket
import time
from typing import TYPE_CHECKING

import pytest
from open_tables import WAIT_S, ServedTable, events_of, with_server

from web_ui.server import ListenError, address_of, listen, serves_others

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

API = "/api/v1"


class Follower:
    """A client of the event stream."""

    def __init__(self, port: int, last_id: str = "") -> None:
        self._line = http.client.HTTPConnection("127.0.0.1", port, timeout=WAIT_S)
        headers = {"Last-Event-ID": last_id} if last_id else {}
        self._line.request("GET", f"{API}/stream", headers=headers)
        self._answer = self._line.getresponse()
        self.status = self._answer.status
        self._events = events_of(iter(self._answer.readline, b""))

    def next_state(self) -> dict[str, str]:
        """The next event that is not a heartbeat."""
        return next(event for event in self._events if event.get("event") == "state")

    def rest(self) -> list[dict[str, str]]:
        """Everything up to the end of the stream."""
        return list(self._events)

    def beats(self) -> Iterator[dict[str, str]]:
        """The heartbeats, as they come."""
        return (event for event in self._events if event.get("event") == "clock")

    def close(self) -> None:
        """Hang up."""
        self._answer.close()
        self._line.close()


def command(port: int, data: object) -> int:
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=WAIT_S)
    headers = {"Content-Type": "application/json"}
    line.request("POST", f"{API}/commands", json.dumps(data), headers)
    status = line.getresponse().status
    line.close()
    return status


def test_stream_tells_each_change_once_and_in_order(served: ServedTable) -> None:
    served.wait_for('"settled"')
    follower = Follower(served.port)
    first = follower.next_state()
    assert command(served.port, {"do": "draw", "card": "T18"}) == 200
    assert command(served.port, {"do": "roll", "faces": ["TC"]}) == 409
    assert command(served.port, {"do": "start", "players": ["Cem"]}) == 200
    events = [first, follower.next_state(), follower.next_state()]
    follower.close()
    numbers = [int(event["id"].rpartition("-")[2]) for event in events]
    assert numbers == [numbers[0], numbers[0] + 1, numbers[0] + 2]
    last = json.loads(events[2]["data"])
    assert [player["name"] for player in last["players"]] == ["Cem"]
    assert last["version"] == numbers[2]


def test_stream_resumes_with_what_was_missed(served: ServedTable) -> None:
    served.wait_for('"settled"')
    follower = Follower(served.port)
    seen = follower.next_state()["id"]
    follower.close()
    for name in ("A", "B", "C"):
        assert command(served.port, {"do": "start", "players": [name]}) == 200
    resumed = Follower(served.port, seen)
    names = [
        json.loads(resumed.next_state()["data"])["players"][0]["name"] for _ in range(3)
    ]
    resumed.close()
    assert names == ["A", "B", "C"]


def test_stream_of_another_run_begins_with_the_state_now(served: ServedTable) -> None:
    served.wait_for('"settled"')
    follower = Follower(served.port, "otherrun-3")
    state = json.loads(follower.next_state()["data"])
    follower.close()
    assert state["table"]["watch"] == "settled"


def test_silent_stream_sends_heartbeats(served: ServedTable) -> None:
    served.wait_for('"settled"')
    follower = Follower(served.port)
    beats = follower.beats()
    ticks = [int(next(beats)["data"]) for _ in range(3)]
    assert ticks == sorted(ticks)
    assert ticks[2] > ticks[0]
    follower.close()


def test_many_streams_hear_the_same_and_one_too_many_is_refused(
    served: ServedTable,
) -> None:
    served.wait_for('"settled"')
    followers = [Follower(served.port) for _ in range(16)]
    refused = Follower(served.port)
    for follower in followers:
        follower.next_state()
    command(served.port, {"do": "draw", "card": "T18"})
    heard = {follower.next_state()["id"] for follower in followers}
    for follower in (*followers, refused):
        follower.close()
    assert len(heard) == 1
    assert [follower.status for follower in followers] == [200] * 16
    assert refused.status == 503


def test_place_of_a_follower_who_hung_up_is_given_to_another(
    quiet_script: Path,
) -> None:
    served = ServedTable(quiet_script, with_server(streams=1))
    try:
        first = Follower(served.port)
        first.next_state()
        first.close()
        deadline = time.monotonic() + WAIT_S
        while True:
            second = Follower(served.port)
            second.close()
            if second.status == 200 or time.monotonic() > deadline:
                break
    finally:
        served.close()
    assert second.status == 200


def test_video_sends_pictures_and_bounds_its_viewers(served: ServedTable) -> None:
    served.wait_for('"live"')
    lines = []
    statuses = []
    for _ in range(3):
        line = http.client.HTTPConnection("127.0.0.1", served.port, timeout=WAIT_S)
        line.request("GET", f"{API}/video")
        answer = line.getresponse()
        statuses.append(answer.status)
        lines.append((line, answer))
    boundary = lines[0][1].getheader("Content-Type", "").rpartition("=")[2]
    assert lines[0][1].readline() == f"--{boundary}\r\n".encode()
    assert lines[0][1].readline() == b"Content-Type: image/jpeg\r\n"
    length = int(lines[0][1].readline().rpartition(b" ")[2])
    lines[0][1].readline()
    assert lines[0][1].read(length)[:2] == b"\xff\xd8"
    for line, answer in lines:
        answer.close()
        line.close()
    assert statuses == [200, 200, 503]


def test_server_ends_within_two_seconds_with_streams_open(quiet_script: Path) -> None:
    served = ServedTable(quiet_script)
    served.wait_for('"live"')
    followers = [Follower(served.port) for _ in range(5)]
    video = http.client.HTTPConnection("127.0.0.1", served.port, timeout=WAIT_S)
    video.request("GET", f"{API}/video")
    answer = video.getresponse()
    began = time.monotonic()
    served.close()
    took_s = time.monotonic() - began
    for follower in followers:
        follower.rest()
        follower.close()
    answer.close()
    video.close()
    assert took_s < 2
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.1", served.port), timeout=1)


def test_port_in_use_is_a_clear_error() -> None:
    with (
        listen("127.0.0.1", 0) as sock,
        pytest.raises(
            ListenError, match=r"cannot listen on 127\.0\.0\.1:\d+: .*in use"
        ),
    ):
        listen("127.0.0.1", sock.getsockname()[1])


@pytest.mark.parametrize("host", ["203.0.113.9", "no such host", "300.1.1.1"])
def test_address_of_another_machine_is_a_clear_error(host: str) -> None:
    with pytest.raises(ListenError, match="cannot listen on"):
        listen(host, 0)


def test_address_is_written_as_people_open_it() -> None:
    with listen("127.0.0.1", 0) as sock:
        assert address_of(sock) == f"http://127.0.0.1:{sock.getsockname()[1]}/"
        assert not serves_others(sock)
    with listen("0.0.0.0", 0) as sock:
        assert socket.gethostname() in address_of(sock)
        assert serves_others(sock)
