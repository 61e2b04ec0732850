"""The camera's thread: opens the source, keeps its pace, opens it again when lost."""

from __future__ import annotations

import logging
import threading
import time
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from web_ui.camera_news import CameraNews, CameraState

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from vision.ports import Frame, Source
    from web_ui.live_picture import LivePicture
    from web_ui.settings import CameraSettings

log = logging.getLogger(__name__)

STILL_S = 4.0
"""How long each picture of a folder is shown."""
STILL_FRAMES_PER_S = 10.0
"""A picture is shown again this often, so that it can be seen to lie still."""
LATEST_S = 0.25
"""A recording that lags more than this behind its clock does not try to catch up."""


class Pace(StrEnum):
    """Who sets the pace of a source."""

    DEVICE = "device"
    RECORDING = "recording"
    STILLS = "stills"


@dataclass(frozen=True, slots=True)
class CameraPlan:
    """What to open and how to play it.

    Attributes:
        open: opens the source; raises an error of `lost_by` if it cannot.
        lost_by: what opening or reading raises when the source is not there.
        name: what the source is called on the page.
        pace: who sets the pace.
        loop: whether a source that ends begins anew.
    """

    open: Callable[[], Source]
    lost_by: tuple[type[Exception], ...]
    name: str
    pace: Pace
    loop: bool = False


class CameraThread(threading.Thread):
    """Owns the source; shows its frames on the live picture.

    Args:
        plan: what to open.
        first: the source already opened, so that a missing camera is noticed before
            anything is served.
        live: where the frames go.
        tell: called with news, from this thread.
        settings: how patient to be.
    """

    def __init__(
        self,
        plan: CameraPlan,
        first: Source,
        live: LivePicture,
        tell: Callable[[CameraNews], None],
        settings: CameraSettings,
    ) -> None:
        super().__init__(name="camera", daemon=True)
        self._plan = plan
        self._source: Source | None = first
        self._live = live
        self._tell = tell
        self._settings = settings
        self._stopping = threading.Event()
        self._woken = threading.Event()
        self._other: tuple[CameraPlan, Source] | None = None
        self._lock = threading.Lock()
        self._told: CameraNews | None = None
        self._offset_s = 0.0
        self._index = 0

    def switch(self, plan: CameraPlan, first: Source) -> None:
        """Play another source from now on; from any thread.

        Args:
            plan: what to open when it is lost.
            first: that source, opened already.
        """
        with self._lock:
            waiting, self._other = self._other, (plan, first)
        if waiting is not None:
            waiting[1].close()
        self._woken.set()

    def _turn_over(self) -> bool:
        """Take the other source, if there is one."""
        with self._lock:
            other, self._other = self._other, None
            if not self._stopping.is_set():
                self._woken.clear()
        if other is None:
            return False
        self._plan, self._source = other
        self._say(CameraState.OPENING, f"Opening {self._plan.name}")
        return True

    def run(self) -> None:
        """Play the source until stopped, opening it again when it is lost."""
        while not self._stopping.is_set():
            ended = self._play_once()
            if self._stopping.is_set():
                break
            if self._turn_over():
                continue
            if ended and self._plan.loop:
                self._source = None
                continue
            if ended and self._plan.pace is not Pace.DEVICE:
                self._say(CameraState.ENDED, f"{self._plan.name} is over.")
                self._woken.wait()
                if not self._turn_over():
                    break
                continue
            sentence = f"{self._plan.name} is lost; trying to open it again."
            self._say(CameraState.LOST, sentence)
            self._source = None
            self._woken.wait(self._settings.retry_s)
            self._turn_over()
        with self._lock:
            if self._other is not None:
                self._other[1].close()

    def _play_once(self) -> bool:
        """Play the source to its end.

        Returns:
            True if it ended, False if it could not be opened or broke.
        """
        source = self._source
        try:
            if source is None:
                source = self._source = self._plan.open()
            shown = 0
            for frame in self._paced(source.frames()):
                if self._woken.is_set():
                    return True
                self._live.put(frame)
                shown += 1
                self._say(CameraState.LIVE, f"{self._plan.name} is live.")
        except self._plan.lost_by as error:
            log.warning("%s: %s", self._plan.name, error)
            return False
        finally:
            if source is not None:
                source.close()
        return shown > 0

    def _paced(self, frames: Iterator[Frame]) -> Iterator[Frame]:
        """Give frames at their own rate, with times and numbers that never go back."""
        if self._plan.pace is Pace.STILLS:
            frames = _held(frames)
        began: float | None = None
        offset_s = self._offset_s
        for frame in frames:
            if began is None:
                began = time.monotonic() - frame.time_s
            if self._plan.pace is not Pace.DEVICE:
                early_s = began + frame.time_s - time.monotonic()
                if early_s > 0 and self._woken.wait(early_s):
                    return
                if early_s < -LATEST_S:
                    began -= early_s
            self._offset_s = offset_s + frame.time_s + 1 / STILL_FRAMES_PER_S
            yield replace(frame, index=self._index, time_s=offset_s + frame.time_s)
            self._index += 1

    def _say(self, state: CameraState, sentence: str) -> None:
        news = CameraNews(state, sentence)
        if news != self._told:
            self._told = news
            self._tell(news)

    def stop(self, deadline_s: float) -> None:
        """End the thread and give the source back.

        A driver that hangs cannot be interrupted: after the deadline the thread is
        left behind and ends with the program.
        """
        self._stopping.set()
        self._woken.set()
        self.join(deadline_s)


def _held(frames: Iterator[Frame]) -> Iterator[Frame]:
    """Show each picture for a while."""
    times = round(STILL_S * STILL_FRAMES_PER_S)
    count = 0
    for frame in frames:
        for _ in range(times):
            yield replace(frame, time_s=count / STILL_FRAMES_PER_S)
            count += 1
