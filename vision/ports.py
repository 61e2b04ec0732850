"""What the pipeline needs from outside: frames, a detector and a face reader."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vision.reading import Sighting

BgrImage = NDArray[np.uint8]
"""(H, W, 3) uint8, blue green red."""

CROP_MARGIN = 0.12
"""A crop shows the quad and this share of its side more on each side."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture from a source.

    Attributes:
        image: the picture, upright as a person sees it (EXIF applied).
        name: file name, or camera and frame number.
        index: number of the frame in its source, from 0.
        time_s: seconds since the source began (monotonic); by frame rate for clips.
        shrunk: pixels of the original per pixel of `image`; above 1 for pictures too
            large to decode whole.
    """

    image: BgrImage
    name: str
    index: int
    time_s: float
    shrunk: float = 1.0


class Source(Protocol):
    """Anything that gives frames: a picture, a folder, a clip, a camera."""

    def frames(self) -> Iterator[Frame]:
        """Yield frames until the source ends."""
        ...

    def close(self) -> None:
        """Give the device or file back; safe to call twice."""
        ...


class Network(Protocol):
    """Anything that runs one network with one input and one output."""

    input_shape: tuple[int | None, ...]
    """Of the network, (N, 3, H, W), as its file states it; None: any size is taken."""

    def run(self, pictures: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Run one batch.

        The network itself takes (N, 3, H, W) float32, RGB, 0..1; turning pictures into
        that is faster within the runtime than before it.

        Args:
            pictures: (N, H, W, 3) uint8 BGR.
        """
        ...


class Detector(Protocol):
    """Anything that finds the top faces of dice."""

    name: str

    def detect(self, image: BgrImage) -> tuple[Sighting, ...]:
        """Find the top faces in a whole picture."""
        ...


class FaceReader(Protocol):
    """Anything that reads rectified crops."""

    name: str
    crop_px: int

    def read(self, crops: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Classify crops.

        Args:
            crops: (N, crop_px, crop_px, 3) uint8 BGR, N may be 0.

        Returns:
            (N, len(CLASS_NAMES)) float32 probabilities, rows sum to 1.
        """
        ...
