"""Random corruptions of pictures: whatever comes in, reading neither dies nor lies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from datasets.optics import Picture
    from datasets.pinhole import Floats

MOST_SIDE = 4000


@dataclass(frozen=True, slots=True, eq=False)
class Corrupted:
    """What became of a picture.

    Attributes:
        image: (H, W, 3) uint8 BGR; of files that were damaged as bytes, None.
        data: the damaged file; empty if there is a picture.
        suffix: of the damaged file.
        moved: carries pixel corners (N, 4, 2) of the picture to where they are now;
            NaN for those that a cut tore apart.
    """

    image: Picture | None
    data: bytes = b""
    suffix: str = ""
    moved: Callable[[Floats], Floats] = lambda quads: quads


Corruption = Callable[[np.random.Generator, "Picture"], Corrupted]


def _picture(values: np.ndarray) -> Corrupted:
    return Corrupted(np.asarray(np.clip(values, 0, 255), np.uint8))


def noise(rng: np.random.Generator, image: Picture) -> Corrupted:
    """Heavy grain, grey or coloured."""
    depth = 3 if rng.random() < 0.5 else 1
    grain = rng.standard_normal((*image.shape[:2], depth), dtype=np.float32)
    return _picture(image + grain * np.float32(rng.uniform(8, 90)))


def salt(rng: np.random.Generator, image: Picture) -> Corrupted:
    """Dead and hot pixels."""
    out, hit = image.copy(), rng.random(image.shape[:2])
    share = rng.uniform(0.01, 0.3)
    out[hit < share / 2], out[hit > 1 - share / 2] = 0, 255
    return _picture(out)


def blur(rng: np.random.Generator, image: Picture) -> Corrupted:
    """Out of focus."""
    return _picture(cv2.GaussianBlur(image, (0, 0), float(rng.uniform(0.8, 9))))


def streak(rng: np.random.Generator, image: Picture) -> Corrupted:
    """The camera moved while the shutter was open."""
    size = int(rng.integers(3, 30)) * 2 + 1
    kernel = np.zeros((size, size), np.float32)
    angle, half = rng.uniform(0, np.pi), size // 2
    dx, dy = round(float(np.cos(angle)) * half), round(float(np.sin(angle)) * half)
    start, end = (half - dx, half - dy), (half + dx, half + dy)
    cv2.line(kernel, start, end, 1.0, 1)
    return _picture(cv2.filter2D(image, -1, kernel / kernel.sum()))


def crop(rng: np.random.Generator, image: Picture) -> Corrupted:
    """Only a part of the picture."""
    height, width = image.shape[:2]
    wide = int(width * rng.uniform(0.15, 0.95))
    high = int(height * rng.uniform(0.15, 0.95))
    x = int(rng.integers(0, width - wide + 1))
    y = int(rng.integers(0, height - high + 1))
    part = np.ascontiguousarray(image[y : y + high, x : x + wide])
    return Corrupted(part, moved=lambda quads: quads - np.array([x, y]))


def _warped(image: Picture, matrix: Floats, size: tuple[int, int]) -> Corrupted:
    """A picture seen through a (3, 3) homography; size is width and height."""
    out = cv2.warpPerspective(image, matrix, size, flags=cv2.INTER_LINEAR)

    def moved(quads: Floats) -> Floats:
        if not len(quads):
            return quads
        points = cv2.perspectiveTransform(quads.reshape(-1, 1, 2), matrix)
        return np.asarray(points, np.float64).reshape(-1, 4, 2)

    return Corrupted(np.asarray(out, np.uint8), moved=moved)


def rotate(rng: np.random.Generator, image: Picture) -> Corrupted:
    """Turned by any angle in its frame."""
    height, width = image.shape[:2]
    middle, scale = (width / 2, height / 2), float(rng.uniform(0.6, 1.2))
    part = cv2.getRotationMatrix2D(middle, float(rng.uniform(0, 360)), scale)
    return _warped(image, np.vstack([part, [0.0, 0.0, 1.0]]), (width, height))


def mirror(rng: np.random.Generator, image: Picture) -> Corrupted:
    """As a mirror shows it: most faces are then no faces."""
    height, width = image.shape[:2]
    matrix = np.array([[-1.0, 0, width - 1], [0, 1, 0], [0, 0, 1]])
    if rng.random() < 0.5:
        matrix = np.array([[1.0, 0, 0], [0, -1, height - 1], [0, 0, 1]])
    return _warped(image, matrix, (width, height))


def stretch(rng: np.random.Generator, image: Picture) -> Corrupted:
    """Another size, and not the same in both directions."""
    height, width = image.shape[:2]
    fx, fy = (float(v) for v in np.exp(rng.uniform(-1.2, 0.7, 2)))
    size = (max(8, round(width * fx)), max(8, round(height * fy)))
    size = (min(size[0], MOST_SIDE), min(size[1], MOST_SIDE))
    matrix = np.diag([size[0] / width, size[1] / height, 1.0])
    return _warped(image, matrix, size)


def tilt(rng: np.random.Generator, image: Picture) -> Corrupted:
    """Seen from aslant."""
    height, width = image.shape[:2]
    source = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    pulled = source + rng.uniform(-0.22, 0.22, (4, 2)) * (width, height)
    matrix = cv2.getPerspectiveTransform(source, pulled.astype(np.float32))
    return _warped(image, np.asarray(matrix, np.float64), (width, height))


def recolour(rng: np.random.Generator, image: Picture) -> Corrupted:
    """All hues turned, or none left, or the channels exchanged."""
    kind = int(rng.integers(3))
    if kind == 0:
        grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        return _picture(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR))
    if kind == 1:
        return _picture(np.ascontiguousarray(image[:, :, rng.permutation(3)]))
    hsv = cv2.cvtColor(image, cv2.COLOR_BGR2HSV)
    hsv[:, :, 0] = (hsv[:, :, 0].astype(int) + int(rng.integers(10, 170))) % 180
    return _picture(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR))


def light(rng: np.random.Generator, image: Picture) -> Corrupted:
    """Much too dark, too bright, or of hardly any contrast; in tinted light."""
    gamma, gain = float(np.exp(rng.normal(0, 0.9))), float(np.exp(rng.normal(0, 0.8)))
    tint = np.exp(rng.normal(0, 0.25, 3))
    bent = (image / 255.0) ** gamma * gain * tint
    flat = float(rng.uniform(0.05, 1))
    return _picture((bent * flat + (1 - flat) * rng.uniform(0, 1)) * 255)


def invert(rng: np.random.Generator, image: Picture) -> Corrupted:
    """A negative, of the whole or of one part."""
    out = image.copy()
    start = int(rng.integers(0, image.shape[1])) if rng.random() < 0.5 else 0
    out[:, start:] = 255 - out[:, start:]
    return _picture(out)


def shuffle(rng: np.random.Generator, image: Picture) -> Corrupted:
    """Cut into tiles that change places; dice that a cut goes through are lost."""
    height, width = image.shape[:2]
    rows, columns = (int(v) for v in rng.integers(2, 6, 2))
    high, wide = height // rows, width // columns
    order = rng.permutation(rows * columns)
    out = image.copy()
    shift = np.zeros((rows * columns, 2))
    for new, old in enumerate(int(k) for k in order):
        (y0, x0), (y1, x1) = divmod(old, columns), divmod(new, columns)
        tile = image[y0 * high : (y0 + 1) * high, x0 * wide : (x0 + 1) * wide]
        out[y1 * high : (y1 + 1) * high, x1 * wide : (x1 + 1) * wide] = tile
        shift[old] = ((x1 - x0) * wide, (y1 - y0) * high)

    def moved(quads: Floats) -> Floats:
        where = np.floor((quads + 0.5) / (wide, high)).astype(int)
        inside = (where >= 0) & (where < (columns, rows))
        tiles = where[..., 1] * columns + where[..., 0]
        whole = inside.all(axis=(1, 2)) & (np.ptp(tiles, axis=1) == 0)
        result = np.full(quads.shape, np.nan)
        result[whole] = quads[whole] + shift[tiles[whole, 0]][:, None]
        return result

    return Corrupted(out, moved=moved)


def blocks(rng: np.random.Generator, image: Picture) -> Corrupted:
    """Large pixels."""
    factor = float(rng.uniform(2, 12))
    height, width = image.shape[:2]
    size = (max(2, round(width / factor)), max(2, round(height / factor)))
    small = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    return _picture(cv2.resize(small, (width, height), interpolation=cv2.INTER_NEAREST))


def strips(rng: np.random.Generator, image: Picture) -> Corrupted:
    """Bars over the picture, and lines that tore."""
    out, (height, width) = image.copy(), image.shape[:2]
    for _ in range(int(rng.integers(1, 12))):
        start = int(rng.integers(0, height if rng.random() < 0.5 else width))
        thick = int(rng.integers(2, 40))
        kind = int(rng.integers(3))
        if kind == 0:
            out[start : start + thick] = rng.integers(0, 256, 3)
        elif kind == 1:
            out[:, start : start + thick] = rng.integers(0, 256, 3)
        else:
            part = out[start : start + thick]
            out[start : start + thick] = np.roll(part, int(rng.integers(width)), axis=1)
    return _picture(out)


def text(rng: np.random.Generator, image: Picture) -> Corrupted:
    """Words and card signs written over it."""
    out, (height, width) = image.copy(), image.shape[:2]
    words = ("A", "K", "10", "Q", "7", "JOKER", "REC", "12:34:56", "9", "AAAA", "J")
    for _ in range(int(rng.integers(3, 40))):
        at = (int(rng.integers(-20, width)), int(rng.integers(0, height)))
        word, font = words[int(rng.integers(len(words)))], int(rng.integers(0, 8))
        ink = tuple(int(v) for v in rng.integers(0, 256, 3))
        scale, thick = float(rng.uniform(0.4, 3)), int(rng.integers(1, 6))
        cv2.putText(out, word, at, font, scale, ink, thick, cv2.LINE_AA)
    return _picture(out)


def pressed(rng: np.random.Generator, image: Picture) -> Corrupted:
    """JPEG of the poorest quality, perhaps several times."""
    out = image
    for _ in range(int(rng.integers(1, 4))):
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(1, 9))]
        _, data = cv2.imencode(".jpg", out, quality)
        out = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    return _picture(out)


def _file(rng: np.random.Generator, image: Picture) -> tuple[bytearray, str]:
    suffix = (".jpg", ".png", ".webp", ".bmp")[int(rng.integers(4))]
    return bytearray(cv2.imencode(suffix, image)[1].tobytes()), suffix


def truncate(rng: np.random.Generator, image: Picture) -> Corrupted:
    """A file that ends too early."""
    data, suffix = _file(rng, image)
    return Corrupted(None, bytes(data[: int(len(data) * rng.uniform(0, 1))]), suffix)


def rot(rng: np.random.Generator, image: Picture) -> Corrupted:
    """A file with some bytes changed."""
    data, suffix = _file(rng, image)
    for at in rng.integers(0, len(data), int(rng.integers(1, 60))):
        data[int(at)] = int(rng.integers(0, 256))
    return Corrupted(None, bytes(data), suffix)


CORRUPTIONS: tuple[Corruption, ...] = (
    noise,
    salt,
    blur,
    streak,
    crop,
    rotate,
    mirror,
    stretch,
    tilt,
    recolour,
    light,
    invert,
    shuffle,
    blocks,
    strips,
    text,
    pressed,
    truncate,
    rot,
)
SECOND = 0.3
"""Share of the pictures that are corrupted twice, if they still are pictures."""


def corrupt(
    rng: np.random.Generator, image: Picture, first: Corruption
) -> tuple[str, Corrupted]:
    """Corrupt a picture, sometimes in two ways.

    Args:
        rng: source of every choice.
        image: (H, W, 3) uint8 BGR; stays as it is.
        first: the corruption to begin with.

    Returns:
        Its name, and what came of it.
    """
    if rng.random() >= SECOND:
        return first.__name__, first(rng, image)
    before = CORRUPTIONS[int(rng.integers(len(CORRUPTIONS) - 2))](rng, image)
    assert before.image is not None  # only the last two damage files
    after = first(rng, before.image)

    def moved(quads: Floats) -> Floats:
        return after.moved(before.moved(quads))

    return first.__name__, Corrupted(after.image, after.data, after.suffix, moved)
