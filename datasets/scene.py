"""Whole pictures of a table with dice, and where every top face is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import cv2
import numpy as np

from datasets.art import draw_face
from datasets.clutter import lay, reach_in
from datasets.cube import Die, Image, top_quad
from datasets.lens import Lens
from datasets.lying import leaning, paint_dice
from datasets.optics import Picture, photograph
from datasets.other_faces import draw_other
from datasets.pinhole import Floats, Pinhole, looking_at
from datasets.placing import Spot, scatter
from datasets.style import ArtStyle, random_style
from datasets.tables import table
from datasets.throws import CARD_DICE, random_roll, side_faces
from scoring.cards import ALL_FACES, CARD_DICE_FACES, Face

if TYPE_CHECKING:
    from datasets.canvas import Art
    from datasets.fonts import FontBook

VISIBLE = 0.55
"""A top face of which a hand leaves less than this is no longer a thing to find."""


@dataclass(frozen=True, slots=True)
class SceneOptions:
    """What kind of pictures to make.

    Attributes:
        width: pixels.
        height: pixels.
        smallest_px: least width of a die.
        largest_px: greatest width of a die.
        full_roll: a roll of `dice_set` in every picture, all inside; otherwise any
            number of dice of any kind.
        clutter: chance of each further thing on the table.
        hand: chance of a hand at the border.
        lean: chance that one die leans, as on a wall or a neighbour.
        stack: chance that one die lies on another.
        held_out: use the fonts that training never sees.
        photos: folder of background photos; empty for none.
        dice_set: bundled dice set of the full rolls.
    """

    width: int
    height: int
    smallest_px: float
    largest_px: float
    full_roll: bool
    clutter: float = 0.45
    hand: float = 0.12
    lean: float = 0.0
    stack: float = 0.0
    held_out: bool = False
    photos: str = ""
    dice_set: str = CARD_DICE


@dataclass(frozen=True, slots=True)
class Thrown:
    """Dice that a picture shall show.

    Attributes:
        style: their art.
        faces: what they show, in any order.
    """

    style: ArtStyle
    faces: tuple[Face, ...]


@dataclass(frozen=True, slots=True, eq=False)
class SceneDie:
    """One die of a picture.

    Attributes:
        face: what it shows; None for a pip die or a blank.
        quad: (4, 2) pixel corners of the top face, clockwise from the art's top left.
        visible: share of the top face that nothing covers.
        state: flat, cocked or stacked.
    """

    face: Face | None
    quad: Floats
    visible: float
    state: str = "flat"


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """A picture with its truth.

    Attributes:
        image: (H, W, 3) uint8 BGR.
        dice: every die whose top face is in the picture.
        die_px: mean width of the card dice, not foreshortened, pixels.
        tilt_deg: of the camera; 0 is straight from above.
        style: of the art.
        things: what else is there.
    """

    image: Picture
    dice: tuple[SceneDie, ...]
    die_px: float
    tilt_deg: float
    style: ArtStyle
    things: tuple[str, ...]


def _camera(
    rng: np.random.Generator, options: SceneOptions
) -> tuple[Pinhole, float, float]:
    """A camera over the table whose picture is a window of a webcam's."""
    low, high = np.log(options.smallest_px), np.log(options.largest_px)
    die_px, size_mm = float(np.exp(rng.uniform(low, high))), 18.0
    tilt = float(rng.uniform(0, 50) if rng.random() < 0.8 else rng.uniform(0, 10))
    focal = rng.uniform(750, 1900)
    camera = looking_at(
        np.array([0.0, 0.0, size_mm]),
        float(np.clip(focal * size_mm / die_px, 180, 1600)),
        tilt,
        rng.uniform(0, 360) if not options.full_roll else rng.normal(0, 20),
        _roll_deg(rng, tilt),
        1.0,
        (options.width, options.height),
    )
    distance = float(np.linalg.norm(camera.position - (0, 0, size_mm)))
    focal = die_px * distance / size_mm
    return (
        Pinhole(camera.position, camera.rotation, focal, camera.centre_px),
        die_px,
        tilt,
    )


def _roll_deg(rng: np.random.Generator, tilt_deg: float) -> float:
    """Turn of the camera about its own axis.

    From straight above any turn is as likely; a camera that looks at the table from the
    side stands nearly upright. That tells top faces from sides: the sides are below.
    """
    if rng.random() < (0.05 if tilt_deg > 12 else 0.6):
        return float(rng.uniform(-180, 180))
    return float(rng.normal(0, 6))


def _faces(rng: np.random.Generator, options: SceneOptions) -> list[Face | None]:
    if options.full_roll:
        return list(random_roll(rng, options.dice_set))
    count = int(rng.choice([0, 1, 3, 5, 9, 14], p=[0.04, 0.06, 0.15, 0.2, 0.4, 0.15]))
    low = len(CARD_DICE_FACES) if rng.random() < 0.08 else 0
    high = len(ALL_FACES) if low else len(CARD_DICE_FACES)
    return [
        None if rng.random() < 0.06 else ALL_FACES[int(rng.integers(low, high))]
        for _ in range(count)
    ]


def _dice(
    rng: np.random.Generator,
    style: ArtStyle,
    faces: list[Face | None],
    spots: list[Spot],
) -> list[Die]:
    radius = float(rng.uniform(0.05, 0.22))
    tops = [draw_other(rng, style) if f is None else draw_face(style, f) for f in faces]
    pool = [*tops, *(draw_face(style, face) for face in side_faces(rng, faces))]
    dice = []
    for top, face, spot in zip(tops, faces, spots, strict=False):
        sides = [_turned(rng, pool) for _ in range(4)]
        if face is None and rng.random() < 0.8:  # a pip die has pips all round
            sides = [_turned(rng, [top]) for _ in range(4)]
        arts = (top, sides[0], sides[1], sides[2], sides[3])
        dice.append(
            Die(spot.x, spot.y, spot.yaw_deg, spot.size_mm, arts, style.body, radius)
        )
    return dice


def _disturbed(
    rng: np.random.Generator, dice: list[Die], options: SceneOptions
) -> tuple[list[Die], list[str]]:
    """Let one die lean, or lie on another; what each die does."""
    states = ["flat"] * len(dice)
    if dice and rng.random() < options.lean:
        k = int(rng.integers(len(dice)))
        axis_deg, lean_deg = rng.uniform(0, 360), rng.uniform(5, 40)
        dice[k] = leaning(dice[k], float(axis_deg), float(lean_deg))
        states[k] = "cocked"
    if len(dice) > 1 and rng.random() < options.stack:
        top, under = (int(k) for k in rng.choice(len(dice), 2, replace=False))
        if states[under] == "flat":
            below = dice[under]
            shift = rng.uniform(-0.35, 0.35, 2) * below.size_mm
            dice[top] = replace(
                dice[top],
                x=below.x + float(shift[0]),
                y=below.y + float(shift[1]),
                lift_mm=below.size_mm,
                tumble=None,
            )
            states[top] = "stacked"
    return dice, states


def _turned(rng: np.random.Generator, pool: list[Art]) -> Art:
    art = pool[int(rng.integers(len(pool)))]
    return np.ascontiguousarray(np.rot90(art, int(rng.integers(4))))


def _reach_mm(options: SceneOptions, die_px: float, tilt: float) -> float:
    """Radius on the table that stays inside the picture."""
    least = min(options.width, options.height / np.cos(np.deg2rad(tilt)))
    return float(max(12.0, (0.47 * least / die_px - 1.3) * 18.0))


def _inside(quad: Floats, options: SceneOptions) -> bool:
    """Whether the circle round a quad lies in the picture (keypoints stay inside)."""
    middle = quad.mean(axis=0)
    radius = float(np.linalg.norm(quad - middle, axis=1).max()) + 1
    high = np.array([options.width - 1, options.height - 1]) - radius
    return bool((middle > radius).all() and (middle < high).all())


def _outside(quad: Floats, options: SceneOptions) -> bool:
    middle = quad.mean(axis=0)
    far = float(np.linalg.norm(quad - middle, axis=1).max()) * 2.2
    limit = np.array([options.width, options.height]) + far
    return bool((middle < -far).any() or (middle > limit).any())


def _covered_by(camera: Pinhole, die: Die, shape: tuple[int, int]) -> Floats:
    """(H, W) share of each pixel that a die covers."""
    corners = camera.project(die.sides()[0].reshape(-1, 3)).astype(np.float32)
    mask = np.zeros(shape, np.uint8)
    hull = np.rint(cv2.convexHull(corners)).astype(np.int32)
    cv2.fillConvexPoly(mask, hull, 1)
    return mask.astype(np.float64)


def _sheen(
    rng: np.random.Generator, image: Image, quads: list[Floats], die_px: float
) -> None:
    """A window or lamp mirrored in some of the glossy top faces, in place."""
    tops = np.zeros(image.shape[:2], np.uint8)
    for quad in quads:
        middle = quad.mean(axis=0)
        inner = np.rint(middle + (quad - middle) * 0.93).astype(np.int32)
        cv2.fillConvexPoly(tops, inner, 255)
    tops = np.asarray(cv2.GaussianBlur(tops, (0, 0), 0.7), np.uint8)
    at = quads[int(rng.integers(len(quads)))].mean(axis=0)
    at = at + rng.normal(0, die_px, 2)
    y, x = np.mgrid[: image.shape[0], : image.shape[1]].astype(np.float32)
    wide, angle = rng.uniform(0.8, 4, 2) * die_px, rng.uniform(0, np.pi)
    u = ((x - at[0]) * np.cos(angle) + (y - at[1]) * np.sin(angle)) / wide[0]
    v = ((y - at[1]) * np.cos(angle) - (x - at[0]) * np.sin(angle)) / wide[1]
    power = rng.integers(1, 4)  # from a soft lamp to a window with edges
    blob = np.exp(-((u * u + v * v) ** power)) * rng.uniform(40, 420)
    tint = rng.uniform(0.85, 1.0, 3).astype(np.float32)
    image += (blob * tops / 255).astype(np.float32)[:, :, None] * tint


def _seen(share: Floats | None, quad: Floats) -> float:
    """Part of a quad that the hand leaves free, on a 5x5 grid."""
    if share is None:
        return 1.0
    steps = (np.arange(5) + 0.5) / 5
    u, v = (a.ravel()[:, None] for a in np.meshgrid(steps, steps))
    at = (1 - v) * ((1 - u) * quad[0] + u * quad[1])
    at = at + v * ((1 - u) * quad[3] + u * quad[2])
    x, y = np.rint(at).astype(int).T
    height, width = share.shape
    covered = share[np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)]
    return float(1 - covered.mean())


def make_scene(
    rng: np.random.Generator,
    book: FontBook,
    options: SceneOptions,
    thrown: Thrown | None = None,
) -> Scene:
    """Make one picture.

    Args:
        rng: source of every choice.
        book: fonts of the art.
        options: what to show.
        thrown: the dice; None to invent them.
    """
    style = thrown.style if thrown else random_style(rng, book, options.held_out)
    camera, die_px, tilt = _camera(rng, options)
    while True:
        faces = list(thrown.faces) if thrown else _faces(rng, options)
        reach = _reach_mm(options, die_px, tilt)
        sizes = [18.0 if f is not None else float(rng.uniform(13, 19)) for f in faces]
        spread = min(reach, float(rng.uniform(35, 130)))
        spots = scatter(rng, sizes, spread, touching=0.12)
        placed = list(zip(faces, spots, strict=False))
        dice = _dice(rng, style, [f for f, _ in placed], [s for _, s in placed])
        dice, states = _disturbed(rng, dice, options)
        quads = [top_quad(camera, die) for die in dice]
        whole = [_inside(quad, options) for quad in quads]
        if options.full_roll and not (len(dice) == len(faces) and all(whole)):
            die_px *= 0.97  # too large for the picture: look from further away
            camera = Pinhole(
                camera.position,
                camera.rotation,
                camera.focal_px * 0.97,
                camera.centre_px,
            )
            continue
        break
    kept = [k for k in range(len(dice)) if whole[k] or _outside(quads[k], options)]
    image: Image = np.ascontiguousarray(
        table(rng, options.height, options.width, options.photos)
    )
    things = []
    while rng.random() < options.clutter:
        span = 0.6 * max(options.width, options.height) / die_px * 18
        things.append(
            lay(rng, image, camera, rng.uniform(-span, span, 2), style, options.photos)
        )
    paint_dice(rng, image, camera, [dice[k] for k in kept])
    if kept and rng.random() < 0.12:
        _sheen(rng, image, [quads[k] for k in kept], die_px)
    covered = reach_in(rng, image, die_px) if rng.random() < options.hand else None
    if covered is not None:
        things.append("hand")
    shape = (options.height, options.width)
    over = [_covered_by(camera, dice[k], shape) for k in kept if states[k] == "stacked"]
    truth = [
        SceneDie(
            placed[k][0],
            quads[k],
            min(
                _seen(covered, quads[k]),
                *(
                    _seen(one, quads[k]) if states[k] != "stacked" else 1.0
                    for one in over
                ),
                1.0,
            ),
            states[k],
        )
        for k in kept
        if whole[k]
    ]
    if rng.random() < 0.25:
        lens = Lens(float(rng.uniform(-0.03, 0.12)), options.width, options.height)
        image = lens.bend_picture(image)
        truth = [replace(die, quad=lens.bend(die.quad)) for die in truth]
    strength = float(np.clip(die_px / 42, 0.6, 1.5))
    return Scene(
        photograph(rng, image, strength),
        tuple(truth),
        die_px,
        tilt,
        style,
        tuple(things),
    )
