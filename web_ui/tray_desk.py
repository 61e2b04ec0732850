"""The tray of a running table: found, set, cleared, and how the camera stands to it."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from vision.camera_nudge import grey_view
from vision.camera_watch import Standing
from vision.tray import TrayError, parse_tray, tray_record
from vision.tray_find import find_trays
from vision.tray_watch import NO_TRAY, SENTENCES, Calibration, TrayNews, TrayWatcher
from web_ui.live_picture import encode_jpeg
from web_ui.table_door import BusyError

if TYPE_CHECKING:
    from collections.abc import Callable

    from vision.ports import Frame
    from web_ui.live_picture import LivePicture
    from web_ui.tray_store import TrayStore

STILL_WIDTH_PX = 1920
STILL_QUALITY = 88


class NoPictureError(RuntimeError):
    """The camera has shown nothing yet."""


class TrayDesk:
    """Where web threads ask for the tray and set it.

    Args:
        live: the pictures of the camera.
        camera: what the user calls it: trays are stored by that.
        store: keeps trays; None to keep them while the program runs.
    """

    def __init__(
        self, live: LivePicture, camera: str = "", store: TrayStore | None = None
    ) -> None:
        self._live = live
        self._camera = camera
        self._store = store
        self._lock = threading.Lock()
        self._finding = threading.Lock()
        self._watcher: TrayWatcher | None = None
        self._news = NO_TRAY
        self._tell: Callable[[TrayNews], None] = lambda news: None

    def open(self, watcher: object, tell: Callable[[TrayNews], None]) -> None:
        """Begin: hand the stored tray to whoever watches the rolls.

        Args:
            watcher: watches; one that knows no trays is left alone.
            tell: called with news of the tray.

        Raises:
            TrayStoreError: the stored trays cannot be used.
        """
        self._tell = tell
        if not isinstance(watcher, TrayWatcher):
            return
        self._watcher = watcher
        watcher.tell = self._hear
        if self._store is not None:
            stored = self._store.get(self._camera)
            if stored is not None:
                watcher.calibrate(stored)

    def change_camera(self, camera: str) -> None:
        """Go on with another camera: its own tray, or none."""
        self._camera = camera
        if self._watcher is not None:
            stored = None if self._store is None else self._store.get(camera)
            self._watcher.calibrate(stored)

    def _hear(self, news: TrayNews) -> None:
        with self._lock:
            self._news = news
        self._tell(news)

    def record(self) -> dict[str, Any]:
        """The tray now, as `openapi.json` describes it (schema `TrayState`)."""
        with self._lock:
            news = self._news
        frame = self._frame()
        return {
            "camera": self._camera,
            "tray": None if news.tray is None else tray_record(news.tray),
            "standing": news.standing,
            "sentence": news.sentence,
            "asks": news.asks,
            "picture": None if frame is None else _size(frame),
        }

    def find(self) -> dict[str, Any]:
        """Look for a tray in the picture now (schema `TrayProposals`).

        Raises:
            NoPictureError: there is none.
            BusyError: somebody else is looking already.
        """
        frame = self._shown()
        if not self._finding.acquire(blocking=False):
            raise BusyError("the tray is being looked for already: try again")
        try:
            found = find_trays(frame.image)
        finally:
            self._finding.release()
        return {
            "picture": _size(frame),
            "proposals": [
                {
                    "tray": tray_record(proposal.tray),
                    "confidence": proposal.confidence,
                    "sentence": proposal.sentence,
                }
                for proposal in found
            ],
        }

    def set(self, record: object) -> dict[str, Any]:
        """Set the tray, seen in the picture now, and store it.

        Args:
            record: a tray's JSON.

        Raises:
            TrayError: it is no tray of this camera's pictures.
            NoPictureError: there is no picture to set it in.
            TrayStoreError: it cannot be stored; it is not set then either.
        """
        tray = parse_tray(record)  # type: ignore[arg-type]  # it looks itself
        frame = self._shown()
        size = _size(frame)
        fitted = tray.fitted(size["width_px"], size["height_px"])
        if fitted.inside_share <= 0.2:
            raise TrayError("the tray must lie in the picture")
        calibration = Calibration(fitted, grey_view(frame.image))
        self._use(calibration)
        steady = Standing.STEADY
        self._expect(TrayNews(fitted, steady, SENTENCES[steady]))
        return self.record()

    def clear(self) -> dict[str, Any]:
        """Forget the tray: dice count wherever they are seen.

        Raises:
            TrayStoreError: the stored one cannot be forgotten.
        """
        self._use(None)
        self._expect(NO_TRAY)
        return self.record()

    def _use(self, calibration: Calibration | None) -> None:
        if self._store is not None:
            self._store.put(self._camera, calibration)
        if self._watcher is not None:
            self._watcher.calibrate(calibration)

    def _expect(self, news: TrayNews) -> None:
        """Say what will hold from the next frame on."""
        with self._lock:
            self._news = news

    def still(self) -> bytes:
        """The picture now as JPEG, up to `STILL_WIDTH_PX` wide.

        Raises:
            NoPictureError: there is none.
        """
        return encode_jpeg(self._shown().image, STILL_WIDTH_PX, STILL_QUALITY)

    def _frame(self) -> Frame | None:
        newest = self._live.frame_after(0, 0.0)
        return None if newest is None else newest[1]

    def _shown(self) -> Frame:
        frame = self._frame()
        if frame is None:
            raise NoPictureError("the camera has shown no picture yet")
        return frame


def _size(frame: Frame) -> dict[str, int]:
    return {"width_px": frame.image.shape[1], "height_px": frame.image.shape[0]}
