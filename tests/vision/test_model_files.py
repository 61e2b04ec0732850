"""Models are loaded only if they are what their cards say."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from small_models import save_detector, save_faces, save_models, write_card

from scoring.dice_sets import bundled_dice_set
from vision.errors import ModelError
from vision.limits_file import FILE_NAME, read_limits
from vision.model_files import read_card
from vision.reader import load_detector, load_face_reader, load_reader

if TYPE_CHECKING:
    from pathlib import Path


def edit_card(folder: Path, kind: str, **fields: Any) -> None:
    path = folder / f"{kind}.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | fields))


def test_reader_loads_both_models_and_says_which_and_how_long(tmp_path: Path) -> None:
    reader = load_reader(bundled_dice_set("square-shooters"), save_models(tmp_path))
    digest = json.loads((tmp_path / "faces.json").read_text())["sha256"]
    assert reader.faces.name == f"small-faces@sha256:{digest[:12]}"
    assert reader.load_ms > 0


def test_missing_models_are_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"detector\.json"):
        load_reader(bundled_dice_set("square-shooters"), tmp_path)
    save_models(tmp_path)
    (tmp_path / "faces.onnx").unlink()
    with pytest.raises(ModelError, match=r"faces\.onnx"):
        load_reader(bundled_dice_set("square-shooters"), tmp_path)


def test_changed_model_is_refused(tmp_path: Path) -> None:
    save_models(tmp_path)
    with (tmp_path / "detector.onnx").open("ab") as file:
        file.write(b"\0")
    with pytest.raises(ModelError, match="sha256"):
        load_detector(tmp_path)


@pytest.mark.parametrize("key", ["name", "sha256", "input_px", "classes"])
def test_card_without_a_field_is_refused(tmp_path: Path, key: str) -> None:
    save_models(tmp_path)
    card = json.loads((tmp_path / "faces.json").read_text())
    del card[key]
    (tmp_path / "faces.json").write_text(json.dumps(card))
    with pytest.raises(ModelError, match=key):
        load_face_reader(tmp_path)


@pytest.mark.parametrize("text", ["", "{", "[]", "null"])
def test_card_that_is_none_is_refused(tmp_path: Path, text: str) -> None:
    save_models(tmp_path)
    (tmp_path / "faces.json").write_text(text)
    with pytest.raises(ModelError, match=r"faces\.json"):
        load_face_reader(tmp_path)


def test_model_of_another_input_than_its_card_says_is_refused(tmp_path: Path) -> None:
    save_models(tmp_path)
    edit_card(tmp_path, "detector", input_px=[320, 320])
    with pytest.raises(ModelError, match="input"):
        load_detector(tmp_path)


def test_face_model_of_other_classes_is_refused(tmp_path: Path) -> None:
    save_faces(tmp_path)
    write_card(tmp_path, "faces", ["AS@0", "none"], (32, 32))
    with pytest.raises(ModelError, match="classes"):
        load_face_reader(tmp_path)


def test_detector_of_another_output_is_refused(tmp_path: Path) -> None:
    save_detector(tmp_path, np.zeros((6, 5), np.float32))
    detector = load_detector(tmp_path)
    with pytest.raises(ModelError, match="shape"):
        detector.detect(np.zeros((90, 160, 3), np.uint8))


@pytest.mark.parametrize("precision", ["f32", "bf16"])
def test_card_may_state_the_precision(tmp_path: Path, precision: str) -> None:
    save_models(tmp_path)
    path = tmp_path / "faces.json"
    card = json.loads(path.read_text("utf-8"))
    assert read_card("faces", tmp_path).precision == "f32"
    path.write_text(json.dumps({**card, "precision": precision}), "utf-8")
    assert read_card("faces", tmp_path).precision == precision
    said = load_face_reader(tmp_path, 1).read(np.zeros((2, 32, 32, 3), np.uint8))
    assert said.sum(axis=1) == pytest.approx(np.ones(2), abs=0.02)


@pytest.mark.parametrize("precision", ["f8", "", 32, None, ["f32"]])
def test_card_with_an_unknown_precision_is_refused(
    tmp_path: Path, precision: object
) -> None:
    save_models(tmp_path)
    path = tmp_path / "faces.json"
    card = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps({**card, "precision": precision}), "utf-8")
    with pytest.raises(ModelError, match=r"faces\.json.*precision"):
        read_card("faces", tmp_path)


@pytest.mark.parametrize("quick", [7, [320], [1, 2, 3], ["a", "b"], "ab"])
def test_card_with_a_strange_quick_size_is_refused(
    tmp_path: Path, quick: object
) -> None:
    save_models(tmp_path)
    edit_card(tmp_path, "detector", quick_px=quick)
    with pytest.raises(ModelError, match="quick_px"):
        load_detector(tmp_path)


def test_quick_size_that_the_network_does_not_take_is_refused(tmp_path: Path) -> None:
    save_models(tmp_path)
    edit_card(tmp_path, "detector", quick_px=[96, 160])
    with pytest.raises(ModelError, match="input"):
        load_detector(tmp_path)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("[" * 200_000, "nested too deeply", id="nested"),
        pytest.param('{"input_px": [Infinity, 96]}', "Infinity is no number", id="inf"),
        pytest.param(
            '{"name": "", "sha256": "", "input_px": [1e999, 1]}',
            "OverflowError",
            id="too-large",
        ),
        pytest.param(
            '{"name": "", "sha256": "", "input_px": [0, 96]}',
            "1..8192 pixels",
            id="nothing",
        ),
        pytest.param("[]", "not a model card", id="list"),
    ],
)
def test_odd_cards_are_refused_in_a_sentence(
    tmp_path: Path, text: str, words: str
) -> None:
    (tmp_path / "faces.json").write_text(text)
    with pytest.raises(ModelError, match=rf"faces\.json.*{words}"):
        read_card("faces", tmp_path)


def test_pipe_in_the_place_of_a_file_is_not_waited_for(tmp_path: Path) -> None:
    for name in ("faces.json", FILE_NAME):
        os.mkfifo(tmp_path / name)
    with pytest.raises(ModelError, match=r"faces\.json: is a pipe"):
        read_card("faces", tmp_path)
    with pytest.raises(ModelError, match=f"{FILE_NAME}: is a pipe"):
        read_limits(tmp_path, {})
