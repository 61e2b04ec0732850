"""Detector lessons from photos of real pip dice, turned, scaled and lit anew."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import TYPE_CHECKING

import cv2
import numpy as np

from datasets.optics import Picture, photograph
from datasets.real_labels import Photo, read_photos
from datasets.shards import DataSetError
from datasets.tables import table

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from datasets.cube import Image
    from datasets.pinhole import Floats

QUADS = "pip_dice_quads.json"
"""Top faces of the photos that may teach; their own labels are loose boxes round the
whole dice. The first published detector found each die in six enlarged and turned
views, the mean of the quads that agree was taken, all were looked at, and the wrong
ones emptied. For each photo one list a die, in the order of the labels: eight numbers
(x, y from the outer corner of the first pixel, clockwise), or null where the face is
not clear."""

SIDE_PX = 480
TRIES = 12
"""Windows tried for one that cuts no die."""

SMALLEST_ZOOM, LARGEST_ZOOM = 0.85, 2.6
"""Faces of the photos are 13 to 45 pixels wide."""


@dataclass(frozen=True, slots=True, eq=False)
class DicePhoto:
    """A photo with the top faces of its dice.

    Attributes:
        photo: picture and labels.
        quads: (N, 4, 2) pixel corners (OpenCV) of the known top faces.
        boxes: (N, 4, 2) corners of the boxes round these dice.
        unclear: (M, 4, 2) corners of the boxes round the others.
    """

    photo: Photo
    quads: Floats
    boxes: Floats
    unclear: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Lesson:
    """A picture for the detector.

    Attributes:
        image: (SIDE_PX, SIDE_PX, 3) uint8 BGR.
        quads: (N, 4, 2) pixel corners of the top faces, all inside.
    """

    image: Picture
    quads: Floats


def dice_photos(folder: Path, tag: str = "train") -> tuple[DicePhoto, ...]:
    """Read the photos of one part whose top faces are known.

    Raises:
        DataSetError: labels cannot be read, do not fit the known faces, or there are
            no such photos.
    """
    known = json.loads(
        resources.files("datasets").joinpath(QUADS).read_text(encoding="utf-8")
    )
    found = [
        _dice_photo(photo, known[photo.path.name])
        for photo in read_photos(folder, tag)
        if photo.path.name in known
    ]
    if not found:
        raise DataSetError(
            f"{folder}: no photo with the tag {tag!r} whose top faces are known"
        )
    return tuple(found)


def _dice_photo(photo: Photo, known: list[list[float] | None]) -> DicePhoto:
    if len(known) != len(photo.items):
        raise DataSetError(
            f"{photo.path}: {len(photo.items)} dice are labelled, the top faces of"
            f" {len(known)} are known"
        )
    boxes = []
    for item in photo.items:
        if item.box is None:
            raise DataSetError(f"{photo.path}: a die has no box")
        x0, y0, x1, y1 = (value - 0.5 for value in item.box)
        boxes.append([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])
    clear = [k for k, quad in enumerate(known) if quad is not None]
    unclear = [k for k, quad in enumerate(known) if quad is None]
    around = np.array(boxes, np.float64).reshape(-1, 4, 2)
    quads = np.array([known[k] for k in clear], np.float64).reshape(-1, 4, 2) - 0.5
    return DicePhoto(photo, quads, around[clear], around[unclear])


@lru_cache(maxsize=128)
def _image(path: str) -> Picture:
    image = cv2.imread(path)
    if image is None:
        raise DataSetError(f"{path}: cannot be read as a picture")
    return np.asarray(image, np.uint8)


def make_lesson(
    rng: np.random.Generator, photos: tuple[DicePhoto, ...], backgrounds: str = ""
) -> Lesson:
    """Show a window of a photo as another camera would have taken it.

    Args:
        rng: source of every choice.
        photos: to choose from.
        backgrounds: folder of photos for what lies beyond the edge; empty for none.
    """
    chosen = photos[int(rng.integers(len(photos)))]
    image = _image(str(chosen.photo.path))
    size = (image.shape[1], image.shape[0])
    views = [_view(rng, size, chosen) for _ in range(TRIES)]
    matrix = min(views, key=lambda m: _cut_dice(m, chosen).sum())
    surface = table(rng, SIDE_PX, SIDE_PX, backgrounds)
    seen = _shown(image, matrix, surface)
    whole = ~_cut_dice(matrix, chosen)[: len(chosen.quads)]
    quads = _moved(chosen.quads, matrix)
    inside = (quads.min(axis=(1, 2)) >= 0) & (quads.max(axis=(1, 2)) <= SIDE_PX - 1)
    for box in _hidden(matrix, chosen, whole & inside):
        _cover(rng, seen, box)
    if rng.random() < 0.4:
        seen = _other_hue(rng, seen)
    if rng.random() < 0.75:
        zoom = float(np.sqrt(abs(np.linalg.det(matrix[:, :2]))))
        taken = photograph(rng, seen, float(np.clip(zoom, 0.6, 1.4)))
    else:
        taken = np.clip(seen, 0, 255).astype(np.uint8)
    return Lesson(taken, quads[whole & inside])


def _view(rng: np.random.Generator, size: tuple[int, int], photo: DicePhoto) -> Floats:
    """A turn, a zoom and a slight squeeze about a place near a die, (2, 3)."""
    low, high = np.log(SMALLEST_ZOOM), np.log(LARGEST_ZOOM)
    zoom, angle = np.exp(rng.uniform(low, high)), rng.uniform(0, 2 * np.pi)
    lean, squeeze = rng.uniform(0, np.pi), rng.uniform(0.8, 1.0)
    c, s = np.cos(lean), np.sin(lean)
    axes = np.array([[c, -s], [s, c]])
    squeezed = axes @ np.diag([1.0, squeeze]) @ axes.T
    c, s = np.cos(angle), np.sin(angle)
    linear = zoom * np.array([[c, -s], [s, c]]) @ squeezed
    middle = np.array(size) / 2
    if len(photo.boxes):
        die = photo.boxes[int(rng.integers(len(photo.boxes)))].mean(axis=0)
        middle = die + rng.uniform(-0.35, 0.35, 2) * SIDE_PX / zoom
    shift = (SIDE_PX - 1) / 2 - linear @ middle
    return np.column_stack([linear, shift])


def _moved(points: Floats, matrix: Floats) -> Floats:
    out: Floats = points @ matrix[:, :2].T + matrix[:, 2]
    return out


def _cut_dice(matrix: Floats, photo: DicePhoto) -> NDArray[np.bool_]:
    """Which dice, clear ones first, the border cuts; unclear ones that are in view."""
    boxes = _moved(np.concatenate([photo.boxes, photo.unclear]), matrix)
    low, high = boxes.min(axis=1), boxes.max(axis=1)
    touches = (low < SIDE_PX - 1).all(axis=1) & (high > 0).all(axis=1)
    within = (low >= 0).all(axis=1) & (high <= SIDE_PX - 1).all(axis=1)
    clear = np.arange(len(boxes)) < len(photo.boxes)
    cut: NDArray[np.bool_] = touches & ~(within & clear)
    return cut


def _hidden(matrix: Floats, photo: DicePhoto, shown: NDArray[np.bool_]) -> Floats:
    """Boxes of the dice that are not to be seen, (K, 4, 2)."""
    boxes = _moved(np.concatenate([photo.boxes, photo.unclear]), matrix)
    kept = np.zeros(len(boxes), bool)
    kept[: len(shown)] = shown
    return boxes[~kept]


def _shown(image: Picture, matrix: Floats, surface: Image) -> Image:
    """The window as float32; beyond the photo's edge the surface shows."""
    size = (SIDE_PX, SIDE_PX)
    zoom = float(np.sqrt(abs(np.linalg.det(matrix[:, :2]))))
    if zoom < 0.9:  # a warp alone would skip pixels
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), 0.45 / zoom), np.uint8)
    seen = cv2.warpAffine(image, matrix, size, flags=cv2.INTER_LINEAR)
    white = np.full(image.shape[:2], 255, np.uint8)
    share = cv2.warpAffine(white, matrix, size)[:, :, None].astype(np.float32) / 255
    return np.asarray(surface + share * (seen - surface), np.float32)


def _cover(rng: np.random.Generator, image: Image, box: Floats) -> None:
    """Lay the colour of the surroundings over a die, in place."""
    low = np.floor(box.min(axis=0)).astype(int) - 1
    high = np.ceil(box.max(axis=0)).astype(int) + 2
    x0, y0 = (int(v) for v in np.clip(low, 0, SIDE_PX))
    x1, y1 = (int(v) for v in np.clip(high, 0, SIDE_PX))
    if x1 <= x0 or y1 <= y0:
        return
    rim = image[max(0, y0 - 6) : y1 + 6, max(0, x0 - 6) : x1 + 6].reshape(-1, 3)
    colour = np.median(rim, axis=0)
    mask = np.zeros(image.shape[:2], np.float32)
    cv2.fillConvexPoly(mask, np.rint(box).astype(np.int32), 1.0)
    share = cv2.GaussianBlur(mask, (0, 0), 2.0)[:, :, None]
    grain = rng.normal(0, 2.0, image.shape[:2]).astype(np.float32)[:, :, None]
    image += np.asarray(share * (colour + grain - image), np.float32)


def _other_hue(rng: np.random.Generator, image: Image) -> Image:
    """Give the dice other colours; grey stays grey."""
    unit = np.clip(image, 0, 255) / np.float32(255)
    hsv = np.asarray(cv2.cvtColor(unit, cv2.COLOR_BGR2HSV), np.float32)
    hsv[:, :, 0] = (hsv[:, :, 0] + np.float32(rng.uniform(0, 360))) % 360
    hsv[:, :, 1] *= np.float32(rng.uniform(0.3, 1.1))
    return np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR) * 255, np.float32)
