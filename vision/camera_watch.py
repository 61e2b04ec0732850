"""Whether the camera still stands where the tray was set, over time."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

from vision.camera_nudge import Sight, View
from vision.picture_motion import farthest_px
from vision.tray import TrayError, TrayOrigin
from vision.tray_markers import MarkerView

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.camera_nudge import Look
    from vision.picture_motion import Floats, Grey
    from vision.reading import Quad
    from vision.tray import Tray


class Standing(StrEnum):
    """How the camera stands to the tray."""

    UNWATCHED = "unwatched"
    STEADY = "steady"
    FOLLOWED = "followed"
    MOVED = "moved"
    LOST = "lost"


ASKING = frozenset({Standing.MOVED, Standing.LOST})
"""While the camera stands so, nothing that is read is sure."""


@dataclass(frozen=True, slots=True)
class Care:
    """How careful to be, in looks, seconds and shares.

    Attributes:
        look_s: time between two looks.
        moved_looks: looks that must agree on a move ...
        moved_s: ... over so long.
        agree_px: how far apart they may put a corner, in pixels of the small view.
        back_looks: looks after which a camera stands still again.
        lost_s: so long nothing of the view may be found until it counts as lost.
        farthest: share of the width up to which a move is followed unasked ...
        strong: ... if this share of what was there is found again ...
        least_inside: ... and so much of the tray is still in the picture.
    """

    look_s: float = 0.4
    moved_looks: int = 3
    moved_s: float = 0.8
    agree_px: float = 1.5
    back_looks: int = 2
    lost_s: float = 8.0
    farthest: float = 0.12
    strong: float = 0.4
    least_inside: float = 0.97


CARE = Care()


class CameraWatch:
    """Compares what the camera sees with the view in which the tray was set.

    Args:
        tray: as it was set.
        grey: (h, w) uint8, the view in which it was set, as `grey_view` makes it.
        dice: quads of dice that lay there, in pixels of `grey`.
        care: how careful to be.

    Attributes:
        tray: where it is now; the one that was set, or moved with the picture.
        standing: how the camera stands.
        moves: how often it was followed or asked about.
    """

    def __init__(
        self,
        tray: Tray,
        grey: Grey,
        dice: Sequence[Quad] = (),
        care: Care = CARE,
    ) -> None:
        self._set = tray
        self._care = care
        self._scale = tray.width_px / grey.shape[1]
        self._view = View(grey, dice)
        self._markers = MarkerView(grey) if tray.origin is TrayOrigin.SHEET else None
        self._believed: Floats = np.eye(3)
        self._candidate: Floats | None = None
        self._agreed = 0
        self._since_s = 0.0
        self._still = 0
        self._unlike_since_s: float | None = None
        self._next_s = float("-inf")
        self.tray = tray
        self.standing = Standing.STEADY if self.watchable else Standing.UNWATCHED
        self.moves = 0

    @property
    def watchable(self) -> bool:
        """Whether there is enough to see beside the dice."""
        marked = self._markers is not None and self._markers.watchable
        return marked or self._view.watchable

    @property
    def motion(self) -> Floats:
        """(3, 3), how the picture moved since the tray was set, in its own pixels."""
        return self._full(self._believed)

    def due(self, now_s: float) -> bool:
        """Whether it is time for another look."""
        return self.watchable and now_s >= self._next_s

    def look(self, grey: Grey) -> Look:
        """Compare a view with the one of the tray, and draw no conclusion."""
        if self._markers is not None:
            seen = self._markers.look(grey, self._believed)
            if seen.sight is not Sight.UNKNOWN:
                return seen
        return self._view.look(grey, self._believed)

    def note(self, look: Look, now_s: float) -> None:
        """Take a look into account.

        Args:
            look: what it showed.
            now_s: when; must not run backwards.
        """
        self._next_s = now_s + self._care.look_s
        if look.sight is not Sight.UNLIKE:
            self._unlike_since_s = None
        match look.sight:
            case Sight.STILL:
                self._note_still()
            case Sight.MOVED:
                self._note_moved(look, now_s)
            case Sight.UNLIKE:
                self._note_unlike(now_s)
            case Sight.UNKNOWN:
                pass

    def step(self, look: Look) -> Floats | None:
        """How the picture moved since the tray was found last, in its own pixels.

        Returns:
            (3, 3); None if the look shows no move.
        """
        if look.sight is not Sight.MOVED or look.motion is None:
            return None
        return self._full(look.motion @ np.linalg.inv(self._believed))

    def _note_still(self) -> None:
        self._candidate, self._still = None, self._still + 1
        if self.standing in ASKING and self._still >= self._care.back_looks:
            self.standing = Standing.STEADY

    def _note_moved(self, look: Look, now_s: float) -> None:
        motion = look.motion
        if motion is None:
            return
        self._still = 0
        if self._candidate is None or self._apart_px(motion) > self._care.agree_px:
            self._candidate, self._agreed, self._since_s = motion, 1, now_s
            return
        self._agreed += 1
        if self._agreed < self._care.moved_looks:
            return
        # what stands for long as it was asked about is not told again and again
        if now_s - self._since_s >= self._care.moved_s - 0.0005:
            self._conclude(motion, look.share)

    def _apart_px(self, motion: Floats) -> float:
        if self._candidate is None:
            return float("inf")
        height, width = self._view.grey.shape
        step = np.linalg.inv(self._candidate) @ motion
        return farthest_px(step, width, height)

    def _conclude(self, motion: Floats, share: float) -> None:
        """Follow a move, or ask about it."""
        follows = self._followed(motion, share)
        if follows is None:
            self.moves += self.standing is not Standing.MOVED
            self.standing = Standing.MOVED
            return
        self._believed, self._candidate = motion, None
        self.tray, self.standing = follows, Standing.FOLLOWED
        self.moves += 1

    def _followed(self, motion: Floats, share: float) -> Tray | None:
        """The tray moved with the picture; None if that is too bold."""
        height, width = self._view.grey.shape
        far = farthest_px(motion, width, height)
        if share < self._care.strong or far > self._care.farthest * width:
            return None
        try:
            moved = self._set.moved(self._full(motion))
        except TrayError:
            return None
        inside = moved.inside_share / max(self._set.inside_share, 1e-9)
        return moved if inside >= self._care.least_inside else None

    def _note_unlike(self, now_s: float) -> None:
        self._candidate, self._still = None, 0
        if self._unlike_since_s is None:
            self._unlike_since_s = now_s
        elif now_s - self._unlike_since_s >= self._care.lost_s:
            self.moves += self.standing is not Standing.LOST
            self.standing = Standing.LOST

    def _full(self, motion: Floats) -> Floats:
        """A motion of the small view in pixels of the tray's picture."""
        s = self._scale
        # (x + 0.5) * s - 0.5: scaling keeps edges, not centres of pixels, in place
        grow = np.array([(s, 0, s / 2 - 0.5), (0, s, s / 2 - 0.5), (0, 0, 1.0)])
        full: Floats = grow @ motion @ np.linalg.inv(grow)
        return full


def fitted_quads(dice: Sequence[Quad], scale: float) -> tuple[Quad, ...]:
    """Quads in pixels of a picture `scale` times as large."""
    fitted = []
    for quad in dice:
        corners = (np.array(quad) + 0.5) * scale - 0.5
        a, b, c, d = ((float(x), float(y)) for x, y in corners)
        fitted.append((a, b, c, d))
    return tuple(fitted)
