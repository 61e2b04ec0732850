"""ultralytics itself reads the YOLO sets we write, every picture and every die."""

from __future__ import annotations

import importlib
from copy import copy
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from label_makers import HEIGHT, WIDTH, a_die, a_format, a_picture, square

from datasets.labels.class_names import ORDERS
from datasets.labels.exporting import ExportOptions, export_set
from datasets.labels.splits import Split
from vision.reading import DieState

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.train


@pytest.fixture(autouse=True, scope="module")
def _ultralytics() -> None:
    """Imported by the adapter first, so that Pillow stays as it is."""
    importlib.import_module("datasets.ultralytics_adapter")


TURNED = ((20.0, 5.0), (30.0, 15.0), (20.0, 25.0), (10.0, 15.0))
SIDES = Split((0.5, 0.5, 0.0), pinned=(("one", "train"), ("two", "val")))


@pytest.fixture
def written(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A set with an umlaut, an empty table, a die cut by the edge; two recordings."""
    dice = [a_die("QH", TURNED), a_die("AS", square(-3, 20))]
    pictures = [
        a_picture(tmp_path / "in" / "ü 1.jpg", *dice, tags=("recording:one",)),
        a_picture(tmp_path / "in" / "b.jpg", tags=("recording:one",)),
        a_picture(
            tmp_path / "in" / "c.jpg",
            a_die("BJ", square(30, 10), state=DieState.COCKED),
            tags=("recording:two",),
        ),
    ]
    out = tmp_path / "out"
    options = ExportOptions(split=SIDES, crop_px=32)
    export_set(pictures, out, a_format(request.param), options)
    return out


def ultralytics_labels(out: Path, task: str, side: str) -> list[dict[str, Any]]:
    from ultralytics.data.build import build_yolo_dataset
    from ultralytics.data.utils import check_det_dataset
    from ultralytics.utils import DEFAULT_CFG

    data = check_det_dataset(out / "data.yaml", autodownload=False)
    assert tuple(data["names"].values()) == ORDERS["faces"].names
    cfg = copy(DEFAULT_CFG)
    cfg.task = task
    found = build_yolo_dataset(cfg, data[side], batch=1, data=data)
    return sorted(found.labels, key=lambda one: str(one["im_file"]))


@pytest.mark.parametrize("written", ["yolo-detect"], indirect=True)
def test_detect_set_is_read(written: Path) -> None:
    empty, full = ultralytics_labels(written, "detect", "train")
    assert (len(empty["cls"]), full["shape"]) == (0, (HEIGHT, WIDTH))
    names = [ORDERS["faces"].names[int(k)] for k in full["cls"][:, 0]]
    boxes = dict(zip(names, full["bboxes"], strict=True))
    assert boxes["QH"] == pytest.approx([20 / 64, 15 / 48, 20 / 64, 20 / 48], abs=1e-5)
    assert boxes["AS"] == pytest.approx([3.5 / 64, 25 / 48, 7 / 64, 10 / 48], abs=1e-5)
    (other,) = ultralytics_labels(written, "detect", "val")
    assert other["cls"][:, 0] == [ORDERS["faces"].names.index("BJ")]


@pytest.mark.parametrize("written", ["yolo-obb"], indirect=True)
def test_obb_set_is_read(written: Path) -> None:
    _, full = ultralytics_labels(written, "obb", "train")
    names = [ORDERS["faces"].names[int(k)] for k in full["cls"][:, 0]]
    corners = dict(zip(names, full["segments"], strict=True))
    assert np.asarray(corners["QH"]) * (WIDTH, HEIGHT) == pytest.approx(
        np.array(TURNED), abs=1e-4
    )


@pytest.mark.parametrize("written", ["yolo-pose"], indirect=True)
def test_pose_set_is_read(written: Path) -> None:
    _, full = ultralytics_labels(written, "pose", "train")
    names = [ORDERS["faces"].names[int(k)] for k in full["cls"][:, 0]]
    points = dict(zip(names, full["keypoints"], strict=True))
    assert points["QH"][:, 2].tolist() == [2, 2, 2, 2]
    assert points["QH"][:, :2] * (WIDTH, HEIGHT) == pytest.approx(
        np.array(TURNED), abs=1e-4
    )
    assert points["AS"][:, 2].tolist() == [0, 2, 2, 0]


@pytest.mark.parametrize("written", ["yolo-classify"], indirect=True)
def test_classify_set_is_read(written: Path) -> None:
    from ultralytics.data.dataset import ClassificationDataset
    from ultralytics.utils import DEFAULT_CFG

    found = ClassificationDataset(str(written / "train"), args=DEFAULT_CFG)
    # by the alphabet, as docs/labels.md warns: names must be asked, not numbers
    assert found.base.classes == sorted(ORDERS["faces"].names)
    shown = {found.base.classes[sample[1]] for sample in found.samples}
    assert shown == {"QH", "AS"}
