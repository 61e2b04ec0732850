"""The watcher's thread: looks at the latest frame, tells the table what it saw."""

from __future__ import annotations

import logging
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from web_ui.camera_news import CameraNews, CameraState
from web_ui.live_picture import encode_jpeg

if TYPE_CHECKING:
    from collections.abc import Callable

    from scoring.dice_sets import DiceSet
    from vision.ports import Frame
    from vision.reading import Reading
    from vision.watch import Observation, WatchState
    from web_ui.live_picture import LivePicture
    from web_ui.settings import CameraSettings

log = logging.getLogger(__name__)

EVIDENCE_WIDTH_PX = 1920
"""Widest picture kept as evidence."""
EVIDENCE_QUALITY = 88


BETWEEN_ROLLS = frozenset({"empty", "settled"})
"""States of the watch in which no roll is being read, as `WatchState` has them."""


PAUSED = "Dice are being enrolled: rolls are not read meanwhile."


class RollWatcher(Protocol):
    """Whoever tells what happens on the table, frame by frame."""

    def see(self, frame: Frame) -> Observation:
        """Judge the next frame."""
        ...


@runtime_checkable
class ExpectingWatcher(Protocol):
    """A watcher that can be told which dice to look for."""

    def expect(self, dice_set: DiceSet, fewer: tuple[int, ...] = ()) -> None:
        """Look for other dice from the next frame on."""
        ...


@dataclass(frozen=True, slots=True)
class Expected:
    """The dice to look for.

    Attributes:
        dice_set: which dice, and how many.
        fewer: smaller numbers of dice that are a whole roll too.
    """

    dice_set: DiceSet
    fewer: tuple[int, ...] = ()


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
        moved: places in the reading of dice that were pushed since the rest before.
        at_s: the monotonic clock when the roll had been read; 0 if not known.
    """

    watch: WatchState
    reading: Reading | None = None
    width_px: int = 0
    height_px: int = 0
    picture: bytes = b""
    elapsed_ms: float = 0.0
    moved: tuple[int, ...] = ()
    at_s: float = 0.0


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
        self._expected: Expected | None = None
        self.between_rolls: Callable[[], None] = lambda: None
        """Called before each frame that follows an empty table or a roll that was told:
        the only moments in which the reader may change."""
        self.timed: Callable[[float], None] = lambda took_s: None
        """Called with the seconds that each frame took; must not wait."""
        self.looks_elsewhere: Callable[[], bool] = lambda: False
        """Whether the camera shows something that is no roll now; nothing is read."""
        self._elsewhere = False
        self.failure: str = ""
        """Why the thread ended by itself; empty if it did not."""

    def expect(self, expected: Expected) -> None:
        """Look for other dice from the next frame on; from any thread."""
        self._expected = expected

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
        told: Expected | None = None
        while not self._stopping.is_set():
            newest = self._live.frame_after(number, 0.2)
            self._note_stall()
            if newest is None:
                continue
            number, frame = newest
            if self._note_elsewhere():
                continue
            expected = self._expected
            if expected is not None and expected != told:
                told = expected
                if isinstance(self._watcher, ExpectingWatcher):
                    self._watcher.expect(expected.dice_set, expected.fewer)
            if last in BETWEEN_ROLLS:
                self.between_rolls()
            began = time.perf_counter()
            observation = self._watcher.see(frame)
            elapsed_ms = (time.perf_counter() - began) * 1000
            self.timed(elapsed_ms / 1000)
            if observation.reading is not None:
                self._tell(_settled(frame, observation, elapsed_ms))
            elif observation.state != last:
                self._tell(Seen(observation.state))
            last = observation.state

    def _note_elsewhere(self) -> bool:
        """Say that no rolls are read for a while, and that they are again."""
        now = self.looks_elsewhere()
        if now != self._elsewhere:
            self._elsewhere = now
            sentence = PAUSED if now else "Rolls are read again."
            self._tell(CameraNews(CameraState.LIVE, sentence))
        return now

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
        moved=observation.lying.moved if observation.lying is not None else (),
        at_s=time.monotonic(),
    )
