"""Things that lie on a game table and are no dice."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from datasets.art import draw_face
from datasets.art_pips import playing_card
from datasets.tables import table
from scoring.cards import CARD_DICE_FACES, Card

if TYPE_CHECKING:
    from datasets.cube import Image
    from datasets.optics import Picture
    from datasets.pinhole import Floats, Pinhole
    from datasets.style import ArtStyle

KINDS = ("card", "chip", "coin", "pen", "phone", "paper", "cup", "photo")
_SHIFT = 4


def _fill(image: Image, points: Floats, colour: Floats, alpha: float = 1.0) -> None:
    """Fill a polygon, anti-aliased, in place."""
    low = np.maximum(np.floor(points.min(axis=0)).astype(int) - 1, 0)
    high = np.ceil(points.max(axis=0)).astype(int) + 2
    x1, y1 = min(int(high[0]), image.shape[1]), min(int(high[1]), image.shape[0])
    if x1 <= low[0] or y1 <= low[1]:
        return
    mask = np.zeros((y1 - low[1], x1 - low[0]), np.uint8)
    at = np.rint((points - low) * (1 << _SHIFT)).astype(np.int32)
    cv2.fillPoly(mask, [at], 255, cv2.LINE_AA, _SHIFT)
    patch = image[low[1] : y1, low[0] : x1]
    share = mask.astype(np.float32)[:, :, None] * np.float32(alpha / 255)
    patch += share * (colour.astype(np.float32) - patch)


def _oblong(x: float, y: float, yaw: float, width: float, height: float) -> Floats:
    c, s = np.cos(yaw), np.sin(yaw)
    local = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * (width / 2, height / 2)
    return np.column_stack([local @ np.array([[c, s], [-s, c]]) + (x, y), np.zeros(4)])


def _ring(x: float, y: float, radius: float, z: float = 0.0) -> Floats:
    angle = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    at = np.column_stack([np.cos(angle), np.sin(angle)]) * radius + (x, y)
    return np.column_stack([at, np.full(40, z)])


def _colour(rng: np.random.Generator, low: float = 0, high: float = 255) -> Floats:
    return rng.uniform(low, high, 3)


def _paste(image: Image, camera: Pinhole, corners: Floats, picture: Picture) -> None:
    """Lay a picture on four points of the table, in place."""
    height, width = picture.shape[:2]
    source = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    quad = camera.project(corners).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(source - 0.5, quad)
    size = (image.shape[1], image.shape[0])
    mask = cv2.warpPerspective(np.full((height, width), 255, np.uint8), matrix, size)
    over = cv2.warpPerspective(picture, matrix, size, flags=cv2.INTER_AREA)
    share = mask.astype(np.float32)[:, :, None] / 255
    image += share * (over.astype(np.float32) - image)


def _playing_card(rng: np.random.Generator, style: ArtStyle) -> Picture:
    """A card: a drawn face in the middle and its corners, or a patterned back."""
    card = np.empty((176, 126, 3), np.uint8)
    card[:] = rng.uniform(225, 255)
    if rng.random() < 0.25:
        back = table(rng, 156, 106) * 0.7 + _colour(rng) * 0.3
        card[10:166, 10:116] = np.clip(back, 0, 255)
        return card
    chosen = CARD_DICE_FACES[int(rng.integers(len(CARD_DICE_FACES)))]
    if isinstance(chosen, Card):
        return playing_card(style, chosen)
    face = draw_face(style, chosen)
    side = int(rng.integers(60, 112))
    large = cv2.resize(face, (side, side), interpolation=cv2.INTER_AREA)
    y, x = (176 - side) // 2, (126 - side) // 2
    card[y : y + side, x : x + side] = large
    return card


def _chip(rng: np.random.Generator, image: Image, camera: Pinhole, at: Floats) -> None:
    radius, ink = rng.uniform(12, 22), _colour(rng, 20, 240)
    stripe = rng.uniform(180, 250) * np.ones(3)
    _fill(image, camera.project(_ring(at[0], at[1], radius + 0.6)), ink * 0.45, 0.8)
    _fill(image, camera.project(_ring(at[0], at[1], radius, 3.0)), ink)
    for k in range(int(rng.integers(4, 9))):
        turn = k * 2 * np.pi / 8 + rng.uniform(0, 0.1)
        angle = turn + np.array([-0.14, 0.14, 0.14, -0.14])
        far = np.array([radius, radius, radius * 0.8, radius * 0.8])
        wedge = np.column_stack(
            [at[0] + np.cos(angle) * far, at[1] + np.sin(angle) * far, np.full(4, 3.0)]
        )
        _fill(image, camera.project(wedge), stripe)
    _fill(image, camera.project(_ring(at[0], at[1], radius * 0.62, 3.0)), stripe)
    _fill(image, camera.project(_ring(at[0], at[1], radius * 0.55, 3.0)), ink * 0.9)


def _coin(rng: np.random.Generator, image: Image, camera: Pinhole, at: Floats) -> None:
    metals = np.array([[110, 160, 190], [180, 185, 190], [70, 110, 170]], np.float64)
    metal = metals[int(rng.integers(3))]
    radius = rng.uniform(8, 14)
    _fill(image, camera.project(_ring(at[0], at[1], radius)), metal * 0.6)
    _fill(image, camera.project(_ring(at[0], at[1], radius * 0.93, 1.0)), metal)
    off = radius * 0.25
    inner = _ring(at[0] + off, at[1] - off, radius * 0.45, 1.0)
    _fill(image, camera.project(inner), metal * rng.uniform(0.75, 1.2), 0.7)


def _cup(rng: np.random.Generator, image: Image, camera: Pinhole, at: Floats) -> None:
    radius, colour = rng.uniform(28, 45), _colour(rng, 15, 220)
    tall = rng.uniform(40, 90)
    for z in np.linspace(0, tall, 14):
        shade = 0.55 + 0.35 * z / tall
        _fill(image, camera.project(_ring(at[0], at[1], radius, z)), colour * shade)
    _fill(
        image, camera.project(_ring(at[0], at[1], radius * 0.88, tall)), colour * 0.35
    )


def lay(
    rng: np.random.Generator,
    image: Image,
    camera: Pinhole,
    at: Floats,
    style: ArtStyle,
    photos: str = "",
) -> str:
    """Lay one random thing on the table, in place.

    Args:
        rng: source of every choice.
        image: picture being made.
        camera: who looks.
        at: (2,) place on the table, mm.
        style: of a playing card.
        photos: folder of photos for printed matter; empty for none.

    Returns:
        What it is, one of `KINDS`.
    """
    kind = str(rng.choice(KINDS, p=(0.36, 0.15, 0.11, 0.1, 0.07, 0.1, 0.04, 0.07)))
    x, y, yaw = float(at[0]), float(at[1]), rng.uniform(0, 2 * np.pi)
    if kind == "card":
        shape = _oblong(x, y, yaw, 63 * rng.uniform(0.6, 1), 88 * rng.uniform(0.6, 1))
        _paste(image, camera, shape, _playing_card(rng, style))
    elif kind == "photo":
        shape = _oblong(x, y, yaw, rng.uniform(30, 150), rng.uniform(30, 150))
        print_ = np.clip(table(rng, 128, 128, photos), 0, 255).astype(np.uint8)
        _paste(image, camera, shape, print_)
    elif kind == "chip":
        _chip(rng, image, camera, at)
    elif kind == "coin":
        _coin(rng, image, camera, at)
    elif kind == "cup":
        _cup(rng, image, camera, at)
    elif kind == "pen":
        colour, long = _colour(rng, 10, 230), rng.uniform(100, 150)
        _fill(image, camera.project(_oblong(x, y, yaw, long, 9)), colour * 0.5)
        _fill(image, camera.project(_oblong(x, y, yaw, long, 5)), colour)
    elif kind == "phone":
        _fill(image, camera.project(_oblong(x, y, yaw, 72, 150)), _colour(rng, 5, 90))
        screen = camera.project(_oblong(x, y, yaw, 66, 138))
        _fill(image, screen, _colour(rng, 5, 60))
    else:
        paper = camera.project(
            _oblong(x, y, yaw, rng.uniform(15, 130), rng.uniform(15, 130))
        )
        _fill(image, paper, _colour(rng, 120, 250))
    return kind


def reach_in(
    rng: np.random.Generator, image: Image, scale_px: float, side: int | None = None
) -> Floats:
    """Paint a hand that reaches in from the border, in place.

    Args:
        rng: source of every choice.
        image: picture being made.
        scale_px: width of a die in pixels; fingers are about as wide.
        side: 0 top, 1 right, 2 bottom, 3 left; any if None.

    Returns:
        (H, W) share of each pixel that is covered, 0..1.
    """
    height, width = image.shape[:2]
    mask = np.zeros((height, width), np.uint8)
    side = int(rng.integers(4)) if side is None else side
    along = rng.uniform(0.1, 0.9)
    x, y = along * width, along * height
    starts = ((x, -5), (width + 5, y), (x, height + 5), (-5, y))
    start = np.array(starts[side])
    angle = np.deg2rad((90, 180, 270, 0)[side] + rng.uniform(-35, 35))
    ahead = np.array([np.cos(angle), np.sin(angle)])
    across = np.array([-ahead[1], ahead[0]])
    palm = start + ahead * scale_px * rng.uniform(1.0, 4.0)
    thick = max(2, int(scale_px * rng.uniform(2.2, 3.2)))
    _line(mask, start - ahead * 2 * max(height, width), palm, thick)
    for k in range(5):
        root = palm + across * (k - 2) * scale_px * 0.62
        bend = angle + (k - 2) * 0.14 + rng.normal(0, 0.12)
        tip = root + np.array([np.cos(bend), np.sin(bend)]) * scale_px * (
            rng.uniform(1.6, 3.4) if k else rng.uniform(0.8, 1.8)
        )
        _line(mask, root, tip, max(2, int(scale_px * rng.uniform(0.7, 0.95))))
    skins = np.array([[150, 180, 225], [110, 145, 200], [60, 85, 130], [35, 50, 80]])
    skin = skins[int(rng.integers(4))] * rng.uniform(0.8, 1.1)
    soft = cv2.GaussianBlur(mask, (0, 0), max(1.0, scale_px * 0.2))
    shade = 0.55 + 0.5 * soft.astype(np.float32) / 255
    share = cv2.GaussianBlur(mask, (0, 0), 0.8).astype(np.float32) / 255
    colour = skin.astype(np.float32) * shade[:, :, None]
    image += share[:, :, None] * (colour - image)
    return share.astype(np.float64)


def _line(mask: Picture, start: Floats, end: Floats, thick: int) -> None:
    a, b = np.rint(start).astype(int), np.rint(end).astype(int)
    cv2.line(mask, (int(a[0]), int(a[1])), (int(b[0]), int(b[1])), 255, thick)
