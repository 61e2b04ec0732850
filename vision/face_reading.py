"""Reading the faces of found dice: crops in several turns, as log-probabilities."""

from __future__ import annotations

from dataclasses import dataclass
from math import dist
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.cards import ALL_FACES
from vision.classes import CLASS_NAMES, TURNS
from vision.detect import quad_sides
from vision.errors import ModelError
from vision.ports import CROP_MARGIN
from vision.rectify import rectify

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.look import Look
    from vision.ports import BgrImage, FaceReader, Network

Floats = NDArray[np.float64]

FACES = len(ALL_FACES)
LEAST_P = 1e-7
"""No face is ever ruled out further than this by one look."""
BATCH = 9
"""Crops a network call: one shape is compiled once, and nine are a roll."""


class YoloFaceReader:
    """A face reader on a YOLO classification network.

    Args:
        network: (N, 3, crop_px, crop_px) to (N, classes), probabilities.
        crop_px: side of the crops.
        name: name and hash of the model.
    """

    def __init__(self, network: Network, crop_px: int, name: str) -> None:
        self._network = network
        self.crop_px = crop_px
        self.name = name

    def read(self, crops: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Classify crops; see `vision.ports.FaceReader`.

        Raises:
            ModelError: the network's output is not a probability for each class.
        """
        if not len(crops):
            return np.zeros((0, len(CLASS_NAMES)), np.float32)
        short = -len(crops) % BATCH
        padded = np.concatenate([crops, np.zeros((short, *crops.shape[1:]), np.uint8)])
        parts = [self._run(padded[k : k + BATCH]) for k in range(0, len(padded), BATCH)]
        return np.concatenate(parts)[: len(crops)]

    def _run(self, crops: NDArray[np.uint8]) -> NDArray[np.float32]:
        p = self._network.run(crops)
        if p.shape != (len(crops), len(CLASS_NAMES)):
            raise ModelError(
                f"{self.name}: output of shape {p.shape},"
                f" ({len(crops)}, {len(CLASS_NAMES)}) expected"
            )
        # written so that NaN does not pass
        if not (np.abs(p.sum(axis=1) - 1).max() <= 0.02 and p.min() >= 0):
            raise ModelError(f"{self.name}: the output is not probabilities")
        return p


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """What one frame, or several fused, say of one sighting.

    Attributes:
        quad: (4, 2) corners in the picture, clockwise; which is first is arbitrary.
        score: the detector's confidence, 0..1.
        log_p: (FACES, TURNS) log-probability of each face, its art turned by so many
            clockwise quarters against the quad.
        log_none: log-probability that it is not a face.
        look: what else is seen of it; None if nobody looked.
    """

    quad: Floats
    score: float
    log_p: Floats
    log_none: float
    look: Look | None = None

    @property
    def side_px(self) -> float:
        """Mean side of the quad in pixels."""
        corners = self.quad.tolist()
        return sum(map(dist, corners, [*corners[1:], corners[0]])) / 4


def cut_crops(image: BgrImage, quads: Floats, crop_px: int) -> NDArray[np.uint8]:
    """Cut the dice out of the full picture.

    A die much larger than the crop is shrunk by averaging first: skipping pixels would
    tear thin strokes.

    Args:
        image: (H, W, 3) uint8 BGR.
        quads: (N, 4, 2) corners in its pixels.
        crop_px: side of the crops.

    Returns:
        (N, crop_px, crop_px, 3) uint8 BGR.
    """
    crops = np.zeros((len(quads), crop_px, crop_px, 3), np.uint8)
    inner_px = crop_px / (1 + 2 * CROP_MARGIN)
    for place, (quad, side) in enumerate(zip(quads, quad_sides(quads), strict=True)):
        factor = side / inner_px
        part, moved = image, quad
        if factor > 1.5:
            part, moved = _shrunk(image, quad, side, factor)
        crops[place] = rectify(part, moved, crop_px)
    return crops


def _shrunk(
    image: BgrImage, quad: Floats, side: float, factor: float
) -> tuple[BgrImage, Floats]:
    """The part of a picture round a quad, shrunk by a factor, and the quad in it."""
    height, width = image.shape[:2]
    low = np.floor(quad.min(axis=0) - side * 2 * CROP_MARGIN).astype(int)
    high = np.ceil(quad.max(axis=0) + side * 2 * CROP_MARGIN).astype(int) + 1
    x0, y0 = (int(v) for v in np.clip(low, 0, [width - 1, height - 1]))
    x1, y1 = (int(v) for v in np.clip(high, [x0 + 1, y0 + 1], [width, height]))
    size = (max(1, round((x1 - x0) / factor)), max(1, round((y1 - y0) / factor)))
    part = cv2.resize(image[y0:y1, x0:x1], size, interpolation=cv2.INTER_AREA)
    scale = np.array([size[0] / (x1 - x0), size[1] / (y1 - y0)])
    # half a pixel each way: scaling keeps edges, not centres of pixels, in place
    return np.asarray(part, np.uint8), (quad - [x0, y0] + 0.5) * scale - 0.5


def turned_crops(
    crops: NDArray[np.uint8], quarters: tuple[int, ...]
) -> NDArray[np.uint8]:
    """All crops turned by each of some numbers of clockwise quarters.

    Returns:
        (len(quarters) * N, ...): all crops in the first turn, all in the second, ...
    """
    return np.concatenate([np.rot90(crops, -k, axes=(1, 2)) for k in quarters])


LOOKS = (0, 2, 1, 3)
"""Clockwise quarters by which crops are turned; two looks are half a turn apart."""

CLEAR = 0.999
"""Crops whose face (or that they are none) is so likely after two looks get no more."""


def read_crops(
    reader: FaceReader, crops: NDArray[np.uint8], turns: int
) -> tuple[Floats, Floats]:
    """Read crops in one, two or four turns and average what is said.

    Turning a crop by a quarter adds one to the turn of its class; each answer is turned
    back before the mean of the log-probabilities is taken. With four turns, crops that
    are clear after two of them are left at that.

    Args:
        reader: the model.
        crops: (N, crop_px, crop_px, 3) uint8 BGR.
        turns: 1, 2 or 4.

    Returns:
        (N, FACES, TURNS) and (N,): log-probabilities of faces and of "not a face".

    Raises:
        ValueError: another number of turns.
    """
    if turns not in (1, 2, 4):
        raise ValueError(f"turns must be 1, 2 or 4, not {turns}")
    log_p = _looks(reader, crops, LOOKS[: min(turns, 2)])
    if turns == 4 and len(crops):
        log_faces, log_none = _mean(log_p)
        p_faces = np.exp(log_faces).sum(axis=2).max(axis=1)
        unclear = np.flatnonzero(np.maximum(p_faces, np.exp(log_none)) < CLEAR)
        if len(unclear):
            more = _looks(reader, crops[unclear], LOOKS[2:])
            again = _mean(np.concatenate([log_p[:, unclear], more]))
            log_faces[unclear], log_none[unclear] = again
        return log_faces, log_none
    return _mean(log_p)


def _looks(
    reader: FaceReader, crops: NDArray[np.uint8], quarters: tuple[int, ...]
) -> Floats:
    """Log-probabilities in some turns, turned back: (len(quarters), N, classes)."""
    p = reader.read(turned_crops(crops, quarters)).astype(np.float64)
    log_p = np.log(np.maximum(p, LEAST_P)).reshape(
        len(quarters), len(crops), len(CLASS_NAMES)
    )
    for look, turned in zip(log_p, quarters, strict=True):
        faces = look[:, :-1].reshape(len(crops), FACES, TURNS)
        back = np.roll(faces, -turned, axis=2)
        look[:, :-1] = back.reshape(len(crops), FACES * TURNS)
    return log_p


def _mean(log_p: Floats) -> tuple[Floats, Floats]:
    """Mean over the looks (L, N, classes), so that all is 1 again."""
    mean = log_p.mean(axis=0)
    mean -= np.log(np.exp(mean).sum(axis=1, keepdims=True))
    return mean[:, :-1].reshape(len(mean), FACES, TURNS), mean[:, -1]


def gather_evidence(
    quads: Floats,
    scores: Sequence[float],
    log_faces: Floats,
    log_none: Floats,
    looks: tuple[Look, ...] | None = None,
) -> tuple[Evidence, ...]:
    """Put together where dice are, what `read_crops` says of them and how they look.

    Args:
        quads: (N, 4, 2) corners in the picture.
        scores: the detector's confidences.
        log_faces: (N, FACES, TURNS), as `read_crops` gives them.
        log_none: (N,), likewise.
        looks: what else is seen of them; None if nobody looked.
    """
    seen = looks or (None,) * len(quads)
    return tuple(
        Evidence(quad, score, faces, float(none), look)
        for quad, score, faces, none, look in zip(
            quads, scores, log_faces, log_none, seen, strict=True
        )
    )
