"""One die in a picture: a rounded cube with drawn faces, seen by a pinhole camera."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import cv2
import numpy as np

from datasets.canvas import ART_PX, Art, Bgr, rounded

if TYPE_CHECKING:
    from datasets.fonts import Mask
    from datasets.pinhole import Floats, Pinhole

Image = np.ndarray[tuple[int, ...], np.dtype[np.float32]]
"""(H, W, 3) float32 BGR, 0..255, while a picture is being made."""

FINE_BELOW_PX = 44
"""Smaller dice are painted at twice the size and shrunk; larger ones need not."""

# outward normal and the direction that is up in the art, in the die's own axes
_SIDES = (
    ((0, 0, 1), (0, 1, 0)),
    ((0, -1, 0), (0, 0, 1)),
    ((1, 0, 0), (0, 0, 1)),
    ((0, 1, 0), (0, 0, 1)),
    ((-1, 0, 0), (0, 0, 1)),
    ((0, 0, -1), (0, 1, 0)),
)
_NORMALS = np.array([normal for normal, _ in _SIDES], np.float64)
_UPS = np.array([up for _, up in _SIDES], np.float64)
_RIGHTS = np.cross(_UPS, _NORMALS)
_CORNERS = np.stack(
    [
        _NORMALS + i * _RIGHTS + j * _UPS
        for i, j in ((-1, 1), (1, 1), (1, -1), (-1, -1))
    ],
    axis=1,
)
"""(6, 4, 3) corners of the sides of a die of edge 2 about its own centre."""


@dataclass(frozen=True, slots=True, eq=False)
class Die:
    """A die lying on the table, or tumbling over it.

    Attributes:
        x: centre, mm.
        y: centre, mm.
        yaw_deg: turn about the vertical, anticlockwise from above.
        size_mm: length of an edge.
        arts: top and four sides, upright pictures.
        body: colour between the faces.
        radius: of the rounded corners, in shares of the edge.
        lift_mm: height of its lowest point over the table when it lies flat.
        tumble: (3, 3) rotation of row vectors before the yaw; None: it lies flat.
    """

    x: float
    y: float
    yaw_deg: float
    size_mm: float
    arts: tuple[Art, Art, Art, Art, Art]
    body: Bgr
    radius: float
    lift_mm: float = 0.0
    tumble: Floats | None = None

    def sides(self) -> tuple[Floats, Floats]:
        """Corners and outward normals of top, four sides and bottom.

        Returns:
            (6, 4, 3) corners clockwise seen from outside, from the art's top left, mm;
            (6, 3) unit normals.
        """
        angle = np.deg2rad(self.yaw_deg)
        c, s = np.cos(angle), np.sin(angle)
        turn = np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
        if self.tumble is not None:
            turn = self.tumble @ turn
        half = self.size_mm / 2
        centre = np.array([self.x, self.y, half + self.lift_mm])
        return centre + half * (_CORNERS @ turn), _NORMALS @ turn

    def top(self) -> Floats:
        """Corners of the top face, (4, 3), mm."""
        corners: Floats = self.sides()[0][0]
        return corners


@lru_cache(maxsize=256)
def _face_mask(radius: float, inset: float) -> Mask:
    mask = np.zeros((ART_PX, ART_PX), np.uint8)
    rounded(mask, inset, radius, 255)
    return mask


def _rounded_outline(corners: Floats, radius: float) -> Floats:
    """Outline of a rounded square in space: three points a corner, (12, 3)."""
    out = []
    for k in range(4):
        here, before, after = corners[k], corners[k - 1], corners[(k + 1) % 4]
        to_before, to_after = (before - here) * radius, (after - here) * radius
        out += [here + to_before, here + 0.29 * (to_before + to_after), here + to_after]
    return np.array(out)


def top_quad(camera: Pinhole, die: Die) -> Floats:
    """Pixel corners of the unrounded top face, (4, 2), from the art's top left."""
    return camera.project(die.top())


def paint_die(
    image: Image,
    camera: Pinhole,
    die: Die,
    shades: tuple[float, ...],
    glare: tuple[float, float, float, float] | None = None,
) -> None:
    """Paint a die over what is there.

    Args:
        image: changed in place.
        camera: who looks.
        die: the die.
        shades: brightness of top and four sides.
        glare: centre in shares of the top face, size in shares, strength 0..255.
    """
    corners, normals = die.sides()
    towards = camera.position - corners.mean(axis=1)
    front = np.flatnonzero(np.einsum("ij,ij->i", towards, normals) > 1e-9)
    seen = [(int(k), corners[k]) for k in front]
    outlines = [camera.project(_rounded_outline(c, die.radius)) for _, c in seen]
    around = np.concatenate(outlines)
    height, width = image.shape[:2]
    x0, y0 = np.maximum(np.floor(around.min(axis=0)).astype(int) - 1, 0)
    x1, y1 = np.ceil(around.max(axis=0)).astype(int) + 2
    x1, y1 = min(int(x1), width), min(int(y1), height)
    if x1 <= x0 or y1 <= y0:
        return
    n = 2 if np.ptp(around, axis=0).max() < FINE_BELOW_PX * 1.4 else 1
    size = ((x1 - x0) * n, (y1 - y0) * n)

    def local(points: Floats) -> Floats:
        out: Floats = (points - (x0, y0) + 0.5) * n - 0.5
        return out

    alpha = np.zeros((size[1], size[0]), np.uint8)
    hull = cv2.convexHull(np.rint(local(around) * 16).astype(np.int32))
    cv2.fillConvexPoly(alpha, hull, 255, cv2.LINE_AA, 4)
    colour = np.empty((size[1], size[0], 3), np.float32)
    colour[:] = np.asarray(die.body, np.float32) * (0.5 * shades[0] + 0.45)
    for k, corners in seen:
        quad = local(camera.project(corners))
        _paint_side(colour, quad, die, k, shades[k % len(shades)], glare)
    out = (x1 - x0, y1 - y0)
    if n > 1:
        colour = cv2.resize(colour, out, interpolation=cv2.INTER_AREA)
        alpha = cv2.resize(alpha, out, interpolation=cv2.INTER_AREA)
    _blend(image[y0:y1, x0:x1], colour, alpha)


def _paint_side(
    colour: Image,
    quad: Floats,
    die: Die,
    k: int,
    shade: float,
    glare: tuple[float, float, float, float] | None,
) -> None:
    edges = np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1)
    side = int(np.clip(edges.max() * 1.1, 8, ART_PX))
    art, mask = die.arts[k % 5], _face_mask(round(die.radius * 1.1, 2), 0.015)
    if side < ART_PX * 0.9:
        art, mask = _shrunk(art, side), _shrunk(mask, side)
    else:
        side = ART_PX
    lit = art.astype(np.float32) * shade
    if k == 0 and glare is not None:
        gx, gy, spread, strength = glare
        at = (np.arange(side) + 0.5) / side
        blob = np.exp(-((at[None] - gx) ** 2 + (at[:, None] - gy) ** 2) / spread**2)
        lit += (blob * strength).astype(np.float32)[:, :, None]
    source = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(source, quad.astype(np.float32))
    x0, y0 = np.maximum(np.floor(quad.min(axis=0)).astype(int), 0)
    x1, y1 = np.ceil(quad.max(axis=0)).astype(int) + 1
    if x1 <= x0 or y1 <= y0:
        return
    matrix = np.array([[1, 0, -x0], [0, 1, -y0], [0, 0, 1]]) @ matrix
    patch = colour[y0:y1, x0:x1]
    size = (patch.shape[1], patch.shape[0])
    if min(size) < 1:
        return
    warped = cv2.warpPerspective(lit, matrix, size, flags=cv2.INTER_LINEAR)
    alpha = cv2.warpPerspective(mask, matrix, size)
    _blend(patch, np.asarray(warped, np.float32), np.asarray(alpha, np.uint8))


def _shrunk(picture: Mask, side: int) -> Mask:
    small = cv2.resize(picture, (side, side), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)


def _blend(under: Image, over: Image, alpha: Mask) -> None:
    """Lay `over` on `under` in place where `alpha` (0..255) says."""
    over -= under
    over *= (alpha * np.float32(1 / 255))[:, :, None]
    under += over
