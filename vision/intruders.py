"""Hands, sleeves and things: what reaches into a scene that was not there before."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.motion import Mask, View, changed, exceeds, middle

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.reading import Quad


class Intruder(IntEnum):
    """What lies in a scene beside the dice; the greater, the more it forbids."""

    NONE = 0
    THING = 1
    HAND = 2


@dataclass(frozen=True, slots=True)
class BodyLimits:
    """What counts as a body in front of the scene.

    Attributes:
        step: change of brightness, in octaves, that something in front makes.
        sharp_share: share of its outline that must be sharp; a soft one is a shadow.
        reach_share: share of the view that a body must cover if it reaches in over the
            border; what is known to be dice does not count.
        middle_share: ... if it lies anywhere else.
        hand_share: share from which a body at the border is one before dice are known.
        huge_share: likewise, wherever it lies.
        thing_s: a body whose outline has lain still for so long is a thing; a hand
            never does.
        restless_share: share of the outline that moves if it does not lie still.
        dice_room: a die with its sides and its shadow, in sizes of its top face.
        apart_px: of the view; motion further than this from a body is not its own.
        touch_share: share of the view from which a body at the border has motion of
            its own; where one was `lately_s` ago, things may still move by it.
        free_area: pixels of the view; least motion that is free ...
        free_s: ... and for so long, before dice can have been thrown.
        most_free_share: more motion than this share of the view is the camera's own.
    """

    step: float = 0.3
    sharp_share: float = 0.5
    reach_share: float = 0.015
    middle_share: float = 0.04
    hand_share: float = 0.035
    huge_share: float = 0.16
    thing_s: float = 6.0
    restless_share: float = 0.1
    dice_room: float = 2.2
    touch_share: float = 0.004
    lately_s: float = 0.3
    apart_px: int = 14
    free_area: int = 20
    free_s: float = 0.2
    most_free_share: float = 0.25


LIMITS = BodyLimits()
MOST_PAUSE_S = 0.1
"""Free motion between two frames further apart counts as this long."""
SHARP_STEP = 0.5
"""An outline is sharp where the change jumps by this share of `step` in 7 pixels."""


class Intruders:
    """Follows what reaches into the scene, frame by frame.

    Args:
        limits: what counts.
    """

    def __init__(self, limits: BodyLimits = LIMITS) -> None:
        self._limits = limits
        self._last: View | None = None
        self._stirred_s: NDArray[np.float64] | None = None
        self._handled_s = np.zeros((0, 0))
        self._now_s = 0.0
        self._free_s = 0.0
        self._stirred = self._hand_seen = False

    @property
    def thrown(self) -> bool:
        """Whether things moved that no hand was at, since `forget_throw`."""
        untouched = self._stirred and not self._hand_seen
        return untouched or self._free_s >= self._limits.free_s - 1e-6

    def forget_throw(self) -> None:
        """Begin to watch for free motion anew."""
        self._free_s = 0.0
        self._stirred = self._hand_seen = False

    def blink(self) -> None:
        """Forget the last view: what changed since was not seen happening."""
        self._last = None

    def see(self, view: View, stills: Sequence[View], now_s: float) -> None:
        """Note what moves.

        Args:
            view: the scene now.
            stills: the scene without hands, as known; any number.
            now_s: time of the view.
        """
        pause_s = min(now_s - self._now_s, MOST_PAUSE_S)
        last, self._last, self._now_s = self._last, view, now_s
        if self._stirred_s is None or self._stirred_s.shape != view.shape[:2]:
            self._stirred_s = np.full(view.shape[:2], now_s)
            self._handled_s = np.full(view.shape[:2], -np.inf)
            return
        if last is None:
            return
        moving = changed(view, last)
        if not moving.any():
            return
        self._stirred_s[moving > 0], self._stirred = now_s, True
        if not any(still.shape == view.shape for still in stills):
            self._free_s += pause_s  # nothing to tell a hand by: all motion is free
            return
        limits = self._limits
        shares = (limits.touch_share, limits.middle_share)
        at_hand = _parts_at_border(moving)
        for body in self._bodies(view, stills, (), shares):
            at_hand |= body
            large = float(body.mean()) >= limits.reach_share
            self._hand_seen = self._hand_seen or large
        size = 2 * limits.apart_px + 1
        disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
        self._handled_s[cv2.dilate(at_hand, disc) > 0] = now_s
        handled = self._handled_s >= now_s - limits.lately_s
        area = int((moving.astype(bool) & ~handled).sum())
        if limits.free_area <= area < limits.most_free_share * handled.size:
            self._free_s += pause_s

    def hand(self, view: View, stills: Sequence[View]) -> bool:
        """Whether a hand seems to be in the scene, before any dice are known."""
        limits = self._limits
        shares = (limits.hand_share, limits.huge_share)
        return any(
            self._kind(body) is Intruder.HAND
            for body in self._bodies(view, stills, (), shares)
        )

    def suspected(self, view: View, stills: Sequence[View]) -> bool:
        """Whether there is anything that may be a hand, dice in a heap included."""
        limits = self._limits
        shares = (limits.reach_share, limits.middle_share)
        return bool(self._bodies(view, stills, (), shares))

    def judge(
        self,
        view: View,
        stills: Sequence[View],
        dice: Sequence[Quad],
        width_px: int,
    ) -> Intruder:
        """Tell what lies there beside the dice.

        Args:
            view: the scene now.
            stills: the scene without hands, as known; any number.
            dice: top faces in the picture, which do not count.
            width_px: width of the picture.
        """
        limits = self._limits
        scale = view.shape[1] / width_px
        room = [_room(quad, scale, limits.dice_room) for quad in dice]
        shares = (limits.reach_share, limits.middle_share)
        bodies = self._bodies(view, stills, room, shares)
        return max((self._kind(body) for body in bodies), default=Intruder.NONE)

    def _kind(self, body: Mask) -> Intruder:
        """A thing if its outline has lain still for long, else a hand."""
        if self._stirred_s is None or self._stirred_s.shape != body.shape:
            return Intruder.HAND
        wide = cv2.dilate(body, np.ones((5, 5), np.uint8))
        narrow = cv2.erode(body, np.ones((3, 3), np.uint8))
        outline = (wide > 0) & (narrow == 0)
        recent = self._stirred_s[outline] > self._now_s - self._limits.thing_s
        restless = float(recent.mean()) > self._limits.restless_share
        return Intruder.HAND if restless else Intruder.THING

    def _bodies(
        self,
        view: View,
        stills: Sequence[View],
        room: Sequence[NDArray[np.int32]],
        shares: tuple[float, float],
    ) -> list[Mask]:
        """Masks of the bodies at the border and elsewhere from such shares on.

        A pixel belongs to a body if it differs from all that is known of the scene: a
        place from which a thing was taken away looks like the scene before it came.
        """
        known = [still for still in stills if still.shape == view.shape]
        if not known:
            return []
        changes = [view - still for still in known]
        changes = [change - middle(change) for change in changes]
        mask = np.ones(view.shape[:2], np.uint8)
        for change in changes:
            mask &= exceeds(np.abs(change), self._limits.step)
        square = np.ones((5, 5), np.uint8)
        mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, square), np.uint8)
        for hull in room:
            cv2.fillConvexPoly(mask, hull, 0)
        return [
            body
            for body in _large_parts(mask, shares)
            if any(self._sharp(body, change) for change in changes)
        ]

    def _sharp(self, body: Mask, change: View) -> bool:
        """Whether most of the outline is a step and not a slope."""
        square = np.ones((7, 7), np.uint8)
        jumps = cv2.dilate(change, square) - cv2.erode(change, square)
        inner = cv2.erode(body, np.ones((3, 3), np.uint8), borderValue=1)
        outline = (body > 0) & (inner == 0)
        if not outline.any():
            return True  # it covers the whole view
        sharp = jumps[outline].max(axis=1) > SHARP_STEP * self._limits.step
        return float(sharp.mean()) >= self._limits.sharp_share


def _parts_at_border(mask: Mask) -> Mask:
    """The connected parts of a mask that touch the border of the view."""
    _, labels = cv2.connectedComponents(mask, connectivity=8)
    edges = (labels[:2], labels[-2:], labels[:, :2], labels[:, -2:])
    touching = np.zeros(int(labels.max()) + 1, bool)
    for edge in edges:
        touching[np.unique(edge)] = True
    touching[0] = False
    return np.asarray(touching[labels], np.uint8)


def _large_parts(mask: Mask, shares: tuple[float, float]) -> list[Mask]:
    """Connected parts: from the first share on at the border, else the second."""
    height, width = mask.shape
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    parts = []
    for number, (left, top, wide, high, area) in enumerate(stats):
        right, bottom = left + wide, top + high
        at_border = left <= 1 or top <= 1 or right >= width - 1 or bottom >= height - 1
        least = min(shares) if at_border else shares[1]
        if number and area >= least * mask.size:
            parts.append(np.asarray(labels == number, np.uint8))
    return parts


def _room(quad: Quad, scale: float, size: float) -> NDArray[np.int32]:
    """Corners in the view of a quad made larger."""
    corners = np.array(quad, np.float64)
    middle = corners.mean(axis=0)
    larger = (middle + (corners - middle) * size) * scale
    return np.asarray(np.rint(larger), np.int32)
