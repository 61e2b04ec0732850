"""One die shown to the camera: found, judged fit to learn from, cut out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from datasets.shards import DataSetError
from scoring.cards import CARD_DICE_FACES
from vision.classes import TURNS
from vision.problems import light_problems

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.face_reading import Evidence
    from vision.ports import BgrImage
    from vision.reader import RollReader

PATCH_MARGIN = 1.0
"""A patch shows so many sides of the die beyond each of its edges."""

LARGEST_PATCH_PX = 288
LEAST_SIDE_PX = 28.0
"""Smaller dice show too little to learn from."""

LEAST_SCORE = 0.3
"""Sightings that the detector is less sure of are not taken for the die shown."""

CLEARLY_FIRST = 0.75
"""A second sighting at least so likely as the first makes it unclear which is meant."""


class ShotError(DataSetError):
    """A picture from which nothing can be learned; the message says what to change."""


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """One face of one die as it was shown.

    Attributes:
        die: number of the die, from 1.
        side: name of the side: shots of one die and one side show the same face.
        patch: (P, P, 3) uint8 BGR, the die in the middle; `PATCH_MARGIN` sides of it
            are seen all round.
        side_px: mean side of the face in the picture it was cut from.
        log_p: (54,) log-probability of each card face as the reader knows it so far.
        log_turn: (4,) likewise of how many clockwise quarters the art is turned.
    """

    die: int
    side: str
    patch: NDArray[np.uint8]
    side_px: float
    log_p: NDArray[np.float64]
    log_turn: NDArray[np.float64]


def take_shot(reader: RollReader, image: BgrImage, die: int, side: str) -> Shot:
    """Take the one die of a picture.

    Args:
        reader: finds it, and reads it as well as it can.
        image: (H, W, 3) uint8 BGR.
        die: its number, from 1.
        side: name of the side that is up.

    Raises:
        ShotError: no die, several, too small, too dark, washed out or blurred.
    """
    evidence = _the_die(reader.evidence(image))
    if evidence.side_px < LEAST_SIDE_PX:
        raise ShotError(
            f"the die is {evidence.side_px:.0f} pixels wide, {LEAST_SIDE_PX:.0f} are "
            "needed: bring the camera nearer"
        )
    problems = light_problems(
        [evidence.look], [evidence.side_px], reader.light, reader.limits
    )
    if problems:
        raise ShotError(problems[0].sentence)
    cards = np.logaddexp.reduce(evidence.log_p[: len(CARD_DICE_FACES)], axis=1)
    return Shot(
        die,
        side,
        patch_of(image, evidence.quad, evidence.side_px),
        evidence.side_px,
        cards - np.logaddexp.reduce(cards),
        np.logaddexp.reduce(evidence.log_p, axis=0),
    )


def upright(shots: Sequence[Shot]) -> list[NDArray[np.uint8]]:
    """Turn patches of one side so that all lie alike, as upright as can be told.

    Art that the reader does not know may seem to lie any way; that two pictures show
    the same art alike is plain from the pictures.

    Args:
        shots: of one side of one die.

    Returns:
        Their patches, turned.
    """
    first = _grey(shots[0].patch)
    turns, said = [], np.zeros(TURNS)
    for shot in shots:
        grey = _grey(shot.patch)
        alike = [float((np.rot90(grey, k) * first).sum()) for k in range(TURNS)]
        turns.append(int(np.argmax(alike)))
        said += np.roll(shot.log_turn, -turns[-1])
    own = int(said.argmax())
    return [
        np.ascontiguousarray(np.rot90(shot.patch, turn + own))
        for shot, turn in zip(shots, turns, strict=True)
    ]


def _grey(patch: NDArray[np.uint8]) -> NDArray[np.float32]:
    """The die of a patch, small, grey, of zero mean and unit length."""
    px = patch.shape[0]
    edge = round(px * PATCH_MARGIN / (1 + 2 * PATCH_MARGIN))
    inner = cv2.cvtColor(patch[edge : px - edge, edge : px - edge], cv2.COLOR_BGR2GRAY)
    small = cv2.resize(inner, (32, 32), interpolation=cv2.INTER_AREA).astype(np.float32)
    soft = np.asarray(cv2.GaussianBlur(small, (0, 0), 1.0), np.float32)
    soft -= soft.mean()
    return np.asarray(soft / max(float(np.linalg.norm(soft)), 1e-6), np.float32)


def _the_die(evidence: tuple[Evidence, ...]) -> Evidence:
    likely = sorted(
        (piece for piece in evidence if piece.score >= LEAST_SCORE),
        key=lambda piece: -piece.score,
    )
    if not likely:
        raise ShotError("no die is to be seen")
    if len(likely) > 1 and likely[1].score >= CLEARLY_FIRST * likely[0].score:
        raise ShotError(
            f"{len(likely)} dice are to be seen: show one at a time on an empty table"
        )
    return likely[0]


def patch_of(
    image: BgrImage, quad: NDArray[np.float64], side_px: float
) -> NDArray[np.uint8]:
    """Cut a die out, `PATCH_MARGIN` sides round it, seen from straight above.

    Args:
        image: (H, W, 3) uint8 BGR.
        quad: (4, 2) corners of the face in its pixels, clockwise from the top left that
            the patch shall have.
        side_px: mean side of the face.

    Returns:
        (P, P, 3) uint8 BGR.
    """
    middle = quad.mean(axis=0)
    wide = middle + (quad - middle) * (1 + 2 * PATCH_MARGIN)
    px = int(min(LARGEST_PATCH_PX, round(side_px * (1 + 2 * PATCH_MARGIN))))
    corners = np.array([[0, 0], [px, 0], [px, px], [0, px]], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(wide.astype(np.float32), corners)
    return np.asarray(
        cv2.warpPerspective(image, matrix, (px, px), borderMode=cv2.BORDER_REPLICATE),
        np.uint8,
    )
