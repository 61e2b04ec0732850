"""`tableside calibrate`: limits are written beside the models, or it says why not."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from labelled_sets import label_record, write_labels
from painted_dice import NINE, scene
from PIL import Image
from small_models import save_models

from scoring.dice_sets import bundled_dice_set
from vision.limits_file import CALIBRATED, FILE_NAME
from vision.reader import load_reader
from web_ui.cli import main

if TYPE_CHECKING:
    from pathlib import Path

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def models(tmp_path: Path) -> Path:
    (tmp_path / "models").mkdir()
    return save_models(tmp_path / "models")


@pytest.fixture(autouse=True)
def few_choices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("datasets.risk_control.CHOICES", {"sure_score": (0.6,)})


@pytest.fixture
def rolls(tmp_path: Path) -> Path:
    """A dozen pictures of a roll that is read without doubt."""
    folder = tmp_path / "rolls"
    (folder / "images").mkdir(parents=True)
    records = []
    for k in range(12):
        name = f"{k}.png"
        Image.fromarray(scene(NINE)[:, :, ::-1]).save(folder / "images" / name)
        records.append(label_record(name, NINE))
    write_labels(folder, *records)
    return folder


def run(rolls: Path, models: Path, *words: str) -> int:
    command = ["calibrate", str(rolls), "--models", str(models), "--disturbed", "0"]
    return main([*command, *words])


def test_limits_are_written_and_in_use(
    rolls: Path, models: Path, capsys: Capture
) -> None:
    assert run(rolls, models, "--rate", "0.5", "--json") == 0
    record = json.loads(capsys.readouterr().out)
    assert json.loads((models / FILE_NAME).read_text("utf-8")) == record
    assert set(record["limits"]) == set(CALIBRATED)
    assert record["calibration"]["checked_on"]["ordinary"]["sure"] == 6
    reader = load_reader(bundled_dice_set("square-shooters"), models)
    assert reader.limits.sure_roll == record["limits"]["sure_roll"]


def test_what_was_found_is_told_to_people(
    rolls: Path, models: Path, capsys: Capture
) -> None:
    out = models.parent / "elsewhere.json"
    assert run(rolls, models, "--rate", "0.5", "--out", str(out)) == 0
    told = capsys.readouterr()
    assert "6 of 6 ordinary rolls sure, 0 of them wrong" in told.out
    assert str(out) in told.err
    assert not (models / FILE_NAME).exists()


def test_a_rate_that_cannot_be_promised_writes_nothing(
    rolls: Path, models: Path, capsys: Capture
) -> None:
    assert run(rolls, models, "--rate", "0.001") == 2
    assert "too few" in capsys.readouterr().err
    assert not (models / FILE_NAME).exists()


@pytest.mark.parametrize(
    "words", [["--rate", "0"], ["--rate", "x"], ["--disturbed", "1"], []]
)
def test_unusable_words_are_named(
    tmp_path: Path, models: Path, capsys: Capture, words: list[str]
) -> None:
    try:
        status = main(["calibrate", str(tmp_path / "none"), *words])
    except SystemExit as error:
        status = int(str(error.code))
    assert status == 2
    assert (words[0] if words else "none") in capsys.readouterr().err
