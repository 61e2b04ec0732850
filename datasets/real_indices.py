"""Corner indices of real playing cards, rank over small suit, cut out of photos."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from datasets.real_labels import read_photos
from datasets.shards import DataSetError
from scoring.cards import Card

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from datasets.real_labels import Corners
    from scoring.cards import Face

CARD_MM = (63.0, 88.0)
INDEX_MM = (13.75, 22.0)
LEFT_MM, TOP_MM = 1.0, 1.75
"""Window of a corner index on a poker-size card, as in the set of cut-out indices."""

LEAST_LIKENESS = 0.5
"""Windows that correlate less with the median look of their face and side are covered,
burnt out, or not where the outline says."""

LOOK_PX = (20, 32)
"""Width and height at which looks are compared."""


@dataclass(frozen=True, slots=True, eq=False)
class IndexPicture:
    """One corner index.

    Attributes:
        face: the card.
        image: (H, W, 3) uint8 BGR, upright, about 5:8, at the photo's own scale.
    """

    face: Face
    image: NDArray[np.uint8]


def index_pictures(
    indices: Path | None, cards: Path | None, tag: str = "train"
) -> list[IndexPicture]:
    """Collect the corner indices of one part of the photos.

    Args:
        indices: folder of cut-out indices, each a whole picture; None for none.
        cards: folder of photos of cards with outlines; None for none.
        tag: which part.

    Raises:
        DataSetError: labels or a picture cannot be read, or there is not one index.
    """
    pictures = list(_cut_out(indices, tag)) if indices is not None else []
    if cards is not None:
        for left_mm in (LEFT_MM, CARD_MM[0] - LEFT_MM - INDEX_MM[0]):
            pictures += _alike([*_corners(cards, tag, left_mm)])
    if not pictures:
        raise DataSetError(
            f"no corner index with the tag {tag!r} in {indices or cards}"
        )
    return pictures


def _cut_out(folder: Path, tag: str) -> Iterator[IndexPicture]:
    for photo in read_photos(folder, tag):
        image = _read(photo.path)
        for item in photo.items:
            if item.face is None:
                continue
            # the quad begins at the upright top left: low right means on its head
            if item.quad is not None and sum(item.quad[0]) > sum(item.quad[2]):
                image = np.ascontiguousarray(image[::-1, ::-1])
            yield IndexPicture(item.face, image)


def _corners(folder: Path, tag: str, left_mm: float) -> Iterator[IndexPicture]:
    """The two corner indices so far from the left of every card with an outline."""
    for photo in read_photos(folder, tag):
        image = None
        for item in photo.items:
            if item.quad is None or not isinstance(item.face, Card):
                continue
            image = _read(photo.path) if image is None else image
            for half in (0, 2):
                cut = _window(image, item.quad, half, left_mm)
                yield IndexPicture(item.face, cut)


def _window(
    image: NDArray[np.uint8], quad: Corners, half: int, left_mm: float
) -> NDArray[np.uint8]:
    """Cut one index out of a card, at the scale that the photo has there."""
    outline = np.roll(np.array(quad, np.float32) - 0.5, half, axis=0)
    tall = np.linalg.norm(outline[3] - outline[0]) + np.linalg.norm(
        outline[2] - outline[1]
    )
    scale = float(np.clip(tall / 2 / CARD_MM[1], 1.0, 4.0))  # pixels a millimetre
    width, height = (max(4, round(side * scale)) for side in INDEX_MM)
    wide, high = CARD_MM[0] * scale, CARD_MM[1] * scale
    x, y = left_mm * scale, TOP_MM * scale
    target = np.array([[0, 0], [wide, 0], [wide, high], [0, high]]) - (x, y) - 0.5
    matrix = cv2.getPerspectiveTransform(outline, target.astype(np.float32))
    cut = cv2.warpPerspective(
        image, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(cut, np.uint8)


def _alike(pictures: list[IndexPicture]) -> list[IndexPicture]:
    """Keep the pictures that look like the median of their face."""
    by_face: dict[Face, list[IndexPicture]] = {}
    for picture in pictures:
        by_face.setdefault(picture.face, []).append(picture)
    kept = []
    for group in by_face.values():
        looks = np.stack([_look(picture.image) for picture in group])
        middle = np.median(looks, axis=0)
        likeness = looks @ middle / max(float(np.linalg.norm(middle)), 1e-6)
        kept += [p for p, v in zip(group, likeness, strict=True) if v > LEAST_LIKENESS]
    return kept


def _look(image: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Colours at one size with neither brightness nor contrast, of length one."""
    small = cv2.resize(image, LOOK_PX, interpolation=cv2.INTER_AREA)
    grey = small.astype(np.float64) - small.mean(axis=(0, 1))
    flat: NDArray[np.float64] = grey.ravel() / max(float(np.linalg.norm(grey)), 1e-6)
    return flat


def _read(path: Path) -> NDArray[np.uint8]:
    image = cv2.imread(str(path))
    if image is None:
        raise DataSetError(f"{path}: cannot be read as a picture")
    return np.asarray(image, np.uint8)
