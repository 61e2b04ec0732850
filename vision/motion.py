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
"""(h, w, 3) float32: log2 of blue, green and red of a picture shrunk to `VIEW_WIDTH`.

Colour counts: a hand is often just as bright as the table it reaches over.
"""

VIEW_WIDTH = 320
DARK = 16.0
"""Added to grey levels before the logarithm, so that noise in the dark stays small."""


Mask = NDArray[np.uint8]
"""(h, w) uint8: 1 where something is the case, of the size of a view."""

DARK_GREY = 40.0
"""A picture of which hardly a pixel is brighter than this grey level is dark."""
DIM_GREY = 70.0
"""... and so is one of which hardly a pixel is brighter than this ..."""
DIM_STEP = 1.2
"""... if the scene was once brighter by so many octaves."""
BRIGHTEST = 99.5
"""Percentile that stands for the brightest things, which dice mostly are."""


@dataclass(frozen=True, slots=True)
class MotionLimits:
    """What counts as a change.

    Attributes:
        least_step: of local brightness, in octaves (0.15: about 11 %).
        colour_step: likewise, of a single colour, which codecs treat more roughly.
        noise_steps: ... and at least so many times the noise between the views ...
        most_step: ... but this in any case: if most of the view changed, that is not
            noise.
        least_area: of changed pixels, in pixels of the view.
        spot_area: smaller spots are noise and do not count at all.
    """

    least_step: float = 0.15
    colour_step: float = 0.4
    noise_steps: float = 7.0
    most_step: float = 0.6
    least_area: int = 12
    spot_area: int = 5


LIMITS = MotionLimits()


_LOG2 = np.log2(np.arange(256, dtype=np.float32) + np.float32(DARK))


def view_of(image: BgrImage) -> View:
    """Shrink a picture to what motion is judged by.

    Args:
        image: (H, W, 3) uint8 BGR.
    """
    height = max(8, round(image.shape[0] * VIEW_WIDTH / image.shape[1]))
    small = cv2.resize(image, (VIEW_WIDTH, height), interpolation=cv2.INTER_AREA)
    blurred = cv2.GaussianBlur(_LOG2[small], (0, 0), 1.0)
    return np.asarray(blurred, np.float32)


def middle(values: View) -> NDArray[np.float32]:
    """Median of each channel, from one pixel in nine: (h, w, 3) to (3,)."""
    some = values[::3, ::3].reshape(-1, values.shape[2])
    return np.asarray(np.median(some, axis=0), np.float32)


def exceeds(size: View, least: float | NDArray[np.float32]) -> Mask:
    """Where any channel is above `least`, which may differ by channel."""
    above = size > least
    # a reduction over an axis of three is many times slower than this
    return np.asarray(above[..., 0] | above[..., 1] | above[..., 2], np.uint8)


def is_dark(view: View, usual: View | None = None) -> bool:
    """Whether there is too little light to judge anything.

    Args:
        view: the scene now.
        usual: the scene in good light, if it is known.
    """
    brightest = float(np.percentile(view[::2, ::2].mean(axis=2), BRIGHTEST))
    if brightest < np.log2(DARK_GREY + DARK):
        return True
    if usual is None or brightest >= np.log2(DIM_GREY + DARK):
        return False
    return float((middle(usual) - middle(view)).mean()) > DIM_STEP


def changed(one: View, other: View, limits: MotionLimits = LIMITS) -> Mask:
    """Where something moved between two views.

    A change of light makes everything in a neighbourhood brighter by the same factor:
    the logarithm turns that into a slow addition, which is taken away. What is left has
    to stand out of the noise and to be more than a spot.

    Args:
        one: a view.
        other: another of the same size.
        limits: what counts.

    Returns:
        (h, w).
    """
    change = one - other
    change -= cv2.blur(change, (25, 25))
    size = np.abs(change)
    noise = 1.4826 * middle(size)
    least = np.clip(limits.noise_steps * noise, limits.colour_step, limits.most_step)
    mask = exceeds(size, least)
    grey = np.abs(change[..., 0] + change[..., 1] + change[..., 2]) / np.float32(3)
    faint = limits.noise_steps * 1.4826 * float(np.median(grey[::3, ::3]))
    mask |= grey > float(np.clip(faint, limits.least_step, limits.most_step))
    if int(mask.sum()) < limits.spot_area:
        return np.zeros_like(mask)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    large = stats[:, cv2.CC_STAT_AREA] >= limits.spot_area
    large[0] = False
    return np.asarray(large[labels], np.uint8)


def differ(one: View, other: View, limits: MotionLimits = LIMITS) -> bool:
    """Whether something moved between two views, see `changed`.

    Args:
        one: a view.
        other: another; one of another size differs.
        limits: what counts.
    """
    if one.shape != other.shape:
        return True
    return int(changed(one, other, limits).sum()) >= limits.least_area
