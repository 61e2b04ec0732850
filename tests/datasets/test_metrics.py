"""The figures on model cards, checked with readers whose faults are known."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from datasets.detector_metrics import matched_ious, measure_detector
from datasets.face_metrics import measure_faces
from datasets.shards import DataSetError, shard_files, write_files
from vision.classes import CLASS_NAMES, class_index
from vision.overlap import iou
from vision.reading import Sighting

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from vision.ports import BgrImage

SQUARE = np.array([[0.0, 0.0], [10.0, 0.0], [10.0, 10.0], [0.0, 10.0]])


@dataclass
class LabelReader:
    """Reads the class that is written into the first pixels of each crop."""

    name: str = "labels"
    crop_px: int = 8

    def read(self, crops: NDArray[np.uint8]) -> NDArray[np.float32]:
        said = crops[:, 0, 0, 0].astype(int) + crops[:, 0, 0, 1]
        return np.eye(len(CLASS_NAMES), dtype=np.float32)[said]


@dataclass
class FixedDetector:
    """Finds the same things in every picture."""

    found: tuple[Sighting, ...]
    name: str = "fixed"

    def detect(self, image: BgrImage) -> tuple[Sighting, ...]:
        assert image.ndim == 3
        return self.found


def shard_with(folder: Path, truth: list[int], said: list[int]) -> None:
    images = np.zeros((len(truth), 8, 8, 3), np.uint8)
    images[:, 0, 0, 0] = np.minimum(said, 200)
    images[:, 0, 0, 1] = np.array(said) - images[:, 0, 0, 0]
    widths = np.linspace(20, 60, len(truth)).astype(np.float32)
    write_files(folder, shard_files(0, images, np.array(truth, np.int16), widths))


def test_face_score_counts_faces_and_turns_apart(tmp_path: Path) -> None:
    none = len(CLASS_NAMES) - 1
    truth = [class_index(3, 1), class_index(5, 0), class_index(7, 2), none]
    said = [class_index(3, 1), class_index(5, 3), class_index(8, 2), none]
    shard_with(tmp_path, truth, said)
    scores = {score.group: score for score in measure_faces(LabelReader(), tmp_path)}
    assert scores["all"].crops == 4
    assert scores["all"].face == 0.75  # the turn of the second is wrong, its face right
    assert scores["all"].turn == 0.5
    assert scores["0-24"].face == 1.0
    assert sum(s.crops for name, s in scores.items() if name != "all") == 4


def test_face_score_needs_crops(tmp_path: Path) -> None:
    with pytest.raises(DataSetError, match="no crop shard"):
        measure_faces(LabelReader(), tmp_path)


@pytest.mark.parametrize(
    ("shift", "expected"),
    [
        pytest.param(0.0, 1.0, id="same"),
        pytest.param(5.0, 1 / 3, id="half-shared"),
        pytest.param(10.0, 0.0, id="side-by-side"),
        pytest.param(50.0, 0.0, id="far"),
    ],
)
def test_iou_of_shifted_squares(shift: float, expected: float) -> None:
    assert iou(SQUARE, SQUARE + [shift, 0.0]) == pytest.approx(expected, abs=1e-4)


def test_each_die_is_matched_once() -> None:
    assert matched_ious([SQUARE], [SQUARE, SQUARE + 0.5]) == [pytest.approx(1.0)]
    assert matched_ious([], [SQUARE]) == []


def test_detector_score_knows_missed_and_invented_dice(tmp_path: Path) -> None:
    (tmp_path / "images").mkdir()
    cv2.imwrite(str(tmp_path / "images" / "a.png"), np.zeros((60, 60, 3), np.uint8))
    quads = [(SQUARE + 10.5).tolist(), (SQUARE + 30.5).tolist()]
    record = {"image": "a.png", "dice": [{"face": "AS", "quad": q} for q in quads]}
    (tmp_path / "labels.json").write_text(json.dumps([record]))
    right = Sighting(((10, 10), (20, 10), (20, 20), (10, 20)), 0.9)
    wrong = Sighting(((40, 5), (50, 5), (50, 15), (40, 15)), 0.8)
    score = measure_detector(FixedDetector((right, wrong)), tmp_path)
    assert (score.pictures, score.dice) == (1, 2)
    assert (score.recall, score.precision) == (0.5, 0.5)
    assert score.iou == pytest.approx(1.0, abs=1e-4)


def test_detector_score_names_a_missing_label_file(tmp_path: Path) -> None:
    with pytest.raises(DataSetError, match=r"labels\.json"):
        measure_detector(FixedDetector(()), tmp_path)
