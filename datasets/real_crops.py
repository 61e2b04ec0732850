"""Crops for the face reader from corner indices of real cards."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import cv2
import numpy as np

from datasets.canvas import ART_PX
from datasets.crops import Crop
from datasets.cube import Die, Image, paint_die, top_quad
from datasets.optics import photograph
from datasets.pinhole import Floats, looking_at
from datasets.shadows import cast_shadows
from datasets.style import random_style
from datasets.tables import table
from scoring.cards import ALL_FACES
from vision.classes import TURNS, class_index
from vision.face_reading import cut_crops

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from datasets.canvas import Art
    from datasets.fonts import FontBook
    from datasets.real_indices import IndexPicture
    from scoring.cards import Face

ON_DICE = 0.5
"""Share of the crops in which the index is printed on a die; the others show the cut
out picture as it is."""

SMALLEST_PX, LARGEST_PX = 20.0, 80.0
"""Height at which an index is seen before it is cut out."""

LAYOUT = "card-index"


@dataclass(frozen=True, slots=True)
class RealCropOptions:
    """What kind of crops to make.

    Attributes:
        crop_px: side of the crops.
        photos: folder of background photos; empty for none.
    """

    crop_px: int
    photos: str = ""


def square_about(width: int, height: int) -> Floats:
    """The square about a picture that is one face and nothing else.

    Args:
        width: of the picture, pixels.
        height: of the picture, pixels.

    Returns:
        (4, 2) pixel corners, clockwise from the top left; the short side sticks out.
    """
    half = max(width, height) / 2
    middle = np.array([width / 2, height / 2]) - 0.5
    return middle + half * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float64)


def real_crops(
    rng: np.random.Generator,
    book: FontBook,
    pictures: Sequence[IndexPicture],
    options: RealCropOptions,
) -> Iterator[Crop]:
    """Make crops without end; all faces that there are pictures of equally often."""
    by_face: dict[Face, list[IndexPicture]] = {}
    for picture in pictures:
        by_face.setdefault(picture.face, []).append(picture)
    faces = sorted(by_face, key=ALL_FACES.index)
    while True:
        chosen = [faces[int(k)] for k in rng.integers(0, len(faces), 4)]
        images = [
            by_face[face][int(rng.integers(len(by_face[face])))].image
            for face in chosen
        ]
        for place, face in enumerate(chosen):
            if rng.random() < ON_DICE:
                shown, quad, size = _on_die(rng, book, images, place, options)
            else:
                shown, quad, size = _as_it_is(rng, images[place])
            turn = int(rng.integers(TURNS))
            quad = np.roll(_jittered(rng, quad, size), turn, axis=0)
            crop = cut_crops(shown, quad[None], options.crop_px)[0]
            yield Crop(crop, class_index(ALL_FACES.index(face), turn), size, LAYOUT)


def _jittered(rng: np.random.Generator, quad: Floats, size: float) -> Floats:
    """Shift, scale, turn and skew a quad as a detector does."""
    middle = quad.mean(axis=0)
    angle, scale = np.deg2rad(rng.normal(0, 3.0)), np.exp(rng.normal(0, 0.05))
    c, s = np.cos(angle) * scale, np.sin(angle) * scale
    moved = (quad - middle) @ np.array([[c, s], [-s, c]]) + middle
    moved = moved + rng.normal(0, 0.03 * size, 2)
    noisy: Floats = moved + rng.normal(0, 0.02 * size, (4, 2))
    return noisy


def _size(rng: np.random.Generator, largest: float) -> float:
    high = float(np.clip(largest, SMALLEST_PX * 1.2, LARGEST_PX))
    return float(np.exp(rng.uniform(np.log(SMALLEST_PX), np.log(high))))


def _as_it_is(
    rng: np.random.Generator, image: NDArray[np.uint8]
) -> tuple[NDArray[np.uint8], Floats, float]:
    """The picture, perhaps smaller, its edges drawn out, under another light."""
    height, width = image.shape[:2]
    # small faces mostly come from the plain sets; here most shall be as they were taken
    size = _size(rng, height) if rng.random() < 0.5 else float(height)
    small = cv2.resize(
        image,
        (max(4, round(width * size / height)), max(8, round(size))),
        interpolation=cv2.INTER_AREA,
    )
    height, width = small.shape[:2]
    quad = square_about(width, height)
    if rng.random() < 0.3:
        return np.asarray(small, np.uint8), quad, float(height)
    pad = height // 2
    border = cv2.BORDER_REPLICATE if rng.random() < 0.6 else cv2.BORDER_REFLECT
    wide = cv2.copyMakeBorder(small, pad, pad, pad, pad, border)
    taken = photograph(rng, wide.astype(np.float32), _strength(size))
    return taken, quad + pad, float(height)


def _strength(size: float) -> float:
    return float(np.clip(size / 42, 0.6, 1.4))


def _art(
    rng: np.random.Generator, image: NDArray[np.uint8], body: NDArray[np.float32] | None
) -> Art:
    """Print an index on the face of a die.

    Args:
        rng: source of every choice.
        image: of the index.
        body: colour of the die; None: the paper's own.
    """
    picture: Image = image.astype(np.float32)
    paper = _paper(picture)
    if body is not None:
        picture = np.asarray(picture * (body / np.maximum(paper, 1)), np.float32)
        paper = body
    size = rng.uniform(0.78, 1.0) * ART_PX
    width = round(size * image.shape[1] / image.shape[0])
    large = cv2.resize(picture, (width, round(size)), interpolation=cv2.INTER_LINEAR)
    middle = np.zeros(large.shape[:2], np.float32)
    edge = max(2, round(0.03 * ART_PX))
    middle[edge:-edge, edge:-edge] = 1
    keep = cv2.GaussianBlur(middle, (0, 0), edge / 2)[:, :, None]
    face = np.empty((ART_PX, ART_PX, 3), np.float32)
    face[:] = paper
    y, x = (
        round((ART_PX - side) / 2 + rng.normal(0, 0.03) * ART_PX)
        for side in large.shape[:2]
    )
    y = int(np.clip(y, 0, ART_PX - large.shape[0]))
    x = int(np.clip(x, 0, ART_PX - large.shape[1]))
    part = face[y : y + large.shape[0], x : x + large.shape[1]]
    part += keep * (large - part)
    return np.clip(face, 0, 255).astype(np.uint8)


def _paper(picture: Image) -> NDArray[np.float32]:
    """Colour of the paper: the median of the brighter half."""
    flat = picture.reshape(-1, 3)
    grey = flat.sum(axis=1)
    colour = np.median(flat[grey >= np.median(grey)], axis=0)
    return np.asarray(colour, np.float32)


def _on_die(
    rng: np.random.Generator,
    book: FontBook,
    images: Sequence[NDArray[np.uint8]],
    place: int,
    options: RealCropOptions,
) -> tuple[NDArray[np.uint8], Floats, float]:
    """A small picture of a die that shows the index on top and others on its sides."""
    style = random_style(rng, book)
    light_body = np.asarray(style.body, np.float32)
    if light_body.mean() < 120:
        light_body = 255 - light_body  # ink on paper cannot be printed on a dark die
    body = light_body if rng.random() < 0.5 else None
    arts = [_art(rng, image, body) for image in images]
    style = replace(style, body=_corner_colour(arts[place]))
    size = _size(rng, images[place].shape[0])
    side_px = int(size * 1.9)
    camera = looking_at(
        np.array([rng.uniform(-3, 3), rng.uniform(-3, 3), 18.0]),
        distance := float(rng.uniform(300, 1100)),
        float(rng.uniform(0, 45)),
        float(rng.uniform(0, 360)),
        float(rng.uniform(-180, 180)),
        size * distance / 18.0,
        (side_px, side_px),
    )
    sides = [np.rot90(arts[int(k)], int(k)).copy() for k in rng.integers(0, 4, 4)]
    die = Die(
        0.0,
        0.0,
        float(rng.uniform(0, 360)),
        18.0,
        (arts[place], sides[0], sides[1], sides[2], sides[3]),
        style.body,
        float(rng.uniform(0.05, 0.22)),
    )
    image: Image = np.ascontiguousarray(table(rng, side_px, side_px, options.photos))
    cast_shadows(rng, image, camera, [die])
    paint_die(image, camera, die, (1.0, *(float(v) for v in rng.uniform(0.4, 1, 4))))
    return photograph(rng, image, _strength(size)), top_quad(camera, die), size


def _corner_colour(art: Art) -> tuple[float, float, float]:
    b, g, r = (float(v) for v in art[:4, :4].mean(axis=(0, 1)))
    return b, g, r
