"""Every route under requests that no page of ours would send."""

from __future__ import annotations

import re
import socket
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from open_tables import OpenTable, ServedTable
from table_makers import HEIGHT_PX, WIDTH_PX, moment, write_script

from vision.ports import Frame
from web_ui.virtual.table import card_table

if TYPE_CHECKING:
    from collections.abc import Iterator

METHODS = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "DELETE", "PATCH", "TRACE", "BREW")
BUSY = 503
JSON = "application/json"
DEEP = 5_000
BODIES = {
    "nothing": (b"", JSON),
    "junk": (bytes(range(256)), JSON),
    "bad-utf-8": (b'{"do": "\xff\xfe"}', JSON),
    "deep-lists": (b"[" * DEEP, JSON),
    "deep-objects": (b'{"do":' * 2_000 + b"1" + b"}" * 2_000, JSON),
    "ten-megabytes": (b" " * 10_000_000, JSON),
    "wrong-kind": (b'{"do": "draw"}', "text/html"),
    "form": (b"do=draw&code=1&name=%ff%00", "application/x-www-form-urlencoded"),
    "broken-multipart": (b"--x\r\n\r\n", "multipart/form-data; boundary=y"),
    "no-boundary": (b"--x\r\n\r\n", "multipart/form-data"),
    "not-a-number": (b'{"do": NaN, "seconds": Infinity}', JSON),
    "half-a-sign": (b'{"do": "\\ud800", "name": "\\udfff"}', JSON),
    "long-number": (b'{"do": ' + b"9" * 5_000 + b"}", JSON),
    "list": (b"[1, null, {}]", JSON),
    "text": (b'"draw"', JSON),
}
HEADERS: dict[str, dict[str, str]] = {
    "long-cookie": {"Cookie": "tableside=" + "x" * 30_000},
    "strange-cookie": {"Cookie": 'a="\\377;;;=;\x80'},
    "long-header": {"X-Anything": "y" * 60_000},
    "strange-bearer": {"Authorization": "Bearer \xff\x80"},
    "strange-basic": {"Authorization": "Basic !!!"},
    "strange-event": {"Last-Event-ID": "\xff-9" * 100},
    "long-event": {"Last-Event-ID": "test-" + "9" * 6_000},
    "strange-range": {"Range": "bytes=9-1,-0,x"},
    "strange-etag": {"If-None-Match": '"\xff', "If-Modified-Since": "yesterday"},
    "strange-site": {"Sec-Fetch-Site": "\xff"},
}


@pytest.fixture(scope="module")
def whole() -> Iterator[OpenTable]:
    """A table with all routes at which everybody may do everything."""
    opened = OpenTable(virtual=card_table(1))
    # without a picture the live one would keep every visitor waiting
    grey = np.full((HEIGHT_PX, WIDTH_PX, 3), 80, np.uint8)
    opened.live.put(Frame(grey, "grey", 0, 0.0))
    yield opened
    opened.close()


def paths(table: OpenTable, what: str) -> list[str]:
    found = set()
    for rule in table.client.application.url_map.iter_rules():
        path = re.sub(r"<int:\w+>", "1" if what == "a4" else "9" * 40, rule.rule)
        path = re.sub(r"<path:\w+>", "dashboard.js", path)
        found.add(re.sub(r"<\w+>", what, path))
    return sorted(found)


def ask(table: OpenTable, method: str, path: str, **kwargs: Any) -> int:
    # not buffered: two of the answers never end
    answer = table.client.open(path, method=method, buffered=False, **kwargs)
    try:
        told = (method, path, answer.status_code)
        assert answer.status_code < 500 or answer.status_code == BUSY, told
        if 400 <= answer.status_code < 500 and answer.mimetype == JSON:
            assert method == "HEAD" or answer.get_json()["error"], told
        return answer.status_code
    finally:
        answer.close()


@pytest.mark.parametrize("name", BODIES)
def test_no_body_brings_a_route_down(whole: OpenTable, name: str) -> None:
    body, kind = BODIES[name]
    for path in paths(whole, "a4"):
        for method in ("POST", "PUT", "DELETE", "PATCH"):
            ask(whole, method, path, data=body, content_type=kind)
    assert ask(whole, "GET", "/api/v1/state") == 200


@pytest.mark.parametrize("name", HEADERS)
def test_no_header_brings_a_route_down(whole: OpenTable, name: str) -> None:
    for path in paths(whole, "a4"):
        ask(whole, "GET", path, headers=HEADERS[name])
    assert ask(whole, "GET", "/api/v1/state") == 200


@pytest.mark.parametrize("method", METHODS)
def test_no_method_brings_a_route_down(whole: OpenTable, method: str) -> None:
    for what in ("a4", "%00%ff", "..%2f..%2fetc%2fpasswd", "x" * 4_000):
        for path in paths(whole, what):
            ask(whole, method, path + "?token=%ff%00&next=%2F%2F&limit=-1&code=%ed%a0")


@pytest.mark.parametrize(
    ("command", "field"),
    [
        ({"do": None}, "do"),
        ({"do": ["draw"]}, "do"),
        ({"do": "keep", "dice": {}}, "dice"),
        ({"do": "keep", "dice": [1.5]}, "dice"),
        ({"do": "keep", "dice": [True]}, "dice"),
        ({"do": "roll", "faces": "AS"}, "faces"),
        ({"do": "roll", "faces": [1]}, "face"),
        ({"do": "draw", "card": 3}, "card"),
        ({"do": "confirm"}, "reading"),
        ({"do": "confirm", "reading": 10**400}, "reading"),
        ({"do": "confirm", "reading": True}, "reading"),
        ({"do": "name", "reading": 1, "die": "x", "face": "AS"}, "die"),
        ({"do": "name", "reading": 1, "die": 0, "face": None}, "face"),
        ({"do": "timer", "timer": "start", "seconds": "x"}, "seconds"),
        ({"do": "advice", "on": 1}, "on"),
        ({"do": "claim", "words": "", "player": "Ann"}, "words"),
        ({"do": "claim", "words": "a\x00b", "player": "Ann"}, "words"),
        ({"do": "claim", "words": "\ud800", "player": "Ann"}, "words"),
        ({"do": "claim", "words": "w" * 10_000, "player": "Ann"}, "words"),
        ({"do": "rule", "claim": 1, "ruling": "perhaps", "reason": "r"}, "ruling"),
        ({"do": "freeze", "reason": ["x"]}, "reason"),
        ({"do": "start", "players": "Ann"}, "players"),
        ({"do": "start", "players": ["Ann"], "game": 1}, "game"),
        ({"do": "start", "players": ["Ann"], "options": [1]}, "options"),
        ({"do": "draw", "step": 1.0}, "step"),
        ({"do": "draw", "id": 7}, "id"),
    ],
)
def test_wrong_command_is_400_and_names_the_field(
    whole: OpenTable, command: dict[str, Any], field: str
) -> None:
    answer = whole.client.post("/api/v1/commands", json=command)
    assert answer.status_code == 400
    assert field in answer.get_json()["error"]


@pytest.mark.parametrize("seconds", ["NaN", "Infinity", "-Infinity", "1e400", "-1"])
def test_number_that_is_none_does_not_reach_the_timer(
    whole: OpenTable, seconds: str
) -> None:
    body = f'{{"do": "timer", "timer": "start", "seconds": {seconds}}}'
    answer = whole.client.post("/api/v1/commands", data=body, content_type=JSON)
    assert answer.status_code in (400, 409)


RAW = {
    "junk": bytes(range(256)) * 4 + b"\r\n\r\n",
    "long-head": b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"y" * 1_000_000,
    "long-cookie": b"GET / HTTP/1.1\r\nHost: localhost\r\nCookie: a="
    + b"x" * 60_000
    + b"\r\n\r\n",
    "long-line": b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "no-host": b"GET /api/v1/state HTTP/1.1\r\n\r\n",
    "two-hosts": b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n",
    "bad-length": b"POST /api/v1/commands HTTP/1.1\r\nHost: localhost\r\n"
    b"Content-Length: -5\r\n\r\n",
    "no-length": b"POST /api/v1/commands HTTP/1.1\r\nHost: localhost\r\n"
    b"Content-Length: many\r\n\r\n",
    "huge-length": b"POST /api/v1/commands HTTP/1.1\r\nHost: localhost\r\n"
    b"Content-Type: application/json\r\nContent-Length: 99999999999\r\n\r\n{",
    "bad-chunks": b"POST /api/v1/commands HTTP/1.1\r\nHost: localhost\r\n"
    b"Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n",
    "bad-path": b"GET /\xff\xfe%zz%00 HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "absolute": b"GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "old": b"GET /api/v1/health HTTP/9.9\r\nHost: localhost\r\n\r\n",
}
GOOD = b"GET /api/v1/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedTable]:
    folder = tmp_path_factory.mktemp("served")
    opened = ServedTable(write_script(folder / "w.json", [moment(0, "empty")]))
    yield opened
    opened.close()


@pytest.mark.parametrize("name", RAW)
def test_server_answers_junk_with_a_refusal_and_serves_on(
    served: ServedTable, name: str
) -> None:
    found = raw_answer(served, RAW[name])
    # what is no request at all may be hung up on
    assert not found or 400 <= status_of(found) < 500 or status_of(found) == 505, found
    good = (
        b"GET /api/v1/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    )
    assert status_of(raw_answer(served, good)) == 200


def status_of(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1])


def raw_answer(served: ServedTable, request: bytes) -> bytes:
    with socket.create_connection(("127.0.0.1", served.port), 10) as line:
        try:
            line.sendall(request)
            line.shutdown(socket.SHUT_WR)
            return line.recv(4096)
        except TimeoutError:
            raise
        except OSError:  # refused before it was all sent
            return b""
