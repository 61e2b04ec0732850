"""From clean light to what a real camera delivers."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from datasets.cube import Image

NORMALS = 6_000_000
"""Noise kept ready; twice what a 720p picture needs."""

Picture = NDArray[np.uint8]
"""(H, W, 3) uint8 BGR."""


def light(rng: np.random.Generator, image: Image) -> Image:
    """Uneven, coloured light: a slope, a vignette, now and then a hard shadow."""
    height, width = image.shape[:2]
    y = np.linspace(-1, 1, height, dtype=np.float32)[:, None]
    x = np.linspace(-1, 1, width, dtype=np.float32)[None]
    slope = rng.uniform(0, 0.35)
    field = 1 + slope * _across(rng, x, y)
    field -= rng.uniform(0, 0.25) * (x * x + y * y) / 2
    if rng.random() < 0.15:
        edge, soft = rng.uniform(-0.7, 0.7), rng.uniform(0.01, 0.3)
        across = _across(rng, x, y) - edge
        field *= 1 - rng.uniform(0.2, 0.6) / (
            1 + np.exp(-np.clip(across / soft, -30, 30))
        )
    cast = _cast(rng, 0.07)
    if rng.random() < 0.12:  # a warm lamp on one side, a cold window on the other
        share = np.clip(0.5 + 0.6 * _across(rng, x, y), 0, 1)
        field = field[:, :, None] * (
            cast + share[:, :, None] * (_cast(rng, 0.14) - cast)
        )
    else:
        field = field[:, :, None] * cast
    return np.asarray(image * (field * np.float32(_exposure(rng))), np.float32)


def _across(
    rng: np.random.Generator, x: NDArray[np.float32], y: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Place of each pixel along a random direction, -1.5..1.5; kept in 32 bits."""
    angle = rng.uniform(0, 2 * np.pi)
    return np.asarray(x * math.cos(angle) + y * math.sin(angle), np.float32)


def _cast(rng: np.random.Generator, spread: float) -> NDArray[np.float32]:
    """Colour of a light, BGR, about 1."""
    warm = rng.normal(0, spread)
    return np.array([1 - warm, 1 + rng.normal(0, 0.02), 1 + warm], np.float32)


def _exposure(rng: np.random.Generator) -> float:
    """Mostly right, now and then much too dark or too bright."""
    kind = rng.random()
    if kind < 0.08:
        return float(np.exp(rng.uniform(-1.5, -0.4)))
    if kind < 0.15:
        return float(np.exp(rng.uniform(0.15, 0.6)))
    return float(np.exp(rng.normal(-0.05, 0.22)))


def tone(rng: np.random.Generator, image: Image) -> Image:
    """Contrast curve, saturation and black level of a camera."""
    gamma = np.exp(rng.normal(0, 0.18))
    out = 255 * (np.clip(image, 0, 255) / 255) ** np.float32(gamma)
    keep, lift = rng.uniform(0.7, 1.25), rng.uniform(0, 25) * (rng.random() < 0.4)
    mix = np.eye(3) * keep + (1 - keep) / 3
    scale = (255 - lift) / 255
    rows = np.column_stack([mix * scale, np.full(3, lift)])
    return np.asarray(cv2.transform(out, rows.astype(np.float32)), np.float32)


def _motion_kernel(rng: np.random.Generator, length: float) -> NDArray[np.float32]:
    size = int(np.ceil(length)) | 1
    kernel = np.zeros((size, size), np.float32)
    angle, middle = rng.uniform(0, np.pi), (size - 1) / 2
    step = np.array([np.cos(angle), np.sin(angle)]) * (length - 1) / 2
    a, b = np.rint((middle - step) * 16), np.rint((middle + step) * 16)
    start, end = (int(a[0]), int(a[1])), (int(b[0]), int(b[1]))
    cv2.line(kernel, start, end, 1.0, 1, cv2.LINE_AA, 4)
    total = float(kernel.sum())
    if total <= 0:
        kernel[size // 2, size // 2] = total = 1.0
    return kernel / np.float32(total)


def blur(rng: np.random.Generator, image: Image, strength: float = 1.0) -> Image:
    """Focus and motion blur, then the camera's own sharpening."""
    sigma = abs(rng.normal(0.45, 0.35)) * strength
    if sigma > 0.15:
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), sigma), np.float32)
    if rng.random() < 0.15:
        kernel = _motion_kernel(rng, rng.uniform(1.5, 4.0) * strength)
        image = np.asarray(cv2.filter2D(image, -1, kernel), np.float32)
    if rng.random() < 0.4:
        amount = np.float32(rng.uniform(0.2, 1.4))
        soft = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.7, 1.6))
        image = image + amount * (image - soft)
    return image


@lru_cache(maxsize=1)
def _normals() -> NDArray[np.float32]:
    return np.random.default_rng(0).standard_normal(NORMALS, dtype=np.float32)


def _noise(rng: np.random.Generator, shape: tuple[int, ...]) -> NDArray[np.float32]:
    """Normal noise from anywhere in a long stretch of it: drawing it anew is slow."""
    count = math.prod(shape)
    stock = _normals()
    if count > len(stock) // 2:
        return rng.standard_normal(shape, dtype=np.float32)
    first = int(rng.integers(len(stock) - count))
    return stock[first : first + count].reshape(shape)


def sensor(rng: np.random.Generator, image: Image) -> Picture:
    """Shot and read noise, then eight bits."""
    read, shot = rng.uniform(0.3, 5.0), rng.uniform(0.0, 0.35)
    noise = _noise(rng, image.shape)
    if rng.random() < 0.3:  # in-camera noise reduction leaves blotches
        noise = cv2.GaussianBlur(noise, (0, 0), 0.8) * 1.8
    level = np.sqrt(np.float32(read**2) + np.float32(shot) * np.clip(image, 0, 255))
    return np.asarray(np.clip(image + noise * level, 0, 255), np.uint8)


def jpeg(rng: np.random.Generator, image: Picture) -> Picture:
    """Compress and decode, once or twice, at qualities from poor to fine."""
    for _ in range(2 if rng.random() < 0.15 else 1):
        quality = int(np.clip(rng.normal(75, 18), 18, 98))
        done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
        if not done:
            raise RuntimeError("OpenCV could not encode a JPEG")
        image = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    return image


def resample(rng: np.random.Generator, image: Picture) -> Picture:
    """Scale down and up again, as cheap cameras and video calls do."""
    height, width = image.shape[:2]
    share = rng.uniform(0.55, 0.9)
    size = max(2, round(width * share)), max(2, round(height * share))
    how = cv2.INTER_AREA if rng.random() < 0.5 else cv2.INTER_LINEAR
    small = cv2.resize(image, size, interpolation=how)
    back = cv2.INTER_CUBIC if rng.random() < 0.5 else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(small, (width, height), interpolation=back), np.uint8)


def photograph(
    rng: np.random.Generator, image: Image, strength: float = 1.0
) -> Picture:
    """The whole way from light to a compressed picture.

    Args:
        rng: source of every choice.
        image: (H, W, 3) float32 BGR.
        strength: of the blur; 1 for dice of about 40 px.
    """
    image = blur(rng, tone(rng, light(rng, image)), strength)
    picture = sensor(rng, image)
    if rng.random() < 0.12:
        picture = resample(rng, picture)
    return jpeg(rng, picture)
