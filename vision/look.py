"""What is seen of a die besides its face: its body, its light, whether it is cut."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from vision.picture_quality import DieLight, dice_light

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.body import Body
    from vision.ports import BgrImage

GRID = 9
"""Points a side at which a face is asked whether it is inside the picture."""
RIM = 0.1
"""Width of the rim in half sides: of a face that is cut the detector states what is
left, which ends at the border."""


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """What one frame shows of one die besides its face.

    Attributes:
        light: how it is lit and how sharp it is.
        inside: share of its face, and of a narrow rim, that is in the picture, 0..1.
        body: how it lies; None without a model for that.
    """

    light: DieLight
    inside: float = 1.0
    body: Body | None = None


def look_at(
    image: BgrImage,
    quads: NDArray[np.float64],
    crops: NDArray[np.uint8],
    bodies: tuple[Body, ...] | None,
) -> tuple[Look, ...]:
    """Put together what is seen of the dice of a picture.

    Args:
        image: (H, W, 3) uint8 BGR.
        quads: (N, 4, 2) corners in its pixels, clockwise.
        crops: (N, S, S, 3) uint8 BGR cut out by them for the face reader.
        bodies: how they lie; None if nobody looked.
    """
    seen: tuple[Body | None, ...] = bodies or (None,) * len(quads)
    height, width = image.shape[:2]
    middles = quads.mean(axis=1, keepdims=True)
    rims = middles + (1 + RIM) * (quads - middles)
    inside = shares_inside(rims, width, height)
    return tuple(
        Look(light, float(share), body)
        for light, share, body in zip(dice_light(crops), inside, seen, strict=True)
    )


def shares_inside(
    quads: NDArray[np.float64], width: int, height: int
) -> NDArray[np.float64]:
    """Which share of each quad is inside a picture: (N, 4, 2) to (N,)."""
    steps = np.linspace(0, 1, GRID)
    u, v = (a.ravel()[:, None] for a in np.meshgrid(steps, steps))
    q = quads[:, None]
    at = (1 - v) * ((1 - u) * q[:, :, 0] + u * q[:, :, 1])
    at = at + v * ((1 - u) * q[:, :, 3] + u * q[:, :, 2])
    inside = (at > -0.5).all(axis=2) & (at < [width - 0.5, height - 0.5]).all(axis=2)
    return np.asarray(inside.mean(axis=1), np.float64)
