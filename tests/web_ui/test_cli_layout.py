import json
from pathlib import Path

import numpy as np
import pytest
from seen_games import played, stored

from datasets.enrolment.layout_curve import simulated_rolls
from datasets.enrolment.seen_layout import SeenLayout
from datasets.enrolment.set_folder import SetFolder
from scoring.cards import CARD_DICE_FACES
from scoring.dice_sets import reference_dice_set
from web_ui.cli import main
from web_ui.layout_text import ToldLayout, layout_text
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
    said = capsys.readouterr()
    assert "Not certain yet: 5 throws." in said.out
    assert "these are worth 3: 37 more." in said.out
    assert "nothing is kept yet" in said.err
    assert DICE[0][0].code not in said.out.split()  # no layout is made up
    assert not data.exists()


def test_without_a_throw_that_counts_no_layout_is_shown_but_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = readings(tmp_path / "log.jsonl", 4)
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    lines = [line | {"status": "ask"} for line in lines[:3]] + lines[2:3]
    log.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert main(["dataset", "layout", str(log)]) == 1
    told = capsys.readouterr().out.splitlines()
    assert told[0] == "Not certain yet: there is no throw that counts."
    assert told[1].startswith("About 40 rolls of all nine dice tell")
    assert told[2:] == [
        "Not counted:",
        "     3  readings that were not sure",
        "     1  fewer than two dice thrown, the others kept",
    ]


def test_rolls_of_the_store_that_do_not_count_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table, _ = played(1)
    table.order("draw")
    table.order("roll", faces=[face.code for face in CARD_DICE_FACES[:9]])
    stored(tmp_path, table.events)
    words = ["dataset", "layout", "--data", str(tmp_path)]
    assert main(words) == 1
    told = capsys.readouterr().out.splitlines()
    assert told[-2:] == ["Not counted:", "     1  typed in, without a picture"]
    assert main([*words, "--json"]) == 1
    record = json.loads(capsys.readouterr().out)
    assert record["left_out"] == {"typed in, without a picture": 1}
    assert record["worth"] == 2.2  # 36, 21 and 21 pairs of 36


def test_likely_layout_is_shown_as_not_certain_yet() -> None:
    said = layout_text(ToldLayout(SeenLayout(DICE, 0.95, 31, 1), 29.5)).splitlines()
    assert said[0] == "The most likely layout so far:"
    assert said[1] == " ".join(face.code for face in DICE[0])
    assert said[10] == "Not certain yet: 95.0000 % after 31 throws."
    assert said[11].endswith("these are worth 29: 11 more.")
    many = layout_text(ToldLayout(SeenLayout(DICE, 0.5, 90, 9), 80.0)).splitlines()
    assert many[0] == "Not certain yet: 90 throws."
    assert many[1].endswith("if many dice were misread, it takes up to 200.")


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
