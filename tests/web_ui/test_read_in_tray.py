"""`tableside read --tray`: from pixels to a roll that lies in its tray."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import cv2
import pytest
from painted_dice import HEIGHT, NINE, WIDTH, scene
from small_models import save_models

from vision.tray import tray_of, tray_record
from web_ui.cli import main

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_models(tmp_path_factory.mktemp("models"))


def read(
    folder: Path, models: Path, capsys: pytest.CaptureFixture[str], right: float
) -> dict[str, Any]:
    """Read nine painted dice in a tray that ends at `right`."""
    picture, tray = folder / "a.png", folder / "tray.json"
    cv2.imwrite(str(picture), scene(NINE))
    corners = [(30.0, 20.0), (right, 20.0), (right, 340.0), (30.0, 340.0)]
    tray.write_text(json.dumps(tray_record(tray_of(corners, WIDTH, HEIGHT))), "utf-8")
    words = ["read", "--json", "--models", models, "--tray", tray, picture]
    status = main([str(word) for word in words])
    out, err = capsys.readouterr()
    assert (status, err) == (0, "")
    record: dict[str, Any] = json.loads(out)
    return record


def codes(record: dict[str, Any]) -> set[str]:
    return {problem["code"] for problem in record["problems"]}


def test_roll_inside_the_tray_is_read_as_without_one(
    tmp_path: Path, models: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = read(tmp_path, models, capsys, 600.0)
    assert " ".join(die["face"] for die in record["dice"]) == NINE
    assert "outside" not in record
    assert "die_outside_tray" not in codes(record)


def test_die_outside_the_tray_is_named_and_does_not_count(
    tmp_path: Path, models: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = read(tmp_path, models, capsys, 455.0)
    assert record["status"] == "refuse"
    assert {"too_few_dice", "die_outside_tray"} <= codes(record)
    assert len(record["dice"]) == 8
    assert [die["face"] for die in record["outside"]] == ["6H"]


def test_die_over_the_edge_is_asked_about(
    tmp_path: Path, models: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = read(tmp_path, models, capsys, 484.0)
    assert record["status"] == "ask"
    (problem,) = [p for p in record["problems"] if p["code"] == "die_outside_tray"]
    assert [record["dice"][k]["face"] for k in problem["dice"]] == ["6H"]


def test_file_that_is_no_tray_is_unusable(
    tmp_path: Path, models: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = tmp_path / "a.png"
    cv2.imwrite(str(picture), scene(NINE))
    words = ["read", "--models", models, "--tray", picture, picture]
    assert main([str(word) for word in words]) == 2
    assert "a.png" in capsys.readouterr().err
