"""Pictures of misses: the part that matters, and outlines to draw over it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.eval_misses import Miss, MissKind, misses_of
from datasets.eval_places import place_of
from datasets.picture_sets import write_picture
from vision.errors import SourceError
from vision.pictures import load_picture
from vision.reading_json import quad_record
from vision.sources import open_file

if TYPE_CHECKING:
    from pathlib import Path

    from datasets.eval_matching import Place
    from datasets.eval_results import PictureResult
    from vision.ports import BgrImage

Floats = NDArray[np.float64]

DIE_VIEW_PX = 240
DIE_REACH = 2.4
"""A die is shown with its neighbourhood, so many of its sides wide."""

ROLL_VIEW_PX = 760
ROLL_MARGIN = 0.06
OUTSIDE = (110, 110, 110)
"""BGR of what lies beyond the picture."""


@dataclass(frozen=True, slots=True)
class Outline:
    """A shape to draw over a picture.

    Attributes:
        points: corners in pixels of the view.
        role: `truth`, `right`, `wrong`, `doubtful`, `missed`, `more` or `sighted`.
        code: face to write beside it; empty for none.
    """

    points: tuple[tuple[float, float], ...]
    role: str
    code: str = ""


@dataclass(frozen=True, slots=True)
class MissView:
    """A miss with its picture.

    Attributes:
        miss: what went wrong.
        file: of the picture, beside the page.
        width: pixels.
        height: pixels.
        outlines: to draw over it.
    """

    miss: Miss
    file: str
    width: int
    height: int
    outlines: tuple[Outline, ...]


@dataclass(frozen=True, slots=True)
class _Window:
    """A part of a picture and how it is scaled, in continuous pixels of the file."""

    x0: float
    y0: float
    width: float
    height: float
    scale: float

    def inside(self, corners: Floats) -> tuple[tuple[float, float], ...]:
        """Corners in the picture as corners in the view."""
        moved = (corners - [self.x0, self.y0]) * self.scale
        return tuple((round(float(x), 1), round(float(y), 1)) for x, y in moved)


def write_miss_views(
    folder: Path, number: int, result: PictureResult
) -> tuple[MissView, ...]:
    """Write a picture of every miss of one result.

    Args:
        folder: gets the files; it is there.
        number: of the result, for the names of the files.
        result: whose file can still be read.

    Returns:
        A view a miss; none for a file that cannot be read.
    """
    misses = misses_of(result)
    image = picture_of(result) if misses else None
    if image is None:
        return ()
    views = []
    for place, miss in enumerate(misses):
        whole = miss.kind.whole_picture
        window = _roll_window(result) if whole else _die_window(result, miss)
        view = _cut(image, window, result.shrunk)
        file = f"{number:05d}-{place:02d}.jpg"
        write_picture(folder / file, view, quality=82)
        outlines = _roll_outlines(result) if whole else _die_outlines(result, miss)
        views.append(
            MissView(
                miss,
                file,
                view.shape[1],
                view.shape[0],
                tuple(
                    Outline(window.inside(corners), role, code)
                    for corners, role, code in outlines
                ),
            )
        )
    return tuple(views)


def picture_of(result: PictureResult) -> BgrImage | None:
    """The picture that was judged; of a clip the frame of its first reading."""
    path = result.picture.path
    try:
        if not result.picture.throws:
            return load_picture(path).image
        wanted = result.told[0].frame if result.told else None
        image = None
        source = open_file(path)
        try:
            for frame in source.frames():
                image = frame.image
                if frame.index == wanted:
                    break
        finally:
            source.close()
        return image
    except SourceError:
        return None


def _corners(place: Place, result: PictureResult) -> Floats:
    if place.quad is not None:
        return np.array(place.quad)
    size = result.picture.width, result.picture.height
    x0, y0, x1, y1 = place.upright(*size)
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])


def _label_corners(result: PictureResult, die: int) -> Floats:
    return _corners(place_of(result.dice[die].label), result)


def _said_corners(result: PictureResult, said: int) -> Floats:
    assert result.reading is not None
    return np.array(quad_record(result.reading.dice[said].quad, result.shrunk))


def _die_window(result: PictureResult, miss: Miss) -> _Window:
    """A square round the die; a picture of a single face is shown whole."""
    if result.is_crop:
        width, height = result.picture.width, result.picture.height
        side, middle = max(width, height), np.array([width / 2, height / 2])
    else:
        corners = (
            _label_corners(result, miss.die)
            if miss.die is not None
            else _said_corners(result, miss.said or 0)
        )
        middle = (corners.min(axis=0) + corners.max(axis=0)) / 2
        side = max(float(np.ptp(corners, axis=0).max()) / 1.2 * DIE_REACH, 8.0)
    x0, y0 = (float(v) for v in middle - side / 2)
    return _Window(x0, y0, side, side, DIE_VIEW_PX / side)


def _roll_window(result: PictureResult) -> _Window:
    """The part of the picture that holds dice, labelled or said."""
    width, height = result.picture.width, result.picture.height
    shapes = [_label_corners(result, k) for k in range(len(result.dice))]
    answers = result.reading.dice if result.reading else ()
    shapes += [_said_corners(result, k) for k in range(len(answers))]
    low, high = np.zeros(2), np.array([width, height])
    if shapes:
        points = np.concatenate(shapes)
        margin = ROLL_MARGIN * width
        low = np.maximum(low, points.min(axis=0) - margin)
        high = np.minimum(high, points.max(axis=0) + margin)
    if (high - low).min() < 1:
        low, high = np.zeros(2), np.array([width, height])
    wide, tall = (float(v) for v in high - low)
    scale = min(2.0, ROLL_VIEW_PX / max(wide, tall))
    return _Window(float(low[0]), float(low[1]), wide, tall, scale)


def _cut(image: BgrImage, window: _Window, shrunk: float) -> BgrImage:
    """Cut a window out of a picture; what lies beyond its edge is grey."""
    scale = window.scale * shrunk
    size = max(1, round(window.width * window.scale))
    tall = max(1, round(window.height * window.scale))
    if scale < 0.7:  # averaging first: skipping pixels would tear thin strokes
        small = cv2.resize(
            image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA
        )
        image, scale = np.asarray(small, np.uint8), 1.0
    corner = np.array([window.x0, window.y0]) * (window.scale / scale)
    # continuous coordinates: pixel centres lie at halves
    shift = (0.5 - corner) * scale - 0.5
    matrix = np.array([[scale, 0, shift[0]], [0, scale, shift[1]]])
    view = cv2.warpAffine(
        image,
        matrix,
        (size, tall),
        flags=cv2.INTER_CUBIC,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=OUTSIDE,
    )
    return np.asarray(view, np.uint8)


def _die_outlines(result: PictureResult, miss: Miss) -> list[tuple[Floats, str, str]]:
    outlines = []
    if miss.die is not None and not result.is_crop:
        outlines.append((_label_corners(result, miss.die), "truth", ""))
    if miss.said is not None:
        more = miss.kind is MissKind.NOTHING_THERE
        role = "more" if more else "wrong"
        outlines.append((_said_corners(result, miss.said), role, ""))
    return outlines


def _roll_outlines(result: PictureResult) -> list[tuple[Floats, str, str]]:
    """All dice of a roll, with what was said of them."""
    reading = result.reading
    outlines = [
        (
            _label_corners(result, k),
            "missed",
            die.label.face.code if die.label.face else "",
        )
        for k, die in enumerate(result.dice)
        if die.said is None
    ]
    if reading is None:
        return outlines
    doubtful = {place for problem in reading.problems for place in problem.dice}
    wrong = {
        id(die.said)
        for die in result.dice
        if die.said is not None and (die.read_right is False or not die.flat)
    }
    for place, said in enumerate(reading.dice):
        role = "doubtful" if place in doubtful else "right"
        if id(said) in wrong:
            role = "wrong"
        if place in result.more:
            role = "more"
        code = said.face.code if said.face else "?"
        outlines.append((_said_corners(result, place), role, code))
    return outlines
