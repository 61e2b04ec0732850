"""Watching the rolls of a tray: only what lies in it, and only while it is in place."""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np

from vision.camera_nudge import LEAST_MOVE_PX, grey_view
from vision.camera_watch import ASKING, CameraWatch, Standing, fitted_quads
from vision.picture_motion import farthest_px
from vision.reading import ProblemCode, Status
from vision.tray import TrayError
from vision.tray_roll import doubted
from vision.unmoved import Change, change_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from scoring.cards import Face
    from scoring.dice_sets import DiceSet
    from vision.picture_motion import Floats, Grey
    from vision.ports import Frame
    from vision.reading import DieReading, Quad, Reading
    from vision.tray import Tray
    from vision.watch import Observation

SENTENCES = {
    Standing.UNWATCHED: "The tray is set, but there is too little to see beside the "
    "dice to notice if the camera is nudged.",
    Standing.STEADY: "The tray is set.",
    Standing.FOLLOWED: "The camera was nudged; the tray was moved with the picture.",
    Standing.MOVED: "The camera has moved: check where the tray is.",
    Standing.LOST: "The camera shows another view than that of the tray: check it.",
}
"""What is said of each standing of the camera."""


class RollWatcher(Protocol):
    """Whoever tells what happens on the table, frame by frame."""

    def see(self, frame: Frame) -> Observation:
        """Judge the next frame."""
        ...


@runtime_checkable
class FinishingWatcher(Protocol):
    """A watcher that has something to say when the frames end."""

    def finish(self) -> Observation:
        """Judge what lies there at the end."""
        ...


class TrayReader(Protocol):
    """Whoever reads rolls and can be told where dice count, and which."""

    tray: Tray | None

    def expect(self, dice_set: DiceSet, fewer: tuple[int, ...] = ()) -> None:
        """Look for other dice from the next picture on."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Calibration:
    """A tray and the view in which it was set.

    Attributes:
        tray: where dice count.
        grey: (h, w) uint8 as `grey_view` makes it; None if it is the view now.
        dice: quads of dice in that view, in its pixels.
    """

    tray: Tray
    grey: Grey | None = None
    dice: tuple[Quad, ...] = ()


@dataclass(frozen=True, slots=True)
class TrayNews:
    """How it is with the tray.

    Attributes:
        tray: where it is now; None if none is set.
        standing: how the camera stands to it; None if none is set.
        sentence: the same for people.
    """

    tray: Tray | None = None
    standing: Standing | None = None
    sentence: str = "No tray is set: dice count wherever they are seen."

    @property
    def asks(self) -> bool:
        """Whether somebody has to look after it before anything is sure."""
        return self.standing in ASKING


NO_TRAY = TrayNews()


class TrayWatcher:
    """Watches rolls through another watcher, and the camera beside it.

    Dice that lie as they lay, in a picture that moved, are no new roll; while the
    camera's move is not settled, no roll is sure.

    Args:
        reader: reads the rolls; is told where the tray is.
        make_watcher: makes a watcher that uses that reader.
        tell: called with news of the tray, from the thread that calls `see`.
    """

    def __init__(
        self,
        reader: TrayReader,
        make_watcher: Callable[[], RollWatcher],
        tell: Callable[[TrayNews], None] | None = None,
    ) -> None:
        self._reader = reader
        self._make_watcher = make_watcher
        self._inner = make_watcher()
        self._faces: tuple[Face, ...] = ()
        self._count = 0
        self._lock = threading.Lock()
        self._pending: Calibration | None = None
        self._has_pending = False
        self._latest: Frame | None = None
        self._camera: CameraWatch | None = None
        self._told: tuple[DieReading, ...] = ()
        self._told_status = Status.SURE
        self._told_at: Floats = np.eye(3)
        self.news = NO_TRAY
        self.tell: Callable[[TrayNews], None] = tell or (lambda news: None)

    def calibrate(self, calibration: Calibration | None) -> None:
        """Use another tray, or none, from the next frame on; from any thread."""
        with self._lock:
            self._pending, self._has_pending = calibration, True

    def expect(self, dice_set: DiceSet, fewer: tuple[int, ...] = ()) -> None:
        """Look for other dice from the next frame on; from the thread that sees.

        Args:
            dice_set: which dice, and how many.
            fewer: smaller numbers of dice that are a whole roll too.
        """
        other = dice_set.faces != self._faces or dice_set.dice_count != self._count
        self._faces, self._count = dice_set.faces, dice_set.dice_count
        self._reader.expect(dice_set, fewer)
        if other:
            # what lies there was judged as other dice: it is judged once more
            self._inner = self._make_watcher()

    def see(self, frame: Frame) -> Observation:
        """Judge the next frame; times must not run backwards."""
        self._take_over(frame)
        self._latest = frame
        camera = self._camera
        if camera is not None and camera.due(frame.time_s):
            camera.note(camera.look(grey_view(frame.image)), frame.time_s)
            self._reader.tray = camera.tray
            self._announce()
        seen = self._inner.see(frame)
        if seen.reading is None:
            return seen
        return self._checked(seen, seen.reading, frame)

    def finish(self) -> Observation | None:
        """Judge what lies there when the frames end; None if there is nothing to say.

        See `vision.watch.Watcher.finish`.
        """
        if self._latest is None or not isinstance(self._inner, FinishingWatcher):
            return None
        seen = self._inner.finish()
        if seen.reading is None:
            return seen
        return self._checked(seen, seen.reading, self._latest)

    def _take_over(self, frame: Frame) -> None:
        """Begin with a tray that was handed in."""
        with self._lock:
            if not self._has_pending:
                return
            calibration, self._pending = self._pending, None
            self._has_pending = False
        self._camera, self._told_at = None, np.eye(3)
        self._reader.tray = None if calibration is None else calibration.tray
        if calibration is not None:
            self._camera = self._camera_of(calibration, frame)
            if self._camera is not None:
                self._reader.tray = self._camera.tray
        if self._told_status is not Status.SURE:
            # what was doubted may be because of the tray: it is judged once more
            self._inner = self._make_watcher()
        self._announce(anew=True)

    def _camera_of(self, calibration: Calibration, frame: Frame) -> CameraWatch | None:
        """Begin to watch the camera; None if the tray is not one of such pictures."""
        height, width = frame.image.shape[:2]
        try:
            tray = calibration.tray.fitted(width, height)
        except TrayError:
            return None
        now = grey_view(frame.image)
        if calibration.grey is None or calibration.grey.shape != now.shape:
            lying = tuple(die.quad for die in self._told)
            return CameraWatch(tray, now, fitted_quads(lying, now.shape[1] / width))
        return CameraWatch(tray, calibration.grey, calibration.dice)

    def _announce(self, anew: bool = False) -> None:
        """Tell how it is with the tray, if that changed or if it was set anew."""
        tray, camera = self._reader.tray, self._camera
        if tray is None:
            news = NO_TRAY
        elif camera is None:
            words = "The tray was set in pictures of another shape: set it again."
            news = TrayNews(tray, Standing.LOST, words)
        else:
            news = TrayNews(tray, camera.standing, SENTENCES[camera.standing])
        if anew or news != self.news:
            self.news = news
            self.tell(news)

    def _checked(
        self, seen: Observation, reading: Reading, frame: Frame
    ) -> Observation:
        """Let a roll through, doubt it, or tell it from dice that moved as one."""
        camera = self._camera
        if camera is None:
            self._remember(reading, np.eye(3))
            return seen
        look = camera.look(grey_view(frame.image))
        moving = camera.step(look)
        at = camera.motion if moving is None else moving @ camera.motion
        step = at @ np.linalg.inv(self._told_at)
        height, width = frame.image.shape[:2]
        shifted = farthest_px(step, width, height) > LEAST_MOVE_PX
        if shifted and self._is_the_same(step, reading):
            self._remember(reading, at)
            return replace(seen, reading=None, roll=None)
        self._remember(reading, at)
        if moving is None and camera.standing not in ASKING:
            return seen
        asking = camera.standing in ASKING
        words = SENTENCES[camera.standing if asking else Standing.MOVED]
        asked = doubted(reading, ProblemCode.CAMERA_MOVED, words)
        self._told_status = asked.status
        return replace(seen, reading=asked)

    def _remember(self, reading: Reading, at: Floats) -> None:
        self._told, self._told_status = reading.dice, reading.status
        self._told_at = at

    def _is_the_same(self, step: Floats, reading: Reading) -> bool:
        """Whether the dice told last lie there, moved with the whole picture."""
        if self._told_status is Status.REFUSE and reading.status is not Status.REFUSE:
            return False
        moved = tuple(_moved(die, step) for die in self._told)
        if not moved or not reading.dice:
            return False
        return change_of(moved, reading.dice) in (Change.NOTHING, Change.PICKED_UP)


def _moved(die: DieReading, step: Floats) -> DieReading:
    corners = np.column_stack([np.array(die.quad, np.float64), np.ones(4)]) @ step.T
    a, b, c, d = ((float(x / w), float(y / w)) for x, y, w in corners)
    return replace(die, quad=(a, b, c, d))
