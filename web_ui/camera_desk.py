"""Choosing the camera of a running table: which there are, and taking another."""

from __future__ import annotations

import re
import threading
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vision.errors import SourceError
from vision.sources import open_source
from web_ui.camera_thread import CameraPlan, Pace

if TYPE_CHECKING:
    from collections.abc import Callable

    from vision.ports import Source
    from web_ui.camera_thread import CameraThread
    from web_ui.tray_desk import TrayDesk

DEVICES = Path("/sys/class/video4linux")
"""Where Linux lists its cameras."""
WORDS = re.compile(r"\d{1,2}|/dev/video\d{1,2}|(rtsp|rtsps|http|https)://\S{1,300}")
"""What may be asked for over the network: never a file of this machine."""


class CameraChoiceError(ValueError):
    """The camera cannot be taken; the one before goes on."""


def cameras(devices: Path = DEVICES) -> list[dict[str, str]]:
    """List the cameras of this machine.

    Args:
        devices: where they are listed.

    Returns:
        `id` (the word to choose it by) and `title` of each, by number.
    """
    found = []
    for folder in devices.glob("video*"):
        number = folder.name.removeprefix("video")
        try:
            # one device has several nodes: only the first gives pictures
            if (folder / "index").read_text().strip() != "0":
                continue
            title = (folder / "name").read_text("utf-8", "replace").strip()
        except OSError:
            continue
        if number.isdecimal():
            found.append((int(number), title))
    return [{"id": str(number), "title": title} for number, title in sorted(found)]


class CameraDesk:
    """Where web threads ask for the camera and choose another.

    Args:
        thread: plays the source.
        trays: trays are kept by camera.
        now: what the user calls the camera that is played.
        open_it: opens a source; raises SourceError.
        listed: lists the cameras there are.
    """

    def __init__(
        self,
        thread: CameraThread,
        trays: TrayDesk,
        now: str,
        open_it: Callable[[str], Source] = open_source,
        listed: Callable[[], list[dict[str, str]]] = cameras,
    ) -> None:
        self._thread, self._trays, self._now = thread, trays, now
        self._open, self._listed = open_it, listed
        self._lock = threading.Lock()

    def record(self) -> dict[str, Any]:
        """The camera now, and all there are (schema `Camera`)."""
        return {"camera": self._now, "cameras": self._listed()}

    def choose(self, word: object) -> dict[str, Any]:
        """Take another camera.

        Args:
            word: number of a camera, its device file or the address of a stream.

        Raises:
            CameraChoiceError: not such a word, or it cannot be opened.
        """
        if not isinstance(word, str) or not WORDS.fullmatch(word):
            raise CameraChoiceError(
                "camera must be a number, /dev/videoN or the address of a stream, not "
                f"{word!r:.60}"
            )
        with self._lock:
            name = f"Camera {word}" if word.isdecimal() else word
            plan = CameraPlan(
                partial(self._open, word), (SourceError,), name, Pace.DEVICE
            )
            try:
                source = plan.open()
            except SourceError as error:
                raise CameraChoiceError(str(error)) from error
            self._thread.switch(plan, source)
            self._trays.change_camera(word)
            self._now = word
        return self.record()
