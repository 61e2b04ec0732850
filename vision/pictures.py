"""Any picture file as upright 8-bit BGR, or an error that names it."""

from __future__ import annotations

import struct
import warnings
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO

import numpy as np
from PIL import Image, ImageOps, UnidentifiedImageError
from PIL.JpegImagePlugin import JpegImageFile

from vision.errors import PictureError

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from vision.ports import BgrImage

PICTURE_SUFFIXES = frozenset(
    [
        ".jpg",
        ".jpeg",
        ".jpe",
        ".jfif",
        ".png",
        ".webp",
        ".gif",
        ".bmp",
        ".dib",
        ".tif",
        ".tiff",
        ".ppm",
        ".pgm",
        ".pbm",
        ".pnm",
        ".avif",
        ".jp2",
        ".mpo",
        ".tga",
        ".ico",
    ]
)
"""File names that end so are taken for pictures when a folder is read."""

MOST_PIXELS = 64_000_000
"""Decoding takes up to about 12 bytes a pixel; larger JPEGs are decoded reduced."""
MOST_PROGRESSIVE_PIXELS = 256_000_000
"""A progressive JPEG is held whole before it is reduced: up to 6 bytes a pixel."""

NEUTRAL = (128, 128, 128)
"""What transparent parts are laid over."""

_JPEG = b"\xff\xd8\xff"
_BROKEN = (
    OSError,
    ValueError,
    SyntaxError,  # what Pillow raises for broken PNG chunks
    EOFError,
    struct.error,
    zlib.error,
    IndexError,
    KeyError,
    TypeError,
    OverflowError,
)
"""What Pillow's decoders raise for damaged files."""


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A decoded picture.

    Attributes:
        image: upright as a person sees it.
        shrunk: pixels of the file per pixel of `image`; above 1 only for pictures of
            more than `MOST_PIXELS`.
    """

    image: BgrImage
    shrunk: float = 1.0


def load_picture(path: Path) -> Picture:
    """Read a picture file.

    Grey, palette, CMYK and 16-bit pictures become 8-bit BGR, transparent parts lie over
    neutral grey, EXIF orientation is applied, an animation gives its first frame.

    Raises:
        PictureError: missing, unreadable, no picture, damaged, or too large.
    """
    try:
        with warnings.catch_warnings():
            # we judge size and damage ourselves; Pillow's warnings would only repeat it
            warnings.simplefilter("ignore")
            return _load(path)
    except PictureError:
        raise
    except UnidentifiedImageError as error:
        raise PictureError(str(path), "is not a picture") from error
    except Image.DecompressionBombError as error:
        raise PictureError(str(path), f"has too many pixels: {_limit()}") from error
    except MemoryError as error:
        raise PictureError(str(path), "does not fit into memory") from error
    except OSError as error:
        why = error.strerror or f"is damaged or cut short ({error})"
        raise PictureError(str(path), why[0].lower() + why[1:]) from error
    except _BROKEN as error:
        raise PictureError(str(path), f"is damaged ({error})") from error


def _limit() -> str:
    return f"at most {MOST_PIXELS // 1_000_000} megapixels are decoded"


def _load(path: Path) -> Picture:
    if not path.exists():
        raise PictureError(str(path), "there is no such file")
    if path.is_dir():
        raise PictureError(str(path), "is a folder, a picture file was expected")
    if not path.is_file():
        raise PictureError(str(path), "is not a regular file")
    with path.open("rb") as file:
        start = file.read(len(_JPEG))
        if not start:
            raise PictureError(str(path), "is empty")
        file.seek(0)
        with _open(file, start) as opened:
            return _decode(path, opened)


def _open(file: BinaryIO, start: bytes) -> Image.Image:
    # a JPEG is opened by its own class: it can be reduced while it is decoded, so the
    # general limit on pixels does not apply to it
    return JpegImageFile(file) if start == _JPEG else Image.open(file)


def _decode(path: Path, opened: Image.Image) -> Picture:
    width, height = opened.size
    pixels = width * height
    said = f"{width} x {height}"
    if isinstance(opened, JpegImageFile):
        if opened.info.get("progressive") and pixels > MOST_PROGRESSIVE_PIXELS:
            limit = MOST_PROGRESSIVE_PIXELS // 1_000_000
            why = f"is a progressive JPEG of {said} pixels: at most {limit} megapixels"
            raise PictureError(str(path), why)
        reduction = _reduction(pixels)
        if reduction > 1:
            # draft takes the next larger size that it can decode at once
            wanted = (-(-width // reduction), -(-height // reduction))
            opened.draft(opened.mode, wanted)
    if opened.width * opened.height > MOST_PIXELS:
        raise PictureError(str(path), f"is {said} pixels: {_limit()}")
    shrunk = width / opened.width
    opened.load()
    upright = ImageOps.exif_transpose(opened)
    return Picture(_to_bgr(upright), shrunk)


def _reduction(pixels: int) -> int:
    """The least of 1, 2, 4, 8 that brings a JPEG under the limit; 8 if none does."""
    return next((k for k in (1, 2, 4) if pixels <= MOST_PIXELS * k * k), 8)


def _to_bgr(image: Image.Image) -> BgrImage:
    if image.mode.startswith(("I", "F")):
        grey = _to_8_bit(np.asarray(image))
        return np.ascontiguousarray(np.repeat(grey[:, :, None], 3, axis=2))
    if image.has_transparency_data:
        layer = image.convert("RGBA")
        ground = Image.new("RGBA", layer.size, (*NEUTRAL, 255))
        image = Image.alpha_composite(ground, layer)
    return np.ascontiguousarray(np.asarray(image.convert("RGB"), np.uint8)[:, :, ::-1])


def _to_8_bit(values: NDArray[np.generic]) -> NDArray[np.uint8]:
    """Map deep grey to 0..255: 16-bit by its full range, others by what occurs."""
    numbers = np.nan_to_num(values.astype(np.float64))
    if values.dtype.itemsize == 2 or (
        values.dtype.kind in "iu" and 255 < numbers.max(initial=0) <= 65535
    ):
        return np.asarray(np.clip(numbers / 257, 0, 255), np.uint8)
    low, high = float(numbers.min(initial=0)), float(numbers.max(initial=0))
    if low >= 0 and high <= 1 and values.dtype.kind == "f":
        return np.asarray(numbers * 255, np.uint8)
    if low >= 0 and high <= 255:
        return np.asarray(numbers, np.uint8)
    return np.asarray((numbers - low) / max(high - low, 1e-12) * 255, np.uint8)
