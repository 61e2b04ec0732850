import json
from pathlib import Path

import numpy as np
import pytest

from datasets.enrolment.layout_curve import simulated_rolls
from datasets.enrolment.set_folder import SetFolder
from scoring.dice_sets import reference_dice_set
from web_ui.cli import main

DICE = reference_dice_set().dice or ()


def readings(path: Path, count: int) -> Path:
    rolls = simulated_rolls(np.random.default_rng(2), DICE, count, 0.01, alike=True)
    quad = [[0, 0], [9, 0], [9, 9], [0, 9]]
    lines = [
        {
            "image": f"{number}.jpg",
            "set": "square-shooters",
            "status": "sure",
            "confidence": 0.99,
            "dice": [
                {
                    "face": face.code,
                    "confidence": 0.99,
                    "quad": quad,
                    "alternatives": [],
                    "state": "flat",
                }
                for face in roll
            ],
            "problems": [],
            "elapsed_ms": 1.0,
            "model": "none",
        }
        for number, roll in enumerate(rolls)
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_layout_is_told_and_kept_when_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = readings(tmp_path / "log.jsonl", 120)
    data = tmp_path / "data"
    words = ["dataset", "layout", str(log), "--data", str(data), "--json"]
    assert main(words) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["certain"]
    assert not data.exists()
    assert main([*words, "--save", "mine"]) == 0
    kept = SetFolder(data / "sets").load("mine")
    assert {frozenset(die) for die in kept.dice or ()} == {frozenset(d) for d in DICE}


def test_uncertain_layout_is_not_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = readings(tmp_path / "log.jsonl", 5)
    data = tmp_path / "data"
    words = ["dataset", "layout", str(log), "--data", str(data), "--save", "mine"]
    assert main(words) == 1
    assert "Not certain yet" in capsys.readouterr().out
    assert not data.exists()


def test_layout_of_a_broken_file_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "x.json"
    path.write_text("{")
    assert main(["dataset", "layout", str(path)]) == 2
    assert "x.json" in capsys.readouterr().err


def test_curve_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dataset", "layout-curve", "--sets", "2"]) == 0
    assert "200" in capsys.readouterr().out.splitlines()[-1]
    assert main(["dataset", "layout-curve", "--errors", "2"]) == 2
