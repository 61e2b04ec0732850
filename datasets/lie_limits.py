"""Limits for dice that do not lie flat, by the false alarms on rolls that do."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from datasets.detector_metrics import LEAST_IOU, LEAST_SCORE
from datasets.shards import DataSetError
from vision.lie import plane_of
from vision.overlap import iou

if TYPE_CHECKING:
    from pathlib import Path

    from datasets.pinhole import Floats
    from vision.face_reading import Evidence
    from vision.reader import RollReader

MEASURES = ("foot_off", "flattened", "covered", "stacked", "printed")


@dataclass(frozen=True, slots=True)
class LieMeasures:
    """The greatest measures of the dice of one roll.

    Attributes:
        foot_off: see `vision.plane.PlaneFit.foot`; its length.
        flattened: the same of `shape`.
        covered: see `vision.body.Body`.
        stacked: likewise.
        printed: likewise.
    """

    foot_off: float
    flattened: float
    covered: float
    stacked: float
    printed: float


def lie_measures(evidence: list[Evidence]) -> LieMeasures | None:
    """The greatest measures of some dice; None if they have no plane."""
    fit = plane_of(evidence)
    if fit is None:
        return None
    bodies = [piece.look.body for piece in evidence if piece.look and piece.look.body]
    chances = [(body.covered, body.stacked, body.printed) for body in bodies]
    covered, stacked, printed = np.max([(0.0, 0.0, 0.0), *chances], axis=0)
    return LieMeasures(
        float(np.linalg.norm(fit.foot, axis=1).max()),
        float(np.linalg.norm(fit.shape, axis=1).max()),
        float(covered),
        float(stacked),
        float(printed),
    )


def ordinary_measures(reader: RollReader, folder: Path) -> list[LieMeasures]:
    """Measure the rolls of a set in which all dice lie flat and are found.

    Args:
        reader: who looks.
        folder: with `labels.json` and `images/`, as `tableside dataset rolls` draws it.

    Raises:
        DataSetError: no labels, or a picture cannot be read.
    """
    path = folder / "labels.json"
    try:
        records = json.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise DataSetError(
            f"{path}: not a list of labelled pictures: {error}"
        ) from error
    out = []
    for record in records:
        if any(die["state"] != "flat" for die in record["dice"]):
            continue
        image = cv2.imread(str(folder / "images" / record["image"]))
        if image is None:
            raise DataSetError(f"{folder / 'images' / record['image']}: unreadable")
        truth = [np.array(die["quad"]) - 0.5 for die in record["dice"]]
        found = dice_found(reader.evidence(image.astype(np.uint8)), truth)
        measured = lie_measures(found) if len(found) == len(truth) else None
        if measured is not None:
            out.append(measured)
    return out


def dice_found(evidence: tuple[Evidence, ...], truth: list[Floats]) -> list[Evidence]:
    """The sightings of labelled dice, one each at most."""
    found = []
    free = [piece for piece in evidence if piece.score >= LEAST_SCORE]
    for quad in truth:
        near = max(free, key=lambda piece: iou(piece.quad, quad), default=None)
        if near is not None and iou(near.quad, quad) >= LEAST_IOU:
            found.append(near)
            free = [piece for piece in free if piece is not near]
    return found


def limits_at(measures: list[LieMeasures], false_alarm: float) -> dict[str, float]:
    """Limits that this share of the measured rolls exceeds."""
    rows = [asdict(measure) for measure in measures]
    return {
        name: round(float(np.quantile([r[name] for r in rows], 1 - false_alarm)), 4)
        for name in MEASURES
        if rows
    }
