"""The table of a hostile clip: what lies on it, how it is lit, and what is true."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import cv2
import numpy as np

from datasets.art import draw_face
from datasets.cube import Die, Image, paint_die, top_quad
from datasets.hostile_hand import Hand, Placed
from datasets.pinhole import Floats, looking_at
from datasets.placing import Spot, overlap, scatter
from datasets.shadows import cast_shadows
from scoring.dice_sets import bundled_dice_set

if TYPE_CHECKING:
    from collections.abc import Sequence

    from datasets.canvas import Art
    from datasets.optics import Picture
    from datasets.style import ArtStyle
    from scoring.cards import Face

SIZE_MM = 18.0
DISTANCE_MM = 620.0
SPREAD_MM = 74.0
NOISE_ROOM = 64
"""Pixels by which the window of noise wanders."""
SHADES = (1.0, 0.55, 0.75, 0.9, 0.65)
"""Brightness of top and sides."""


@dataclass(frozen=True, slots=True)
class HostileOptions:
    """Measures of a hostile clip.

    Attributes:
        width: pixels.
        height: pixels.
        fps: frames a second.
        die_px: width of a die.
        tilt_deg: of the camera.
        noise: grey levels, standard deviation.
    """

    width: int = 640
    height: int = 360
    fps: int = 15
    die_px: float = 31.0
    tilt_deg: float = 14.0
    noise: float = 1.8


@dataclass(frozen=True, slots=True, eq=False)
class Cube:
    """A die of the set as it lies.

    Attributes:
        faces: the six faces of the die.
        top: place in `faces` of the one that is seen.
        die: where it lies and how it is drawn.
    """

    faces: tuple[Face, ...]
    top: int
    die: Die

    @property
    def face(self) -> Face:
        """What it shows."""
        return self.faces[self.top]


@dataclass(slots=True, eq=False)
class Light:
    """What happens to the whole picture.

    Attributes:
        gain: brightness, 1 is usual.
        shift: of the picture, pixels: the camera moved.
        turn_deg: likewise.
        band: position of a passing shadow across the picture, 0..1; None without one.
        band_depth: share of the light that it takes.
        band_soft: softness of its edge, pixels.
    """

    gain: float = 1.0
    shift: tuple[float, float] = (0.0, 0.0)
    turn_deg: float = 0.0
    band: float | None = None
    band_depth: float = 0.3
    band_soft: float = 30.0


@dataclass(slots=True)
class Thrown:
    """A roll of the clip.

    Attributes:
        start_frame: first frame in which its dice fly.
        rest_frame: first frame in which all dice rest.
        faces: codes of all dice, those kept included, in no order.
        kept: how many dice lay there before.
    """

    start_frame: int
    rest_frame: int
    faces: tuple[str, ...]
    kept: int


@dataclass(slots=True)
class Truth:
    """What happens in the clip.

    Attributes:
        rolls: in order.
        events: kind, first frame, first frame after it.
        clear: of each frame, whether nothing keeps a roll from being read.
        faces: what lies there from a frame on: the frame, and the codes.
    """

    rolls: list[Thrown] = field(default_factory=list)
    events: list[tuple[str, int, int]] = field(default_factory=list)
    clear: list[bool] = field(default_factory=list)
    faces: list[tuple[int, tuple[str, ...]]] = field(default_factory=list)


class Stage:
    """Draws the table frame by frame.

    Args:
        seed: of every choice.
        style: of the dice.
        ground: (height, width, 3) float32 BGR, the empty table.
        options: measures.
    """

    def __init__(
        self, seed: int, style: ArtStyle, ground: Image, options: HostileOptions
    ) -> None:
        self.options, self.ground, self.seed = options, ground, seed
        self.rng = np.random.default_rng(seed)
        self.style, self._arts = style, dict[str, "Art"]()
        size = (options.width, options.height)
        focal = options.die_px * DISTANCE_MM / SIZE_MM
        target = np.array([0.0, 0.0, SIZE_MM])
        self.camera = looking_at(
            target, DISTANCE_MM, options.tilt_deg, 0.0, 0.0, focal, size
        )
        self.hand = Hand(self.rng, options.die_px)
        self.cubes: tuple[Cube, ...] = ()
        self.light = Light()
        self.clear = True
        self.frame = 0
        self.truth = Truth()
        self._drawn: tuple[Cube, ...] | None = None
        self._base: Image = ground
        room = (options.height + NOISE_ROOM, options.width + NOISE_ROOM)
        field = self.rng.standard_normal(room, dtype=np.float32)
        self._noise_field = np.asarray(field * np.float32(options.noise), np.float32)
        self._noise_at = (0, 0)
        self._phase = float(self.rng.uniform(0, 6.28))

    def frames(self, seconds: float) -> int:
        """How many frames a time takes, at least one."""
        return max(1, round(seconds * self.options.fps))

    def lay(self, cubes: Sequence[Cube]) -> None:
        """Put dice on the table; what lies there is noted."""
        self.cubes = tuple(cubes)
        codes = tuple(cube.face.code for cube in self.cubes)
        self.truth.faces.append((self.frame, codes))

    def relay_ground(self, ground: Image) -> None:
        """Change what lies under the dice."""
        self.ground, self._drawn = ground, None

    def dice_of_set(self) -> tuple[Cube, ...]:
        """All nine dice, nowhere yet, each on a random face."""
        layout = bundled_dice_set("square-shooters-reference").dice
        assert layout is not None  # the reference set has a layout by its nature
        cubes = []
        for faces in layout:
            top = int(self.rng.integers(6))
            cubes.append(
                Cube(faces, top, self._die(Spot(0, 0, 0, SIZE_MM), faces, top))
            )
        return tuple(cubes)

    def _art(self, face: Face) -> Art:
        if face.code not in self._arts:
            self._arts[face.code] = draw_face(self.style, face)
        return self._arts[face.code]

    def _die(self, spot: Spot, faces: tuple[Face, ...], top: int) -> Die:
        others = [self._art(face) for k, face in enumerate(faces) if k != top]
        arts = (self._art(faces[top]), others[0], others[1], others[2], others[3])
        body = self.style.body
        return Die(spot.x, spot.y, spot.yaw_deg, SIZE_MM, arts, body, 0.16)

    def on_face(self, cube: Cube, top: int) -> Cube:
        """The same die on another face, where it is."""
        spot = Spot(cube.die.x, cube.die.y, cube.die.yaw_deg, SIZE_MM)
        return replace(cube, top=top, die=self._die(spot, cube.faces, top))

    def scattered(
        self, cubes: Sequence[Cube], among: Sequence[Cube] = ()
    ) -> tuple[Cube, ...]:
        """Give dice new places and new faces, clear of those that lie there."""
        lying = [Spot(c.die.x, c.die.y, 0.0, SIZE_MM * 1.5) for c in among]
        while True:
            spots = scatter(self.rng, [SIZE_MM] * len(cubes), SPREAD_MM, touching=0.05)
            free = [s for s in spots if not any(overlap(s, o) for o in lying)]
            if len(free) == len(cubes):
                break
        out = []
        for cube, spot in zip(cubes, free, strict=True):
            top = int(self.rng.integers(6))
            out.append(Cube(cube.faces, top, self._die(spot, cube.faces, top)))
        return tuple(out)

    def at(self, cube: Cube) -> Floats:
        """Pixel of the middle of a die's top, (2,)."""
        return np.asarray(top_quad(self.camera, cube.die).mean(axis=0))

    def draw(self, cubes: Sequence[Cube] | None = None) -> Image:
        """The table with its dice in clean light, a picture of its own."""
        shown = self.cubes if cubes is None else tuple(cubes)
        if self._drawn is None or self._drawn != shown:
            image = self.ground.copy()
            dice = [cube.die for cube in shown]
            lamp = np.random.default_rng(self.seed + 3)
            cast_shadows(lamp, image, self.camera, dice)
            for die in sorted(dice, key=lambda d: d.lift_mm - d.y):
                paint_die(image, self.camera, die, SHADES)
            self._drawn, self._base = shown, image
        return self._base.copy()

    def _noise(self) -> Image:
        """Noise of one frame, (H, W, 1): a window of a larger field, never the same."""
        height, width = self.options.height, self.options.width
        y, x = (int(v) for v in self.rng.integers(0, NOISE_ROOM, 2))
        if (y, x) == self._noise_at:
            y = (y + 1) % NOISE_ROOM
        self._noise_at = (y, x)
        return self._noise_field[y : y + height, x : x + width, None]

    def shot(self, image: Image, hand: Placed | None = None) -> Picture:
        """What the camera makes of a picture."""
        if hand is not None:
            self.hand.paint(image, hand)
        light, (height, width) = self.light, image.shape[:2]
        if light.shift != (0.0, 0.0) or light.turn_deg:
            middle = (width / 2, height / 2)
            matrix = cv2.getRotationMatrix2D(middle, light.turn_deg, 1.0)
            matrix[:, 2] += np.array(light.shift)
            image = np.asarray(
                cv2.warpAffine(
                    image, matrix, (width, height), borderMode=cv2.BORDER_REFLECT
                ),
                np.float32,
            )
        drift = 1 + 0.05 * np.sin(self.frame / self.options.fps / 7 + self._phase)
        image *= np.float32(light.gain * drift)
        if light.band is not None:
            across = np.arange(width) - light.band * width * 1.6 + 0.3 * width
            wide = width * 0.12
            edges = np.tanh((wide - np.abs(across)) / light.band_soft) * 0.5 + 0.5
            image *= (1 - light.band_depth * edges).astype(np.float32)[None, :, None]
        soft = np.asarray(cv2.GaussianBlur(image, (0, 0), 0.6), np.float32)
        soft += self._noise()
        return np.asarray(np.clip(soft, 0, 255), np.uint8)
