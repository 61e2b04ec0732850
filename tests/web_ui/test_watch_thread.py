"""The watcher's thread: tells changes and rolls, notices a standing picture."""

from __future__ import annotations

import queue
from typing import TYPE_CHECKING

import cv2
import numpy as np
from table_makers import FIRST, moment, reading, write_script

from vision.ports import Frame
from vision.watch import Observation, WatchState
from web_ui.camera_news import CameraNews, CameraState
from web_ui.live_picture import LivePicture
from web_ui.scripted_table import ScriptedWatcher, load_watch_script
from web_ui.settings import CameraSettings, VideoSettings
from web_ui.watch_thread import RollWatcher, Seen, WatchThread

if TYPE_CHECKING:
    from pathlib import Path

WAIT_S = 15
IMAGE = np.full((90, 160, 3), 77, np.uint8)


class Watched:
    """A watcher's thread over frames that the test shows."""

    def __init__(self, watcher: RollWatcher, stalled_after_s: float = 60) -> None:
        self.live = LivePicture(VideoSettings())
        self.told = queue.Queue[Seen | CameraNews]()
        patience = CameraSettings(stalled_after_s=stalled_after_s)
        self.thread = WatchThread(watcher, self.live, self.told.put, patience)
        self.thread.start()

    def show(self, time_s: float) -> None:
        self.live.put(Frame(IMAGE, "frame", round(time_s * 10), time_s))

    def next(self) -> Seen | CameraNews:
        return self.told.get(timeout=WAIT_S)

    def close(self) -> None:
        self.live.close()
        self.thread.stop(WAIT_S)
        assert not self.thread.is_alive()


def scripted(folder: Path) -> ScriptedWatcher:
    moments = [
        moment(0, "empty"),
        moment(1, "moving"),
        moment(2, "settled", reading(FIRST, 1)),
    ]
    return ScriptedWatcher(load_watch_script(write_script(folder / "w.json", moments)))


def test_changes_and_rolls_are_told_once(tmp_path: Path) -> None:
    watched = Watched(scripted(tmp_path))
    told = []
    for times in ((0.1,), (1.1,), (2.1,)):
        watched.show(times[0])
        told.append(watched.next())
    watched.show(2.2)
    watched.close()
    assert watched.told.empty()
    assert [item.watch for item in told if isinstance(item, Seen)] == [
        WatchState.EMPTY,
        WatchState.MOVING,
        WatchState.SETTLED,
    ]
    roll = told[2]
    assert isinstance(roll, Seen)
    assert roll.reading is not None
    assert (roll.width_px, roll.height_px) == (160, 90)
    picture = cv2.imdecode(np.frombuffer(roll.picture, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    assert picture.shape == IMAGE.shape
    assert roll.elapsed_ms >= 0


def test_picture_that_stands_still_is_told_and_so_is_its_return(
    tmp_path: Path,
) -> None:
    watched = Watched(scripted(tmp_path), stalled_after_s=0.2)
    watched.show(0.1)
    assert isinstance(watched.next(), Seen)
    stalled = watched.next()
    watched.show(0.2)
    back = watched.next()
    watched.close()
    assert isinstance(stalled, CameraNews)
    assert isinstance(back, CameraNews)
    assert [stalled.state, back.state] == [CameraState.STALLED, CameraState.LIVE]


class Broken:
    """A watcher whose model fails."""

    def see(self, frame: Frame) -> Observation:
        raise RuntimeError(f"cannot read {frame.name}")


def test_watcher_that_fails_is_told_on_the_page_instead_of_falling_silent() -> None:
    watched = Watched(Broken())
    watched.show(0.1)
    told = watched.next()
    watched.close()
    assert isinstance(told, CameraNews)
    assert told.state is CameraState.LOST
    assert "cannot read frame" in told.sentence
    assert watched.thread.failure == told.sentence
