"""Scenes that teach how dice lie: flat, leaning, stacked, covered, cut, printed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import cv2
import numpy as np

from datasets.art import draw_face
from datasets.clutter import lay, reach_in
from datasets.cube import Die, Image
from datasets.lens import Lens
from datasets.lying import (
    SIZE_MM,
    farness,
    lay_over,
    leaning,
    paint_dice,
    visible_share,
)
from datasets.optics import Picture, photograph
from datasets.other_faces import draw_other
from datasets.pinhole import Floats, Pinhole, looking_at
from datasets.placing import scatter
from datasets.style import random_style
from datasets.tables import table
from scoring.cards import CARD_DICE_FACES

if TYPE_CHECKING:
    from datasets.canvas import Art
    from datasets.fonts import FontBook

LEAST_SEEN = 0.35
"""Faces of which less is seen are not found by a detector, and not told of."""
LEAST_AREA = 0.3
"""Likewise faces seen so slantingly: least area in squares of the die's width."""


@dataclass(frozen=True, slots=True)
class BodyOptions:
    """What kind of scenes to make.

    Attributes:
        size_px: width and height of the picture.
        smallest_px: least width of a die.
        largest_px: greatest width of a die.
        held_out: use the fonts that training never sees.
        photos: folder of background photos; empty for none.
    """

    size_px: int = 480
    smallest_px: float = 18.0
    largest_px: float = 85.0
    held_out: bool = False
    photos: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class SeenFace:
    """One face of a die, or a print, and how it lies.

    Attributes:
        quad: (4, 2) pixel corners, clockwise.
        foot: (2,) pixels from the middle of the face to that of the face opposite; 0
            for a print.
        visible: share of the face that nothing covers and the border does not cut.
        stacked: the die stands on another one.
        printed: there is no die beneath.
        uppermost: it is the top face of its die.
        lean_deg: of the face against the table.
    """

    quad: Floats
    foot: Floats
    visible: float
    stacked: bool
    printed: bool
    uppermost: bool
    lean_deg: float


@dataclass(frozen=True, slots=True, eq=False)
class BodyScene:
    """A picture with its truth.

    Attributes:
        image: (H, W, 3) uint8 BGR.
        faces: all faces that can be made out.
        die_px: width of the dice, pixels.
    """

    image: Picture
    faces: tuple[SeenFace, ...]
    die_px: float


def make_body_scene(
    rng: np.random.Generator, book: FontBook, options: BodyOptions
) -> BodyScene:
    """Make one scene.

    Args:
        rng: source of every choice.
        book: fonts of the art.
        options: what to show.
    """
    style = random_style(rng, book, options.held_out)
    camera, die_px = _camera(rng, options)
    faces = rng.choice(len(CARD_DICE_FACES), 6, replace=False)
    arts = [draw_face(style, CARD_DICE_FACES[int(k)]) for k in faces]
    if rng.random() < 0.15:
        arts[0] = draw_other(rng, style)
    size = options.size_px
    image: Image = np.ascontiguousarray(table(rng, size, size, options.photos))
    reach_mm = size / die_px * SIZE_MM * 0.6
    for _ in range(int(rng.integers(0, 3))):
        at = rng.uniform(-reach_mm, reach_mm, 2)
        lay(rng, image, camera, at, style, options.photos)
    prints = [
        _print(rng, image, camera, arts, reach_mm)
        for _ in range(int(rng.choice(3, p=(0.6, 0.25, 0.15))))
    ]
    dice, stacked = _dice(rng, arts, style.body, reach_mm)
    if rng.random() < 0.35:
        _wall(rng, image, camera, dice)
    paint_dice(rng, image, camera, dice)
    covered = np.zeros((size, size))
    for _ in range(int(rng.choice(3, p=(0.5, 0.35, 0.15)))):
        covered = np.maximum(covered, reach_in(rng, image, die_px))
    if rng.random() < 0.35:
        die = dice[int(rng.integers(len(dice)))]
        at = camera.project(die.top()).mean(axis=0)
        cover = lay_over(rng, image, at, die_px, options.photos)
        covered = np.maximum(covered, cover)
    truth = [
        face
        for k, die in enumerate(dice)
        for face in _faces(camera, dice, k, covered, die_px, die in stacked)
    ]
    truth += [_seen_print(camera, dice, corners, covered) for corners in prints]
    if rng.random() < 0.25:
        lens = Lens(float(rng.uniform(-0.03, 0.12)), size, size)
        image = lens.bend_picture(image)
        truth = [_bent(face, lens) for face in truth]
    strength = float(np.clip(die_px / 42, 0.6, 1.5))
    picture = photograph(rng, image, strength)
    kept = tuple(face for face in truth if face.visible >= LEAST_SEEN)
    return BodyScene(picture, kept, die_px)


def _camera(rng: np.random.Generator, options: BodyOptions) -> tuple[Pinhole, float]:
    """A camera whose picture is any window of a webcam's."""
    low, high = np.log(options.smallest_px), np.log(options.largest_px)
    die_px = float(np.exp(rng.uniform(low, high)))
    tilt = float(rng.uniform(0, 48) if rng.random() < 0.7 else rng.uniform(0, 10))
    focal = rng.uniform(750, 1900)
    camera = looking_at(
        np.array([0.0, 0.0, SIZE_MM]),
        float(np.clip(focal * SIZE_MM / die_px, 180, 1600)),
        tilt,
        rng.uniform(0, 360),
        rng.uniform(-180, 180),
        1.0,
        (options.size_px, options.size_px),
    )
    distance = float(np.linalg.norm(camera.position - (0, 0, SIZE_MM)))
    return replace(camera, focal_px=die_px * distance / SIZE_MM), die_px


def _dice(
    rng: np.random.Generator,
    arts: list[Art],
    body: tuple[float, float, float],
    reach_mm: float,
) -> tuple[list[Die], set[Die]]:
    """Dice that lie flat, lean and stand on others; and those that stand."""
    count = int(rng.integers(3, 11))
    spread = min(reach_mm, float(rng.uniform(22, 80)))
    spots = scatter(rng, [SIZE_MM] * count, spread, touching=0.3)
    radius = float(rng.uniform(0.04, 0.22))
    dice: list[Die] = []
    for spot in spots:
        order = rng.permutation(len(arts))[:5]
        turned = [
            np.ascontiguousarray(np.rot90(arts[int(k)], int(rng.integers(4))))
            for k in order
        ]
        own = (turned[0], turned[1], turned[2], turned[3], turned[4])
        yaw = float(rng.uniform(0, 360))
        die = Die(spot.x, spot.y, spot.yaw_deg, spot.size_mm, own, body, radius)
        if rng.random() < 0.4:
            angle = rng.uniform(2, 48) if rng.random() < 0.8 else rng.uniform(0, 12)
            rest = float(rng.uniform(0, 8)) if rng.random() < 0.3 else 0.0
            # mostly about an edge, as dice lean, now and then about a corner
            axis = 90.0 * int(rng.integers(4))
            axis += float(rng.normal(0, 3 if rng.random() < 0.6 else 40))
            die = leaning(replace(die, yaw_deg=yaw), axis, float(angle), rest)
        dice.append(die)
    standing: set[Die] = set()
    if rng.random() < 0.3 and dice:
        under = dice[int(rng.integers(len(dice)))]
        if under.tumble is None:
            dx, dy = rng.uniform(-0.55, 0.55, 2) * SIZE_MM
            upper = replace(
                under,
                x=under.x + float(dx),
                y=under.y + float(dy),
                yaw_deg=float(rng.uniform(0, 360)),
                lift_mm=SIZE_MM,
                arts=under.arts[::-1],
            )
            dice.append(upper)
            standing.add(upper)
    return dice, standing


def _faces(
    camera: Pinhole,
    dice: list[Die],
    k: int,
    covered: Floats,
    die_px: float,
    stacked: bool,
) -> list[SeenFace]:
    """The faces of a die that look towards the camera."""
    corners, normals = dice[k].sides()
    towards = camera.position - corners.mean(axis=1)
    front = np.einsum("ij,ij->i", towards, normals) > 0
    out = []
    for side in np.flatnonzero(front):
        quad = camera.project(corners[side])
        if _area(quad) < LEAST_AREA * die_px**2:
            continue
        middle = corners[side].mean(axis=0)
        deep = middle - normals[side] * dice[k].size_mm
        ends = camera.project(np.stack([middle, deep]))
        nearer = [
            die
            for die in dice
            if die is not dice[k] and farness(camera, die) < farness(camera, dice[k])
        ]
        out.append(
            SeenFace(
                quad,
                ends[1] - ends[0],
                visible_share(camera, corners[side], nearer, covered),
                stacked,
                False,
                int(side) == 0,
                float(np.rad2deg(np.arccos(np.clip(normals[side][2], -1, 1)))),
            )
        )
    return out


def _area(quad: Floats) -> float:
    x, y = quad.T
    return abs(float(x @ np.roll(y, -1) - y @ np.roll(x, -1))) / 2


def _print(
    rng: np.random.Generator,
    image: Image,
    camera: Pinhole,
    arts: list[Art],
    reach_mm: float,
) -> Floats:
    """Print a face on a card and lay it on the table: corners of the print, mm."""
    side = SIZE_MM * float(rng.uniform(0.7, 1.4))
    x, y = rng.uniform(-reach_mm, reach_mm, 2)
    yaw = rng.uniform(0, 2 * np.pi)
    c, s = np.cos(yaw), np.sin(yaw)
    turn = np.array([[c, s], [-s, c]])
    square = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]])
    card = square * (side * rng.uniform(0.6, 1.6), side * rng.uniform(0.6, 2.0))
    colour = rng.uniform(150, 255, 3) if rng.random() < 0.5 else None
    art = arts[int(rng.integers(len(arts)))]
    edge = art[0].reshape(-1, 3).mean(axis=0)
    for shape, paint in ((card, colour), (square * (side / 2), art)):
        corners = np.column_stack([shape @ turn + (x, y), np.zeros(4)])
        quad = camera.project(corners)
        if paint is None:
            paint = edge
        picture = np.empty((96, 96, 3), np.uint8)
        picture[:] = (
            np.clip(paint, 0, 255)
            if np.ndim(paint) == 1
            else cv2.resize(np.asarray(paint), (96, 96), interpolation=cv2.INTER_AREA)
        )
        _paste(image, quad, picture)
    return corners


def _paste(image: Image, quad: Floats, picture: Picture) -> None:
    """Lay a picture on a quad of the image, in place."""
    side = len(picture)
    source = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(source, quad.astype(np.float32))
    size = (image.shape[1], image.shape[0])
    mask = cv2.warpPerspective(np.full((side, side), 255, np.uint8), matrix, size)
    over = cv2.warpPerspective(picture, matrix, size)
    share = mask.astype(np.float32)[:, :, None] / 255
    image += share * (over.astype(np.float32) - image)


def _seen_print(
    camera: Pinhole, dice: list[Die], corners: Floats, covered: Floats
) -> SeenFace:
    visible = visible_share(camera, corners, dice, covered)
    quad = camera.project(corners)
    return SeenFace(quad, np.zeros(2), visible, False, True, False, 0.0)


def _wall(
    rng: np.random.Generator, image: Image, camera: Pinhole, dice: list[Die]
) -> None:
    """A straight wall of a tray behind the outermost dice of one side."""
    angle = rng.uniform(0, 2 * np.pi)
    out, along = (
        np.array([np.cos(angle), np.sin(angle)]),
        np.array([-np.sin(angle), np.cos(angle)]),
    )
    outermost = max(float(np.array([d.x, d.y]) @ out) for d in dice)
    near = outermost + SIZE_MM * float(rng.uniform(0.3, 1.0))
    tall, thick = float(rng.uniform(10, 35)), float(rng.uniform(4, 15))
    colour = rng.uniform(15, 235, 3)
    base = float(rng.uniform(0.5, 0.9))
    facing = float((camera.position[:2] - out * near) @ out) < 0
    strips = [(near, tall, near + thick, tall, 1.0)]
    if facing:
        strips.insert(0, (near, 0.0, near, tall, base))
    else:
        strips.insert(0, (near + thick, tall, near + thick, 0.0, base * 0.8))
    for d0, z0, d1, z1, shade in strips:
        mask = np.zeros(image.shape[:2], np.uint8)
        # in pieces: a long strip reaches behind the camera
        for low in range(-300, 300, 30):
            ends = (
                (d0, low, z0),
                (d0, low + 30, z0),
                (d1, low + 30, z1),
                (d1, low, z1),
            )
            points = np.array([(*(out * d + along * e), z) for d, e, z in ends])
            quad = camera.project(points)
            if np.abs(quad).max() < 2e4:
                at = np.rint(quad * 16).astype(np.int32)
                cv2.fillConvexPoly(mask, at, 255, cv2.LINE_8, 4)
        image[mask > 0] = colour * shade


def _bent(face: SeenFace, lens: Lens) -> SeenFace:
    middle = face.quad.mean(axis=0)
    ends = lens.bend(np.stack([middle, middle + face.foot]))
    return replace(face, quad=lens.bend(face.quad), foot=ends[1] - ends[0])
