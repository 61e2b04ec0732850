"""How each die lies beneath its face, as a small network sees it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from vision.body_crops import axes, cut_bodies, to_pixels
from vision.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.ports import BgrImage, Network

Floats = NDArray[np.float64]

OUTPUT_NAMES = (
    "middle_x",
    "middle_y",
    "first_x",
    "first_y",
    "second_x",
    "second_y",
    "foot_x",
    "foot_y",
    "quad_log_spread",
    "foot_log_spread",
    "covered",
    "stacked",
    "printed",
)
"""What the network states, as its card lists it."""

BATCH = 9
"""Cut-outs a network call: one shape is compiled once, and nine are a roll."""

SQUARE = np.array([-0.5 - 0.5j, 0.5 - 0.5j])
"""First two corners of a square of side 1 about 0."""

LEAST_LOG, MOST_LOG = -4.5, 1.0
"""Bounds of the log spreads, as in training."""


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """What is seen of one die besides its face.

    Attributes:
        quad: (4, 2) corners of the face in the picture, clockwise; more exact than the
            detector's.
        foot: (2,) way from the middle of the face to the middle of the side opposite,
            in sides of the face: x right, y down in the picture.
        quad_spread: likely error of a coordinate of the quad, in sides.
        foot_spread: likely error of a coordinate of the foot, in sides.
        covered: probability that a part of the face is hidden or cut off.
        stacked: probability that the die stands on another.
        printed: probability that there is no die beneath the face.
    """

    quad: Floats
    foot: Floats
    quad_spread: float
    foot_spread: float
    covered: float
    stacked: float
    printed: float


class BodyReader:
    """A reader of bodies on a small convolutional network.

    Args:
        network: (N, 3, crop_px, crop_px) to (N, 13), see `OUTPUT_NAMES`.
        crop_px: side of the cut-outs.
        name: name and hash of the model.
    """

    def __init__(self, network: Network, crop_px: int, name: str) -> None:
        self._network = network
        self.crop_px = crop_px
        self.name = name

    def read(self, image: BgrImage, quads: Floats) -> tuple[Body, ...]:
        """Look at dice whose faces were found.

        Args:
            image: (H, W, 3) uint8 BGR.
            quads: (N, 4, 2) corners in its pixels, clockwise; N may be 0.

        Raises:
            ModelError: the network's output has another shape, or is not finite.
        """
        if not len(quads):
            return ()
        crops = cut_bodies(image, quads, self.crop_px)
        return decode_bodies(self.raw(crops), quads)

    def raw(self, crops: NDArray[np.uint8]) -> NDArray[np.float32]:
        """What the network says of cut-outs.

        Args:
            crops: (N, crop_px, crop_px, 3) uint8 BGR, see `vision.body_crops`; N > 0.

        Returns:
            (N, 13), see `OUTPUT_NAMES`.

        Raises:
            ModelError: the network's output has another shape, or is not finite.
        """
        short = -len(crops) % BATCH
        padded = np.concatenate([crops, np.zeros((short, *crops.shape[1:]), np.uint8)])
        parts = [self._run(padded[k : k + BATCH]) for k in range(0, len(padded), BATCH)]
        return np.concatenate(parts)[: len(crops)]

    def _run(self, crops: NDArray[np.uint8]) -> NDArray[np.float32]:
        said = self._network.run(crops)
        if said.shape != (len(crops), len(OUTPUT_NAMES)):
            raise ModelError(
                f"{self.name}: output of shape {said.shape},"
                f" ({len(crops)}, {len(OUTPUT_NAMES)}) expected"
            )
        if not np.isfinite(said).all():
            raise ModelError(f"{self.name}: the output is not finite")
        return said


def decode_bodies(said: NDArray[np.float32], quads: Floats) -> tuple[Body, ...]:
    """Turn the network's output into bodies.

    Args:
        said: (N, 13), see `OUTPUT_NAMES`; lengths in sides, along the first side.
        quads: (N, 4, 2) by which the cut-outs were made.
    """
    centre, side = axes(quads)
    values = said.astype(np.float64)
    points = values[:, 0:8:2] + 1j * values[:, 1:8:2]
    points[:, 1:3] += SQUARE
    middle, first, second, way = to_pixels(points, side).T
    middle = middle + centre
    corners = np.stack(
        [middle + first, middle + second, middle - first, middle - second], axis=1
    )
    feet = way / np.abs(side)
    spreads = np.exp(np.clip(values[:, 8:10], LEAST_LOG, MOST_LOG))
    chances = 1 / (1 + np.exp(-np.clip(values[:, 10:], -50, 50)))
    return tuple(
        Body(
            np.stack([corners[k].real, corners[k].imag], axis=1),
            np.array([feet[k].real, feet[k].imag]),
            float(spreads[k, 0]),
            float(spreads[k, 1]),
            float(chances[k, 0]),
            float(chances[k, 1]),
            float(chances[k, 2]),
        )
        for k in range(len(quads))
    )


def refined_quads(quads: Floats, bodies: tuple[Body, ...]) -> Floats:
    """Quads in the middle between the detector's and those of the bodies.

    Both err, mostly independently: crops of our own held-out rolls that were cut by
    the mean were read better than those cut by either.

    Args:
        quads: (N, 4, 2) as the detector states them.
        bodies: of the same dice.
    """
    if not bodies:
        return quads
    mean: Floats = (quads + np.array([body.quad for body in bodies])) / 2
    return mean


def mean_body(bodies: Sequence[Body | None]) -> Body | None:
    """One body of several looks at one resting die; None if a look had none.

    The quads may begin at different corners; the last one is taken.
    """
    seen = [body for body in bodies if body is not None]
    if not seen or len(seen) < len(bodies):
        return None
    if len(seen) == 1:
        return seen[0]
    return Body(
        seen[-1].quad,
        np.asarray(np.mean([body.foot for body in seen], axis=0), np.float64),
        float(np.mean([body.quad_spread for body in seen])),
        float(np.mean([body.foot_spread for body in seen])),
        float(np.mean([body.covered for body in seen])),
        float(np.mean([body.stacked for body in seen])),
        float(np.mean([body.printed for body in seen])),
    )
