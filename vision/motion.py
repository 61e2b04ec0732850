"""What changed between two small views of a scene, whatever the light did."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from vision.ports import BgrImage

View = NDArray[np.float32]
"""(h, w) float32: log2 of the brightness of a picture shrunk to `VIEW_WIDTH`."""

VIEW_WIDTH = 320
DARK = 16.0
"""Added to grey levels before the logarithm, so that noise in the dark stays small."""


@dataclass(frozen=True, slots=True)
class MotionLimits:
    """What counts as a change.

    Attributes:
        least_step: of local brightness, in octaves (0.15: about 11 %).
        noise_steps: ... and at least so many times the noise between the views.
        least_area: of changed pixels, in pixels of the view.
        spot_area: smaller spots are noise and do not count at all.
        body_step: change of brightness, in octaves, that something in front makes.
        hand_share: share of the view that a body must cover to be a hand or arm, if it
            reaches in over the border.
        huge_share: share from which it is none of our dice wherever it lies.
    """

    least_step: float = 0.15
    noise_steps: float = 7.0
    least_area: int = 12
    spot_area: int = 5
    body_step: float = 0.3
    hand_share: float = 0.035
    huge_share: float = 0.16


LIMITS = MotionLimits()


def view_of(image: BgrImage) -> View:
    """Shrink a picture to what motion is judged by.

    Args:
        image: (H, W, 3) uint8 BGR.
    """
    height = max(8, round(image.shape[0] * VIEW_WIDTH / image.shape[1]))
    small = cv2.resize(image, (VIEW_WIDTH, height), interpolation=cv2.INTER_AREA)
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.float32)
    blurred = cv2.GaussianBlur(np.log2(grey + DARK), (0, 0), 1.0)
    return np.asarray(blurred, np.float32)


def differ(one: View, other: View, limits: MotionLimits = LIMITS) -> bool:
    """Whether something moved between two views.

    A change of light makes everything in a neighbourhood brighter by the same factor:
    the logarithm turns that into a slow addition, which is taken away. What is left has
    to stand out of the noise and to cover an area.

    Args:
        one: a view.
        other: another; one of another size differs.
        limits: what counts.
    """
    if one.shape != other.shape:
        return True
    change = one - other
    change -= cv2.blur(change, (25, 25))
    size = np.abs(change)
    noise = 1.4826 * float(np.median(size))
    mask = (size > max(limits.least_step, limits.noise_steps * noise)).astype(np.uint8)
    if int(mask.sum()) < limits.least_area:
        return False
    areas = _areas(mask)
    return int(areas[areas >= limits.spot_area].sum()) >= limits.least_area


def _areas(mask: NDArray[np.uint8]) -> NDArray[np.intp]:
    """Areas of the connected spots of a mask."""
    _, _, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    return np.asarray(stats[1:, cv2.CC_STAT_AREA], np.intp)


def hand_in(view: View, still: View, limits: MotionLimits = LIMITS) -> bool:
    """Whether something large reaches into the scene that was not there before.

    Args:
        view: the scene now.
        still: the scene at rest, of the same size.
        limits: what counts.
    """
    if view.shape != still.shape:
        return False
    change = view - still
    change -= float(np.median(change))
    mask = (np.abs(change) > limits.body_step).astype(np.uint8)
    mask = np.asarray(
        cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8)), np.uint8
    )
    height, width = mask.shape
    _, _, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    for left, top, wide, high, area in stats[1:]:
        share = area / mask.size
        right, bottom = left + wide, top + high
        at_border = left <= 1 or top <= 1 or right >= width - 1 or bottom >= height - 1
        if share >= limits.huge_share or (at_border and share >= limits.hand_share):
            return True
    return False
