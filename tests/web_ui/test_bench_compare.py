"""`tableside bench read --compare`: runtimes side by side, and do they read alike?"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import cv2
import numpy as np
import onnx
import painted_dice
import pytest
from onnx import numpy_helper
from small_models import CROP_PX, save_models, write_card

from vision.classes import CLASS_NAMES
from vision.model_files import read_card
from vision.networks import RUNTIMES, open_network
from web_ui.cli import main

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def models(tmp_path: Path) -> Path:
    folder = tmp_path / "models"
    folder.mkdir()
    return save_models(folder)


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    path = tmp_path / "roll.png"
    codes = list(painted_dice.COLOURS)[:9]
    cv2.imwrite(str(path), painted_dice.scene(" ".join(codes)))
    return path


def test_all_runtimes_read_alike(
    models: Path, picture: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["bench", "read", "--compare", "--json", "--rounds", "1"]
    assert main([*words, "--models", str(models), str(picture)]) == 0
    record = json.loads(capsys.readouterr().out)
    names = [one["name"] for one in record["candidates"]]
    assert sorted(names) == sorted(RUNTIMES)
    assert names[0] == "onnxruntime-f32"
    for one in record["candidates"]:
        assert one["parity"]["dice"] == 9
        assert one["total_ms"] > 0
    assert record["candidates"][names.index("openvino")]["complaints"] == []


def test_models_that_read_otherwise_are_told_apart(
    models: Path, picture: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    save_models(other)
    model = onnx.load(other / "faces.onnx")
    for tensor in model.graph.initializer:  # what was one face is now the next
        values = np.roll(numpy_helper.to_array(tensor), 4, axis=-1)
        tensor.CopyFrom(numpy_helper.from_array(values, tensor.name))
    onnx.save(model, other / "faces.onnx")
    write_card(other, "faces", CLASS_NAMES, (CROP_PX, CROP_PX))
    words = ["bench", "read", "--compare", "--rounds", "1", "--models", str(models)]
    assert main([*words, "--also", str(other), str(picture)]) == 0
    text = capsys.readouterr().out
    assert re.search(rf"^{other} +[1-9]\d* faces differ", text, re.MULTILINE), text
    assert re.search(r"not equal: [1-9]\d* of 9 faces differ", text), text
    assert "roll.png" in text


def test_unknown_runtime_is_an_error(models: Path) -> None:
    with pytest.raises(ValueError, match="runtime must be one of"):
        open_network(read_card("faces", models), 1, "cv2-f16")


def test_other_models_need_a_comparison(
    models: Path, picture: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["bench", "read", "--models", str(models), "--also", str(models)]
    assert main([*words, str(picture)]) == 2
    assert "--compare" in capsys.readouterr().err
