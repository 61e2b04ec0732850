"""Exports of Label Studio as they come."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

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
from datasets.labels.label_studio import label_config, picture_name
from datasets.labels.picture_tags import Labeller, labeller_of
from scoring.cards import parse_face
from vision.reading import DieState

if TYPE_CHECKING:
    from pathlib import Path

Region = dict[str, Any]
CORNERS = [[25, 25], [50, 25], [50, 75], [25, 75]]


def polygon(**more: object) -> Region:
    value = {"points": CORNERS, "polygonlabels": ["QH"]}
    return {"id": "r1", "type": "polygonlabels", "value": value, **more}


def a_file(folder: Path, *regions: object, **more: object) -> Path:
    draw_picture(folder / "images" / "a.jpg")
    task = {
        "data": {"image": "/data/local-files/?d=images/a.jpg"},
        "annotations": [{"result": list(regions)}],
        **more,
    }
    path = folder / "tasks.json"
    path.write_text(json.dumps([task]), "utf-8")
    return path


def test_polygon_and_its_choice_become_a_die(tmp_path: Path) -> None:
    choice = {"id": "r1", "type": "choices", "value": {"choices": ["stacked"]}}
    (picture,), _ = read_back("label-studio", a_file(tmp_path, choice, polygon()))
    (die,) = picture.dice
    assert (die.face, die.state) == (parse_face("QH"), DieState.STACKED)
    assert near(die.quad, ((16, 12), (32, 12), (32, 36), (16, 36)))


def test_rectangle_turns_about_its_corner(tmp_path: Path) -> None:
    value = {"x": 50, "y": 25, "width": 25, "height": 25, "rectanglelabels": ["die"]}
    plain = {"id": "a", "type": "rectanglelabels", "value": value}
    turned = {**plain, "id": "b", "value": {**value, "rotation": 90}}
    (picture,), _ = read_back("label-studio", a_file(tmp_path, plain, turned))
    first, second = picture.dice
    assert first.box == pytest.approx((32, 12, 48, 24))
    assert near(second.quad, ((32, 12), (32, 28), (20, 28), (20, 12)))


def test_last_annotation_counts_and_a_cancelled_one_does_not(tmp_path: Path) -> None:
    drafts = [
        {"result": []},
        {"result": [polygon()]},
        {"result": [], "was_cancelled": True},
    ]
    (picture,), notes = read_back("label-studio", a_file(tmp_path, annotations=drafts))
    assert len(picture.dice) == 1
    assert any("more than once" in note for note in notes)


def test_prediction_is_taken_as_a_models_word(tmp_path: Path) -> None:
    given = {"annotations": [], "predictions": [{"result": [polygon()]}]}
    (picture,), notes = read_back("label-studio", a_file(tmp_path, **given))
    assert labeller_of(picture) is Labeller.MODEL
    assert any("only a model" in note for note in notes)


def test_what_a_model_read_goes_out_as_a_prediction(tmp_path: Path) -> None:
    picture = a_picture(tmp_path / "a.jpg", a_die("QH", square(5, 5)))
    by_model = replace(picture, name="b.jpg", groups=("labels:model",))
    out = tmp_path / "out"
    export_set([picture, by_model], out, a_format("label-studio"), ExportOptions())
    first, second = json.loads((out / "tasks.json").read_text("utf-8"))
    assert ("annotations" in first, "predictions" in first) == (True, False)
    assert ("annotations" in second, "predictions" in second) == (False, True)


def test_task_nobody_labelled_is_left_out_and_told(tmp_path: Path) -> None:
    pictures, notes = read_back("label-studio", a_file(tmp_path, annotations=[]))
    assert pictures == []
    assert any("nobody has labelled it" in note for note in notes)


def test_hash_before_an_uploaded_name_is_looked_through(tmp_path: Path) -> None:
    data = {"image": "/data/upload/3/0a1b2c3d-a.jpg"}
    (picture,), _ = read_back("label-studio", a_file(tmp_path, polygon(), data=data))
    assert picture.name == "a.jpg"


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("a.jpg", "a.jpg"),
        ("/data/local-files/?d=images/W%C3%BCrfel%201.jpg", "images/Würfel 1.jpg"),
        ("https://example.org/b/a%20b.jpg?x=1", "a b.jpg"),
        ("s3://bucket/b/a.jpg", "a.jpg"),
        ("http://[", "http://["),
    ],
)
def test_addresses_lead_to_names(address: str, name: str) -> None:
    assert picture_name(address, "x") == name


@pytest.mark.parametrize(
    ("region", "said"),
    [
        pytest.param(3, "region 0: must be an object", id="number"),
        pytest.param(polygon(value=3), "value: must be an object", id="no-value"),
        pytest.param(polygon(value={}), "must be a list", id="empty"),
        pytest.param(
            polygon(value={"polygonlabels": ["QH", "KH"]}), "2 labels", id="two"
        ),
        pytest.param(
            polygon(value={"polygonlabels": ["x"], "points": CORNERS}),
            "unknown class 'x'",
            id="class",
        ),
        pytest.param(
            polygon(value={"polygonlabels": ["QH"], "points": [[120, 1]] * 3}),
            "outside the picture",
            id="outside",
        ),
        pytest.param(
            polygon(value={"polygonlabels": ["QH"], "points": [[1]]}),
            "two numbers",
            id="point",
        ),
        pytest.param(polygon(image_rotation=90), "was turned", id="turned"),
        pytest.param(polygon(image_rotation=[]), "was turned", id="turned-by-a-list"),
        pytest.param(
            polygon(original_width=HEIGHT, original_height=WIDTH),
            "has 64x48 as a person",
            id="size",
        ),
    ],
)
def test_bad_region_is_refused_naming_task_and_region(
    tmp_path: Path, region: object, said: str
) -> None:
    with pytest.raises(LabelError, match=r"tasks\.json: task 0") as caught:
        read_back("label-studio", a_file(tmp_path, region))
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"image": 3}, "data.image"),
        ({"image": "a.jpg", "name": "/etc/passwd"}, "absolute"),
        ({"image": "/data/local-files/?d=../../a.jpg"}, "leads out"),
        ({"image": "a.jpg", "class_order": "ab"}, "class order"),
        ({"image": "a.jpg", "class_order": {}}, "class order"),
        (3, "data: must be an object"),
    ],
)
def test_bad_task_is_refused(tmp_path: Path, data: object, said: str) -> None:
    with pytest.raises(LabelError, match=said):
        read_back("label-studio", a_file(tmp_path, data=data))


def test_unknown_regions_are_told(tmp_path: Path) -> None:
    brush = {"id": "b", "type": "brushlabels", "value": {}}
    odd = {"id": ["b"], "type": ["x"], "value": {}}
    (picture,), notes = read_back("label-studio", a_file(tmp_path, brush, odd))
    assert picture.dice == ()
    assert any("['x'] is no die" in note for note in notes)
    assert any("brushlabels is no die" in note for note in notes)


def test_labelling_interface_names_every_class() -> None:
    config = label_config(ORDERS["faces"])
    assert all(f'<Label value="{name}"/>' in config for name in ORDERS["faces"].names)
    assert config.count('<Label value="die"/>') == 2
