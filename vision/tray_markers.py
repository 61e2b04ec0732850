"""Noticing by its markers that the printed sheet, or the camera over it, was moved."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.camera_nudge import LEAST_MOVE_PX, UNKNOWN, Look, Sight
from vision.picture_motion import farthest_px
from vision.tray_sheet import LEAST_MARKERS, seek_markers

if TYPE_CHECKING:
    from vision.picture_motion import Floats, Grey

REACH_PX = 1.5
"""Corners of markers that are further off than this do not agree."""


class MarkerView:
    """The markers of the calibrated view, and where they are now.

    Args:
        grey: (h, w) uint8 as `vision.camera_nudge.grey_view` makes it.
    """

    def __init__(self, grey: Grey) -> None:
        self._shape = grey.shape
        self._markers = seek_markers(grey)

    @property
    def watchable(self) -> bool:
        """Whether enough markers were seen."""
        return len(self._markers) >= LEAST_MARKERS

    def look(self, grey: Grey, believed: Floats | None = None) -> Look:
        """Compare the markers now with those of the reference.

        Args:
            grey: (h, w) uint8, of the reference's size.
            believed: (3, 3) how the camera is known to have moved; None if not at all.

        Returns:
            Unknown if fewer than two of them are seen or if they do not agree.
        """
        if grey.shape != self._shape or not self.watchable:
            return UNKNOWN
        seen = seek_markers(grey)
        common = [number for number in self._markers if number in seen]
        if len(common) < LEAST_MARKERS:
            return UNKNOWN
        before = np.concatenate([self._markers[number] for number in common])
        now = np.concatenate([seen[number] for number in common])
        motion, inside = cv2.findHomography(before, now, cv2.RANSAC, REACH_PX)
        if motion is None or np.sum(inside) < 0.75 * len(before):
            return UNKNOWN
        exact = np.asarray(motion, np.float64)
        known = np.eye(3) if believed is None else believed
        there = cv2.perspectiveTransform(before.reshape(-1, 1, 2), known)
        off = float(np.median(np.linalg.norm(now - there.reshape(-1, 2), axis=1)))
        height, width = grey.shape
        step = np.linalg.inv(known) @ exact
        share = len(common) / len(self._markers)
        if off <= LEAST_MOVE_PX or farthest_px(step, width, height) <= LEAST_MOVE_PX:
            return Look(Sight.STILL, known, share)
        return Look(Sight.MOVED, exact, share)
