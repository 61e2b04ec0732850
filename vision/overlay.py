"""Drawing a reading onto its picture: quads, faces, doubts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.face_labels import face_label
from vision.reading import ProblemCode, Status

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.ports import BgrImage
    from vision.reading import DieReading, Reading

Colour = tuple[int, int, int]

SURE: Colour = (80, 200, 60)
DOUBTFUL: Colour = (0, 165, 255)
UNREAD: Colour = (60, 60, 235)
DARK: Colour = (20, 20, 20)

_SHIFT = 4
"""Fractional bits of the coordinates handed to OpenCV."""
_DOUBTS = frozenset(
    (
        ProblemCode.COCKED_DIE,
        ProblemCode.DIE_OUTSIDE_TRAY,
        ProblemCode.DOUBTFUL_DIE,
        ProblemCode.DUPLICATE_FACE,
        ProblemCode.SAME_DIE_TWICE,
        ProblemCode.UNREADABLE_DIE,
    )
)


def draw_overlay(image: BgrImage, reading: Reading) -> BgrImage:
    """Mark the dice of a reading in a copy of its picture.

    Sure dice have a solid green frame and their face on a card-like label; doubtful
    ones a dashed orange frame and a question mark; unreadable ones a dashed red frame.
    The corner at the top left of the art carries a dot. Dice outside the tray are
    crossed out in red.

    Args:
        image: (H, W, 3) uint8 BGR, the picture that was read.
        reading: with quads in its pixels.

    Returns:
        A picture of the same size.
    """
    drawn = image.copy()
    doubtful = {
        place
        for problem in reading.problems
        if problem.code in _DOUBTS
        for place in problem.dice
    }
    quads = [np.array(die.quad, np.float64) for die in reading.dice]
    for place, (die, quad) in enumerate(zip(reading.dice, quads, strict=True)):
        _draw_frame(drawn, quad, _colour(die, place in doubtful), die.face is not None)
    for place, (die, quad) in enumerate(zip(reading.dice, quads, strict=True)):
        _draw_label(drawn, die, quad, place in doubtful)
    for die in reading.outside:
        _draw_outside(drawn, die)
    _draw_banner(drawn, reading)
    return drawn


def _colour(die: DieReading, doubtful: bool) -> Colour:
    if die.face is None:
        return UNREAD
    return DOUBTFUL if doubtful else SURE


def _draw_outside(image: BgrImage, die: DieReading) -> None:
    """Cross out a die that lies outside the tray."""
    quad = np.array(die.quad, np.float64)
    _draw_frame(image, quad, UNREAD, upright=False)
    thick = int(np.clip(_side(quad) / 18, 1, 60))
    for a, b in ((0, 2), (1, 3)):
        ends = (_fixed(quad[a]), _fixed(quad[b]))
        cv2.line(image, *ends, DARK, thick + 2, cv2.LINE_AA, _SHIFT)
        cv2.line(image, *ends, UNREAD, thick, cv2.LINE_AA, _SHIFT)


def _side(quad: NDArray[np.float64]) -> float:
    return float(np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1).mean())


def _draw_frame(
    image: BgrImage, quad: NDArray[np.float64], colour: Colour, upright: bool
) -> None:
    thick = int(np.clip(_side(quad) / 18, 1, 60))
    for start, end in zip(quad, np.roll(quad, -1, axis=0), strict=True):
        pieces = [(start, end)] if colour is SURE else _dashes(start, end, thick)
        for ink, width in ((DARK, thick + 2), (colour, thick)):
            for a, b in pieces:
                cv2.line(image, _fixed(a), _fixed(b), ink, width, cv2.LINE_AA, _SHIFT)
    if upright:
        radius = max(2, thick + 1)
        for ink, size in ((DARK, radius + 1), (colour, radius)):
            at = _fixed(quad[0])
            cv2.circle(image, at, size << _SHIFT, ink, -1, cv2.LINE_AA, _SHIFT)


def _dashes(
    start: NDArray[np.float64], end: NDArray[np.float64], thick: int
) -> list[tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """Pieces of a line, with gaps about as long as they are."""
    length = float(np.linalg.norm(end - start))
    count = int(np.clip(length / (7 * thick), 2, 40))
    cuts = np.linspace(0, 1, 2 * count)
    along = [start + (end - start) * t for t in cuts]
    return list(zip(along[::2], along[1::2], strict=True))


def _fixed(point: NDArray[np.float64]) -> tuple[int, int]:
    # far outside the picture OpenCV's fixed-point numbers would wrap round
    x, y = np.clip(point, -30000, 30000)
    return round(x * (1 << _SHIFT)), round(y * (1 << _SHIFT))


def _draw_label(
    image: BgrImage, die: DieReading, quad: NDArray[np.float64], doubtful: bool
) -> None:
    """Put the face's label above the die, or where there is room."""
    height = int(np.clip(_side(quad) * 0.5, 16, 60))
    mark = "?" if doubtful or die.face is None else ""
    label = face_label(die.face, mark, height, _colour(die, doubtful))
    wide, high = label.shape[1], label.shape[0]
    x = round(float(quad[:, 0].mean()) - wide / 2)
    y = round(float(quad[:, 1].min()) - high - 3)
    if y < 0:
        y = round(float(quad[:, 1].max()) + 3)
    paste(image, label, x, y)


def paste(image: BgrImage, label: NDArray[np.uint8], x: int, y: int) -> None:
    """Lay a picture with an alpha channel over another, moved to fit inside it.

    Args:
        image: (H, W, 3) uint8 BGR; changed.
        label: (h, w, 4) uint8 BGR and alpha.
        x: left edge wished for.
        y: upper edge wished for.
    """
    high, wide = label.shape[:2]
    high, wide = min(high, image.shape[0]), min(wide, image.shape[1])
    x = int(np.clip(x, 0, image.shape[1] - wide))
    y = int(np.clip(y, 0, image.shape[0] - high))
    below = image[y : y + high, x : x + wide]
    alpha = label[:high, :wide, 3:].astype(np.float32) / 255
    mixed = label[:high, :wide, :3] * alpha + below * (1 - alpha)
    below[:] = np.round(mixed).astype(np.uint8)


def _draw_banner(image: BgrImage, reading: Reading) -> None:
    """Say the status in the corner."""
    size = max(0.4, image.shape[1] / 1600)
    thick = max(1, round(2 * size))
    said = f"{reading.status.value} {100 * reading.confidence:.1f} %"
    if reading.problems:
        said += ": " + ", ".join(sorted({p.code.value for p in reading.problems}))
    colour = {Status.SURE: SURE, Status.ASK: DOUBTFUL, Status.REFUSE: UNREAD}
    font, gap = cv2.FONT_HERSHEY_SIMPLEX, round(12 * size)
    (wide, high), below = cv2.getTextSize(said, font, size, thick)
    corner = (wide + 2 * gap, high + below + 2 * gap)
    cv2.rectangle(image, (0, 0), corner, DARK, -1)
    ink = colour[reading.status]
    cv2.putText(image, said, (gap, gap + high), font, size, ink, thick, cv2.LINE_AA)
