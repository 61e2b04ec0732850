"""The tray: the calibrated area of the picture in which dice count."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from math import atan2, hypot, isfinite
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from vision.errors import VisionError
from vision.overlap import overlap
from vision.reading_json import quad_record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from vision.reading import Point, Quad

FORMAT = "tableside-tray/1"

SMALLEST_SHARE = 0.01
"""A tray covers at least this share of the picture."""
FARTHEST_OUT = 0.5
"""Corners may lie outside the picture by at most this share of its size."""
LARGEST_PX = 20_000
SAME_SHAPE = 0.01
"""Pictures whose proportions differ by more than this are of another shape."""
OVER_EDGE = 0.12
"""A die lies over the edge if a corner is outside by more than this share of its side.

The top face stands above the floor that the tray was marked on, and so is seen a
little shifted: what is less may be that."""


class TrayError(VisionError, ValueError):
    """What was given as a tray is none; the message says what is wrong."""


class TrayOrigin(StrEnum):
    """How a tray was found."""

    HAND = "hand"
    SHEET = "sheet"
    EDGE = "edge"


class Place(StrEnum):
    """Where a die lies."""

    INSIDE = "inside"
    OVER_EDGE = "over_edge"
    OUTSIDE = "outside"


@dataclass(frozen=True, slots=True)
class Tray:
    """Where dice count.

    Attributes:
        quad: corners in OpenCV pixels of a picture of the size below, clockwise on the
            screen, convex; the first is the one nearest to the picture's top left.
        width_px: width of that picture.
        height_px: its height.
        origin: how it was found.
    """

    quad: Quad
    width_px: int
    height_px: int
    origin: TrayOrigin = TrayOrigin.HAND

    def __post_init__(self) -> None:
        for name, size in (("width", self.width_px), ("height", self.height_px)):
            if not 16 <= size <= LARGEST_PX:
                said = f"{name}_px must be 16..{LARGEST_PX}, not {size}"
                raise TrayError(f"the picture's {said}")
        if not all(isfinite(v) for corner in self.quad for v in corner):
            raise TrayError(f"corners must be numbers, not {self.quad}")
        for x, y in self.quad:
            far_x, far_y = FARTHEST_OUT * self.width_px, FARTHEST_OUT * self.height_px
            if not (
                -far_x <= x <= self.width_px + far_x
                and -far_y <= y <= self.height_px + far_y
            ):
                raise TrayError(f"the corner ({x:.0f}, {y:.0f}) is far off the picture")
        if min(_turns(self.quad)) <= 0:
            raise TrayError("the corners must make a convex area, clockwise")
        if self.share < SMALLEST_SHARE:
            least = f"{100 * SMALLEST_SHARE:.0f} %"
            raise TrayError(f"a tray covers at least {least} of the picture")

    @property
    def share(self) -> float:
        """Its area as a share of the picture's."""
        area = abs(cv2.contourArea(np.array(self.quad, np.float32)))
        return float(area) / (self.width_px * self.height_px)

    @property
    def inside_share(self) -> float:
        """How much of it lies in the picture, 0..1."""
        w, h = self.width_px - 0.5, self.height_px - 0.5
        frame = np.array([(-0.5, -0.5), (w, -0.5), (w, h), (-0.5, h)])
        covered = overlap(np.array(self.quad, np.float64), frame)
        # a share of the smaller of both, which is the picture if the tray is larger
        return covered / max(1.0, self.share)

    def fitted(self, width_px: int, height_px: int) -> Tray:
        """The same tray in pictures of another size.

        Raises:
            TrayError: they are of another shape, so that they show something else.
        """
        if (width_px, height_px) == (self.width_px, self.height_px):
            return self
        scale = width_px / self.width_px
        if abs(height_px / (self.height_px * scale) - 1) > SAME_SHAPE:
            raise TrayError(
                f"the tray was set in pictures of {self.width_px} x {self.height_px}, "
                f"which {width_px} x {height_px} is not the shape of"
            )
        grown = ((np.array(self.quad) + 0.5) * scale - 0.5).tolist()
        quad = _quad((float(x), float(y)) for x, y in grown)
        return replace(self, quad=quad, width_px=width_px, height_px=height_px)

    def moved(self, motion: NDArray[np.float64]) -> Tray:
        """The tray as seen after the camera moved.

        Args:
            motion: (3, 3), takes pixels of before to pixels of now.

        Raises:
            TrayError: what it becomes is no tray: it has left the picture.
        """
        points = np.array(self.quad, np.float64).reshape(-1, 1, 2)
        there = cv2.perspectiveTransform(points, motion).reshape(4, 2)
        return replace(self, quad=_quad((float(x), float(y)) for x, y in there))

    def place_of(self, die: NDArray[np.float64]) -> Place:
        """Where a die lies: its centre decides.

        Args:
            die: (4, 2) corners of its top face, in pixels of the tray's picture.
        """
        if self._depth(die.mean(axis=0)) < 0:
            return Place.OUTSIDE
        sides = np.linalg.norm(die - np.roll(die, -1, axis=0), axis=1)
        deepest_out = min(self._depth(corner) for corner in die)
        over = deepest_out < -OVER_EDGE * float(sides.mean())
        return Place.OVER_EDGE if over else Place.INSIDE

    def _depth(self, point: NDArray[np.float64]) -> float:
        """How far inside a point lies, pixels; negative outside."""
        x, y = float(point[0]), float(point[1])
        contour = np.array(self.quad, np.float32)
        return float(cv2.pointPolygonTest(contour, (x, y), True))


def tray_of(
    corners: Iterable[Point],
    width_px: int,
    height_px: int,
    origin: TrayOrigin = TrayOrigin.HAND,
) -> Tray:
    """Make a tray of four corners given in any order.

    Args:
        corners: in OpenCV pixels.
        width_px: of the picture.
        height_px: of the picture.
        origin: how they were found.

    Raises:
        TrayError: they make no tray.
    """
    points = [(float(x), float(y)) for x, y in corners]
    if len(points) != 4:
        raise TrayError(f"a tray has 4 corners, not {len(points)}")
    middle_x, middle_y = (sum(p[k] for p in points) / 4 for k in (0, 1))
    points.sort(key=lambda p: atan2(p[1] - middle_y, p[0] - middle_x))
    first = min(range(4), key=lambda k: hypot(points[k][0], points[k][1]))
    quad = _quad(points[first:] + points[:first])
    return Tray(quad, width_px, height_px, origin)


def tray_record(tray: Tray) -> dict[str, Any]:
    """A tray as JSON; corners are continuous, (0, 0) the picture's outer corner."""
    return {
        "format": FORMAT,
        "quad": quad_record(tray.quad),
        "width_px": tray.width_px,
        "height_px": tray.height_px,
        "origin": tray.origin.value,
    }


def parse_tray(record: Mapping[str, Any]) -> Tray:
    """Turn a tray's JSON into the tray. Fields not known are ignored.

    Args:
        record: as `tray_record` writes it; the corners may come in any order.

    Raises:
        TrayError: a field is missing or malformed.
    """
    if not isinstance(record, dict):
        raise TrayError(f"a tray is a JSON object, not {type(record).__name__}")
    if record.get("format", FORMAT) != FORMAT:
        raise TrayError(f"format must be {FORMAT!r}, not {record['format']!r}")
    missing = [name for name in ("quad", "width_px", "height_px") if name not in record]
    if missing:
        raise TrayError(f"a tray needs {missing[0]!r}")
    sizes = [record["width_px"], record["height_px"]]
    if not all(isinstance(size, int) and not isinstance(size, bool) for size in sizes):
        raise TrayError(f"width_px and height_px must be whole numbers, not {sizes}")
    try:
        origin = TrayOrigin(record.get("origin", TrayOrigin.HAND))
    except ValueError as error:
        listed = ", ".join(TrayOrigin)
        raise TrayError(f"origin must be {listed}, not {record['origin']!r}") from error
    corners = [_point(corner) for corner in _corners(record["quad"])]
    return tray_of(corners, sizes[0], sizes[1], origin)


def _corners(value: object) -> list[object]:
    if not isinstance(value, list):
        raise TrayError(f"quad must be a list of corners, not {value!r:.80}")
    return value


def _point(value: object) -> Point:
    numbers = value if isinstance(value, list) else []
    if len(numbers) != 2 or not all(
        isinstance(v, int | float) and not isinstance(v, bool) and abs(v) < 1e6
        for v in numbers
    ):
        raise TrayError(f"a corner is two numbers, not {value!r:.80}")
    return float(numbers[0]) - 0.5, float(numbers[1]) - 0.5


def _quad(points: Iterable[Point]) -> Quad:
    a, b, c, d = points
    return a, b, c, d


def _turns(quad: Quad) -> list[float]:
    """Twice the area of the triangle at each corner; all > 0: convex and clockwise."""
    turns = []
    for k in range(4):
        (x0, y0), (x1, y1), (x2, y2) = (quad[(k + j) % 4] for j in range(3))
        turns.append((x1 - x0) * (y2 - y1) - (y1 - y0) * (x2 - x1))
    return turns
