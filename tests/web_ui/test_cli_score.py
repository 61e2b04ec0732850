from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from web_ui.cli import main

if TYPE_CHECKING:
    from pathlib import Path

EXACT = ["TC", "TD", "TS", "9C", "9H", "2S", "3H", "4D", "6C"]
TURN: list[object] = [
    {"do": "start", "players": ["Ann", "Bob"], "options": {"rounds": 1}},
    {"do": "draw", "player": "Ann", "card": "T18"},
    {"do": "roll", "faces": EXACT},
    {"do": "stop"},
]


def script(
    folder: Path, actions: list[object], game: str = "classic", kind: str = "script"
) -> Path:
    path = folder / "Würfel 骰子.json"
    record = {"format": f"tableside-{kind}/1", "game": game, "script": actions}
    path.write_text(json.dumps(record), "utf-8")
    return path


def test_score_prints_phase_and_scores(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", str(script(tmp_path, TURN))]) == 0
    printed = capsys.readouterr().out
    assert "classic: phase draw, next: Bob" in printed
    assert "  Ann: 10" in printed


def test_score_json_holds_the_whole_state(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", "--json", str(script(tmp_path, TURN))]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["refused"] == []
    assert record["state"]["scores"] == {"Ann": 10, "Bob": 0}
    assert record["state"]["result"]["kind"] == "exact"


def test_score_of_an_empty_script_is_a_game_not_started(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", "--json", str(script(tmp_path, []))]) == 0
    assert json.loads(capsys.readouterr().out)["state"]["phase"] == "start"


def test_score_reads_lenient_faces(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    faces = ["10♣", "td", " 10s ", "9c", "9♡", *EXACT[5:]]
    actions = [*TURN[:2], {"do": "roll", "faces": faces}, {"do": "stop"}]
    assert main(["score", str(script(tmp_path, actions))]) == 0
    assert "  Ann: 10" in capsys.readouterr().out


def test_score_names_refused_actions_and_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    actions = [*TURN[:2], {"do": "dance"}, *TURN[2:]]
    assert main(["score", "--json", str(script(tmp_path, actions))]) == 1
    out, err = capsys.readouterr()
    record = json.loads(out)
    assert [(fault["at"], fault["rule"]) for fault in record["refused"]] == [
        (2, "CM-04")
    ]
    assert record["state"]["scores"]["Ann"] == 10
    assert "action 2: CM-04" in err


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param(b"", "not JSON", id="empty"),
        pytest.param(b'{\n"format": }', "line 2", id="broken"),
        pytest.param(b"\xff\xfe\x00", "not UTF-8", id="not-text"),
        pytest.param(b"[]", "not a game script", id="list"),
        pytest.param(b'{"format": "tableside-cases/1"}', "not a game", id="cases"),
        pytest.param(b"[" * 100_000, "nested too deeply", id="deep"),
    ],
)
def test_score_refuses_what_is_no_script(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    content: bytes,
    message: str,
) -> None:
    path = tmp_path / "bad.json"
    path.write_bytes(content)
    assert main(["score", str(path)]) == 2
    error = capsys.readouterr().err
    assert error.startswith(str(path))
    assert message in error


def test_score_names_the_games_it_knows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", str(script(tmp_path, [], game="ludo"))]) == 2
    assert "'ludo': expected" in capsys.readouterr().err


def test_score_needs_a_list_of_actions(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "x.json"
    path.write_text('{"format": "tableside-script/1", "game": "classic"}', "utf-8")
    assert main(["score", str(path)]) == 2
    assert "'script' must be a list" in capsys.readouterr().err


def test_score_of_a_missing_file_names_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", str(tmp_path / "gone.json")]) == 2
    assert "gone.json: cannot be read" in capsys.readouterr().err


def test_score_lists_the_options_of_a_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "--options", "classic"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any(line.split() == ["rounds", "8"] for line in lines)
    assert main(["score", "--options", "classic", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["bonus"] == 2


def test_score_without_a_file_says_what_it_needs(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["score"]) == 2
    assert "name a game script" in capsys.readouterr().err
