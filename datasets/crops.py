"""Crops that teach the face reader: top faces as the detector would cut them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from datasets.art import draw_face
from datasets.cube import Die, Image, paint_die, top_quad
from datasets.optics import photograph
from datasets.other_faces import draw_other
from datasets.pinhole import Floats, Pinhole, looking_at
from datasets.shadows import cast_shadows
from datasets.style import ArtStyle, random_style
from datasets.tables import table
from scoring.cards import ALL_FACES, CARD_DICE_FACES
from vision.classes import CLASS_NAMES, TURNS, class_index
from vision.rectify import rectify

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from datasets.canvas import Art
    from datasets.fonts import FontBook

NONE_CLASS = len(CLASS_NAMES) - 1
SMALLEST_PX, LARGEST_PX = 19.0, 92.0
FACES_A_STYLE = 4


@dataclass(frozen=True, slots=True)
class CropOptions:
    """What kind of crops to make.

    Attributes:
        crop_px: side of the crops.
        held_out: use the fonts that training never sees.
        photos: folder of background photos; empty for none.
        none_share: share of crops that show no face.
        other_share: share of crops with poker-dice and Squint faces.
    """

    crop_px: int
    held_out: bool = False
    photos: str = ""
    none_share: float = 0.06
    other_share: float = 0.07


@dataclass(frozen=True, slots=True, eq=False)
class Crop:
    """One crop with its truth.

    Attributes:
        image: (crop_px, crop_px, 3) uint8 BGR.
        label: class, see `vision.classes`.
        die_px: width of the die in the picture it was cut from, pixels.
        layout: layout of the art, or "none".
    """

    image: NDArray[np.uint8]
    label: int
    die_px: float
    layout: str


def crops(
    rng: np.random.Generator, book: FontBook, options: CropOptions
) -> Iterator[Crop]:
    """Make crops without end; faces are equally likely, each style serves a few."""
    while True:
        style = random_style(rng, book, options.held_out)
        if rng.random() < options.other_share:
            pool = range(len(CARD_DICE_FACES), len(ALL_FACES))
        else:
            pool = range(len(CARD_DICE_FACES))
        chosen = rng.choice(np.array(pool), FACES_A_STYLE, replace=False)
        arts = [draw_face(style, ALL_FACES[int(k)]) for k in chosen]
        for place, face in enumerate(chosen):
            if rng.random() < options.none_share:
                yield _no_face(rng, style, arts, options)
            else:
                yield _face(rng, style, arts, place, int(face), options)


def _pose(rng: np.random.Generator, die_px: float, side_px: int) -> Pinhole:
    size_mm, distance = 18.0, rng.uniform(300, 1100)
    tilt = rng.uniform(0, 50)
    return looking_at(
        np.array([rng.uniform(-4, 4), rng.uniform(-4, 4), size_mm]),
        distance,
        tilt,
        rng.uniform(0, 360),
        rng.uniform(-180, 180),
        die_px * distance / size_mm,
        (side_px, side_px),
    )


def _die(
    rng: np.random.Generator,
    style: ArtStyle,
    arts: list[Art],
    top: Art,
    place: tuple[float, float],
    radius: float,
) -> Die:
    sides = [
        np.ascontiguousarray(np.rot90(arts[int(k)], int(t)))
        for k, t in zip(
            rng.integers(0, len(arts), 4), rng.integers(0, 4, 4), strict=True
        )
    ]
    return Die(
        place[0],
        place[1],
        float(rng.uniform(0, 360)),
        18.0,
        (top, sides[0], sides[1], sides[2], sides[3]),
        style.body,
        radius,
    )


def _picture(
    rng: np.random.Generator,
    style: ArtStyle,
    arts: list[Art],
    top: Art,
    die_px: float,
    options: CropOptions,
) -> tuple[NDArray[np.uint8], Pinhole, Die]:
    """A small picture of one die, perhaps with neighbours."""
    side_px = int(die_px * 1.9)
    camera = _pose(rng, die_px, side_px)
    radius = float(rng.uniform(0.05, 0.22))
    dice = [_die(rng, style, arts, top, (0.0, 0.0), radius)]
    if rng.random() < 0.4:
        for _ in range(1 + int(rng.random() < 0.25)):
            angle, gap = rng.uniform(0, 2 * np.pi), rng.uniform(18.5, 27)
            place = (float(np.cos(angle) * gap), float(np.sin(angle) * gap))
            dice.append(
                _die(
                    rng, style, arts, arts[int(rng.integers(len(arts)))], place, radius
                )
            )
    image: Image = np.ascontiguousarray(table(rng, side_px, side_px, options.photos))
    cast_shadows(rng, image, camera, dice)
    shades = (1.0, *(float(v) for v in rng.uniform(0.35, 1.03, 4)))
    glare = None
    if rng.random() < 0.18:
        gx, gy = rng.uniform(-0.1, 1.1, 2)
        glare = (
            float(gx),
            float(gy),
            float(rng.uniform(0.1, 0.5)),
            float(
                rng.uniform(30, 190) if rng.random() < 0.8 else rng.uniform(190, 420)
            ),
        )
    order = sorted(
        dice, key=lambda d: -float(np.linalg.norm(camera.position - (d.x, d.y, 9.0)))
    )
    for die in order:
        paint_die(image, camera, die, shades, glare if die is dice[0] else None)
    strength = float(np.clip(die_px / 42, 0.75, 1.5))
    return photograph(rng, image, strength), camera, dice[0]


def jittered(
    rng: np.random.Generator, quad: Floats, die_px: float, amount: float = 1.0
) -> Floats:
    """Shift, scale, turn and skew a quad a little, as a detector does.

    Args:
        rng: source of every choice.
        quad: (4, 2) corners in pixels.
        die_px: width of the die in pixels.
        amount: how much, 1 as a detector mostly does.
    """
    middle = quad.mean(axis=0)
    angle = np.deg2rad(rng.normal(0, 3.0 * amount))
    scale = np.exp(rng.normal(0, 0.05 * amount))
    c, s = np.cos(angle) * scale, np.sin(angle) * scale
    moved = (quad - middle) @ np.array([[c, s], [-s, c]]) + middle
    moved = moved + rng.normal(0, 0.03 * amount * die_px, 2)
    noisy: Floats = moved + rng.normal(0, 0.022 * amount * die_px, (4, 2))
    return noisy


def _die_px(rng: np.random.Generator) -> float:
    return float(np.exp(rng.uniform(np.log(SMALLEST_PX), np.log(LARGEST_PX))))


def _face(
    rng: np.random.Generator,
    style: ArtStyle,
    arts: list[Art],
    place: int,
    face: int,
    options: CropOptions,
) -> Crop:
    die_px = _die_px(rng)
    picture, camera, die = _picture(rng, style, arts, arts[place], die_px, options)
    turn = int(rng.integers(TURNS))
    quad = np.roll(jittered(rng, top_quad(camera, die), die_px), turn, axis=0)
    crop = rectify(picture, quad, options.crop_px)
    return Crop(crop, class_index(face, turn), die_px, style.layout)


def _no_face(
    rng: np.random.Generator, style: ArtStyle, arts: list[Art], options: CropOptions
) -> Crop:
    """Something that is no readable face: pips, blanks, table, two half faces."""
    die_px = _die_px(rng)
    kind = rng.random()
    top = draw_other(rng, style) if kind < 0.7 else arts[0]
    pool = [top] if kind < 0.5 else arts
    picture, camera, die = _picture(rng, style, pool, top, die_px, options)
    quad = jittered(rng, top_quad(camera, die), die_px)
    if kind >= 0.7:
        angle, far = rng.uniform(0, 2 * np.pi), rng.uniform(0.55, 1.0) * die_px
        quad = quad + far * np.array([np.cos(angle), np.sin(angle)])
    quad = np.roll(quad, int(rng.integers(TURNS)), axis=0)
    return Crop(rectify(picture, quad, options.crop_px), NONE_CLASS, die_px, "none")
