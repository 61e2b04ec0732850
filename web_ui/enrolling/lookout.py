"""When to look: the picture has come to rest, and something moved since the last."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vision.motion import differ, view_of

if TYPE_CHECKING:
    from vision.motion import View
    from vision.ports import Frame

STILL_S = 0.3
"""Nothing moves for so long before a picture is taken."""
AGAIN_S = 1.0
"""A picture in which nothing could be taken is looked at again after so long: light
and focus change without anything moving."""


class Lookout:
    """Tells which frames are worth a look.

    Args:
        still_s: how long nothing may move.
        again_s: pause between looks at a scene from which nothing could be taken.
    """

    def __init__(self, still_s: float = STILL_S, again_s: float = AGAIN_S) -> None:
        self._still_s, self._again_s = still_s, again_s
        self._before: View | None = None
        self._since_s = 0.0
        self._taken: View | None = None
        self._look_after_s = 0.0
        self._waits = False
        self.moves = False
        """Whether something moves now."""

    def worth(self, frame: Frame) -> bool:
        """Whether to look at this frame; call it with every frame in turn."""
        view = view_of(frame.image)
        before, self._before = self._before, view
        if before is None or differ(before, view):
            self._since_s, self.moves = frame.time_s, True
            self._waits = False
            self._look_after_s = 0.0
            return False
        if frame.time_s < self._since_s:  # another source, with a clock of its own
            self._since_s = frame.time_s
        if frame.time_s - self._since_s < self._still_s:
            return False
        self.moves = False
        if self._waits or frame.time_s < self._look_after_s:
            return False
        if self._taken is not None and not differ(self._taken, view):
            self._waits = True  # as it was when it was taken: a hand came and went
            return False
        return True

    def took(self, frame: Frame) -> None:
        """Something was taken from this frame: wait until something moved."""
        self._taken, self._waits = view_of(frame.image), True

    def refused(self, frame: Frame) -> None:
        """Nothing could be taken: look again a little later."""
        self._look_after_s = frame.time_s + self._again_s

    def forget(self) -> None:
        """Look at the next still picture, whatever was taken before."""
        self._taken, self._waits, self._look_after_s = None, False, 0.0
