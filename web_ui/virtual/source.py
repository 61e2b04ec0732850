"""The virtual camera: a source of frames like a camera's, with a plug to pull."""

from __future__ import annotations

import threading
import time
from functools import partial
from typing import TYPE_CHECKING

from vision.errors import SourceError
from vision.ports import BgrImage, Frame
from web_ui.camera_thread import CameraPlan, Pace
from web_ui.virtual.shots import FRAMES_PER_S

if TYPE_CHECKING:
    from collections.abc import Iterator

    from web_ui.virtual.painter import Painter
    from web_ui.virtual.table import VirtualTable

NAME = "The virtual camera"


class VirtualSource:
    """Gives frames of a virtual table until closed or unplugged.

    Args:
        table: what it looks at.
        painter: draws; used by the thread that takes the frames.
        hurried: whether frames come as fast as they are taken, as tests want them;
            their times are those of the virtual table either way.

    Raises:
        SourceError: it is unplugged.
    """

    def __init__(
        self, table: VirtualTable, painter: Painter, hurried: bool = False
    ) -> None:
        if not table.plugged:
            raise SourceError(NAME, "is unplugged")
        self._table, self._painter, self._hurried = table, painter, hurried
        self._closed = threading.Event()

    def frames(self) -> Iterator[Frame]:
        """Yield frames as they come.

        Raises:
            SourceError: the camera was unplugged.
        """
        began, index = time.monotonic(), 0
        last: BgrImage | None = None
        while not self._closed.is_set():
            if not self._table.plugged:
                raise SourceError(NAME, f"gave no frame after {index} frames")
            shot, frozen = self._table.next_shot()
            if last is None or not frozen:
                last = self._painter.paint(shot)
            time_s = index / FRAMES_PER_S
            if not self._hurried:
                early_s = began + time_s - time.monotonic()
                if early_s > 0 and self._closed.wait(early_s):
                    return
                began -= min(0.0, early_s)  # a late frame is not made up for
            yield Frame(last, f"{NAME}#{index}", index, time_s)
            index += 1

    def close(self) -> None:
        """End the frames; safe to call twice and from another thread."""
        self._closed.set()


def virtual_plan(table: VirtualTable, painter: Painter) -> CameraPlan:
    """What the camera's thread opens, and opens again when it was unplugged."""
    open_it = partial(VirtualSource, table, painter)
    return CameraPlan(open_it, (SourceError,), NAME, Pace.DEVICE)
