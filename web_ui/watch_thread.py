"""The watcher's thread: looks at the latest frame, tells the table what it saw."""

from __future__ import annotations

import logging
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from web_ui.live_picture import encode_jpeg
from web_ui.table_state import CameraNews, CameraState

if TYPE_CHECKING:
    from collections.abc import Callable

    from vision.ports import Frame
    from vision.reading import Reading
    from vision.watch import Observation, WatchState
    from web_ui.live_picture import LivePicture
    from web_ui.settings import CameraSettings

log = logging.getLogger(__name__)

EVIDENCE_WIDTH_PX = 1920
"""Widest picture kept as evidence."""
EVIDENCE_QUALITY = 88


class RollWatcher(Protocol):
    """Whoever tells what happens on the table, frame by frame."""

    def see(self, frame: Frame) -> Observation:
        """Judge the next frame."""
        ...


@dataclass(frozen=True, slots=True)
class Seen:
    """What the watcher saw, as the table's queue takes it.

    Attributes:
        watch: what happens on the table.
        reading: the roll, in the one moment in which it settled.
        width_px: width of the picture that the reading's quads lie in.
        height_px: its height.
        picture: that picture as JPEG; empty without a reading.
        elapsed_ms: how long seeing took.
    """

    watch: WatchState
    reading: Reading | None = None
    width_px: int = 0
    height_px: int = 0
    picture: bytes = b""
    elapsed_ms: float = 0.0


class WatchThread(threading.Thread):
    """Owns the watcher; the only thread that runs the models.

    Args:
        watcher: judges frames.
        live: where the frames come from.
        tell: called with what was seen whenever it changed, and with news of a camera
            that stands still, from this thread.
        settings: how patient to be.
    """

    def __init__(
        self,
        watcher: RollWatcher,
        live: LivePicture,
        tell: Callable[[Seen | CameraNews], None],
        settings: CameraSettings,
    ) -> None:
        super().__init__(name="watcher", daemon=True)
        self._watcher = watcher
        self._live = live
        self._tell = tell
        self._settings = settings
        self._stopping = threading.Event()
        self._stalled = False
        self.failure: str = ""
        """Why the thread ended by itself; empty if it did not."""

    def run(self) -> None:
        """Watch until stopped."""
        try:
            self._watch()
        except Exception as error:  # reported on the page: the table must not go silent
            log.exception("the watcher failed")
            self.failure = f"Reading failed: {error}"
            self._tell(CameraNews(CameraState.LOST, self.failure))

    def _watch(self) -> None:
        number = 0
        last: WatchState | None = None
        while not self._stopping.is_set():
            newest = self._live.frame_after(number, 0.2)
            self._note_stall()
            if newest is None:
                continue
            number, frame = newest
            began = time.perf_counter()
            observation = self._watcher.see(frame)
            elapsed_ms = (time.perf_counter() - began) * 1000
            if observation.reading is not None:
                self._tell(_settled(frame, observation, elapsed_ms))
            elif observation.state != last:
                self._tell(Seen(observation.state))
            last = observation.state

    def _note_stall(self) -> None:
        """Say that the picture stands still, and that it moves again."""
        age_s = self._live.age_s()
        if age_s == float("inf"):
            return
        stalled = age_s > self._settings.stalled_after_s
        if stalled and not self._stalled:
            self._tell(CameraNews(CameraState.STALLED, "The picture stands still."))
        elif self._stalled and not stalled:
            self._tell(CameraNews(CameraState.LIVE, "The picture is back."))
        self._stalled = stalled

    def stop(self, deadline_s: float) -> None:
        """End the thread, waiting for it at most `deadline_s`."""
        self._stopping.set()
        self.join(deadline_s)


def _settled(frame: Frame, observation: Observation, elapsed_ms: float) -> Seen:
    height, width = frame.image.shape[:2]
    return Seen(
        watch=observation.state,
        reading=observation.reading,
        width_px=width,
        height_px=height,
        picture=encode_jpeg(frame.image, EVIDENCE_WIDTH_PX, EVIDENCE_QUALITY),
        elapsed_ms=elapsed_ms,
    )
