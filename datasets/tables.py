"""What lies under the dice: table surfaces made by formula or cut from photos."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from datasets.cube import Image

KINDS = ("plain", "felt", "wood", "marble", "cloth", "print", "photo")

_COLOURS = (
    (60, 110, 40),
    (120, 60, 30),
    (40, 40, 140),
    (60, 90, 140),
    (90, 130, 170),
    (200, 205, 210),
    (40, 40, 40),
    (140, 140, 140),
    (170, 190, 215),
    (120, 90, 60),
    (230, 230, 230),
    (70, 50, 90),
)


def _noise(rng: np.random.Generator, height: int, width: int, cell: float) -> Image:
    """Smooth noise of unit spread with blobs of about `cell` pixels, (H, W)."""
    rows, cols = max(2, int(height / cell) + 2), max(2, int(width / cell) + 2)
    grid = rng.normal(0, 1, (rows, cols)).astype(np.float32)
    smooth = cv2.resize(grid, (width, height), interpolation=cv2.INTER_CUBIC)
    return np.asarray(smooth, np.float32)


def _octaves(rng: np.random.Generator, height: int, width: int, cell: float) -> Image:
    total = _noise(rng, height, width, cell)
    for k in (2, 4, 8):
        total += _noise(rng, height, width, max(1.0, cell / k)) / np.float32(k)
    return total


def _wood(rng: np.random.Generator, height: int, width: int) -> Image:
    warp = _noise(rng, height, width, rng.uniform(60, 200)) * rng.uniform(0.5, 3)
    angle, pitch = rng.uniform(0, np.pi), rng.uniform(6, 40)
    y, x = np.mgrid[:height, :width].astype(np.float32)
    line = (x * np.cos(angle) + y * np.sin(angle)) / pitch + warp
    grain = np.sin(line * 2 * np.pi) * 0.6 + np.sin(line * 5.3) * 0.3
    return np.asarray(grain + 0.3 * _noise(rng, height, width, 2), np.float32)


def _cloth(rng: np.random.Generator, height: int, width: int) -> Image:
    pitch, angle = rng.uniform(3, 40), rng.uniform(0, np.pi)
    y, x = np.mgrid[:height, :width].astype(np.float32)
    u = x * np.cos(angle) + y * np.sin(angle)
    v = y * np.cos(angle) - x * np.sin(angle)
    wave = np.sign if rng.random() < 0.4 else np.sin
    pattern = wave(u / pitch * np.pi) + wave(v / pitch * np.pi) * rng.integers(2)
    return np.asarray(pattern + 0.2 * _noise(rng, height, width, 2), np.float32)


@lru_cache(maxsize=4)
def _photos(folder: str) -> tuple[str, ...]:
    return tuple(sorted(str(p) for p in Path(folder).glob("*.jpg")))


@lru_cache(maxsize=64)
def _photo(path: str) -> Image | None:
    image = cv2.imread(path, cv2.IMREAD_REDUCED_COLOR_2)
    return None if image is None else image.astype(np.float32)


def photo_patch(
    rng: np.random.Generator, height: int, width: int, folder: str
) -> Image | None:
    """Cut a patch of a photo in `folder`, or None if there is none to read."""
    paths = _photos(folder)
    if not paths:
        return None
    photo = _photo(paths[int(rng.integers(len(paths)))])
    if photo is None:
        return None
    share = rng.uniform(0.15, 0.5)
    h, w = max(4, int(photo.shape[0] * share)), max(4, int(photo.shape[1] * share))
    y = int(rng.integers(photo.shape[0] - h + 1))
    x = int(rng.integers(photo.shape[1] - w + 1))
    part = cv2.resize(photo[y : y + h, x : x + w], (width, height))
    return np.asarray(part, np.float32)


def table(rng: np.random.Generator, height: int, width: int, photos: str = "") -> Image:
    """Make a table surface.

    Args:
        rng: source of every choice.
        height: pixels.
        width: pixels.
        photos: folder of background photos; empty for none.

    Returns:
        (height, width, 3) float32 BGR, 0..255.
    """
    weights = (0.22, 0.22, 0.18, 0.14, 0.12, 0.12)
    kind = str(rng.choice(KINDS[:-1], p=weights))
    if photos and rng.random() < 0.3:
        patch = photo_patch(rng, height, width, photos)
        if patch is not None:
            return patch
    base = np.array(_COLOURS[int(rng.integers(len(_COLOURS)))], np.float32)
    base = np.clip(base + rng.normal(0, 18, 3), 5, 250).astype(np.float32)
    depth = rng.uniform(2, 14)
    if kind == "plain":
        grain, depth = _noise(rng, height, width, rng.uniform(80, 300)), depth * 0.5
    elif kind == "felt":
        grain = _noise(rng, height, width, rng.uniform(1, 2.5))
        grain = grain + 0.7 * _noise(rng, height, width, rng.uniform(3, 30))
    elif kind == "wood":
        grain = _wood(rng, height, width)
    elif kind == "marble":
        grain = np.abs(_octaves(rng, height, width, rng.uniform(30, 160))) * 2 - 1
        depth *= 1.6
    elif kind == "cloth":
        grain = _cloth(rng, height, width)
    else:
        grain = np.sign(_octaves(rng, height, width, rng.uniform(8, 60)))
        depth *= rng.uniform(1, 4)
    tint = rng.uniform(0.6, 1.4, 3).astype(np.float32) * depth
    return base + grain[:, :, None] * tint
