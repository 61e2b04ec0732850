"""Cameras, network streams and clips through OpenCV: the only file that opens them."""

from __future__ import annotations

import contextlib
import threading
import time
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.errors import SourceError
from vision.ports import BgrImage, Frame

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CAMERA_SIZE = (1280, 720)
"""What a local camera is asked for; it may give another size."""
STREAM_TIMEOUT_MS = 5000
USUAL_RATE = 25.0
"""Frames per second of a clip that does not say."""
LEAST_SHARE = 0.9
"""A clip that gives a smaller share of the frames it promises is damaged."""


@contextlib.contextmanager
def _unheard() -> Iterator[None]:
    """Keep OpenCV from writing to the terminal what fails: `SourceError` says it."""
    level = cv2.utils.logging.getLogLevel()
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    try:
        yield
    finally:
        cv2.utils.logging.setLogLevel(level)


class _Capture:
    """A `VideoCapture` that may be closed from another thread."""

    def __init__(self, capture: cv2.VideoCapture) -> None:
        self._capture = capture
        self._lock = threading.Lock()
        self.closed = False

    def read(self) -> BgrImage | None:
        with self._lock:
            if self.closed:
                return None
            good, image = self._capture.read()
        if not good or image is None:
            return None
        pixels = np.asarray(image, np.uint8)
        if pixels.ndim == 2:  # cameras of one channel
            pixels = np.repeat(pixels[:, :, None], 3, axis=2)
        return pixels

    def close(self) -> None:
        with self._lock:
            self.closed = True
            self._capture.release()


class CameraSource:
    """A local camera or a network stream; runs until closed or lost.

    Args:
        device: number of a camera, or a device file, or an address.

    Raises:
        SourceError: it cannot be opened.
    """

    def __init__(self, device: int | str) -> None:
        self.name = f"camera {device}" if isinstance(device, int) else device
        if isinstance(device, int) or device.startswith("/dev/"):
            with _unheard():
                capture = cv2.VideoCapture(device)
            capture.set(cv2.CAP_PROP_FRAME_WIDTH, CAMERA_SIZE[0])
            capture.set(cv2.CAP_PROP_FRAME_HEIGHT, CAMERA_SIZE[1])
            capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        else:
            limits = (cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, cv2.CAP_PROP_READ_TIMEOUT_MSEC)
            timeouts = [value for key in limits for value in (key, STREAM_TIMEOUT_MS)]
            with _unheard():
                capture = cv2.VideoCapture(device, cv2.CAP_FFMPEG, timeouts)
        if not capture.isOpened():
            capture.release()
            raise SourceError(self.name, "cannot be opened as a camera or stream")
        self._capture = _Capture(capture)

    def frames(self) -> Iterator[Frame]:
        """Yield frames as they come.

        Raises:
            SourceError: the camera or stream stopped giving frames.
        """
        began, index = time.monotonic(), 0
        while not self._capture.closed:
            image = self._capture.read()
            if image is None:
                if self._capture.closed:
                    return
                raise SourceError(self.name, f"gave no frame after {index} frames")
            now_s = time.monotonic() - began
            yield Frame(image, f"{self.name}#{index}", index, now_s)
            index += 1

    def close(self) -> None:
        """Give the device back; safe to call twice and from another thread."""
        self._capture.close()


class ClipSource:
    """A recorded clip, as fast as it is read.

    Args:
        path: any file that FFmpeg decodes.

    Raises:
        SourceError: missing, or not a clip.
    """

    def __init__(self, path: Path) -> None:
        self.name = str(path)
        if not path.is_file():
            raise SourceError(self.name, "there is no such file")
        with _unheard():
            capture = cv2.VideoCapture(self.name, cv2.CAP_FFMPEG)
        if not capture.isOpened():
            capture.release()
            raise SourceError(self.name, "is not a clip that can be decoded")
        rate = float(capture.get(cv2.CAP_PROP_FPS))
        self.rate = rate if np.isfinite(rate) and 0 < rate <= 1000 else USUAL_RATE
        promised = float(capture.get(cv2.CAP_PROP_FRAME_COUNT))
        self._promised = promised if np.isfinite(promised) else 0.0
        self._capture = _Capture(capture)

    def frames(self) -> Iterator[Frame]:
        """Yield all frames, timed by the clip's rate.

        Raises:
            SourceError: no frame at all, or the clip breaks off early.
        """
        index = 0
        while (image := self._capture.read()) is not None:
            yield Frame(image, f"{self.name}#{index}", index, index / self.rate)
            index += 1
        if self._capture.closed:
            return
        if index == 0:
            raise SourceError(self.name, "no frame can be decoded")
        if index < LEAST_SHARE * self._promised - 2:
            why = f"breaks off after {index} of {self._promised:.0f} frames"
            raise SourceError(self.name, why)

    def close(self) -> None:
        """Close the file; safe to call twice."""
        self._capture.close()
