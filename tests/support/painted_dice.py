"""Dice of flat colours in fixed places: scenes that tiny networks can read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from scoring.cards import ALL_FACES, Face, parse_face

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.ports import BgrImage
    from vision.reading import Quad

WIDTH, HEIGHT = 640, 360
SIDE = 30.0
TABLE = (43, 128, 43)
"""BGR, far from all colours of dice."""

BLACK, WHITE = (0, 0, 0), (255, 255, 255)
INK = 0.14
"""Radius of the ink, in sides: too small to change the mean colour of a face much."""

NINE = "AS 2H 3D 4C 5S 6H 7D 8C TS"

_STEPS = (0, 85, 170, 255)
_GRID = [(b, g, r) for b in _STEPS for g in _STEPS for r in _STEPS]
COLOURS: dict[str, tuple[int, int, int]] = {
    face.code: _GRID[place] for place, face in enumerate(ALL_FACES)
}
"""BGR colour of each face."""

SLOTS: tuple[Quad, ...] = tuple(
    (
        (x - SIDE / 2, y - SIDE / 2),
        (x + SIDE / 2, y - SIDE / 2),
        (x + SIDE / 2, y + SIDE / 2),
        (x - SIDE / 2, y + SIDE / 2),
    )
    for y in (60.0, 140.0, 220.0, 300.0)
    for x in (80.0, 160.0, 240.0, 320.0, 400.0, 480.0)
)
"""Where dice may rest, row by row; OpenCV pixels."""


def faces(text: str) -> tuple[Face, ...]:
    return tuple(parse_face(code) for code in text.split())


def empty_table() -> BgrImage:
    """The table, with a little grain that stays the same."""
    grain = np.random.default_rng(5).integers(-6, 7, (HEIGHT, WIDTH, 1))
    return np.clip(np.array(TABLE) + grain, 0, 255).astype(np.uint8)


def scene(
    codes: str, first_slot: int = 0, shift: tuple[float, float] = (0, 0)
) -> BgrImage:
    """Dice in a row of slots, all moved by `shift` pixels."""
    image = empty_table()
    for place, face in enumerate(codes.split()):
        draw_die(image, SLOTS[first_slot + place], face, shift)
    return image


def draw_die(
    image: BgrImage, slot: Quad, code: str, shift: tuple[float, float] = (0, 0)
) -> None:
    """Paint a die in its face's colour, with a dot of ink; changes the picture."""
    (x0, y0), _, (x1, y1), _ = slot
    dx, dy = shift
    rim = SIDE * 0.2
    corners = [(round(x0 - rim + dx), round(y0 - rim + dy))]
    corners.append((round(x1 + rim + dx), round(y1 + rim + dy)))
    cv2.rectangle(image, corners[0], corners[1], COLOURS[code], -1)
    # faces without ink look blurred and too dark, or washed out
    middle = round((x0 + x1) / 2 + dx), round((y0 + y1) / 2 + dy)
    ink = BLACK if sum(COLOURS[code]) > 384 else WHITE
    cv2.circle(image, middle, round(SIDE * INK), ink, -1)


def with_hand(image: BgrImage, reach: float) -> BgrImage:
    """An arm that reaches in from the right by a share of the width."""
    drawn = image.copy()
    left = round(WIDTH * (1 - reach))
    cv2.rectangle(drawn, (left + 20, 120), (WIDTH, 250), (120, 150, 205), -1)
    cv2.circle(drawn, (left + 40, 185), 75, (120, 150, 205), -1)
    return drawn


def with_noise(image: BgrImage, seed: int, sigma: float) -> BgrImage:
    noise = np.random.default_rng(seed).normal(0, sigma, image.shape)
    return np.clip(image + noise, 0, 255).astype(np.uint8)


def lit(image: BgrImage, gain: float | NDArray[np.float64]) -> BgrImage:
    """The same scene in other light; `gain` is one number or an (H, W) map."""
    light = np.asarray(gain, np.float64)
    light = light[:, :, None] if light.ndim == 2 else light
    return np.clip(image * light, 0, 255).astype(np.uint8)
