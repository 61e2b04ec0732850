from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from scoring.dice_sets import reference_dice_set
from web_ui.cli import main

if TYPE_CHECKING:
    from pathlib import Path

LAYOUT = [[face.code for face in die] for die in reference_dice_set().dice or ()]
FIRST = [die[0] for die in LAYOUT]


def script(folder: Path, *more: Any, game: str = "classic", **options: Any) -> Path:
    path = folder / "game.json"
    start = {"do": "start", "players": ["Ann"], "options": options}
    record = {"format": "tableside-script/1", "game": game, "script": [start, *more]}
    path.write_text(json.dumps(record), "utf-8")
    return path


TURN = (
    {"do": "draw", "player": "Ann", "card": "T18"},
    {"do": "roll", "faces": FIRST},
    {"do": "keep", "dice": [0, 1]},
    {"do": "roll", "faces": [*FIRST[:2], *(die[1] for die in LAYOUT[2:])]},
    {"do": "stop"},
)


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The review of one turn, as JSON."""
    folder = tmp_path_factory.mktemp("review")
    path, out = script(folder, *TURN, rounds=1, layout=LAYOUT), folder / "out.json"
    with pytest.MonkeyPatch.context() as patch, out.open("w") as file:
        patch.setattr("sys.stdout", file)
        assert main(["review", str(path), "--json"]) == 0
    loaded: dict[str, Any] = json.loads(out.read_text())
    return loaded


def test_review_json_adds_up(record: dict[str, Any]) -> None:
    (player,) = record["players"]
    total = player["start"] + player["luck"] - player["loss"] + player["cards"]
    assert total + player["other"] == pytest.approx(player["chips"], abs=1e-9)
    (turn,) = record["turns"]
    assert turn["aim"] == "T18 (full house)"
    assert [step["do"] for step in turn["steps"]] == ["roll", "roll", "stop"]
    assert turn["steps"][1]["kept"] == FIRST[:2]
    assert set(turn["steps"][1]["best"]["keep"]) <= set(FIRST)


def test_review_prints_a_table_and_the_costliest_decisions(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(script(tmp_path, *TURN, rounds=1, layout=LAYOUT))
    assert main(["review", path]) == 0
    printed = capsys.readouterr().out
    assert "chips = expected + luck + decisions + cards + other" in printed
    assert "decisions that cost most:" in printed
    assert main(["review", path, "--turns"]) == 0
    assert "  rolled " in capsys.readouterr().out


def test_review_needs_the_layout_of_the_dice(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(script(tmp_path, *TURN, rounds=1))
    assert main(["review", path]) == 2
    assert "layout of the dice is not known" in capsys.readouterr().err
    assert main(["review", path, "--set", "square-shooters-reference"]) == 0


def test_review_of_a_game_that_has_none_says_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["review", str(script(tmp_path, game="rummy"))]) == 2
    assert "rummy has no review" in capsys.readouterr().err


def test_review_names_refused_actions_and_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = script(tmp_path, {"do": "dance"}, rounds=1, layout=LAYOUT)
    assert main(["review", str(path)]) == 1
    out, err = capsys.readouterr()
    assert err.startswith(f"tableside review: {path}: line 1: action 1: CM-04")
    assert "Ann" in out
