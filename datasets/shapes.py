"""Shapes drawn by formula: suits, stars, crowns and a jester, as masks."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from datasets.fonts import Mask

SHAPE_PX = 128
_T = np.linspace(0, 2 * np.pi, 90, endpoint=False)

Points = NDArray[np.float64]


def _fill(polygons: list[Points]) -> Mask:
    """Fill polygons given in the square -1..1 (y down) and cut the mask tight."""
    big = np.zeros((2 * SHAPE_PX, 2 * SHAPE_PX), np.uint8)
    for polygon in polygons:
        points = np.rint((polygon * 0.48 + 0.5) * 2 * SHAPE_PX).astype(np.int32)
        # one by one: where parts overlap, an even-odd fill of all would leave holes
        cv2.fillPoly(big, [points], 255)
    mask = cv2.resize(big, (SHAPE_PX, SHAPE_PX), interpolation=cv2.INTER_AREA)
    rows, cols = np.flatnonzero(mask.any(1)), np.flatnonzero(mask.any(0))
    return np.ascontiguousarray(mask[rows[0] : rows[-1] + 1, cols[0] : cols[-1] + 1])


def _heart(rng: np.random.Generator) -> Points:
    """A heart pointing down, its lobes, notch and flanks of free fullness."""
    sides, notch = rng.uniform(2.2, 3.2), rng.uniform(0.2, 0.5)
    x = np.sign(np.sin(_T)) * np.abs(np.sin(_T)) ** sides
    y = -(np.cos(_T) - notch * np.cos(2 * _T) - 0.15 * np.cos(3 * _T))
    y = (y - y.min()) / (y.max() - y.min()) * 2 - 1
    return np.stack([x * rng.uniform(0.85, 1.05), y * rng.uniform(0.85, 1.0)], axis=1)


def _stem(rng: np.random.Generator, top: float, bottom: float) -> Points:
    foot, waist = rng.uniform(0.25, 0.55), rng.uniform(0.04, 0.14)
    y = np.linspace(top, bottom, 12)
    share = ((y - top) / (bottom - top)) ** rng.uniform(1.2, 3.5)
    x = waist + (foot - waist) * share
    return np.concatenate([np.stack([x, y], 1), np.stack([-x, y], 1)[::-1]])


def _circle(x: float, y: float, r: float) -> Points:
    return np.stack([x + r * np.cos(_T), y + r * np.sin(_T)], axis=1)


def _diamond(rng: np.random.Generator) -> Points:
    power = rng.uniform(0.75, 1.35)  # below 1 the sides bulge, above 1 they curve in
    c, s = np.cos(_T), np.sin(_T)
    radius = 1 / (np.abs(c) ** (1 / power) + np.abs(s) ** (1 / power)) ** power
    return np.stack([c * radius * rng.uniform(0.62, 0.95), s * radius], axis=1)


def _club(rng: np.random.Generator) -> list[Points]:
    r = rng.uniform(0.36, 0.47)
    spread, drop = rng.uniform(0.42, 0.54), rng.uniform(0.05, 0.25)
    lobes = [_circle(0, -0.5, r), _circle(-spread, drop, r), _circle(spread, drop, r)]
    middle = _circle(0, -0.05, rng.uniform(0.2, 0.35))
    return [*lobes, middle, _stem(rng, 0.0, rng.uniform(0.85, 1.0))]


@lru_cache(maxsize=8192)
def drawn_suit(seed: int, letter: str) -> Mask:
    """A suit sign of its own design.

    Args:
        seed: which design; the same seed gives four signs of one family.
        letter: S, H, D or C.
    """
    rng = np.random.default_rng((seed, ord(letter)))
    if letter == "H":
        return _fill([_heart(rng)])
    if letter == "D":
        return _fill([_diamond(rng)])
    if letter == "C":
        return _fill(_club(rng))
    leaf = _heart(rng) * np.array([1.0, -0.85]) - np.array([0.0, 0.12])
    return _fill([leaf, _stem(rng, 0.1, rng.uniform(0.85, 1.0))])


def outline(mask: Mask, share: float) -> Mask:
    """The edge of a shape, as thick as a share of its smaller side."""
    thick = max(2, round(share * min(mask.shape)))
    padded = cv2.copyMakeBorder(mask, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0)
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * thick + 1, 2 * thick + 1))
    inside = cv2.erode(padded, disc)[1:-1, 1:-1]
    return np.asarray(cv2.subtract(mask, np.asarray(inside, np.uint8)), np.uint8)


@lru_cache(maxsize=512)
def star(points: int, waist: float) -> Mask:
    """A star with the given number of points; `waist` is inner over outer radius."""
    angles = np.arange(2 * points) * np.pi / points - np.pi / 2
    radius = np.where(np.arange(2 * points) % 2 == 0, 1.0, waist)
    return _fill([np.stack([radius * np.cos(angles), radius * np.sin(angles)], 1)])


def _fill_parts(*groups: list[Points]) -> tuple[Mask, ...]:
    """Fill groups of polygons, each into a mask of the whole square."""
    masks = []
    for group in groups:
        big = np.zeros((2 * SHAPE_PX, 2 * SHAPE_PX), np.uint8)
        for polygon in group:
            points = np.rint((polygon * 0.48 + 0.5) * 2 * SHAPE_PX).astype(np.int32)
            cv2.fillPoly(big, [points], 255)
        small = cv2.resize(big, (SHAPE_PX, SHAPE_PX), interpolation=cv2.INTER_AREA)
        masks.append(np.asarray(small, np.uint8))
    return tuple(masks)


@lru_cache(maxsize=512)
def jester(seed: int) -> tuple[Mask, ...]:
    """A jester: a cap of two to four horns with bells, with or without a face.

    Returns:
        Masks of one square, to be printed over each other: every other horn and the
        bells; the other horns and the collar; the face or brim.
    """
    rng = np.random.default_rng((seed, 77))
    horns = int(rng.integers(2, 5))
    head = bool(rng.random() < 0.6)
    low = 0.3 if head else 0.75
    face = _circle(0, 0.42, rng.uniform(0.26, 0.42))
    brim = np.array([[-0.55, 0.6], [0.55, 0.6], [0.5, 0.95], [-0.5, 0.95]])
    groups: tuple[list[Points], list[Points], list[Points]] = ([], [], [])
    for k, tip in enumerate(np.linspace(-0.85, 0.85, horns)):
        height = -0.75 + rng.uniform(0.2, 0.7) * abs(tip) + rng.uniform(-0.1, 0.1)
        base, half = tip * 0.45, rng.uniform(0.25, 0.4)
        horn = np.array([[base - half, low], [tip, height], [base + half, low]])
        groups[k % 2].append(horn)
        groups[(k + int(rng.random() < 0.5)) % 2].append(
            _circle(tip, height, rng.uniform(0.09, 0.16))
        )
    if head:
        wide = rng.uniform(0.4, 0.8)
        groups[1].append(np.array([[-wide, 1.0], [0.0, 0.6], [wide, 1.0]]))
        groups[2].append(face)
    else:
        groups[2].append(brim)
    return _fill_parts(*groups)


@lru_cache(maxsize=512)
def crown(seed: int) -> tuple[Mask, ...]:
    """A crown of three to five points with balls, as `jester` in three masks."""
    rng = np.random.default_rng((seed, 78))
    points, low = int(rng.integers(3, 6)), rng.uniform(0.45, 0.75)
    edge = [(-0.8, low)]
    tips = np.linspace(-0.95, 0.95, points)
    balls = []
    for k, x in enumerate(tips):
        y = -0.6 - rng.uniform(0, 0.25) * (1 - abs(x))
        edge.append((float(x), float(y)))
        balls.append(_circle(float(x), float(y), rng.uniform(0.07, 0.14)))
        if k + 1 < points:
            edge.append((float(x + tips[k + 1]) / 2, rng.uniform(-0.2, 0.25)))
    edge.append((0.8, low))
    band = np.array([[-0.8, low], [0.8, low], [0.75, 0.95], [-0.75, 0.95]])
    return _fill_parts([np.array(edge)], balls, [band])


@lru_cache(maxsize=1024)
def court(seed: int, rank: int) -> Mask:
    """A crowned or hatted bust for jack, queen and king, as plain as a die allows."""
    rng = np.random.default_rng((seed, rank))
    head = rng.uniform(0.24, 0.36)
    y = rng.uniform(-0.25, -0.05)
    parts = [_circle(0, y, head)]
    shoulder = rng.uniform(0.6, 0.95)
    parts.append(
        np.array(
            [
                [-shoulder, 1.0],
                [-0.25, y + head * 0.8],
                [0.25, y + head * 0.8],
                [shoulder, 1.0],
            ]
        )
    )
    teeth = {13: 5, 12: 3}.get(rank, 1)
    crown = [(-0.38, y - head * 0.6)]
    for k in range(teeth):
        left = -0.38 + 0.76 * k / teeth
        crown += [(left, y - head - 0.2), (left + 0.38 / teeth, y - head - 0.45)]
    crown += [(0.38, y - head - 0.2), (0.38, y - head * 0.6)]
    parts.append(np.array(crown))
    return _fill(parts)
