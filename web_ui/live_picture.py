"""The live picture: the latest frame, for the watcher and for the viewers."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vision.ports import BgrImage, Frame
    from web_ui.settings import VideoSettings

BOUNDARY = "tableside-frame"
"""Separates the pictures of an MJPEG answer."""

FIRST_PICTURE_S = 5.0
"""How long a viewer waits for a first picture before the answer ends."""


@dataclass(frozen=True, slots=True)
class Jpeg:
    """An encoded picture.

    Attributes:
        number: of the frame, counting up from 1.
        data: the JPEG file.
    """

    number: int
    data: bytes


def encode_jpeg(image: BgrImage, width_px: int, quality: int) -> bytes:
    """Encode a picture, scaled down to `width_px` if it is wider.

    Args:
        image: (H, W, 3) uint8 BGR.
        width_px: widest result.
        quality: JPEG quality, 10..95.
    """
    height, width = image.shape[:2]
    if width > width_px:
        size = (width_px, max(1, round(height * width_px / width)))
        scaled = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    else:
        scaled = image
    ok, data = cv2.imencode(".jpg", scaled, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not ok:
        raise RuntimeError(f"a picture of {width}x{height} could not be encoded")
    return data.tobytes()


class LivePicture:
    """Holds the newest frame; whoever is slow gets the newest, never a backlog.

    The camera's thread puts frames; the watcher takes frames; viewers take JPEGs, each
    of which is encoded once however many look.
    """

    def __init__(self, video: VideoSettings) -> None:
        self._video = video
        self._news = threading.Condition()
        self._encoding = threading.Lock()
        self._frame: Frame | None = None
        self._number = 0
        self._put_at = 0.0
        self._jpeg: Jpeg | None = None
        self._closed = False

    def put(self, frame: Frame) -> None:
        """Show a frame; the one before it is forgotten."""
        with self._news:
            self._frame = frame
            self._number += 1
            self._put_at = time.monotonic()
            self._news.notify_all()

    def age_s(self) -> float:
        """Seconds since the newest frame came; infinite before the first."""
        with self._news:
            return time.monotonic() - self._put_at if self._number else float("inf")

    def frame_after(self, number: int, timeout_s: float) -> tuple[int, Frame] | None:
        """Wait for a frame newer than `number`.

        Returns:
            Its number and the frame; None after the timeout or when closed.
        """
        with self._news:
            self._news.wait_for(
                lambda: self._closed or self._number > number, timeout_s
            )
            if self._closed or self._frame is None or self._number <= number:
                return None
            return self._number, self._frame

    def jpeg_after(self, number: int, timeout_s: float) -> Jpeg | None:
        """Wait for a picture newer than `number`; None after the timeout."""
        newest = self.frame_after(number, timeout_s)
        if newest is None:
            return None
        with self._encoding:
            # another viewer may have encoded this frame, or a later one, meanwhile
            if self._jpeg is None or self._jpeg.number < newest[0]:
                video = self._video
                data = encode_jpeg(newest[1].image, video.width_px, video.quality)
                self._jpeg = Jpeg(newest[0], data)
            return self._jpeg

    def parts(self) -> Iterator[bytes]:
        """Yield the parts of a `multipart/x-mixed-replace` answer until closed.

        The picture is repeated every second while the camera stands still, so that a
        viewer who has gone is noticed and the seat freed.
        """
        pause_s = 1 / self._video.frames_per_s
        number = 0
        while not self._closed:
            began = time.monotonic()
            wait_s = 1.0 if number else FIRST_PICTURE_S
            jpeg = self.jpeg_after(number, wait_s) or self._jpeg
            if jpeg is None:  # no camera yet: the browser may ask again
                return
            number = jpeg.number
            yield (
                (
                    f"--{BOUNDARY}\r\nContent-Type: image/jpeg\r\n"
                    f"Content-Length: {len(jpeg.data)}\r\n\r\n"
                ).encode()
                + jpeg.data
                + b"\r\n"
            )
            self._rest(pause_s - (time.monotonic() - began))

    def _rest(self, seconds: float) -> None:
        if seconds > 0:
            with self._news:
                self._news.wait_for(lambda: self._closed, seconds)

    def close(self) -> None:
        """End all waiting and all viewers' streams."""
        with self._news:
            self._closed = True
            self._news.notify_all()
