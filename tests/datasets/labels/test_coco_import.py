"""COCO files as they come, and ours in the hands of pycocotools."""

from __future__ import annotations

import contextlib
import io
import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from label_makers import (
    HEIGHT,
    WIDTH,
    a_die,
    a_format,
    a_picture,
    draw_picture,
    near,
    read_back,
    square,
)

from datasets.eval_labels import LabelError
from datasets.labels.class_names import ORDERS
from datasets.labels.exporting import ExportOptions, export_set
from scoring.cards import parse_face
from vision.reading import DieState

if TYPE_CHECKING:
    from pathlib import Path


def a_file(folder: Path, **changes: object) -> Path:
    """A COCO file of one picture with one queen of hearts."""
    draw_picture(folder / "images" / "a.jpg")
    dice = [{"id": 1, "image_id": 7, "category_id": 3, "bbox": [10, 10, 20, 20]}]
    record = {
        "images": [{"id": 7, "file_name": "a.jpg", "width": WIDTH, "height": HEIGHT}],
        "categories": [{"id": 3, "name": "QH"}, {"id": 9, "name": "die"}],
        "annotations": dice,
        **changes,
    }
    path = folder / "coco.json"
    path.write_text(json.dumps(record), "utf-8")
    return path


def one(**more: object) -> list[dict[str, object]]:
    die = {"id": 1, "image_id": 7, "category_id": 3, "bbox": [10, 10, 20, 20]}
    return [{**die, **more}]


def test_box_becomes_a_die_by_the_name_of_its_category(tmp_path: Path) -> None:
    (picture,), notes = read_back("coco", a_file(tmp_path))
    (die,) = picture.dice
    assert (die.face, die.quad, die.box) == (parse_face("QH"), None, (10, 10, 30, 30))
    assert notes == []


def test_picture_without_annotations_has_no_dice(tmp_path: Path) -> None:
    (picture,), _ = read_back("coco", a_file(tmp_path, annotations=[]))
    assert picture.dice == ()


def test_outline_of_four_corners_is_a_quad(tmp_path: Path) -> None:
    flat = [[10, 10, 10, 30, 30, 30, 30, 10]]
    path = a_file(tmp_path, annotations=one(segmentation=flat))
    (picture,), notes = read_back("coco", path)
    assert near(picture.dice[0].quad, square(10, 10, 20))
    assert any("went anticlockwise" in note for note in notes)


@pytest.mark.parametrize(
    ("outline", "told"),
    [
        pytest.param({"counts": "x", "size": [1, 1]}, "a mask", id="mask"),
        pytest.param([[10, 10, 30, 10, 30, 30]], "four corners", id="triangle"),
        pytest.param([[1, 1, 2, 2, 3, 1], [1, 1]], "several parts", id="parts"),
    ],
)
def test_other_outlines_leave_the_box(
    tmp_path: Path, outline: object, told: str
) -> None:
    path = a_file(tmp_path, annotations=one(segmentation=outline))
    (picture,), notes = read_back("coco", path)
    assert picture.dice[0].box == (10, 10, 30, 30)
    assert any(told in note for note in notes)


def test_crowd_orphans_and_missing_pictures_are_told(tmp_path: Path) -> None:
    images = [
        {"id": 7, "file_name": "a.jpg"},
        {"id": 8, "file_name": "gone.jpg", "width": 1, "height": 1},
    ]
    path = a_file(
        tmp_path,
        images=images,
        annotations=one(iscrowd=1) + one(image_id=99) + one(image_id=8),
    )
    (picture,), notes = read_back("coco", path)
    assert picture.dice == ()
    told = "\n".join(notes)
    assert "annotation 0 (a.jpg): is a crowd" in told
    assert "annotation 1: belongs to no picture" in told
    assert "(gone.jpg): the picture is not there" in told


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        pytest.param({"categories": [{"id": 3, "name": "x"}]}, "unknown class", id="x"),
        pytest.param({"categories": 3}, "categories: must be a list", id="no-list"),
        pytest.param(
            {"categories": [{"id": 3, "name": "QH"}] * 2},
            "id 3 is unusable",
            id="twice",
        ),
        pytest.param({"images": [3]}, "image 0: must be an object", id="number"),
        pytest.param({"images": [{"id": 1.5}]}, "id must be a whole", id="half-id"),
        pytest.param(
            {"images": [{"id": 7, "file_name": "../a.jpg"}]}, "leads out", id="climbs"
        ),
        pytest.param(
            {"images": [{"id": 7, "file_name": "a.jpg", "width": 9, "height": 9}]},
            "labels are for 9x9",
            id="size",
        ),
        pytest.param({"annotations": one(category_id=4)}, "category 4", id="category"),
        pytest.param(
            {"annotations": one(category_id=True)}, "category True", id="true"
        ),
        pytest.param({"annotations": one(bbox=[1, 2, 3])}, "3 numbers", id="short"),
        pytest.param(
            {"annotations": one(bbox=[60, 10, 20, 20])}, "coordinate 80", id="outside"
        ),
        pytest.param(
            {"annotations": one(bbox=[1, 1, -1, 2])}, "above 0", id="negative"
        ),
        pytest.param(
            {"annotations": one(bbox=[1, 1, float("nan"), 2])}, "finite", id="nan"
        ),
        pytest.param({"annotations": one(bbox=[1, 1, 10**400, 2])}, "finite", id="big"),
        pytest.param(
            {"annotations": one(keypoints=[1, 1, 2] * 3)}, "9 numbers", id="keypoints"
        ),
        pytest.param(
            {"annotations": one(keypoints=[1, 1, 3] * 4)}, "visibility 3", id="seen"
        ),
        pytest.param(
            {"annotations": one(keypoints=[900, 1, 1] * 4)}, "far outside", id="far"
        ),
        pytest.param({"info": {"class_order": "ab"}}, "class order", id="order"),
    ],
)
def test_unusable_file_is_refused_naming_the_entry(
    tmp_path: Path, changes: dict[str, object], said: str
) -> None:
    with pytest.raises(LabelError, match=r"coco\.json") as caught:
        read_back("coco", a_file(tmp_path, **changes))
    assert said in str(caught.value)


@pytest.mark.parametrize(
    "text", ["", "{", "[" * 100_000, "3", '{"categories": [', "\x00"]
)
def test_no_json_is_refused(tmp_path: Path, text: str) -> None:
    a_file(tmp_path).write_text(text)
    with pytest.raises(LabelError, match=r"coco\.json"):
        read_back("coco", tmp_path / "coco.json")


def test_coordinates_slightly_outside_are_clipped_and_told(tmp_path: Path) -> None:
    path = a_file(tmp_path, annotations=one(bbox=[44, 10, 20.3, 20]))
    (picture,), notes = read_back("coco", path)
    assert picture.dice[0].box == (44, 10, WIDTH, 30)
    assert any("annotation 0 (a.jpg) (64.3)" in note for note in notes)


# pycocotools has not learnt NumPy 2's copy keyword yet
@pytest.mark.filterwarnings("ignore:__array__ implementation:DeprecationWarning")
def test_pycocotools_reads_what_we_write(tmp_path: Path) -> None:
    from pycocotools.coco import COCO

    turned = ((20.0, 5.0), (30.0, 15.0), (20.0, 25.0), (10.0, 15.0))
    pictures = [
        a_picture(
            tmp_path / "a.jpg",
            a_die("QH", turned, state=DieState.COCKED),
            a_die("RJ", box=(40.0, 20.0, 60.0, 40.0)),
        ),
        a_picture(tmp_path / "b.jpg"),
    ]
    export_set(pictures, tmp_path / "out", a_format("coco"), ExportOptions())
    with contextlib.redirect_stdout(io.StringIO()):
        read: Any = COCO(str(tmp_path / "out/annotations/instances_train.json"))
    names = [one["name"] for one in read.loadCats(read.getCatIds())]
    assert tuple(names) == ORDERS["faces"].names
    first, second = read.getImgIds()
    queen, joker = read.loadAnns(read.getAnnIds(imgIds=first))
    assert read.getAnnIds(imgIds=second) == []
    assert read.loadCats(queen["category_id"])[0]["name"] == "QH"
    assert queen["keypoints"] == [20, 5, 2, 30, 15, 2, 20, 25, 2, 10, 15, 2]
    mask = np.asarray(read.annToMask(queen))
    assert mask.shape == (HEIGHT, WIDTH)
    assert int(mask.sum()) == pytest.approx(queen["area"], abs=25)
    assert queen["area"] == 200
    assert joker["bbox"] == [40, 20, 20, 20]
