"""Choosing another camera while the table runs."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import numpy as np
import pytest
from open_tables import WAIT_S, OpenTable

from vision.errors import SourceError
from vision.ports import Frame
from web_ui.camera_desk import CameraChoiceError, CameraDesk, cameras
from web_ui.camera_thread import CameraPlan, CameraThread, Pace
from web_ui.live_picture import LivePicture
from web_ui.settings import CameraSettings, VideoSettings
from web_ui.tray_desk import TrayDesk

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from web_ui.camera_news import CameraNews


class Shade:
    """A camera that sees one shade of grey."""

    def __init__(self, shade: int) -> None:
        self.shade = shade
        self.closed = threading.Event()

    def frames(self) -> Iterator[Frame]:
        image = np.full((72, 128, 3), self.shade, np.uint8)
        index = 0
        while not self.closed.wait(0.005):
            yield Frame(image, "shade", index, index / 200)
            index += 1

    def close(self) -> None:
        self.closed.set()


class Room:
    """Two cameras, one of them played."""

    def __init__(self) -> None:
        self.sources = {"0": Shade(10), "1": Shade(200)}
        self.told: list[CameraNews] = []
        self.live = LivePicture(VideoSettings())
        plan = CameraPlan(lambda: self.sources["0"], (SourceError,), "0", Pace.DEVICE)
        self.thread = CameraThread(
            plan,
            self.sources["0"],
            self.live,
            self.told.append,
            CameraSettings(retry_s=0.05),
        )
        trays = TrayDesk(self.live, "0")
        self.desk = CameraDesk(self.thread, trays, "0", self.open, lambda: [])

    def open(self, word: str) -> Shade:
        if word not in self.sources:
            raise SourceError(word, "cannot be opened")
        return self.sources[word]

    def shade(self, wanted: int) -> None:
        number = 0
        for _ in range(400):
            newest = self.live.frame_after(number, WAIT_S)
            assert newest is not None
            number = newest[0]
            if newest[1].image[0, 0, 0] == wanted:
                return
        raise AssertionError(f"the picture never became {wanted}")


@pytest.fixture
def room() -> Iterator[Room]:
    made = Room()
    made.thread.start()
    yield made
    made.live.close()
    made.thread.stop(WAIT_S)
    assert not made.thread.is_alive()


def test_another_camera_is_taken_and_the_first_one_given_back(room: Room) -> None:
    room.shade(10)
    assert room.desk.choose("1")["camera"] == "1"
    room.shade(200)
    assert room.sources["0"].closed.is_set()
    assert any("Camera 1" in news.sentence for news in room.told)


def test_camera_that_cannot_be_opened_leaves_the_one_before(room: Room) -> None:
    room.shade(10)
    with pytest.raises(CameraChoiceError, match="cannot be opened"):
        room.desk.choose("7")
    assert room.desk.record()["camera"] == "0"
    room.shade(10)


@pytest.mark.parametrize(
    "word", ["", "/etc/passwd", "clip.mp4", "file:///etc/passwd", "-1", 3, None, "100"]
)
def test_only_cameras_and_streams_can_be_asked_for(room: Room, word: object) -> None:
    with pytest.raises(CameraChoiceError, match="camera must be"):
        room.desk.choose(word)


def test_cameras_are_listed_by_number_each_once(tmp_path: Path) -> None:
    for number, index, name in ((2, 0, "Tray cam"), (0, 0, "Built-in"), (1, 1, "x")):
        folder = tmp_path / f"video{number}"
        folder.mkdir()
        (folder / "index").write_text(f"{index}\n")
        (folder / "name").write_text(f"{name}\n")
    (tmp_path / "video9").mkdir()
    assert cameras(tmp_path) == [
        {"id": "0", "title": "Built-in"},
        {"id": "2", "title": "Tray cam"},
    ]
    assert cameras(tmp_path / "absent") == []


def test_camera_is_chosen_over_http(table: OpenTable) -> None:
    told = table.client.get("/api/v1/camera").get_json()
    assert told == {"camera": "test", "cameras": []}
    answer = table.client.put("/api/v1/camera", json={"camera": "3"})
    assert answer.status_code == 400
    assert "cannot be opened" in answer.get_json()["error"]
    assert table.client.put("/api/v1/camera", json=[]).status_code == 400
