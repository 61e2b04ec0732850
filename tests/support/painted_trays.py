"""Trays painted on tables: felt, wood, a rim, round corners, tilted, in poor light."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from vision.ports import BgrImage
    from vision.reading import Quad

Floats = NDArray[np.float64]
WIDTH, HEIGHT = 1280, 720
SIDE_MM, DEEP_MM = 300, 220

FLOORS = ((60, 110, 40), (110, 60, 30), (35, 35, 130), (60, 60, 60), (90, 120, 150))
TABLES = ((70, 100, 140), (150, 170, 190), (40, 60, 90), (200, 205, 210), (110, 90, 70))


def painted_tray(
    seed: int, tilt_deg: float | None = None
) -> tuple[BgrImage, Floats, Floats, tuple[Quad, ...]]:
    """A picture of a tray with dice.

    Returns:
        The picture, the floor's and the rim's outer corners, each (4, 2), and the dice.
    """
    rng = np.random.default_rng(seed)
    rim = float(rng.choice([0.0, 6.0, 12.0]))
    flat, floor, outer = _flat_tray(rng, rim)
    tilt = float(rng.uniform(0, 42)) if tilt_deg is None else tilt_deg
    matrix = _camera(rng, tilt)
    table = _ground(rng, TABLES[seed % len(TABLES)], WIDTH, HEIGHT)
    alpha = np.zeros(flat.shape[:2], np.uint8)
    _rounded(alpha, outer, float(rng.choice([1.0, 12.0, 30.0])), 255)
    size = (WIDTH, HEIGHT)
    laid = cv2.warpPerspective(flat, matrix, size)
    mask = cv2.warpPerspective(alpha, matrix, size)[..., None].astype(np.float64) / 255
    image = laid * mask + table * (1 - mask)
    dice = _dice(rng, image, matrix, floor)
    y, x = np.mgrid[:HEIGHT, :WIDTH]
    fall = rng.uniform(-0.4, 0.4, 2)
    light = 1 + fall[0] * (x / WIDTH - 0.5) + fall[1] * (y / HEIGHT - 0.5)
    lit = image * (light * rng.uniform(0.55, 1.1))[..., None]
    lit += rng.normal(0, 4, image.shape)
    seen = np.asarray(np.clip(lit, 0, 255), np.uint8)
    return seen, _project(floor, matrix), _project(outer, matrix), dice


def _flat_tray(rng: np.random.Generator, rim: float) -> tuple[Floats, Floats, Floats]:
    """The tray from above at 2 px a mm: picture, floor corners, outer corners."""
    wide, deep = 2 * SIDE_MM, 2 * DEEP_MM
    colour = FLOORS[int(rng.integers(len(FLOORS)))]
    flat = _ground(rng, colour, wide, deep)
    inset = 2 * rim
    floor = np.array(
        [(inset, inset), (wide - inset, inset)]
        + [(wide - inset, deep - inset), (inset, deep - inset)],
        float,
    )
    outer = np.array([(0, 0), (wide, 0), (wide, deep), (0, deep)], float)
    if rim:
        frame = _ground(rng, (35, 60, 95), wide, deep)
        low, far_x, far_y = round(inset), round(wide - inset), round(deep - inset)
        frame[low:far_y, low:far_x] = flat[low:far_y, low:far_x]
        cv2.rectangle(frame, (low, low), (far_x, far_y), (15, 20, 25), 3)
        flat = frame
    return flat, floor, outer


def _ground(
    rng: np.random.Generator, colour: tuple[int, int, int], wide: int, high: int
) -> Floats:
    coarse = cv2.resize(
        rng.normal(0, 1, (high // 60 + 2, wide // 60 + 2)), (wide, high)
    )
    fine = rng.normal(0, 1, (high, wide))
    grain = 4 * coarse + rng.uniform(2, 7) * fine
    return np.asarray(np.array(colour) + grain[..., None], np.float64)


def _rounded(
    alpha: NDArray[np.uint8], outer: Floats, radius: float, level: int
) -> None:
    wide, deep = (int(v) for v in outer[2])
    r = round(radius)
    cv2.rectangle(alpha, (r, 0), (wide - r, deep), (level,), -1)
    cv2.rectangle(alpha, (0, r), (wide, deep - r), (level,), -1)
    for x in (r, wide - r):
        for y in (r, deep - r):
            cv2.circle(alpha, (x, y), r, (level,), -1)


def _camera(rng: np.random.Generator, tilt_deg: float) -> Floats:
    turn, tilt = np.radians([rng.uniform(-25, 25), tilt_deg])
    spin = np.array([(np.cos(turn), -np.sin(turn)), (np.sin(turn), np.cos(turn))])
    tip = np.array([(1, 0), (0, np.cos(tilt)), (0, np.sin(tilt))])
    far = 1.2 * WIDTH * 2 * SIDE_MM / (rng.uniform(0.45, 0.72) * WIDTH)
    flat = tip @ spin
    off = rng.uniform(-0.04, 0.04, 2) * far
    shift = np.array([off[0], off[1], far]) - flat @ np.array([SIDE_MM, DEEP_MM])
    focal = 1.2 * WIDTH
    lens = np.array([(focal, 0, WIDTH / 2), (0, focal, HEIGHT / 2), (0, 0, 1.0)])
    return np.asarray(lens @ np.column_stack([flat, shift]), np.float64)


def _project(points: Floats, matrix: Floats) -> Floats:
    there = cv2.perspectiveTransform(points.reshape(-1, 1, 2), matrix)
    return np.asarray(there, np.float64).reshape(-1, 2)


def _dice(
    rng: np.random.Generator, image: Floats, matrix: Floats, floor: Floats
) -> tuple[Quad, ...]:
    quads: list[Quad] = []
    for _ in range(9):
        x, y = floor[0] + 30 + rng.uniform(0, 1, 2) * (floor[2] - floor[0] - 60)
        turn = float(rng.uniform(0, 90))
        box = np.asarray(cv2.boxPoints(((x, y), (34, 34), turn)), np.float64)
        corners = _project(box, matrix)
        at = np.round(corners).astype(np.int32)
        cv2.fillConvexPoly(image, at, (225, 235, 235))
        cv2.circle(
            image, tuple(int(v) for v in corners.mean(axis=0)), 6, (20, 20, 150), -1
        )
        a, b, c, d = ((float(px), float(py)) for px, py in corners)
        quads.append((a, b, c, d))
    return tuple(quads)
