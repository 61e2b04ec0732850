"""A table with rolls kept from play, to be reviewed; and the same served for real."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from capture_makers import capture, picture, square
from open_tables import SETTINGS, OpenTable

from datasets.captures.album import Album
from datasets.captures.capture import CapturedDie, Kept, Origin
from scoring.cards import parse_face
from vision.reading import Alternative, DieReading, Reading, Status
from web_ui.captures.opening import captures_folder
from web_ui.server import Server, address_of, listen
from web_ui.settings import ServerSettings

if TYPE_CHECKING:
    from pathlib import Path

    from werkzeug.test import TestResponse

API = "/api/v1/dataset"
WAIT_S = 15
NINE = "QH 2C RJ 4S 5S 6S 7S 8S 9S"


def corner(place: int) -> tuple[float, float]:
    """Where the top left corner of a die lies: six in a row."""
    return 10.0 + 50 * (place % 6), 20.0 + 50 * (place // 6)


def laid(codes: str, by: Origin = Origin.MODEL) -> tuple[CapturedDie, ...]:
    """Dice in rows; `?` is one that nobody knows."""
    return tuple(
        CapturedDie(
            square(*corner(place)),
            None if code == "?" else parse_face(code),
            origin=by,
        )
        for place, code in enumerate(codes.split())
    )


def read_as(codes: str, sure: float = 0.6) -> Reading:
    """What a reader may have said of such dice, each with another face in mind."""
    return Reading(
        "square-shooters",
        Status.ASK,
        sure,
        tuple(
            DieReading(
                None if code == "?" else parse_face(code),
                sure,
                square(*(value - 0.5 for value in corner(place))),
                (Alternative(parse_face("KD"), 1 - sure),),
            )
            for place, code in enumerate(codes.split())
        ),
        (),
        "made-up",
    )


def fill(album: Album, count: int, codes: str = "QH 2C RJ", **more: Any) -> list[str]:
    """Add captures, the first the most doubtful; gives their ids in that order."""
    names = []
    for seed in range(count):
        data = picture(seed)
        made = capture(
            data,
            Kept.ASKED,
            minute=count - seed,
            dice=laid(codes),
            reading=read_as(codes),
            doubt=round(0.9 - 0.8 * seed / max(1, count), 3),
        )
        names.append(album.add(replace(made, **more), data).id)
    return names


class ReviewTable:
    """A table whose album can be filled, with its app.

    Args:
        keep: what the table keeps of its play.
    """

    def __init__(self, keep: str = "doubtful") -> None:
        settings = replace(SETTINGS, capture=replace(SETTINGS.capture, keep=keep))
        self.table = OpenTable(settings)
        self.client = self.table.client
        self.data: Path = self.table.books.folder
        self.album = Album(captures_folder(self.data), durable=False)

    def get(self, path: str, **query: object) -> TestResponse:
        """Ask for something below `/dataset`."""
        return self.client.get(API + path, query_string=query)

    def whole(self, name: str) -> Any:
        """A capture as the page gets it."""
        return self.get(f"/captures/{name}").get_json()

    def post(self, path: str, data: object) -> TestResponse:
        """Have something done."""
        return self.client.post(API + path, json=data)

    def decide(self, name: str, version: str, **more: object) -> TestResponse:
        """Send a decision."""
        plain = {"version": version, "review": "reviewed", "dice": None, "meant": False}
        return self.client.put(f"{API}/captures/{name}", json=plain | more)

    def close(self) -> None:
        """End the table."""
        self.table.close()


class ServedReview(ReviewTable):
    """The same, so that browsers can open it."""

    def __init__(self, keep: str = "doubtful") -> None:
        super().__init__(keep)
        sock = listen("127.0.0.1", 0)
        self.url = address_of(sock)
        app = self.client.application
        settings = ServerSettings(port=0, streams=16, viewers=4)
        self._server = Server(app, sock, settings)
        self._thread = threading.Thread(target=self._server.serve, args=(self._end,))
        self._thread.start()

    def _end(self) -> None:
        self.table.feed.close()
        self.table.live.close()

    def close(self) -> None:
        """End the server and the table."""
        self._server.stop()
        self._thread.join(WAIT_S)
        super().close()
        if self._thread.is_alive():
            raise AssertionError("the server did not end")


def posted(whole: Any, **faces: str) -> list[dict[str, Any]]:
    """The dice of a capture as posted, some with other faces (`d0="KD"`)."""
    return [
        {
            "face": faces.get(f"d{place}", die["face"] and die["face"]["code"]),
            "quad": die["quad"],
            "state": die["state"],
        }
        for place, die in enumerate(whole["dice"])
    ]
