from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from scoring.dice_sets import reference_dice_set
from web_ui.cli import main

if TYPE_CHECKING:
    from pathlib import Path

LAYOUT = [[face.code for face in die] for die in reference_dice_set().dice or ()]


def game(folder: Path, rounds: int = 20, loaded: bool = False, **options: Any) -> Path:
    """A script of best-hand rounds; loaded: die 4 shows its first face mostly."""
    random = Random(1)
    actions: list[Any] = [
        {"do": "start", "players": ["A", "B"], "options": {"rounds": rounds, **options}}
    ]
    for _ in range(2 * rounds):
        faces = [random.choice(die) for die in LAYOUT]
        if loaded and random.random() < 0.6:
            faces[3] = LAYOUT[3][0]
        actions += [{"do": "roll", "faces": faces}, {"do": "stop"}]
    path = folder / "game.json"
    record = {"format": "tableside-script/1", "game": "best_hand", "script": actions}
    path.write_text(json.dumps(record), "utf-8")
    return path


def reading(faces: list[str | None], status: str = "sure") -> str:
    corners = [[0, 0], [9, 0], [9, 9], [0, 9]]
    dice = [{"face": face, "confidence": 0.9, "quad": corners} for face in faces]
    record = {
        "set": "square-shooters",
        "status": status,
        "confidence": 0.9,
        "dice": dice,
        "problems": [],
    }
    return json.dumps(record)


def readings(folder: Path, *lines: str) -> Path:
    path = folder / "log.jsonl"
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def test_fairness_prints_a_row_for_each_die_and_what_it_means(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = game(tmp_path, layout=LAYOUT)
    assert main(["fairness", str(path)]) == 0
    printed = capsys.readouterr().out
    assert printed.count("\ndie ") == 9
    assert "No evidence against the dice" in printed
    assert "more." in printed
    assert "180" in printed


def test_fairness_finds_a_loaded_die_and_writes_its_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, page = game(tmp_path, 50, loaded=True), tmp_path / "page.html"
    order = ["fairness", str(path), "--set", "square-shooters-reference"]
    assert main([*order, "--json", "--report", str(page)]) == 1
    record = json.loads(capsys.readouterr().out)
    assert record["suspects"] == ["die 4"]
    assert record["throws"] == 100
    text = page.read_text("utf-8")
    assert "die 4" in text
    assert "http" not in text  # stands alone
    assert "prefers-color-scheme: dark" in text


def test_fairness_without_a_layout_judges_faces(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.html"
    assert main(["fairness", str(game(tmp_path)), "--report", str(page)]) == 0
    printed = capsys.readouterr().out
    assert "The layout of the dice is not known" in printed
    assert "Every face" in page.read_text("utf-8")


def test_fairness_reads_logs_of_readings_and_leaves_out_what_is_not_sure(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sides: list[list[str | None]] = [[die[side] for die in LAYOUT] for side in range(3)]
    asked = reading(sides[0], "ask")
    lines = [
        reading(sides[0]),
        "",
        asked,
        reading(sides[1]),
        reading([None, *sides[2]]),
    ]
    path = readings(tmp_path, *lines)
    assert main(["fairness", str(path), "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["throws"] == 2
    assert any("2 readings left out" in note for note in record["notes"])
    assert any("do not tell kept" in note for note in record["notes"])


def test_fairness_adds_files_up(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    faces: list[str | None] = [die[0] for die in LAYOUT]
    log = readings(tmp_path, reading(faces))
    assert main(["fairness", str(game(tmp_path, 2)), str(log), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["throws"] == 5
    both = [str(game(tmp_path, 2, layout=LAYOUT)), str(log)]
    assert main(["fairness", *both]) == 2
    assert "other dice than before: name them by --set" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("", "the file is empty", id="empty"),
        pytest.param("[1]", "neither a game script nor a log", id="list"),
        pytest.param("{}", "a reading needs", id="object"),
        pytest.param('{}\n{"a": NaN}', "line 2: not JSON", id="nan"),
        pytest.param(reading(["AS"]) + "\n{", "line 2: not JSON", id="cut"),
        pytest.param(reading(["AS", "AS"]) * 1, "throw 1: AS AS", id="too-few"),
        pytest.param(
            '{"format": "tableside-script/1", "game": "straight_shooter", "script":'
            '[{"do": "start", "players": ["A", "B", "C"]}]}',
            "is played without dice",
            id="no-dice",
        ),
        pytest.param(
            '{"format": "tableside-script/1", "game": "war", "script": []}',
            "was not started",
            id="not-started",
        ),
    ],
)
def test_fairness_refuses_what_tells_no_rolls(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, message: str
) -> None:
    path = tmp_path / "x.json"
    path.write_text(text, "utf-8")
    assert main(["fairness", str(path)]) == 2
    assert message in capsys.readouterr().err


def test_fairness_page_that_cannot_be_written_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "gone" / "page.html"
    assert main(["fairness", str(game(tmp_path, 1)), "--report", str(page)]) == 1
    assert "page.html: cannot be written" in capsys.readouterr().err
