"""Builders of captures: small pictures of coloured patches with dice in them."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from datasets.captures.capture import (
    Capture,
    CapturedDie,
    Kept,
    Origin,
    Review,
    stamp,
)
from scoring.cards import parse_face
from vision.picture_quality import PictureLight

if TYPE_CHECKING:
    from vision.reading import Quad

WIDTH_PX, HEIGHT_PX = 320, 180
FACES = "QH 2C RJ"
NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)


def picture(seed: int, quality: int = 90, noise: float = 0.0) -> bytes:
    """A JPEG of big patches that only the seed decides."""
    chance = np.random.default_rng(seed)
    patches = chance.integers(0, 255, (18, 32, 3)).astype(np.uint8)
    image = cv2.resize(patches, (WIDTH_PX, HEIGHT_PX), interpolation=cv2.INTER_CUBIC)
    if noise:
        grain = np.random.default_rng(0).normal(0, noise, image.shape)
        image = np.clip(image + grain, 0, 255).astype(np.uint8)
    return jpeg(image, quality)


def jpeg(image: Any, quality: int = 90) -> bytes:
    """Any picture as a JPEG file."""
    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    assert done
    return data.tobytes()


def square(x: float, y: float, side: float = 30.0) -> Quad:
    """A square face with its top left corner there."""
    return (x, y), (x + side, y), (x + side, y + side), (x, y + side)


def dice(codes: str = FACES, by: Origin = Origin.MODEL) -> tuple[CapturedDie, ...]:
    """Dice in a row; `?` is one that nobody knows."""
    return tuple(
        CapturedDie(
            square(10.0 + 40 * place, 20.0),
            None if code == "?" else parse_face(code),
            origin=by,
            role="operator" if by is Origin.PERSON else "",
        )
        for place, code in enumerate(codes.split())
    )


def capture(
    data: bytes, kept: Kept = Kept.SURE, minute: int = 0, **more: Any
) -> Capture:
    """A capture of a picture, taken so many minutes after noon."""
    plain = Capture(
        picture=hashlib.sha256(data).hexdigest(),
        width_px=WIDTH_PX,
        height_px=HEIGHT_PX,
        taken_at=stamp(NOON + timedelta(minutes=minute)),
        recording="evening",
        dice_set="square-shooters",
        kept=kept,
        dice=dice(),
        camera="front",
        light=PictureLight(12.5, 240.0),
        review=Review.WAITING,
    )
    return replace(plain, **more)
