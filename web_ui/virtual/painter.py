"""Draws the virtual table: what lies still once, what moves at half the size."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

import cv2
import numpy as np

from datasets.clips import flying
from datasets.cube import Die, Image, paint_die
from datasets.demo import green_felt
from datasets.hostile_hand import Hand, Placed
from datasets.lying import farness, leaning
from datasets.pinhole import Floats, Pinhole, looking_at
from datasets.shadows import cast_shadows
from web_ui.virtual.face_sheet import BODY, load_faces
from web_ui.virtual.shots import DIE_PX, HEIGHT_PX, SIZE_MM, WIDTH_PX

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.ports import BgrImage
    from web_ui.virtual.shots import Flight, Shot, View, VirtualDie

DISTANCE_MM = 620.0
TILT_DEG = 15.0
TRAY_MM = (138.0, 78.0)
"""Half of the tray's inside, to the right and away."""
RIM_MM = 5.0
SHADES = (1.0, 0.55, 0.75, 0.9, 0.65)
"""Brightness of top and sides."""
NOISE = 1.5
"""Grey levels, standard deviation: a good webcam in a lit room."""
NOISE_ROOM = 64
"""Pixels by which the window of noise wanders."""
NOISE_BASE = 16
DARKNESS = 0.07
GLARE = (0.45, 0.5, 0.42, 235.0)
"""Centre and size in shares of a face, strength in grey levels."""


class Painter(Protocol):
    """Whoever turns shots into pictures."""

    def paint(self, shot: Shot) -> BgrImage:
        """Draw a shot; the same one twice never gives the very same picture."""
        ...

    def spot(self, die: VirtualDie) -> Floats:
        """Pixel corners of a die's top face, (4, 2)."""
        ...


def camera_of(scale: float = 1.0) -> Pinhole:
    """The virtual camera, for pictures `scale` times the usual size."""
    size = (round(WIDTH_PX * scale), round(HEIGHT_PX * scale))
    focal = DIE_PX * scale * DISTANCE_MM / SIZE_MM
    target = np.array([0.0, 0.0, SIZE_MM])
    return looking_at(target, DISTANCE_MM, TILT_DEG, 0.0, 0.0, focal, size)


class TablePainter:
    """Draws shots; for one thread.

    Args:
        seed: of the table's look and of the noise.
    """

    def __init__(self, seed: int = 1) -> None:
        self._seed = seed
        self._rng = np.random.default_rng(seed)
        self._faces = load_faces()
        self._camera, self._small = camera_of(), camera_of(0.5)
        self._ground = _ground(np.random.default_rng(seed), self._camera)
        self._hand = Hand(np.random.default_rng(seed + 2), DIE_PX / 2)
        self._bases: dict[tuple[object, ...], tuple[BgrImage, Image]] = {}
        self._drawn: tuple[Shot, BgrImage] | None = None
        room = (HEIGHT_PX + NOISE_ROOM, WIDTH_PX + NOISE_ROOM, 1)
        grain = self._rng.standard_normal(room, dtype=np.float32) * NOISE + NOISE_BASE
        wide = np.repeat(np.clip(np.rint(grain), 0, 255), 3, axis=2)
        self._noise = np.asarray(wide, np.uint8)
        self._noise_at = (0, 0)
        self._offset = np.full((HEIGHT_PX, WIDTH_PX, 3), NOISE_BASE, np.uint8)

    def spot(self, die: VirtualDie) -> Floats:
        """Pixel corners of a die's top face, (4, 2), from the art's top left."""
        return self._camera.project(self._solid(die).top())

    def paint(self, shot: Shot) -> BgrImage:
        """Draw a shot.

        Returns:
            (720, 1280, 3) uint8 BGR of its own, with noise that differs each time.
        """
        if self._drawn is None or self._drawn[0] != shot:
            self._drawn = shot, self._clean(shot)
        return self._noisy(self._drawn[1])

    def _clean(self, shot: Shot) -> BgrImage:
        sharp, soft = self._base(shot.still, shot.view.glare)
        image = sharp if shot.calm else self._with_movers(shot, sharp, soft)
        return _seen(image, shot.view)

    def _base(
        self, still: tuple[VirtualDie, ...], glare: bool
    ) -> tuple[BgrImage, Image]:
        """The table with what lies still: whole, and at half the size for drawing."""
        key = (still, glare)
        if key not in self._bases:
            while len(self._bases) > 2:
                self._bases.pop(next(iter(self._bases)))
            image = self._ground.copy()
            dice = [self._solid(die) for die in still]
            _lay(self._seed, image, self._camera, dice, GLARE if glare else None)
            soft = cv2.GaussianBlur(image, (0, 0), 0.6)
            sharp = np.asarray(np.clip(soft, 0, 255), np.uint8)
            half = cv2.resize(sharp, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
            self._bases[key] = sharp, np.asarray(half, np.float32)
        return self._bases[key]

    def _with_movers(self, shot: Shot, sharp: BgrImage, soft: Image) -> BgrImage:
        """Lay what moves over the picture of what lies: it is blurred anyway."""
        image = soft.copy()
        dragged = [self._solid(die) for die in shot.dragged]
        if shot.flight is not None:
            image = self._blurred(image, shot.flight)
        _lay(self._seed, image, self._small, dragged)
        for hand in shot.hands:
            self._hand.paint(image, Placed(hand.x / 2, hand.y / 2, hand.angle_deg))
        np.clip(image, 0, 255, out=image)
        apart = cv2.absdiff(image, soft).max(axis=2)
        mask = np.asarray(apart > 1.5, np.uint8)
        mask = np.asarray(cv2.dilate(mask, np.ones((3, 3), np.uint8)), np.uint8)
        size = (WIDTH_PX, HEIGHT_PX)
        large = cv2.resize(image.astype(np.uint8), size, interpolation=cv2.INTER_LINEAR)
        wide = cv2.resize(mask, size, interpolation=cv2.INTER_NEAREST)
        out = sharp.copy()
        cv2.copyTo(large, wide, out)
        return out

    def _blurred(self, image: Image, flight: Flight) -> Image:
        """Two moments of a flight on one picture: the open shutter."""
        resting = tuple(self._solid(die) for die in flight.dice)
        paths = list(zip(flight.aside, flight.turns, strict=True))
        total = np.zeros_like(image)
        for late in (0.0, 0.4):
            moment = image.copy()
            at = min(1.0, flight.share + late * flight.step)
            _lay(self._seed, moment, self._small, list(flying(resting, paths, at)))
            total += moment
        total *= np.float32(0.5)
        return total

    def _solid(self, die: VirtualDie) -> Die:
        top, (a, b, c, d) = self._faces[die.face], (self._faces[f] for f in die.sides)
        arts = (top, a, b, c, d)
        solid = Die(die.x, die.y, die.yaw_deg, SIZE_MM, arts, BODY, 0.16)
        return leaning(solid, die.axis_deg, die.lean_deg) if die.lean_deg else solid

    def _noisy(self, clean: BgrImage) -> BgrImage:
        y, x = (int(v) for v in self._rng.integers(0, NOISE_ROOM, 2))
        if (y, x) == self._noise_at:
            y = (y + 1) % NOISE_ROOM
        self._noise_at = (y, x)
        window = self._noise[y : y + HEIGHT_PX, x : x + WIDTH_PX]
        added = cv2.add(clean, window)
        return np.asarray(cv2.subtract(added, self._offset), np.uint8)


def _lay(
    seed: int,
    image: Image,
    camera: Pinhole,
    dice: list[Die],
    glare: tuple[float, float, float, float] | None = None,
) -> None:
    """Paint dice with their shadows, the farther ones first, in place."""
    cast_shadows(np.random.default_rng(seed + 3), image, camera, dice)
    for die in sorted(dice, key=lambda die: -farness(camera, die)):
        paint_die(image, camera, die, SHADES, glare)


def _seen(image: BgrImage, view: View) -> BgrImage:
    """What the camera makes of the table where it stands, in the light there is."""
    if (view.dx, view.dy, view.turn_deg) != (0.0, 0.0, 0.0):
        middle = (WIDTH_PX / 2, HEIGHT_PX / 2)
        matrix = cv2.getRotationMatrix2D(middle, view.turn_deg, 1.0)
        matrix[:, 2] += np.array([view.dx, view.dy])
        size, mode = (WIDTH_PX, HEIGHT_PX), cv2.BORDER_REFLECT
        image = np.asarray(
            cv2.warpAffine(image, matrix, size, borderMode=mode), np.uint8
        )
    if view.dark:
        image = np.asarray(cv2.convertScaleAbs(image, alpha=DARKNESS), np.uint8)
    return image


def seen_at(points: Floats, view: View) -> Floats:
    """Where points of the picture of a straight camera are in that of `view`."""
    matrix = cv2.getRotationMatrix2D((WIDTH_PX / 2, HEIGHT_PX / 2), view.turn_deg, 1.0)
    moved: Floats = points @ matrix[:, :2].T + matrix[:, 2] + (view.dx, view.dy)
    return moved


@lru_cache(maxsize=1)
def _light() -> NDArray[np.float32]:
    """Brightness of each pixel, (H, W, 1): a little less in the corners."""
    y = np.linspace(-1, 1, HEIGHT_PX, dtype=np.float32)[:, None]
    x = np.linspace(-1, 1, WIDTH_PX, dtype=np.float32)[None]
    return np.asarray(1.05 - 0.05 * (x * x + y * y), np.float32)[:, :, None]


def _ground(rng: np.random.Generator, camera: Pinhole) -> Image:
    """A wooden table with a tray of green felt on it."""
    height, width = HEIGHT_PX, WIDTH_PX
    y = np.arange(height, dtype=np.float32)[:, None]
    warp = cv2.resize(
        rng.normal(0, 1.0, (8, 5)).astype(np.float32),
        (width, height),
        interpolation=cv2.INTER_CUBIC,
    )
    grain = np.sin(y / 9 + 3 * warp) * 3 + np.sin(y / 3.1 + 6 * warp) * 1.5
    wood = np.array([72, 104, 140], np.float32) + grain[:, :, None] * (0.8, 1.0, 1.2)
    felt = green_felt(rng, height, width)
    image = np.asarray(wood, np.float32)
    for reach, inside in ((RIM_MM, None), (0.0, felt)):
        mask = np.zeros((height, width), np.uint8)
        half = np.array([TRAY_MM[0] + reach, TRAY_MM[1] + reach])
        square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
        corners = camera.project(np.column_stack([square, np.zeros(4)]))
        cv2.fillConvexPoly(
            mask, np.rint(corners * 16).astype(np.int32), 255, cv2.LINE_AA, 4
        )
        share = mask.astype(np.float32)[:, :, None] / 255
        over = np.array([34, 50, 74], np.float32) if inside is None else inside
        image += share * (over - image)
    return np.asarray(image * _light(), np.float32)
