"""The camera's thread: pace, loops, loss and return, over sources that are recorded."""

from __future__ import annotations

import queue
import threading
from typing import TYPE_CHECKING

import numpy as np
import pytest

from vision.errors import SourceError
from vision.ports import Frame
from web_ui.camera_news import CameraNews, CameraState
from web_ui.camera_thread import CameraPlan, CameraThread, Pace
from web_ui.live_picture import LivePicture
from web_ui.settings import CameraSettings, VideoSettings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vision.ports import Source

PATIENCE = CameraSettings(retry_s=0.05)
IMAGE = np.zeros((9, 16, 3), np.uint8)
TIMEOUT_S = 10


class Recording:
    """Frames at given times, then the end, a loss, or standing still."""

    def __init__(self, times: tuple[float, ...], then: str = "end") -> None:
        self._times = times
        self._then = then
        self._closed = threading.Event()

    def frames(self) -> Iterator[Frame]:
        for index, time_s in enumerate(self._times):
            yield Frame(IMAGE, f"frame {index}", index, time_s)
        if self._then == "lose":
            raise SourceError("recording", "lost")
        if self._then == "stand":
            self._closed.wait(TIMEOUT_S)

    def close(self) -> None:
        self._closed.set()


class Collected(LivePicture):
    """A live picture that remembers all frames and tells when enough came."""

    def __init__(self, enough: int) -> None:
        super().__init__(VideoSettings())
        self.frames: list[Frame] = []
        self.done = threading.Event()
        self._enough = enough

    def put(self, frame: Frame) -> None:
        super().put(frame)
        self.frames.append(frame)
        if len(self.frames) >= self._enough:
            self.done.set()


def play(
    sources: list[Source | SourceError],
    pace: Pace,
    enough: int,
    *,
    loop: bool = False,
    until: CameraState | None = None,
) -> tuple[list[Frame], list[CameraNews]]:
    rest = iter(sources)

    def open_next() -> Source:
        source = next(rest, None)
        if source is None or isinstance(source, SourceError):
            raise source or SourceError("recording", "no more")
        return source

    live, news = Collected(enough), queue.Queue[CameraNews]()
    plan = CameraPlan(open_next, (SourceError,), "Recording", pace, loop)
    thread = CameraThread(plan, open_next(), live, news.put, PATIENCE)
    thread.start()
    told: list[CameraNews] = []
    assert live.done.wait(TIMEOUT_S)
    while until is not None and until not in [item.state for item in told]:
        told.append(news.get(timeout=TIMEOUT_S))
    for source in sources:
        if not isinstance(source, SourceError):
            source.close()  # what stands still lets go
    thread.stop(TIMEOUT_S)
    assert not thread.is_alive()
    while not news.empty():
        told.append(news.get_nowait())
    return live.frames, told


def test_recording_that_ends_is_over_and_says_so() -> None:
    frames, news = play(
        [Recording((0.0, 0.01))], Pace.RECORDING, 2, until=CameraState.ENDED
    )
    assert len(frames) == 2
    assert [item.state for item in news] == [CameraState.LIVE, CameraState.ENDED]
    assert news[-1].sentence == "Recording is over."


def test_looped_recording_goes_on_with_times_and_numbers_that_grow() -> None:
    laps: list[Source | SourceError] = [Recording((0.0, 0.01)) for _ in range(3)]
    frames, news = play(laps, Pace.RECORDING, 6, loop=True)
    assert [frame.index for frame in frames[:6]] == list(range(6))
    times = [frame.time_s for frame in frames]
    assert times == sorted(set(times))
    assert news[0].state is CameraState.LIVE


def test_recording_plays_at_its_own_rate() -> None:
    source, live = Recording((0.0, 0.3)), Collected(2)
    plan = CameraPlan(lambda: source, (SourceError,), "Recording", Pace.RECORDING)
    thread = CameraThread(plan, source, live, lambda _: None, PATIENCE)
    thread.start()
    assert not live.done.wait(0.1)
    assert live.done.wait(TIMEOUT_S)
    thread.stop(TIMEOUT_S)


def test_lost_camera_is_told_and_opened_again() -> None:
    frames, news = play(
        [
            Recording((0.0,), "lose"),
            SourceError("recording", "still away"),
            Recording((0.0, 0.1), "stand"),
        ],
        Pace.DEVICE,
        3,
    )
    states = [item.state for item in news[:3]]
    assert states == [CameraState.LIVE, CameraState.LOST, CameraState.LIVE]
    assert [frame.index for frame in frames] == [0, 1, 2]


def test_pictures_are_held_so_that_they_can_be_seen_to_lie_still() -> None:
    frames, _ = play([Recording((0.0, 1.0))], Pace.STILLS, 3)
    assert {frame.name for frame in frames[:3]} == {"frame 0"}
    assert frames[1].time_s - frames[0].time_s == pytest.approx(0.1)


def test_camera_that_stands_still_is_left_behind_at_the_end() -> None:
    source = Recording((0.0,), "stand")
    live = Collected(1)
    plan = CameraPlan(lambda: source, (SourceError,), "Recording", Pace.DEVICE)
    thread = CameraThread(plan, source, live, lambda _: None, PATIENCE)
    thread.start()
    assert live.done.wait(TIMEOUT_S)
    thread.stop(0.05)
    source.close()
    thread.join(TIMEOUT_S)
    assert not thread.is_alive()
