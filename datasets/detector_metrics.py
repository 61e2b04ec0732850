"""How well a detector finds the top faces of held-out pictures."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from datasets.shards import DataSetError
from vision.overlap import iou

if TYPE_CHECKING:
    from pathlib import Path

    from datasets.pinhole import Floats
    from vision.ports import Detector

LEAST_IOU = 0.5
LEAST_SCORE = 0.5
"""Weaker sightings are neither counted as found nor as false."""


@dataclass(frozen=True, slots=True)
class DetectorScore:
    """Found and missed over all pictures.

    Attributes:
        pictures: how many.
        dice: labelled top faces.
        recall: share of them found, IoU of the quads at least `LEAST_IOU`.
        precision: share of the sightings that are one.
        iou: mean IoU of the found ones.
    """

    pictures: int
    dice: int
    recall: float
    precision: float
    iou: float


def matched_ious(truth: list[Floats], said: list[Floats]) -> list[float]:
    """Pair greedily, best IoU first; the IoUs of the pairs."""
    pairs = sorted(
        ((iou(t, s), i, k) for i, t in enumerate(truth) for k, s in enumerate(said)),
        reverse=True,
    )
    used_truth: set[int] = set()
    used_said: set[int] = set()
    out = []
    for share, i, k in pairs:
        if share >= LEAST_IOU and i not in used_truth and k not in used_said:
            used_truth.add(i)
            used_said.add(k)
            out.append(share)
    return out


def measure_detector(detector: Detector, folder: Path) -> DetectorScore:
    """Find the dice of all pictures of a set of rolls.

    Args:
        detector: who finds.
        folder: with `labels.json` and `images/`, as `render_pictures` writes rolls.

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
    dice, sightings, ious = 0, 0, list[float]()
    for record in records:
        image = cv2.imread(str(folder / "images" / record["image"]))
        if image is None:
            raise DataSetError(f"{folder / 'images' / record['image']}: unreadable")
        truth = [np.array(die["quad"]) - 0.5 for die in record["dice"]]
        seen = detector.detect(image.astype(np.uint8))
        said = [np.array(s.quad) for s in seen if s.score >= LEAST_SCORE]
        dice, sightings = dice + len(truth), sightings + len(said)
        ious += matched_ious(truth, said)
    return DetectorScore(
        len(records),
        dice,
        len(ious) / max(dice, 1),
        len(ious) / max(sightings, 1),
        float(np.mean(ious)) if ious else 0.0,
    )
