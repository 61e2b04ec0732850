import json
from pathlib import Path

import numpy as np
import pytest
from seen_games import played, stored

from datasets.enrolment.layout_curve import simulated_rolls
from datasets.enrolment.set_folder import SetFolder
from scoring.dice_sets import reference_dice_set
from web_ui.cli import main
from web_ui.roll_logs import read_roll_log

DICE = reference_dice_set().dice or ()


def readings(path: Path, count: int) -> Path:
    rolls = simulated_rolls(np.random.default_rng(2), DICE, count, 0.01, alike=True)
    square = np.array([[0, 0], [9, 0], [9, 9], [0, 9]])
    chance = np.random.default_rng(3)
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
                    "quad": (square + chance.uniform(0, 2000, 2)).tolist(),
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


def test_dice_that_lie_still_are_seen_once(tmp_path: Path) -> None:
    log = readings(tmp_path / "log.jsonl", 2)
    first, second = map(json.loads, log.read_text().splitlines())
    second["dice"][:4] = first["dice"][:4]  # kept
    misread = {**first["dice"][0], "face": "RJ", "confidence": 0.99}
    third = {**second, "dice": [misread, *second["dice"][1:4], *second["dice"][4:]]}
    log.write_text("".join(json.dumps(r) + "\n" for r in (first, second, third)))
    told = read_roll_log(log)
    assert [len(throw.faces) for throw in told.throws] == [9, 9, 9]
    shown = [{face.code for face in faces} for faces in told.newly_shown]
    known = {die["face"] for die in first["dice"]}
    new = {die["face"] for die in second["dice"][4:]}
    assert shown == [known, new - known, set()]


def test_layout_of_the_store_is_told_without_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["dataset", "layout", "--data", str(tmp_path), "--json"]
    assert main(words) == 2
    assert "there is no store" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
    stored(tmp_path, played(2)[0].events)
    assert main(words) == 1
    assert json.loads(capsys.readouterr().out)["throws"] == 6
    stored(tmp_path, played(40, seed=4)[0].events)
    assert main([*words, "--save", "mine"]) == 0
    assert json.loads(capsys.readouterr().out)["throws"] == 126
    assert SetFolder(tmp_path / "sets").names() == ("mine",)


def test_curve_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dataset", "layout-curve", "--sets", "2"]) == 0
    assert "200" in capsys.readouterr().out.splitlines()[-1]
    assert main(["dataset", "layout-curve", "--errors", "2"]) == 2
