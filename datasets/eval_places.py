"""Where labelled dice are, and how large."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from datasets.eval_labels import LabelError
from datasets.eval_matching import Place

if TYPE_CHECKING:
    from datasets.eval_labels import LabelledDie, LabelledPicture
    from vision.ports import BgrImage

FILLS = 0.98
"""A single place that covers so much of a picture is the picture itself."""


def with_size(
    label: LabelledPicture, image: BgrImage, shrunk: float = 1.0
) -> LabelledPicture:
    """A label that knows how large its picture is.

    Args:
        label: of the picture.
        image: as it was read.
        shrunk: pixels of the file per pixel of `image`.

    Raises:
        LabelError: it says another size: then its places mean something else.
    """
    width, height = image.shape[1] * shrunk, image.shape[0] * shrunk
    if not (label.width and label.height):
        return replace(label, width=width, height=height)
    # shrinking rounds to whole pixels
    if max(abs(label.width - width), abs(label.height - height)) > shrunk:
        raise LabelError(
            f"{label.path}: has {width:.0f} x {height:.0f} pixels,"
            f" its label says {label.width:.0f} x {label.height:.0f}"
        )
    return label


def is_crop(label: LabelledPicture) -> bool:
    """Whether one face fills the picture."""
    if len(label.dice) != 1 or label.throws:
        return False
    x0, y0, x1, y1 = place_of(label.dice[0]).upright(label.width, label.height)
    wide = min(x1, label.width) - max(x0, 0)
    high = min(y1, label.height) - max(y0, 0)
    return wide > 0 < high and wide * high >= FILLS * label.width * label.height


def place_of(die: LabelledDie) -> Place:
    """Where a labelled die is."""
    return Place(die.quad, die.box)


def side_px(place: Place, width: float, height: float) -> float:
    """Mean side of a place in pixels."""
    if place.quad is not None:
        corners = np.array(place.quad)
        sides = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1)
        return float(sides.mean())
    x0, y0, x1, y1 = place.upright(width, height)
    return (x1 - x0 + y1 - y0) / 2
