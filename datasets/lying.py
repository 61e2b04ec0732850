"""How dice come to lie in a scene: they lean, stand on others, hide and are hidden."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import cv2
import numpy as np

from datasets.cube import Die, Image, paint_die
from datasets.shadows import cast_shadows
from datasets.tables import table

if TYPE_CHECKING:
    from datasets.pinhole import Floats, Pinhole

SIZE_MM = 18.0
"""Edge of the dice of most scenes."""

GRID = 7
"""Points a side at which a face is asked whether something covers it."""


def leaning(die: Die, axis_deg: float, lean_deg: float, rest_mm: float = 0.0) -> Die:
    """Tip a die over about a level axis, its lowest corner `rest_mm` over the table."""
    a, c, s = (
        np.deg2rad(axis_deg),
        np.cos(np.deg2rad(lean_deg)),
        np.sin(np.deg2rad(lean_deg)),
    )
    x, y = np.cos(a), np.sin(a)
    tip = np.array(
        [
            [c + x * x * (1 - c), x * y * (1 - c), y * s],
            [x * y * (1 - c), c + y * y * (1 - c), -x * s],
            [-y * s, x * s, c],
        ]
    ).T
    tipped = replace(die, tumble=tip, lift_mm=0.0)
    lowest = float(tipped.sides()[0][..., 2].min())
    return replace(tipped, lift_mm=rest_mm - lowest)


def paint_dice(
    rng: np.random.Generator, image: Image, camera: Pinhole, dice: list[Die]
) -> None:
    """Paint dice with shadows, the farther ones first, in place."""
    cast_shadows(rng, image, camera, dice)
    sides = tuple(float(v) for v in rng.uniform(0.35, 1.0, 4))
    far = {id(die): farness(camera, die) for die in dice}
    for die in sorted(dice, key=lambda d: -far[id(d)]):
        glare = None
        if rng.random() < 0.12:
            gx, gy = rng.uniform(-0.1, 1.1, 2)
            glare = (
                float(gx),
                float(gy),
                float(rng.uniform(0.1, 0.5)),
                float(rng.uniform(30, 170)),
            )
        turned = tuple(np.roll(sides, int(die.yaw_deg // 90)))
        top = float(rng.uniform(0.75, 1.05)) if die.tumble is not None else 1.0
        paint_die(image, camera, die, (top, *turned), glare)


def farness(camera: Pinhole, die: Die) -> float:
    """How far back a die is painted, mm; the farthest comes first."""
    # dice that stand on others are nearer to a camera above, whatever its tilt
    middle = die.sides()[0].mean(axis=(0, 1))
    return float(np.linalg.norm(camera.position - middle)) - 2 * float(middle[2])


def visible_share(
    camera: Pinhole, corners: Floats, nearer: list[Die], covered: Floats
) -> float:
    """Share of a face that neither other dice nor hands nor the border hide."""
    steps = (np.arange(GRID) + 0.5) / GRID
    u, v = (a.ravel()[:, None] for a in np.meshgrid(steps, steps))
    at = (1 - v) * ((1 - u) * corners[0] + u * corners[1])
    at = at + v * ((1 - u) * corners[3] + u * corners[2])
    seen = camera.project(at)
    height, width = covered.shape
    x, y = np.rint(seen).astype(int).T
    inside = (x >= 0) & (x < width) & (y >= 0) & (y < height)
    free = inside & (covered[np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)] < 0.5)
    for die in nearer:
        outline = camera.project(die.sides()[0].reshape(-1, 3)).astype(np.float32)
        hull = cv2.convexHull(outline)
        for k in np.flatnonzero(free):
            point = (float(seen[k, 0]), float(seen[k, 1]))
            free[k] = cv2.pointPolygonTest(hull, point, False) < 0
    return float(free.mean())


def lay_over(
    rng: np.random.Generator, image: Image, at: Floats, die_px: float, photos: str
) -> Floats:
    """Lay a sleeve, a card or a cup over what is near a point: (H, W) what it hides."""
    height, width = image.shape[:2]
    mask = np.zeros((height, width), np.uint8)
    turn = rng.uniform(0, 2 * np.pi)
    long, wide = rng.uniform(0.8, 5, 2) * die_px
    # its edge shall run over the die at that point, or close by
    off = wide + rng.uniform(-0.5, 0.9) * die_px
    middle = at + off * np.array([-np.sin(turn), np.cos(turn)])
    centre = (float(middle[0]), float(middle[1]))
    if rng.random() < 0.35:
        size = (2 * float(long), 2 * float(wide))
        cv2.ellipse(mask, (centre, size, float(np.rad2deg(turn))), 255, -1)
    else:
        c, s = np.cos(turn), np.sin(turn)
        square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (long, wide)
        corners = square @ np.array([[c, s], [-s, c]]) + middle
        cv2.fillConvexPoly(mask, np.rint(corners).astype(np.int32), 255)
    share = cv2.GaussianBlur(mask, (0, 0), 0.7).astype(np.float32)[:, :, None] / 255
    stuff = table(rng, height, width, photos)
    soft = cv2.GaussianBlur(mask, (0, 0), max(1.0, die_px * 0.15))
    image *= 1 - np.float32(0.4 / 255) * soft.astype(np.float32)[:, :, None]
    image += share * (stuff - image)
    return (mask > 127).astype(np.float64)
