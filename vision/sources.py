"""From what a user names (file, folder, camera, address) to a source of frames."""

from __future__ import annotations

import logging
import re
from pathlib import Path
from typing import TYPE_CHECKING

from vision.camera import CameraSource, ClipSource
from vision.errors import PictureError, SourceError
from vision.pictures import PICTURE_SUFFIXES, load_picture
from vision.ports import Frame

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vision.ports import Source

log = logging.getLogger(__name__)

CLIP_SUFFIXES = frozenset(
    [
        ".mp4",
        ".m4v",
        ".mov",
        ".avi",
        ".mkv",
        ".webm",
        ".mpg",
        ".mpeg",
        ".ts",
        ".mjpeg",
        ".mjpg",
        ".wmv",
        ".3gp",
        ".ogv",
    ]
)
ADDRESS = re.compile(r"^[a-z][a-z0-9+.-]*://", re.IGNORECASE)


class PictureSource:
    """Picture files, one frame each.

    Args:
        paths: the files.
        skip_broken: log pictures that cannot be read and go on.
    """

    def __init__(self, paths: tuple[Path, ...], skip_broken: bool = False) -> None:
        self._paths = paths
        self._skip_broken = skip_broken
        self._closed = False

    def frames(self) -> Iterator[Frame]:
        """Yield the pictures in order; `time_s` counts them as one a second.

        Raises:
            PictureError: one cannot be read, or none can.
        """
        shown = 0
        for path in self._paths:
            if self._closed:
                return
            try:
                picture = load_picture(path)
            except PictureError as error:
                if not self._skip_broken:
                    raise
                log.warning("%s", error)
                continue
            yield Frame(picture.image, str(path), shown, float(shown), picture.shrunk)
            shown += 1
        if self._paths and not shown:
            raise PictureError(str(self._paths[0].parent), "no picture can be read")

    def close(self) -> None:
        """End the frames; safe to call twice."""
        self._closed = True


def is_clip(path: Path) -> bool:
    """Whether a file's name says that it is a clip."""
    return path.suffix.lower() in CLIP_SUFFIXES


def files_in(folder: Path) -> tuple[Path, ...]:
    """The pictures and clips that lie directly in a folder, in natural order.

    Hidden files and files with other names are passed over.

    Raises:
        SourceError: the folder cannot be listed.
    """
    try:
        names = [path for path in folder.iterdir() if not path.name.startswith(".")]
    except OSError as error:
        raise SourceError(str(folder), f"cannot be listed: {error.strerror}") from error
    wanted = PICTURE_SUFFIXES | CLIP_SUFFIXES
    return tuple(
        sorted((p for p in names if p.suffix.lower() in wanted), key=_natural_order)
    )


def _natural_order(path: Path) -> tuple[tuple[int, int | str], ...]:
    """Sort key by which `shot-9` comes before `shot-10`."""
    parts = re.split(r"(\d+)", path.name)
    return tuple(
        (0, int(part)) if part.isdecimal() else (1, part.casefold())
        for part in parts
        if part
    )


def open_source(text: str) -> Source:
    """Open what a user named.

    Args:
        text: a camera's number or device file, an address (`rtsp://…`), a folder of
            pictures, a clip (by its suffix) or a picture. A folder's unreadable
            pictures are passed over with a warning in the log.

    Raises:
        SourceError: there is no such thing, or it cannot be opened.
    """
    if text.isdecimal():
        return CameraSource(int(text))
    if ADDRESS.match(text) or text.startswith("/dev/"):
        return CameraSource(text)
    path = Path(text)
    if path.is_dir():
        pictures = tuple(file for file in files_in(path) if not is_clip(file))
        if not pictures:
            raise SourceError(text, "the folder holds no pictures")
        return PictureSource(pictures, skip_broken=True)
    if not path.exists():
        raise SourceError(text, "there is no such file, folder or camera")
    return open_file(path)


def open_file(path: Path) -> Source:
    """Open a picture or a clip, whatever its name looks like.

    Raises:
        SourceError: it is no regular file, or cannot be opened.
    """
    if not path.is_file():
        raise SourceError(str(path), "is not a regular file")
    return ClipSource(path) if is_clip(path) else PictureSource((path,))
