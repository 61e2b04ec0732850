"""What a user names becomes a source of frames."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from vision.camera import CameraSource, ClipSource
from vision.errors import PictureError, SourceError
from vision.sources import PictureSource, files_in, open_source

if TYPE_CHECKING:
    from pathlib import Path


def save_grey(path: Path, level: int) -> None:
    cv2.imwrite(str(path), np.full((20, 30, 3), level, np.uint8))


def save_clip(path: Path, frames: int, rate: float = 20.0) -> None:
    """Frames that get brighter one by one."""
    code = cv2.VideoWriter.fourcc(*"MJPG")
    writer = cv2.VideoWriter(str(path), code, rate, (64, 48))
    for k in range(frames):
        writer.write(np.full((48, 64, 3), 10 + 3 * k, np.uint8))
    writer.release()


def levels(source: PictureSource | ClipSource) -> list[int]:
    return [round(float(frame.image.mean()) / 10) for frame in source.frames()]


def test_folder_is_listed_in_natural_order(tmp_path: Path) -> None:
    names = [
        "shot-10.png",
        "shot-9.PNG",
        "b.jpg",
        ".hidden.png",
        "labels.json",
        "x.mp4",
    ]
    for name in names:
        (tmp_path / name).touch()
    listed = [path.name for path in files_in(tmp_path)]
    assert listed == ["b.jpg", "shot-9.PNG", "shot-10.png", "x.mp4"]


def test_picture_gives_one_frame(tmp_path: Path) -> None:
    save_grey(tmp_path / "a.png", 70)
    source = open_source(str(tmp_path / "a.png"))
    (frame,) = source.frames()
    assert frame.image.shape == (20, 30, 3)
    assert frame.name == str(tmp_path / "a.png")
    source.close()
    source.close()


def test_folder_gives_its_pictures_and_goes_past_broken_ones(tmp_path: Path) -> None:
    save_grey(tmp_path / "1.png", 40)
    (tmp_path / "2.png").write_text("no picture")
    save_grey(tmp_path / "3.png", 80)
    source = open_source(str(tmp_path))
    assert isinstance(source, PictureSource)
    assert levels(source) == [4, 8]


def test_folder_of_broken_pictures_only_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "2.png").write_text("no picture")
    with pytest.raises(PictureError, match="no picture can be read"):
        list(open_source(str(tmp_path)).frames())


def test_closed_source_gives_no_more_frames(tmp_path: Path) -> None:
    for name in ("1.png", "2.png", "3.png"):
        save_grey(tmp_path / name, 50)
    source = open_source(str(tmp_path))
    seen = 0
    for _ in source.frames():
        seen += 1
        source.close()
    assert seen == 1


@pytest.mark.parametrize("what", ["missing", "empty-folder", "clip.mp4", "text.avi"])
def test_unusable_source_is_named(tmp_path: Path, what: str) -> None:
    (tmp_path / "empty-folder").mkdir()
    (tmp_path / "text.avi").write_text("not a clip")
    with pytest.raises(SourceError, match=what):
        open_source(str(tmp_path / what))


def test_clip_gives_all_frames_timed_by_its_rate(tmp_path: Path) -> None:
    save_clip(tmp_path / "a.avi", 12)
    source = open_source(str(tmp_path / "a.avi"))
    frames = list(source.frames())
    assert [frame.index for frame in frames] == list(range(12))
    assert [frame.time_s for frame in frames] == pytest.approx(
        [k / 20 for k in range(12)]
    )
    brightness = [float(frame.image.mean()) for frame in frames]
    assert brightness == sorted(brightness)
    assert frames[3].name == f"{tmp_path / 'a.avi'}#3"
    source.close()
    source.close()


def test_closed_clip_ends_without_an_error(tmp_path: Path) -> None:
    save_clip(tmp_path / "a.avi", 12)
    source = ClipSource(tmp_path / "a.avi")
    frames = source.frames()
    assert len(list(islice(frames, 3))) == 3
    source.close()
    assert list(frames) == []


def test_clip_that_breaks_off_is_an_error_after_its_good_frames(tmp_path: Path) -> None:
    save_clip(tmp_path / "whole.avi", 60)
    data = (tmp_path / "whole.avi").read_bytes()
    index = data.rindex(b"idx1")
    cut = tmp_path / "cut.avi"
    # the header still promises 60 frames; half of them are there
    cut.write_bytes(data[: index // 2])
    seen: list[int] = []
    frames = ClipSource(cut).frames()
    with pytest.raises(SourceError, match=re.escape(str(cut))):
        seen.extend(frame.index for frame in frames)
    assert 10 < len(seen) < 50


def test_camera_that_is_not_there_is_named_and_opencv_says_nothing(
    capfd: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SourceError, match="camera 97"):
        open_source("97")
    assert capfd.readouterr() == ("", "")


def test_stream_that_is_not_there_is_named() -> None:
    # port 1 of this machine: refused at once
    with pytest.raises(SourceError, match=re.escape("rtsp://127.0.0.1:1/x")):
        CameraSource("rtsp://127.0.0.1:1/x")
