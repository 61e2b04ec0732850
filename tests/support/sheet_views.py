"""Pictures of a printed tray sheet: tilted, blurred, dark, half hidden."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.tray_sheet import marker_modules

if TYPE_CHECKING:
    from vision.ports import BgrImage
    from vision.tray_sheet import SheetPlan

Floats = NDArray[np.float64]
PX_A_MM = 6.0


@dataclass(frozen=True, slots=True)
class View:
    """How a sheet is photographed.

    Attributes:
        tilt_deg: of the camera from straight above.
        turn_deg: of the sheet on the table.
        share: of the picture's width that the sheet's diagonal takes.
        gain: of the light; 1 is bright.
        noise: standard deviation, grey levels.
        blur_px: standard deviation of the blur.
        bend: radial distortion of the lens.
        hands: arms that reach over the sheet.
        jpeg: quality.
    """

    tilt_deg: float = 0.0
    turn_deg: float = 0.0
    share: float = 0.8
    gain: float = 1.0
    noise: float = 2.0
    blur_px: float = 0.6
    bend: float = 0.0
    hands: int = 0
    jpeg: int = 85


def random_view(rng: np.random.Generator) -> View:
    return View(
        tilt_deg=float(rng.uniform(0, 50)),
        turn_deg=float(rng.uniform(0, 360)),
        share=float(rng.uniform(0.45, 1.0)),
        gain=float(np.exp(rng.uniform(np.log(0.12), np.log(1.2)))),
        noise=float(rng.uniform(1, 7)),
        blur_px=float(rng.uniform(0.3, 1.8)),
        bend=float(rng.uniform(-0.12, 0.06)),
        hands=int(rng.choice([0, 0, 0, 1, 1, 2])),
        jpeg=int(rng.integers(45, 96)),
    )


def printed(plan: SheetPlan) -> BgrImage:
    """The sheet as it lies on the table, `PX_A_MM` pixels a millimetre."""
    size = (round(plan.height_mm * PX_A_MM), round(plan.width_mm * PX_A_MM), 3)
    paper = np.full(size, 236, np.uint8)
    side = round(plan.marker_mm * PX_A_MM)
    for number, (left, top) in plan.markers().items():
        black = marker_modules(number).astype(np.uint8)
        ink = cv2.resize(black, (side, side), interpolation=cv2.INTER_NEAREST)
        x, y = round(left * PX_A_MM), round(top * PX_A_MM)
        paper[y : y + side, x : x + side][ink > 0] = 28
    low_x, low_y, far_x, far_y = (round(v * PX_A_MM) for v in plan.tray_mm())
    cv2.rectangle(paper, (low_x, low_y), (far_x, far_y), (110, 110, 110), 3)
    return paper


def photographed(
    plan: SheetPlan,
    view: View,
    seed: int,
    size_px: tuple[int, int] = (1280, 720),
    ground: BgrImage | None = None,
) -> tuple[BgrImage, Floats]:
    """A picture of the sheet, and where its tray's corners are.

    Returns:
        (H, W, 3) uint8 BGR and (4, 2) in OpenCV pixels, from the sheet's top left on.
    """
    rng = np.random.default_rng(seed)
    matrix = _camera(plan, view, size_px)
    table = _table(rng, size_px) if ground is None else ground.copy()
    sheet = _with_dice(rng, printed(plan))
    scaled = matrix @ np.diag([1 / PX_A_MM, 1 / PX_A_MM, 1.0])
    laid = cv2.warpPerspective(
        sheet, scaled, size_px, dst=table, borderMode=cv2.BORDER_TRANSPARENT
    )
    image = np.asarray(laid, np.uint8)
    for _ in range(view.hands):
        _reach_over(rng, image)
    left, top, right, bottom = plan.tray_mm()
    inner = np.array([(left, top), (right, top), (right, bottom), (left, bottom)])
    there = cv2.perspectiveTransform(inner.reshape(-1, 1, 2), matrix).reshape(4, 2)
    image, corners = _bent(image, np.asarray(there, np.float64), view.bend)
    return _exposed(rng, image, view), corners


def _camera(plan: SheetPlan, view: View, size_px: tuple[int, int]) -> Floats:
    """From millimetres on the sheet to pixels."""
    width, height = size_px
    turn, tilt = np.radians([view.turn_deg, view.tilt_deg])
    spin = np.array(
        [(np.cos(turn), -np.sin(turn)), (np.sin(turn), np.cos(turn))], float
    )
    tip = np.array([(1, 0), (0, np.cos(tilt)), (0, np.sin(tilt))])
    across = float(np.hypot(plan.width_mm, plan.height_mm))
    focal = 1.1 * width
    # so far away that the whole sheet is in the picture however it is turned
    wanted = view.share * min(width, height * 1.25)
    far = focal * across / wanted
    half = np.array([plan.width_mm, plan.height_mm]) / 2
    flat = tip @ spin
    shift = np.array([0, 0, far]) - flat @ half
    lens = np.array([(focal, 0, width / 2), (0, focal, height / 2), (0, 0, 1.0)])
    matrix: Floats = lens @ np.column_stack([flat, shift])
    return matrix


def _table(rng: np.random.Generator, size_px: tuple[int, int]) -> BgrImage:
    width, height = size_px
    coarse = rng.normal(0, 1, (height // 40 + 2, width // 40 + 2, 3))
    fine = rng.normal(0, 1, (height // 3, width // 3, 3))
    ground = np.array(rng.uniform(20, 200, 3))
    for grain, weight in ((coarse, 18), (fine, 7)):
        ground = ground + weight * cv2.resize(grain, size_px)
    return np.clip(ground, 0, 255).astype(np.uint8)


def _with_dice(rng: np.random.Generator, paper: BgrImage) -> BgrImage:
    height, width = paper.shape[:2]
    for _ in range(9):
        x, y = rng.uniform(0.15, 0.85, 2) * (width, height)
        box = cv2.boxPoints(((x, y), (100, 100), float(rng.uniform(0, 90))))
        shade = int(rng.integers(190, 250))
        cv2.fillConvexPoly(paper, box.astype(np.int32), (shade,) * 3)
        cv2.polylines(paper, [box.astype(np.int32)], True, (60, 60, 60), 4)
        cv2.circle(paper, (round(x), round(y)), 22, (30, 30, 170), -1)
    return paper


def _reach_over(rng: np.random.Generator, image: BgrImage) -> None:
    height, width = image.shape[:2]
    side = int(rng.integers(4))
    start = np.array(
        [(rng.uniform(0, width), -20.0), (rng.uniform(0, width), height + 20.0)]
        + [(-20.0, rng.uniform(0, height)), (width + 20.0, rng.uniform(0, height))]
    )[side]
    goal = np.array([width, height]) * rng.uniform(0.3, 0.7, 2)
    end = start + (goal - start) * rng.uniform(0.4, 1.0)
    skin = (int(rng.integers(80, 150)), int(rng.integers(110, 170)), 205)
    ends = [tuple(int(v) for v in point) for point in (start, end)]
    cv2.line(image, ends[0], ends[1], skin, round(width * 0.075), cv2.LINE_AA)
    cv2.circle(image, ends[1], round(width * 0.05), skin, -1, cv2.LINE_AA)


def _bent(image: BgrImage, corners: Floats, bend: float) -> tuple[BgrImage, Floats]:
    """The picture through a lens that bends lines, and where the corners go."""
    if not bend:
        return image, corners
    height, width = image.shape[:2]
    centre = np.array([width / 2, height / 2])
    y, x = np.mgrid[:height, :width]
    seen = (np.stack([x, y], axis=-1) - centre) / width
    grid = _unbent(seen, bend) * width + centre
    grid_x, grid_y = (np.ascontiguousarray(grid[..., k], np.float32) for k in (0, 1))
    drawn = cv2.remap(
        image,
        grid_x,
        grid_y,
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REFLECT,
    )
    straight = (corners - centre) / width
    there = straight.copy()
    for _ in range(50):  # where the grid takes a point to its straight place
        there += straight - _unbent(there, bend)
    return np.asarray(drawn, np.uint8), there * width + centre


def _unbent(points: Floats, bend: float) -> Floats:
    """Points through the lens, in widths from the middle, to where they were."""
    radius2 = (points**2).sum(axis=-1, keepdims=True)
    straight: Floats = points * (1 - bend * radius2)
    return straight


def _exposed(rng: np.random.Generator, image: BgrImage, view: View) -> BgrImage:
    height, width = image.shape[:2]
    soft = cv2.GaussianBlur(image, (0, 0), view.blur_px).astype(np.float64)
    y, x = np.mgrid[:height, :width]
    fall = rng.uniform(-0.3, 0.3, 2)
    light = 1 + fall[0] * (x / width - 0.5) + fall[1] * (y / height - 0.5)
    lit = soft * view.gain * light[..., None]
    lit += rng.normal(0, view.noise, image.shape)
    data = np.clip(lit, 0, 255).astype(np.uint8)
    coded = cv2.imencode(".jpg", data, [cv2.IMWRITE_JPEG_QUALITY, view.jpeg])[1]
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)
