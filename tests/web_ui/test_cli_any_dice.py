"""`tableside read --set any-dice` tells places and reads nothing."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import cv2
import painted_dice
import pytest
from painted_dice import NINE, SLOTS, scene
from PIL import Image
from small_models import save_models

from web_ui.cli import main

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_models(tmp_path_factory.mktemp("models"))


def test_places_of_all_dice_are_told_without_faces(
    tmp_path: Path, models: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (models / "faces.onnx").rename(models / "away.onnx")  # not needed
    try:
        path = tmp_path / "a.png"
        Image.fromarray(scene(NINE)[:, :, ::-1]).save(path)
        words = ["read", "--json", "--set", "any-dice", "--models", str(models)]
        assert main([*words, str(path)]) == 0
    finally:
        (models / "away.onnx").rename(models / "faces.onnx")
    record = json.loads(capsys.readouterr().out)
    assert record["set"] == "any-dice"
    assert record["status"] == "ask"
    assert [die["face"] for die in record["dice"]] == [None] * len(SLOTS)
    centres = [
        [sum(axis) / 4 for axis in zip(*die["quad"], strict=True)]
        for die in record["dice"]
    ]
    for slot in SLOTS:
        x, y = (sum(axis) / 4 for axis in zip(*slot, strict=True))
        assert min(abs(x - u) + abs(y - v) for u, v in centres) < 4


def test_table_of_places_is_readable(
    tmp_path: Path, models: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.png"
    Image.fromarray(scene(NINE)[:, :, ::-1]).save(path)
    assert main(["read", "--set", "any-dice", "--models", str(models), str(path)]) == 0
    out = capsys.readouterr().out
    assert "ask" in out
    assert out.count(" -- ") == len(SLOTS)


def test_clips_are_refused_by_name(
    tmp_path: Path, models: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.avi"
    size = (painted_dice.WIDTH, painted_dice.HEIGHT)
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 20.0, size)
    writer.write(scene(NINE))
    writer.release()
    assert main(["read", "--set", "any-dice", "--models", str(models), str(path)]) == 2
    err = capsys.readouterr().err
    assert "a.avi" in err
    assert "any-dice takes pictures" in err
