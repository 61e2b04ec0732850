"""Short clips of throws: dice tumble in, come to rest, a hand takes them away."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import cv2
import numpy as np

from datasets.art import draw_face
from datasets.clutter import reach_in
from datasets.cube import Die, Image, paint_die, top_quad
from datasets.pinhole import Floats, Pinhole, looking_at
from datasets.placing import scatter
from datasets.shadows import cast_shadows
from scoring.cards import CARD_DICE_FACES, Face

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from datasets.optics import Picture
    from datasets.style import ArtStyle

SUBFRAMES = 3
"""Moments averaged in a frame while dice move: the blur of an open shutter."""


@dataclass(frozen=True, slots=True)
class ClipOptions:
    """Measures of a clip.

    Attributes:
        width: pixels.
        height: pixels.
        fps: frames a second.
        die_px: width of a die.
        tilt_deg: of the camera.
        empty_s: empty table before each throw.
        flight_s: from the hand to rest.
        rest_s: how long the dice lie.
        hand_s: a hand comes, takes the dice and goes.
    """

    width: int = 1280
    height: int = 720
    fps: int = 12
    die_px: float = 62.0
    tilt_deg: float = 18.0
    empty_s: float = 0.6
    flight_s: float = 1.1
    rest_s: float = 2.6
    hand_s: float = 1.4


@dataclass(frozen=True, slots=True, eq=False)
class Throw:
    """One throw of a clip.

    Attributes:
        dice: as they come to rest.
        faces: what they show.
        rest_frame: first frame, from 0, in which all lie still.
        quads: (4, 2) pixel corners of each top face at rest.
    """

    dice: tuple[Die, ...]
    faces: tuple[Face, ...]
    rest_frame: int
    quads: tuple[Floats, ...]


class ClipMaker:
    """Draws a clip in one style, frame by frame.

    Args:
        seed: of every choice.
        style: of the dice.
        options: measures.
        ground: (height, width, 3) float32 BGR, the empty table.
    """

    def __init__(
        self, seed: int, style: ArtStyle, options: ClipOptions, ground: Image
    ) -> None:
        self.seed, self.style, self.options = seed, style, options
        self.rng = np.random.default_rng(seed)
        size = (options.width, options.height)
        distance = 620.0
        self.camera: Pinhole = looking_at(
            np.array([0.0, 0.0, 18.0]),
            distance,
            options.tilt_deg,
            0.0,
            0.0,
            options.die_px * distance / 18.0,
            size,
        )
        self.ground = ground
        self._light = _even_light(options.height, options.width)
        self.throws: list[Throw] = []
        self._hand_colour, self._hand_share = self._hand()

    def _hand(self) -> tuple[Image, NDArray[np.float32]]:
        """A hand on a canvas twice as high as the picture, reaching up from below."""
        height, width = self.options.height, self.options.width
        canvas = np.zeros((2 * height, width, 3), np.float32)
        share = reach_in(
            np.random.default_rng(self.seed + 11), canvas, self.options.die_px * 1.7, 2
        )
        return canvas, share.astype(np.float32)

    def _rest(self, faces: tuple[Face, ...]) -> tuple[Die, ...]:
        count = len(faces)
        spots = scatter(self.rng, [18.0] * count, 78.0, touching=0.08)
        while len(spots) < count:
            spots = scatter(self.rng, [18.0] * count, 90.0, touching=0.0)
        arts = [draw_face(self.style, face) for face in faces]
        others = [draw_face(self.style, face) for face in CARD_DICE_FACES[::7]]
        dice = []
        for k, spot in enumerate(spots):
            sides = [others[int(i)] for i in self.rng.integers(0, len(others), 4)]
            five = (arts[k], sides[0], sides[1], sides[2], sides[3])
            dice.append(
                Die(spot.x, spot.y, spot.yaw_deg, 18.0, five, self.style.body, 0.16)
            )
        return tuple(dice)

    def throw(self, faces: tuple[Face, ...]) -> Iterator[Picture]:
        """Frames of one throw: empty table, flight, rest, hand."""
        options, fps = self.options, self.options.fps
        dice = self._rest(faces)
        made = self.throws[-1].rest_frame if self.throws else 0
        if self.throws:
            made += round((options.rest_s + options.hand_s) * fps)
        moving = round((options.empty_s + options.flight_s) * fps)
        quads = tuple(top_quad(self.camera, die) for die in dice)
        self.throws.append(Throw(dice, faces, made + moving, quads))
        paths = [(self.rng.normal(0, 0.25), int(self.rng.integers(2, 4))) for _ in dice]
        for _ in range(round(options.empty_s * fps)):
            yield self._finish(self._draw(()))
        steps = round(options.flight_s * fps)
        for k in range(steps):
            moments = (k + np.arange(SUBFRAMES) / SUBFRAMES) / steps
            drawn = [self._draw(flying(dice, paths, float(u))) for u in moments]
            yield self._finish(np.mean(drawn, axis=0, dtype=np.float32))
        for _ in range(round(options.rest_s * fps)):
            yield self._finish(self._draw(dice))
        frames = round(options.hand_s * fps)
        for k in range(frames):
            inside = 1 - abs(2 * k / frames - 1)
            lying = dice
            if k > frames / 2:  # the hand drags them off the table
                away = 330 * (1 - inside)
                lying = tuple(replace(die, y=die.y - away) for die in dice)
            yield self._finish(self._draw(lying, inside))

    def _draw(self, dice: tuple[Die, ...], hand: float = 0.0) -> Image:
        image = self.ground.copy()
        cast_shadows(np.random.default_rng(self.seed + 3), image, self.camera, [*dice])
        shades = (1.0, 0.55, 0.75, 0.9, 0.65)
        order = sorted(
            dice,
            key=lambda d: (
                -float(np.linalg.norm(self.camera.position - (d.x, d.y, 9.0)))
            ),
        )
        for die in order:
            paint_die(image, self.camera, die, shades)
        if hand > 0:
            top = round(self.options.height * 0.95 * hand)
            view = slice(top, top + self.options.height)
            share = self._hand_share[view, :, None]
            image += share * (self._hand_colour[view] - image)
        return image

    def _finish(self, image: Image) -> Picture:
        """A good webcam in even light: a soft lens, a little vignette, some noise."""
        soft = cv2.GaussianBlur(image, (0, 0), 0.7)
        noise = self.rng.standard_normal(image.shape[:2], dtype=np.float32)
        lit = soft * self._light + 1.2 * noise[:, :, None]
        return np.asarray(np.clip(lit, 0, 255), np.uint8)


def _even_light(height: int, width: int) -> Image:
    """Brightness of each pixel, (H, W, 1): a twelfth less in the corners."""
    y = np.linspace(-1, 1, height, dtype=np.float32)[:, None]
    x = np.linspace(-1, 1, width, dtype=np.float32)[None]
    return np.asarray(1.08 - 0.045 * (x * x + y * y), np.float32)[:, :, None]


def flying(
    dice: tuple[Die, ...], paths: list[tuple[float, int]], u: float
) -> tuple[Die, ...]:
    """The dice at share `u` of their flight; at 1 they lie as given."""
    left = (1 - u) ** 2
    out = []
    for die, (aside, turns) in zip(dice, paths, strict=True):
        angle = left * turns * np.pi
        c, s = float(np.cos(angle)), float(np.sin(angle))
        tumble = np.array([[1.0, 0.0, 0.0], [0.0, c, s], [0.0, -s, c]])
        hop = abs(np.sin(3 * np.pi * u)) * left * 45
        lean = 9.0 * (abs(c) + abs(s) - 1)  # a corner must not sink into the table
        out.append(
            replace(
                die,
                x=die.x + 260 * left * aside,
                y=die.y - 260 * left,
                yaw_deg=die.yaw_deg + 200 * left * aside,
                lift_mm=float(hop + lean),
                tumble=tumble,
            )
        )
    return tuple(out)


def write_clip(path: Path, frames: Iterator[Picture], fps: int) -> int:
    """Write frames as MPEG-4.

    Returns:
        How many frames.

    Raises:
        OSError: OpenCV cannot write such a file there.
    """
    writer: cv2.VideoWriter | None = None
    count = 0
    for frame in frames:
        if writer is None:
            size = (frame.shape[1], frame.shape[0])
            code = cv2.VideoWriter.fourcc(*"mp4v")
            writer = cv2.VideoWriter(str(path), code, fps, size)
            if not writer.isOpened():
                raise OSError(f"{path}: OpenCV cannot write an MPEG-4 clip here")
        writer.write(frame)
        count += 1
    if writer is not None:
        writer.release()
    return count
