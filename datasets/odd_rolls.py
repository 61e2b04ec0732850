"""Rolls of nine dice with something odd: one leans, stands, hides or is missing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

from datasets.art import draw_face
from datasets.cube import Die, Image, top_quad
from datasets.lying import (
    SIZE_MM,
    lay_over,
    leaning,
    paint_dice,
    visible_share,
)
from datasets.optics import Picture, photograph
from datasets.pinhole import Floats, Pinhole, looking_at
from datasets.placing import scatter
from datasets.style import random_style
from datasets.tables import table
from scoring.cards import CARD_DICE_FACES, Face
from vision.look import shares_inside
from vision.reading import DieState

if TYPE_CHECKING:
    from datasets.fonts import FontBook

DICE = 9
TRIES = 20
LEAST_CUT, MOST_CUT = 0.45, 0.8
"""Share of a face cut by the border that is left."""


class Oddity(StrEnum):
    """What is odd about a roll."""

    NONE = "none"
    COCKED = "cocked"
    STACKED = "stacked"
    HIDDEN = "hidden"
    CUT = "cut"
    EIGHT = "eight"
    TEN = "ten"
    EMPTY = "empty"


@dataclass(frozen=True, slots=True)
class OddOptions:
    """How a roll is seen.

    Attributes:
        width: pixels.
        height: pixels.
        smallest_px: least width of a die.
        largest_px: greatest width of a die.
        most_tilt_deg: greatest tilt of the camera.
        held_out: use the fonts that training never sees.
        photos: folder of background photos; empty for none.
    """

    width: int = 1280
    height: int = 720
    smallest_px: float = 28.0
    largest_px: float = 70.0
    most_tilt_deg: float = 45.0
    held_out: bool = True
    photos: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class OddRoll:
    """A picture with its truth.

    Attributes:
        image: (H, W, 3) uint8 BGR.
        faces: of the dice, those on top of others last.
        quads: (N, 4, 2) corners of their top faces, clockwise from the art's top left.
        states: how they lie.
        visible: share of each top face that is seen.
        die_px: width of the dice.
    """

    image: Picture
    faces: tuple[Face, ...]
    quads: Floats
    states: tuple[DieState, ...]
    visible: tuple[float, ...]
    die_px: float


def make_odd_roll(
    rng: np.random.Generator,
    book: FontBook,
    oddity: Oddity,
    options: OddOptions,
    lean_deg: float | None = None,
) -> OddRoll:
    """Make one picture.

    Args:
        rng: source of every choice.
        book: fonts of the art.
        oddity: what is odd; it is one die (number 0) that leans, hides, ...
        options: how it is seen.
        lean_deg: of a cocked die; None: 12 to 45 degrees.
    """
    style = random_style(rng, book, options.held_out)
    camera, die_px = _camera(rng, options)
    count = {Oddity.EIGHT: 8, Oddity.TEN: 10, Oddity.EMPTY: 0}.get(oddity, DICE)
    while True:
        dice, faces = _flat_dice(rng, count, die_px, options)
        arts = [draw_face(style, face) for face in CARD_DICE_FACES]
        dice = [
            replace(
                die,
                arts=_arts(rng, [arts[CARD_DICE_FACES.index(face)], *arts]),
                body=style.body,
            )
            for die, face in zip(dice, faces, strict=True)
        ]
        dice = _made_odd(rng, dice, oddity, lean_deg, die_px, options)
        quads = np.array([top_quad(camera, die) for die in dice]).reshape(-1, 4, 2)
        inside = shares_inside(quads, options.width, options.height)
        cut = oddity is Oddity.CUT
        if all(_inside(quad, options) for quad in quads[int(cut) :]) and (
            not cut or LEAST_CUT < inside[0] < MOST_CUT
        ):
            break
    image: Image = np.ascontiguousarray(
        table(rng, options.height, options.width, options.photos)
    )
    paint_dice(rng, image, camera, dice)
    covered = np.zeros(image.shape[:2])
    if oddity is Oddity.HIDDEN:
        hidden = _hide_one(rng, image, camera, dice, die_px, options)
        if hidden is None:  # the dice lie too close together
            return make_odd_roll(rng, book, oddity, options, lean_deg)
        covered = hidden
    visible = tuple(_seen(camera, dice, k, covered) for k in range(count))
    states = tuple(_state(k, oddity, v) for k, v in enumerate(visible))
    strength = float(np.clip(die_px / 42, 0.6, 1.5))
    picture = photograph(rng, image, strength)
    return OddRoll(picture, tuple(faces), quads, states, visible, die_px)


def _hide_one(
    rng: np.random.Generator,
    image: Image,
    camera: Pinhole,
    dice: list[Die],
    die_px: float,
    options: OddOptions,
) -> Floats | None:
    """Cover a part of the first die and of no other: (H, W) what is covered."""
    at = top_quad(camera, dice[0]).mean(axis=0)
    nothing = np.zeros(image.shape[:2])
    free = [_seen(camera, dice, k, nothing) for k in range(len(dice))]
    before = image.copy()
    for _ in range(TRIES):
        covered = lay_over(rng, image, at, die_px, options.photos)
        seen = [_seen(camera, dice, k, covered) for k in range(len(dice))]
        if 0.3 < seen[0] < 0.75 and seen[1:] == free[1:]:
            return covered
        image[:] = before
    return None


def _camera(rng: np.random.Generator, options: OddOptions) -> tuple[Pinhole, float]:
    low, high = np.log(options.smallest_px), np.log(options.largest_px)
    die_px = float(np.exp(rng.uniform(low, high)))
    focal = rng.uniform(0.75, 1.5) * options.width
    distance = focal * SIZE_MM / die_px
    camera = looking_at(
        np.array([0.0, 0.0, SIZE_MM]),
        float(distance),
        float(rng.uniform(0, options.most_tilt_deg)),
        float(rng.normal(0, 20)),
        float(rng.normal(0, 4)),
        float(focal),
        (options.width, options.height),
    )
    return camera, die_px


def _flat_dice(
    rng: np.random.Generator, count: int, die_px: float, options: OddOptions
) -> tuple[list[Die], list[Face]]:
    """Dice that lie flat, still without art, and their faces."""
    chosen = rng.choice(len(CARD_DICE_FACES), count, replace=False)
    reach = 0.36 * options.height / die_px * SIZE_MM
    spread = min(reach, float(rng.uniform(45, 110)))
    spots = scatter(rng, [SIZE_MM] * count, spread, touching=0.12)
    radius = float(rng.uniform(0.05, 0.2))
    blank = np.zeros((1, 1, 3), np.uint8)
    arts = (blank, blank, blank, blank, blank)
    dice = [Die(s.x, s.y, s.yaw_deg, s.size_mm, arts, (0, 0, 0), radius) for s in spots]
    return dice, [CARD_DICE_FACES[int(k)] for k in chosen[: len(dice)]]


def _arts(
    rng: np.random.Generator, arts: list[Picture]
) -> tuple[Picture, Picture, Picture, Picture, Picture]:
    """The first on top, any of the others on the sides."""
    sides = [
        np.ascontiguousarray(np.rot90(arts[int(k)], int(t)))
        for k, t in zip(
            rng.integers(1, len(arts), 4), rng.integers(0, 4, 4), strict=True
        )
    ]
    return arts[0], sides[0], sides[1], sides[2], sides[3]


def _made_odd(
    rng: np.random.Generator,
    dice: list[Die],
    oddity: Oddity,
    lean_deg: float | None,
    die_px: float,
    options: OddOptions,
) -> list[Die]:
    if oddity is Oddity.COCKED:
        lean = float(rng.uniform(12, 45)) if lean_deg is None else lean_deg
        axis = 90.0 * int(rng.integers(4)) + float(rng.normal(0, 8))
        return [leaning(dice[0], axis, lean), *dice[1:]]
    if oddity is Oddity.STACKED:
        # number 0 moves onto the last one, nearly straight or half over its edge
        under = dice[-1]
        dx, dy = rng.uniform(-0.5, 0.5, 2) * SIZE_MM
        upper = replace(
            dice[0], x=under.x + float(dx), y=under.y + float(dy), lift_mm=SIZE_MM
        )
        return [upper, *dice[1:]]
    if oddity is Oddity.CUT:
        out = options.width / 2 / die_px * SIZE_MM
        side = 1 if rng.random() < 0.5 else -1
        far = side * (out + float(rng.uniform(-0.3, 0.2)) * SIZE_MM)
        return [replace(dice[0], x=far, y=float(rng.uniform(-20, 20))), *dice[1:]]
    return dice


def _inside(quad: Floats, options: OddOptions) -> bool:
    high = np.array([options.width - 1, options.height - 1])
    return bool((quad > 2).all() and (quad < high - 2).all())


def _seen(camera: Pinhole, dice: list[Die], k: int, covered: Floats) -> float:
    middle = {id(d): d.sides()[0].mean(axis=(0, 1)) for d in dice}

    def distance(die: Die) -> float:
        at = middle[id(die)]
        return float(np.linalg.norm(camera.position - at)) - 2 * float(at[2])

    nearer = [d for d in dice if d is not dice[k] and distance(d) < distance(dice[k])]
    return visible_share(camera, dice[k].top(), nearer, covered)


def _state(k: int, oddity: Oddity, visible: float) -> DieState:
    if k == 0 and oddity is Oddity.COCKED:
        return DieState.COCKED
    if k == 0 and oddity is Oddity.STACKED:
        return DieState.STACKED
    return DieState.FLAT if visible >= 0.97 else DieState.HIDDEN_PART
