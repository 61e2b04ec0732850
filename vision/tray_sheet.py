"""The printed sheet: eight markers round the tray, and finding them in a picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.tray import TrayError, TrayOrigin, tray_of

if TYPE_CHECKING:
    from vision.ports import BgrImage
    from vision.tray import Tray

Floats = NDArray[np.float64]
Markers = dict[int, Floats]
"""(4, 2) corners in OpenCV pixels by number of the marker."""

DICTIONARY = cv2.aruco.DICT_4X4_50
MODULES = 6
"""Black and white squares along a marker's side, its black rim included."""
MARKERS_A_SHEET = 8
LEAST_MARKERS = 2
"""One marker alone does not tell where the far side of a sheet lies."""
FARTHEST_OFF = 0.12
"""A corner may be off its place by this share of a marker's side: lenses bend lines."""
SMALLEST_PX = 32
"""Nothing is sought in pictures narrower or lower than this."""
SOUGHT_PX = 1920
"""Larger pictures are shrunk to this width before markers are sought."""
BLURRED_PX = 1280
"""Pictures up to this width are sought again at twice their size if need be."""


@dataclass(frozen=True, slots=True)
class SheetPlan:
    """How a sheet is printed; millimetres from the paper's top left corner.

    Attributes:
        paper: name of the paper.
        width_mm: of the paper, lying crosswise.
        height_mm: of the paper.
        marker_mm: side of a marker.
        first_id: number of the marker at the top left; the others follow clockwise.
        margin_mm: what printers leave white.
        gap_mm: between the markers and the tray.
    """

    paper: str
    width_mm: float
    height_mm: float
    marker_mm: float
    first_id: int
    margin_mm: float = 10.0
    gap_mm: float = 4.0

    @property
    def title(self) -> str:
        """The paper's name as people write it."""
        return self.paper.upper() if len(self.paper) == 2 else self.paper.capitalize()

    def markers(self) -> dict[int, tuple[float, float]]:
        """Top left corner of each marker by its number, clockwise from the top left."""
        low, size = self.margin_mm, self.marker_mm
        right, bottom = (self.width_mm - low - size, self.height_mm - low - size)
        middle_x, middle_y = (self.width_mm - size) / 2, (self.height_mm - size) / 2
        places = (
            (low, low),
            (middle_x, low),
            (right, low),
            (right, middle_y),
            (right, bottom),
            (middle_x, bottom),
            (low, bottom),
            (low, middle_y),
        )
        return {self.first_id + k: place for k, place in enumerate(places)}

    def tray_mm(self) -> tuple[float, float, float, float]:
        """The tray's left, top, right and bottom edge."""
        inset = self.margin_mm + self.marker_mm + self.gap_mm
        return inset, inset, self.width_mm - inset, self.height_mm - inset


PLANS: dict[str, SheetPlan] = {
    plan.paper: plan
    for plan in (
        SheetPlan("a4", 297.0, 210.0, 18.0, 0),
        SheetPlan("a3", 420.0, 297.0, 24.0, 8),
        SheetPlan("letter", 279.4, 215.9, 18.0, 16),
    )
}
"""The papers by name. Each has markers of its own: a picture tells which it is."""


@dataclass(frozen=True, slots=True, eq=False)
class SheetFound:
    """A sheet in a picture.

    Attributes:
        tray: the area inside its frame.
        paper: name of the paper.
        markers: corners of those of its markers that agree with each other.
        confidence: 0..1.
    """

    tray: Tray
    paper: str
    markers: Markers
    confidence: float


def marker_modules(number: int) -> NDArray[np.bool_]:
    """The squares of a marker.

    Args:
        number: of the marker, 0..49.

    Returns:
        (MODULES, MODULES), True where it is black.
    """
    book = cv2.aruco.getPredefinedDictionary(DICTIONARY)
    drawn = cv2.aruco.generateImageMarker(book, number, MODULES, borderBits=1)
    return np.asarray(drawn) < 128


def find_markers(image: BgrImage) -> Markers:
    """Find every marker of our dictionary, of whatever sheet.

    Args:
        image: (H, W, 3) uint8 BGR, or (H, W) grey.
    """
    grey = image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    scale = max(1.0, grey.shape[1] / SOUGHT_PX)
    if scale > 1:
        size = (SOUGHT_PX, max(1, round(grey.shape[0] / scale)))
        grey = cv2.resize(grey, size, interpolation=cv2.INTER_AREA)
    found = seek_markers(np.asarray(grey, np.uint8))
    if len(found) < MARKERS_A_SHEET and min(grey.shape) >= SMALLEST_PX:
        # in the dark, or half in shadow, markers stand out only from what is near them
        evened = cv2.createCLAHE(4.0, (8, 8)).apply(grey)
        found = seek_markers(np.asarray(evened, np.uint8)) | found
    if (
        len(found) <= MARKERS_A_SHEET // 2
        and SMALLEST_PX <= grey.shape[1] <= BLURRED_PX
    ):
        found = _seek_blurred(np.asarray(grey, np.uint8)) | found
    return {k: (corners + 0.5) * scale - 0.5 for k, corners in found.items()}


def _detector() -> cv2.aruco.ArucoDetector:
    options = cv2.aruco.DetectorParameters()
    options.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    options.cornerRefinementWinSize = 4
    options.adaptiveThreshWinSizeMin = 5
    options.adaptiveThreshWinSizeMax = 45
    options.adaptiveThreshWinSizeStep = 10
    options.minMarkerPerimeterRate = 0.02
    book = cv2.aruco.getPredefinedDictionary(DICTIONARY)
    return cv2.aruco.ArucoDetector(book, options)


def _seek_blurred(grey: NDArray[np.uint8]) -> Markers:
    """Seek small or blurred markers: at twice the size, smoothed and sharpened."""
    large = cv2.resize(grey, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)
    smooth = cv2.GaussianBlur(large, (0, 0), 1.5).astype(np.float32)
    sharp = smooth + 1.5 * (smooth - cv2.GaussianBlur(smooth, (0, 0), 5.0))
    low, high = np.percentile(sharp, (0.5, 99.5))
    spread = 255 / max(float(high - low), 1.0)
    found = seek_markers(np.clip((sharp - low) * spread, 0, 255).astype(np.uint8))
    return {k: (corners + 0.5) / 2 - 0.5 for k, corners in found.items()}


def seek_markers(grey: NDArray[np.uint8]) -> Markers:
    """Find markers at one try, in good light.

    Args:
        grey: (H, W) uint8.
    """
    if min(grey.shape) < SMALLEST_PX:
        return {}
    corners, numbers, _ = _detector().detectMarkers(grey)
    if numbers is None:
        return {}
    # a marker seen twice is a mistake once: neither is believed
    listed = [int(number) for number in np.ravel(numbers)]
    return {
        number: np.asarray(quad, np.float64).reshape(4, 2)
        for number, quad in zip(listed, corners, strict=True)
        if listed.count(number) == 1
    }


def find_sheet(image: BgrImage) -> SheetFound | None:
    """Find a printed sheet.

    Args:
        image: (H, W, 3) uint8 BGR.

    Returns:
        The sheet of which most markers are seen; None if fewer than `LEAST_MARKERS` of
        every sheet are, or if they do not lie as on a sheet.
    """
    seen = find_markers(image)
    size_px = (image.shape[1], image.shape[0])
    sheets = [_fit(plan, seen, size_px) for plan in PLANS.values()]
    found = [sheet for sheet in sheets if sheet is not None]
    return max(found, key=lambda sheet: len(sheet.markers), default=None)


def _fit(plan: SheetPlan, seen: Markers, size_px: tuple[int, int]) -> SheetFound | None:
    """Lay the plan of a sheet onto its markers."""
    places = plan.markers()
    numbers = [number for number in places if number in seen]
    if len(numbers) < LEAST_MARKERS:
        return None
    square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) * plan.marker_mm
    mm = np.concatenate([square + places[number] for number in numbers])
    px = np.concatenate([seen[number] for number in numbers])
    off_px = _reach_px(px)
    rough, _ = cv2.findHomography(mm, px, cv2.RANSAC, off_px, maxIters=500)
    if rough is None:
        return None
    matrix = np.asarray(rough, np.float64)
    errors = np.linalg.norm(_project(mm, matrix) - px, axis=1).reshape(-1, 4)
    kept = [k for k, error in enumerate(errors) if error.max() <= off_px]
    if len(kept) < LEAST_MARKERS:
        return None
    rows = np.concatenate([np.arange(4 * k, 4 * k + 4) for k in kept])
    exact, _ = cv2.findHomography(mm[rows], px[rows], 0)
    if exact is None:
        return None
    left, top, right, bottom = plan.tray_mm()
    inner = np.array([(left, top), (right, top), (right, bottom), (left, bottom)])
    quad = _straightened(inner, mm[rows], px[rows], np.asarray(exact, np.float64))
    try:
        corners = [(float(x), float(y)) for x, y in quad]
        tray = tray_of(corners, *size_px, TrayOrigin.SHEET)
    except TrayError:
        return None
    markers = {numbers[k]: seen[numbers[k]] for k in kept}
    return SheetFound(tray, plan.paper, markers, _confidence(plan, markers))


def _reach_px(px: Floats) -> float:
    """How far a marker's corner may be off, from the sizes of the markers seen."""
    quads = px.reshape(-1, 4, 2)
    sides = np.linalg.norm(quads - np.roll(quads, -1, axis=1), axis=2)
    return max(1.5, FARTHEST_OFF * float(np.median(sides)))


def _straightened(inner: Floats, mm: Floats, px: Floats, matrix: Floats) -> Floats:
    """Corners of the tray, with what a lens bends taken from the markers near them."""
    bent = px - _project(mm, matrix)
    apart = np.linalg.norm(inner[:, None] - mm[None], axis=2)
    weight = 1 / (apart + 10.0) ** 4
    weight /= weight.sum(axis=1, keepdims=True)
    return np.asarray(_project(inner, matrix) + weight @ bent, np.float64)


def _project(points: Floats, matrix: Floats) -> Floats:
    there = cv2.perspectiveTransform(points.reshape(-1, 1, 2).astype(float), matrix)
    return np.asarray(there, np.float64).reshape(-1, 2)


def _confidence(plan: SheetPlan, markers: Markers) -> float:
    """More markers, spread wider, are believed more."""
    places = plan.markers()
    at = np.array([places[number] for number in markers])
    wide, high = np.ptp(at, axis=0) / (plan.width_mm, plan.height_mm)
    spread = min(1.0, (wide + high) / 1.5)
    alone = 0.7 ** (len(markers) - 1)
    return round(float((1 - 0.5 * alone) * (0.6 + 0.4 * spread)), 3)
