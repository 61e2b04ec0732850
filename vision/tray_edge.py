"""Proposing a tray by its edge: the largest plausible quad around the dice."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.tray import TrayError, TrayOrigin, tray_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from vision.ports import BgrImage
    from vision.reading import Quad
    from vision.tray import Tray

Floats = NDArray[np.float64]
Mask = NDArray[np.uint8]

WIDTH_PX = 400
"""Width of the picture in which edges are sought: texture and print are gone there."""
LEAST_SHARE = 0.08
MOST_SHARE = 0.92
"""A tray covers at least and at most so much of the picture."""
LEAST_FULL = 0.86
"""Share of its quad that an area fills; round corners leave out some."""
LEAST_CONFIDENCE = 0.3
"""Below this nothing is proposed."""
MOST_CONFIDENCE = 0.9
"""However clear an edge is, it may be that of another thing than a tray."""
STRIP_PX = 5
"""How far inside and outside of a side the colours are compared."""
CLEAR_STEP = 14.0
"""Difference of colour (CIE Lab) across a side that is seen clearly."""
LEAST_HEIGHT_PX, MOST_HEIGHT_PX = 32, 4 * WIDTH_PX
"""Scaled pictures of other heights come from no camera, and may be very large."""

SIDE_SAMPLES = 40
CORNER_PART = 0.12
"""Part of a side at each end that is not looked at: corners may be round."""


@dataclass(frozen=True, slots=True)
class EdgeFound:
    """A tray proposed by its edge; never to be taken without asking.

    Attributes:
        tray: the area inside the edge.
        confidence: 0..1.
    """

    tray: Tray
    confidence: float


def find_edge(image: BgrImage, dice: Sequence[Quad] = ()) -> EdgeFound | None:
    """Look for a tray of one colour, or with a rim, that has four sides.

    Args:
        image: (H, W, 3) uint8 BGR.
        dice: quads of dice in its pixels; a tray has most of them in it.

    Returns:
        The best proposal; None if nothing looks like a tray, or the picture is a strip.
    """
    height, width = image.shape[:2]
    scale = width / WIDTH_PX
    if not LEAST_HEIGHT_PX <= round(height / scale) <= MOST_HEIGHT_PX:
        return None
    size = (WIDTH_PX, round(height / scale))
    small = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    # a median wide enough takes away dice, grain and print, and leaves edges sharp
    calm = cv2.medianBlur(small, 7)
    lab = cv2.cvtColor(calm, cv2.COLOR_BGR2LAB).astype(np.float32)
    centres = np.array([np.mean(quad, axis=0) for quad in dice]).reshape(-1, 2)
    centres = (centres + 0.5) / scale - 0.5
    best: tuple[float, float, Floats] | None = None
    for area in _areas(np.asarray(lab, np.float32), centres):
        quad = _quad_of(area)
        if quad is None:
            continue
        confidence = _confidence(quad, lab, centres)
        # of several that are about as sure the largest: the rim, not the floor in it
        merit = confidence + 0.15 * _share(quad, size)
        if best is None or merit > best[0]:
            best = (merit, confidence, quad)
    if best is None or best[1] < LEAST_CONFIDENCE:
        return None
    corners = (best[2] + 0.5) * scale - 0.5
    points = [(float(x), float(y)) for x, y in corners]
    try:
        tray = tray_of(points, width, height, TrayOrigin.EDGE)
    except TrayError:
        return None
    return EdgeFound(tray, round(best[1], 3))


def _areas(lab: NDArray[np.float32], centres: Floats) -> Iterator[Mask]:
    """Connected areas that may be a tray, as filled masks."""
    yield from _flooded(lab, centres)
    yield from _clusters(lab)
    yield from _walled_in(lab)


def _flooded(lab: NDArray[np.float32], centres: Floats) -> Iterator[Mask]:
    """Grow areas of one colour from the middle and from beside the dice."""
    height, width = lab.shape[:2]
    middle = centres.mean(axis=0) if len(centres) else np.array([width, height]) / 2
    reach = 0.14 * min(width, height)
    for (dx, dy), step in product(
        ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)), (2, 4, 7)
    ):
        x, y = (round(float(v)) for v in middle + reach * np.array((dx, dy)))
        if not (0 <= x < width and 0 <= y < height):
            continue
        mask = np.zeros((height + 2, width + 2), np.uint8)
        flags = 8 | (255 << 8) | cv2.FLOODFILL_MASK_ONLY
        step3 = (float(step),) * 3
        cv2.floodFill(lab.copy(), mask, (x, y), (0, 0, 0), step3, step3, flags)
        yield _filled(mask[1:-1, 1:-1])


def _clusters(lab: NDArray[np.float32]) -> Iterator[Mask]:
    """Areas of the picture's few main colours."""
    pixels = lab[::2, ::2].reshape(-1, 3)
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 12, 1.0)
    for count in (2, 3, 5):
        cv2.setRNGSeed(1)
        no_labels = np.zeros((len(pixels), 1), np.int32)
        _, _, middles = cv2.kmeans(
            pixels, count, no_labels, stop, 1, cv2.KMEANS_PP_CENTERS
        )
        off = np.linalg.norm(lab[:, :, None] - middles[None, None], axis=3)
        nearest = off.argmin(axis=2)
        for k in range(count):
            yield from _largest((nearest == k).astype(np.uint8) * 255)


def _walled_in(lab: NDArray[np.float32]) -> Iterator[Mask]:
    """Areas closed in by edges, whatever their colour."""
    grey = np.clip(lab[..., 0], 0, 255).astype(np.uint8)
    for low in (12, 30):
        edges = np.zeros_like(grey)
        for channel in range(3):
            plane = np.clip(lab[..., channel], 0, 255).astype(np.uint8)
            edges |= np.asarray(cv2.Canny(plane, low, 2.5 * low), np.uint8)
        walls = cv2.dilate(edges, np.ones((5, 5), np.uint8))
        yield from _largest(np.asarray(255 - walls, np.uint8))
        contours, _ = cv2.findContours(
            walls, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE
        )
        for contour in sorted(contours, key=cv2.contourArea, reverse=True)[:2]:
            area = np.zeros_like(grey)
            cv2.drawContours(area, [contour], -1, (255,), -1)
            yield np.asarray(cv2.erode(area, np.ones((5, 5), np.uint8)), np.uint8)


def _largest(mask: Mask) -> Iterator[Mask]:
    """The few largest connected areas of a mask, their holes filled."""
    opened = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(opened)
    sizes = stats[1:, cv2.CC_STAT_AREA] if count > 1 else np.zeros(0)
    for k in np.argsort(-sizes)[:2]:
        yield _filled((labels == k + 1).astype(np.uint8) * 255)


def _filled(mask: Mask) -> Mask:
    """The area with its holes (dice, print) and narrow bays closed."""
    closed = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8))
    contours, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    if not contours:
        return np.zeros_like(mask)
    area = np.zeros_like(mask)
    cv2.drawContours(area, [max(contours, key=cv2.contourArea)], -1, (255,), -1)
    # hands and things that touch the edge hang on by a neck
    round_brush = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (15, 15))
    return np.asarray(cv2.morphologyEx(area, cv2.MORPH_OPEN, round_brush), np.uint8)


def _quad_of(area: Mask) -> Floats | None:
    """The quad that an area fills nearly, (4, 2); None if it fills none."""
    contours, _ = cv2.findContours(area, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not contours:
        return None
    contour = max(contours, key=cv2.contourArea)
    share = cv2.contourArea(contour) / area.size
    if not LEAST_SHARE <= share <= MOST_SHARE:
        return None
    hull = cv2.convexHull(contour)
    if len(hull) < 4:
        return None
    quad = _enclosing(cv2.approxPolyDP(hull, 2.0, True).reshape(-1, 2).astype(float))
    if quad is None:
        return None
    full = cv2.contourArea(hull) / max(_share(quad, area.shape[::-1]) * area.size, 1.0)
    solid = cv2.contourArea(contour) / max(cv2.contourArea(hull), 1.0)
    return quad if full >= LEAST_FULL and solid >= 0.8 else None


def _enclosing(corners: Floats) -> Floats | None:
    """A small quad round a convex polygon: sides are dropped, the cheapest first.

    A side goes when its neighbours are drawn out until they meet; what that adds in
    area is the price. Round corners go that way, and the straight sides stay.
    """
    while len(corners) > 4:
        before, after = np.roll(corners, 1, axis=0), np.roll(corners, -2, axis=0)
        following = np.roll(corners, -1, axis=0)
        # side k runs from corner k to the next; its neighbours meet at `tips[k]`
        tips, prices = np.full_like(corners, np.nan), np.full(len(corners), np.inf)
        for k in range(len(corners)):
            tip = _meeting(before[k], corners[k], after[k], following[k])
            if tip is not None:
                a, b = following[k] - corners[k], tip - corners[k]
                tips[k], prices[k] = tip, abs(a[0] * b[1] - a[1] * b[0]) / 2
        k = int(prices.argmin())
        if not np.isfinite(prices[k]):
            return None
        corners[k] = tips[k]
        corners = np.delete(corners, (k + 1) % len(corners), axis=0)
    return corners if len(corners) == 4 else None


def _meeting(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats | None:
    """Where the ray from a through b meets that from c through d, beyond b and d."""
    u, v, w = b - a, d - c, d - b
    cross = u[0] * v[1] - u[1] * v[0]
    if abs(cross) < 1e-6:
        return None
    s = (w[0] * v[1] - w[1] * v[0]) / cross
    t = (w[0] * u[1] - w[1] * u[0]) / cross
    return np.asarray(b + s * u, np.float64) if s >= 0 and t >= 0 else None


def _share(quad: Floats, size: tuple[int, ...]) -> float:
    area = cv2.contourArea(quad.astype(np.float32))
    return float(area) / (size[0] * size[1])


def _confidence(quad: Floats, lab: NDArray[np.float32], centres: Floats) -> float:
    """How clearly all four sides are edges, and whether the dice lie inside."""
    sides = [
        _side_clarity(start, end, lab, quad.mean(axis=0))
        for start, end in zip(quad, np.roll(quad, -1, axis=0), strict=True)
    ]
    # three clear sides and one in the shadow are a tray, two are a table's corner
    weakest, second = sorted(sides)[:2]
    clarity = 0.55 * second + 0.25 * weakest + 0.2 * float(np.mean(sides))
    contour = quad.astype(np.float32)
    inside = [
        cv2.pointPolygonTest(contour, (float(x), float(y)), False) >= 0
        for x, y in centres
    ]
    held = float(np.mean(inside)) if inside else 1.0
    return MOST_CONFIDENCE * clarity * held**2


def _side_clarity(
    start: Floats, end: Floats, lab: NDArray[np.float32], middle: Floats
) -> float:
    """Share of a side along which the colour changes across it.

    A side on the picture's border cannot be seen and counts nothing.
    """
    along = np.linspace(CORNER_PART, 1 - CORNER_PART, SIDE_SAMPLES)[:, None]
    points = start + (end - start) * along
    normal = np.array([end[1] - start[1], start[0] - end[0]])
    normal = normal / max(float(np.linalg.norm(normal)), 1e-9)
    if float(normal @ (middle - start)) > 0:
        normal = -normal
    clear = 0.0
    for point in points:
        steps = []
        # the quad encloses the area, so that its side may lie a little outside the edge
        for shift in (-4.0, -2.0, 0.0, 2.0):
            inner = point + normal * (shift - STRIP_PX)
            outer = point + normal * (shift + STRIP_PX)
            a, b = _colour(lab, inner), _colour(lab, outer)
            if a is not None and b is not None:
                steps.append(float(np.linalg.norm(a - b)))
        if steps:
            clear += min(1.0, max(steps) / CLEAR_STEP)
    return clear / SIDE_SAMPLES


def _colour(lab: NDArray[np.float32], point: Floats) -> NDArray[np.float32] | None:
    x, y = round(float(point[0])), round(float(point[1]))
    if not (0 <= x < lab.shape[1] and 0 <= y < lab.shape[0]):
        return None
    return np.asarray(lab[y, x], np.float32)
