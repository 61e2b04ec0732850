"""The live picture: the newest frame wins, encoded once, streamed as MJPEG."""

from __future__ import annotations

import threading

import cv2
import numpy as np

from vision.ports import Frame
from web_ui.live_picture import BOUNDARY, LivePicture, encode_jpeg
from web_ui.settings import VideoSettings

FAST = VideoSettings(width_px=160, frames_per_s=60)


def frame(grey: int, width: int = 64, height: int = 36) -> Frame:
    image = np.full((height, width, 3), grey, np.uint8)
    return Frame(image, str(grey), grey, float(grey))


def decoded(data: bytes) -> np.ndarray:
    image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    return image


def test_slow_taker_gets_the_newest_frame() -> None:
    live = LivePicture(FAST)
    assert live.frame_after(0, 0.0) is None
    for grey in (1, 2, 3):
        live.put(frame(grey))
    newest = live.frame_after(0, 0.0)
    assert newest is not None
    assert (newest[0], newest[1].name) == (3, "3")
    assert live.frame_after(3, 0.0) is None


def test_age_grows_from_the_newest_frame() -> None:
    live = LivePicture(FAST)
    assert live.age_s() == float("inf")
    live.put(frame(1))
    assert 0 <= live.age_s() < 60


def test_wide_frame_is_scaled_down_and_a_narrow_one_is_not_scaled_up() -> None:
    wide = encode_jpeg(frame(90, 640, 360).image, 160, 80)
    assert decoded(wide).shape == (90, 160, 3)
    narrow = encode_jpeg(frame(90, 64, 36).image, 160, 80)
    assert decoded(narrow).shape == (36, 64, 3)


def test_viewers_share_one_encoding() -> None:
    live = LivePicture(FAST)
    live.put(frame(7))
    first, second = live.jpeg_after(0, 0.0), live.jpeg_after(0, 0.0)
    assert first is not None
    assert first is second


def test_parts_hold_whole_pictures_and_end_when_closed() -> None:
    live = LivePicture(FAST)
    live.put(frame(200))
    parts = live.parts()
    head, _, rest = next(parts).partition(b"\r\n\r\n")
    lines = dict(line.split(b": ") for line in head.split(b"\r\n")[1:])
    assert head.startswith(f"--{BOUNDARY}\r\n".encode())
    picture = rest.removesuffix(b"\r\n")
    assert int(lines[b"Content-Length"]) == len(picture)
    assert abs(int(decoded(picture)[0, 0, 0]) - 200) <= 3
    live.close()
    assert list(parts) == []


def test_closing_wakes_the_watcher() -> None:
    live = LivePicture(FAST)
    taker = threading.Thread(target=live.frame_after, args=(0, 60))
    taker.start()
    live.close()
    taker.join(5)
    assert not taker.is_alive()
