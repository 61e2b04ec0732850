"""The face reader alone, on given places of a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from datasets.eval_results import FaceLook
from scoring.cards import ALL_FACES
from vision.decode import beliefs
from vision.face_reading import cut_crops, gather_evidence, read_crops
from vision.reading import Alternative

if TYPE_CHECKING:
    from collections.abc import Sequence

    from datasets.eval_matching import Place
    from scoring.cards import Face
    from vision.face_reading import Evidence
    from vision.ports import BgrImage
    from vision.reader import RollReader

Floats = NDArray[np.float64]

MOST_LIKELY = 5
LEAST_AREA_PX = 4.0
"""Smaller places hold nothing to read."""


class FaceLooks:
    """Reads places as the reader reads its sightings, and decides nothing.

    Args:
        reader: whose face model, dice set and number of turns are used.
    """

    def __init__(self, reader: RollReader) -> None:
        self._reader = reader

    def at(
        self, image: BgrImage, places: Sequence[Place], shrunk: float = 1.0
    ) -> list[FaceLook | None]:
        """Read places of a picture.

        Args:
            image: (H, W, 3) uint8 BGR.
            places: in continuous coordinates of the file.
            shrunk: pixels of the file per pixel of `image`.

        Returns:
            One look a place; None where the place has no area.
        """
        height, width = image.shape[:2]
        quads = [_quad_of(place, width, height, shrunk) for place in places]
        sound = [k for k, quad in enumerate(quads) if _area(quad) >= LEAST_AREA_PX]
        looks: list[FaceLook | None] = [None] * len(places)
        if not sound:
            return looks
        chosen = np.stack([quads[k] for k in sound])
        faces = self._reader.faces
        crops = cut_crops(image, chosen, faces.crop_px)
        read = read_crops(faces, crops, self._reader.turns)
        evidence = gather_evidence(chosen, [1.0] * len(chosen), *read)
        held = beliefs(evidence, self._reader.dice_set)
        for row, k in enumerate(sound):
            looks[k] = _look(evidence[row], held.faces, held.log_p[row], held.none[row])
        return looks


def _look(
    evidence: Evidence, faces: Sequence[Face], log_p: Floats, none: float
) -> FaceLook:
    by_face = np.logaddexp.reduce(evidence.log_p, axis=1)
    first = int(by_face.argmax())
    p = np.exp(log_p)
    order = [int(k) for k in np.argsort(-p, kind="stable")[:MOST_LIKELY]]
    likely = tuple(Alternative(faces[k], float(p[k])) for k in order)
    best = likely[0].face
    return FaceLook(
        top=ALL_FACES[first] if by_face[first] > evidence.log_none else None,
        best=best,
        p=likely[0].p,
        none=float(none),
        turn=int(evidence.log_p[ALL_FACES.index(best)].argmax()),
        likely=likely,
    )


def _quad_of(place: Place, width: int, height: int, shrunk: float) -> Floats:
    """Corners in OpenCV pixels of the picture as read: (4, 2)."""
    if place.quad is not None:
        return np.array(place.quad, np.float64) / shrunk - 0.5
    if place.box is not None:
        x0, y0, x1, y1 = place.box
    else:
        # a square round the whole picture: stretching would make another rank of some
        x, y, half = width / 2, height / 2, max(width, height) / 2
        x0, y0, x1, y1 = (v * shrunk for v in (x - half, y - half, x + half, y + half))
    corners = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float64)
    return corners / shrunk - 0.5


def _area(quad: Floats) -> float:
    x, y = quad[:, 0], quad[:, 1]
    return abs(float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum())) / 2
