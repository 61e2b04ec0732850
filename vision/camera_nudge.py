"""Noticing that the camera was nudged, from what lies still around the dice."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.picture_motion import (
    Floats,
    Grey,
    apart_px,
    describe,
    match_described,
    project,
    square,
    unmoved,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.picture_motion import Described
    from vision.ports import BgrImage
    from vision.reading import Quad


VIEW_PX = 640
"""Width of the grey pictures that are compared."""
PATCH_PX = 17
"""Side of the patches that are looked for."""
REACH_PX = 8
"""How far from its place a patch is looked for first."""
MOST_PATCHES = 96
ALIKE = 0.75
"""Correlation from which a patch is the one that was there, whatever the light."""
SAME_PX = 0.75
"""A patch that is no further off is where it was; so exact is the agreement too."""
LEAST_MOVE_PX = 1.25
"""A move that takes no corner of the picture further is none."""
LEAST_STILL = 6
"""Patches in their places from which the camera stands still, if nothing says more."""
LEAST_AGREEING = 10
"""Patches that must agree before anything is said of the camera ..."""
LEAST_CELLS = 4
"""... and in so many of the 4 x 3 parts of the picture: more than one thing holds."""
OUTVOTED = 2.0
"""A move must explain so many times as many patches as standing still does."""
STRONG_SHARE = 0.4
"""Share of the patches that must agree before a move is followed unasked."""
DARK_LEVEL = 22.0
"""Below this mean grey level nothing is said."""
LEAST_SPREAD = 4.0
"""Nor where the grey levels spread less: a cap on the lens, or white light."""


class Sight(StrEnum):
    """What one look says of the camera."""

    STILL = "still"
    MOVED = "moved"
    UNLIKE = "unlike"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """One look at whether the camera stands where it stood.

    Attributes:
        sight: still; moved; unlike (nothing of the view is found again, though it is
            bright enough); or unknown.
        motion: (3, 3), from pixels of the reference to those of now, both as large as
            the pictures given; None unless still or moved.
        share: of the patches that agree, 0..1.
    """

    sight: Sight
    motion: Floats | None = None
    share: float = 0.0


UNKNOWN = Look(Sight.UNKNOWN)


def grey_view(image: BgrImage) -> Grey:
    """Shrink a picture to what is compared.

    Args:
        image: (H, W, 3) uint8 BGR.

    Returns:
        (h, w) uint8, at most `VIEW_PX` wide.
    """
    height, width = image.shape[:2]
    if width > VIEW_PX:
        size = (VIEW_PX, max(1, round(height * VIEW_PX / width)))
        image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA))
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)


class View:
    """The calibrated view: what it showed, and whether it is still seen so.

    Args:
        grey: (h, w) uint8 as `grey_view` makes it.
        dice: quads of dice that lay there, in pixels of `grey`; they are not looked
            at, for they will not stay.
    """

    def __init__(self, grey: Grey, dice: Sequence[Quad] = ()) -> None:
        self.grey = grey
        self._points = _places(grey, dice)
        self._patches = [_cut(grey, x, y) for x, y in self._points]
        self._described: Described | None = None

    @property
    def watchable(self) -> bool:
        """Whether there is enough to see beside the dice."""
        return (
            len(self._points) >= 2 * LEAST_AGREEING
            and _cells(self._points, self.grey.shape) >= LEAST_CELLS
        )

    def look(self, grey: Grey, believed: Floats | None = None) -> Look:
        """Compare the scene now with the reference.

        Args:
            grey: (h, w) uint8, of the reference's size.
            believed: (3, 3) how the camera is known to have moved since the reference,
                in pixels of `grey`; None if not at all.

        Returns:
            Its motion is in pixels of `grey`.
        """
        if grey.shape != self.grey.shape or not self.watchable or _blind(grey):
            return UNKNOWN
        before = np.eye(3) if believed is None else believed
        there = project(self._points, before)
        near = self._matches(grey, there, REACH_PX)
        still = self._agreeing(near, there)
        motion, agreeing = self._fit(near)
        if self._holds(motion, agreeing):
            if not self._differs(motion, before, agreeing, grey.shape):
                return self._said(Sight.STILL, before, agreeing)
            against = np.setdiff1d(still, agreeing)
            if len(agreeing) >= OUTVOTED * len(against):
                return self._said(Sight.MOVED, motion, agreeing)
        if len(still) >= LEAST_STILL:
            return self._said(Sight.STILL, before, still)
        return self._far(grey) or (
            Look(Sight.UNLIKE) if len(still) < LEAST_STILL // 2 else UNKNOWN
        )

    def _differs(
        self,
        motion: Floats,
        before: Floats,
        agreeing: NDArray[np.intp],
        shape: tuple[int, ...],
    ) -> bool:
        """Whether a motion is more than the patches' inexactness.

        Seen both where the patches are and at the corners: a few patches close to each
        other tell little of the far side of the picture.
        """
        points = self._points[agreeing]
        off = project(points, motion) - project(points, before)
        usual = float(np.median(np.linalg.norm(off, axis=1)))
        return usual > SAME_PX and apart_px(motion, before, shape) > LEAST_MOVE_PX

    def _said(self, sight: Sight, motion: Floats, agreeing: NDArray[np.intp]) -> Look:
        return Look(sight, motion, len(agreeing) / max(1, len(self._points)))

    def _matches(self, grey: Grey, there: Floats, reach: int) -> Floats:
        """Where each patch is now; NaN where it is not seen.

        Args:
            grey: the scene now.
            there: (N, 2) where the patches are believed to be.
            reach: how far from there they are looked for.
        """
        found = np.full((len(there), 2), np.nan)
        half = PATCH_PX // 2
        height, width = grey.shape
        for k, ((x, y), patch) in enumerate(zip(there, self._patches, strict=True)):
            left, top = round(float(x)) - half - reach, round(float(y)) - half - reach
            side = PATCH_PX + 2 * reach
            if left < 0 or top < 0 or left + side > width or top + side > height:
                continue
            window = grey[top : top + side, left : left + side]
            if int(window.max()) - int(window.min()) < 6:
                continue
            alike = cv2.matchTemplate(window, patch, cv2.TM_CCOEFF_NORMED)
            _, best, _, (px, py) = cv2.minMaxLoc(alike)
            if best >= ALIKE:
                dx, dy = _peak(np.asarray(alike, np.float64), px, py)
                found[k] = (left + half + px + dx, top + half + py + dy)
        return found

    @staticmethod
    def _agreeing(found: Floats, there: Floats) -> NDArray[np.intp]:
        """Which patches are where they are believed to be."""
        off = np.linalg.norm(found - there, axis=1)
        return np.flatnonzero(np.nan_to_num(off, nan=1e9) <= SAME_PX)

    def _fit(self, found: Floats) -> tuple[Floats, NDArray[np.intp]]:
        """The one motion that most patches agree on, and which these are."""
        seen = np.flatnonzero(~np.isnan(found[:, 0]))
        nothing = (np.eye(3), seen[:0])
        if len(seen) < LEAST_AGREEING:
            return nothing
        affine, inside = cv2.estimateAffinePartial2D(
            self._points[seen],
            found[seen],
            method=cv2.RANSAC,
            ransacReprojThreshold=SAME_PX,
            maxIters=300,
            confidence=0.99,
        )
        if affine is None or not np.isfinite(affine).all():
            return nothing
        return square(np.asarray(affine)), seen[np.ravel(inside).astype(bool)]

    def _holds(self, motion: Floats, agreeing: NDArray[np.intp]) -> bool:
        """Whether enough patches agree, in enough places, on a sane motion."""
        if len(agreeing) < LEAST_AGREEING:
            return False
        scale = float(np.hypot(motion[0, 0], motion[1, 0]))
        spread = _cells(self._points[agreeing], self.grey.shape)
        return 0.7 < scale < 1.4 and spread >= LEAST_CELLS

    def _far(self, grey: Grey) -> Look | None:
        """Look for a move too large for the patches' reach, by described corners."""
        described = describe(grey)
        if self._described is None:
            self._described = describe(self.grey)
        motion = match_described(self._described, described)
        if motion is None:
            return None
        # described corners only propose; the patches decide
        near = self._matches(unmoved(grey, motion), self._points, 4)
        finer, agreeing = self._fit(near)
        if not self._holds(finer, agreeing):
            return None
        return self._said(Sight.MOVED, motion @ finer, agreeing)


def _blind(grey: Grey) -> bool:
    """Whether it is too dark, or there is nothing to see."""
    return float(grey.mean()) < DARK_LEVEL or float(grey.std()) < LEAST_SPREAD


def _places(grey: Grey, dice: Sequence[Quad]) -> Floats:
    """Corners of the scene, spread over the picture, away from dice and border."""
    height, width = grey.shape
    mask = np.zeros((height, width), np.uint8)
    rim = PATCH_PX // 2 + REACH_PX + 2
    if height <= 2 * rim or width <= 2 * rim:
        return np.zeros((0, 2))
    mask[rim:-rim, rim:-rim] = 255
    for quad in dice:
        corners = np.array(quad)
        middle = corners.mean(axis=0)
        grown = middle + (corners - middle) * 2.2
        cv2.fillConvexPoly(mask, np.round(grown).astype(np.int32), (0,))
    evened = cv2.createCLAHE(2.0, (8, 8)).apply(grey)
    points: list[Floats] = []
    # so many from each part: one patterned cloth must not have all the votes
    for rows in np.array_split(np.arange(height), 6):
        for columns in np.array_split(np.arange(width), 8):
            part = np.zeros_like(mask)
            window = (slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1))
            part[window] = mask[window]
            if not part.any():
                continue
            corners = cv2.goodFeaturesToTrack(
                evened[window], MOST_PATCHES // 48, 0.05, 10, mask=part[window]
            )
            if corners is None:
                continue
            at = np.asarray(corners, np.float64).reshape(-1, 2)
            at = np.round(at + (columns[0], rows[0]))
            points.extend(at)
    kept = [p for p in points if _cut(grey, p[0], p[1]).std() >= 4.0]
    return np.array(kept, np.float64).reshape(-1, 2)


def _cut(grey: Grey, x: float, y: float) -> Grey:
    half = PATCH_PX // 2
    column, row = round(float(x)), round(float(y))
    patch = grey[row - half : row + half + 1, column - half : column + half + 1]
    return np.ascontiguousarray(patch)


def _peak(alike: Floats, x: int, y: int) -> tuple[float, float]:
    """The summit between pixels: a parabola through the neighbours each way."""
    return _summit(alike[y], x), _summit(alike[:, x], y)


def _summit(line: Floats, k: int) -> float:
    if not 0 < k < len(line) - 1:
        return 0.0
    bend = line[k - 1] - 2 * line[k] + line[k + 1]
    return (
        float(np.clip((line[k - 1] - line[k + 1]) / (2 * bend), -0.5, 0.5))
        if (bend < 0)
        else 0.0
    )


def _cells(points: Floats, shape: tuple[int, ...]) -> int:
    """How many of the 4 x 3 parts of the picture hold a point."""
    if not len(points):
        return 0
    column = np.clip(points[:, 0] * 4 // shape[1], 0, 3)
    row = np.clip(points[:, 1] * 3 // shape[0], 0, 2)
    return len(set(zip(column.tolist(), row.tolist(), strict=True)))
