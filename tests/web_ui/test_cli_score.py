from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from scoring.games import GAMES
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
    assert "line 1: action 2: CM-04" in err
    assert all(line.startswith("tableside score: ") for line in err.splitlines())


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param(b"", "the file is empty", id="empty"),
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
    assert error.startswith(f"tableside score: {path}")
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
    error = capsys.readouterr().err
    assert error.startswith("tableside score: ")
    assert "gone.json: cannot be read" in error


@pytest.mark.parametrize("game", GAMES)
def test_score_lists_every_option_with_default_and_meaning(
    game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", "--options", game]) == 0
    printed = capsys.readouterr().out
    for option in GAMES[game].options.listed:
        (line,) = [
            line for line in printed.splitlines() if line.split(" ")[0] == option.name
        ]
        assert option.meaning in line
        assert line.endswith(f"({option.rule})")
        assert json.dumps(option.default) in printed


def test_score_lists_the_options_of_a_game_as_json(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["score", "--options", "classic", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["bonus"] == 2


def test_score_without_a_file_says_what_it_needs(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["score"]) == 2
    assert "name a game script" in capsys.readouterr().err


LINES = """{"format": "tableside-script/1",
"game": "classic",
"script": [
{"do": "start", "players": ["Ann", "Bob"]},
{"do": "bogus"},

{"do": "draw", "player": "Zed", "card": "T18"},
42, {"do": "draw", "player": "Ann", "card": "T18"},
{"do": "roll", "faces": ["10H", "10♥", "th", " th ", "KH", "QH", "JH", "9H", "8H"]},
{"do": "roll", "faces": ["10X", "2S", "3S", "4S", "5S", "6S", "7S", "9H", "8H"]},
{"do": "roll", "faces": ["10H", "2♠", "3s", " 4S ", "5S", "6S", "7S", "9H", "8H"]},
{"do": "keep", "dice": [0.5]}
]}"""


def test_score_names_the_line_of_every_refused_action(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "lines.json"
    path.write_text(LINES, "utf-8")
    assert main(["score", "--json", str(path)]) == 1
    out, err = capsys.readouterr()
    told = [(f["line"], f["at"], f["rule"]) for f in json.loads(out)["refused"]]
    assert told == [
        (5, 1, "CM-04"),
        (7, 2, "CM-04"),
        (8, 3, "CM-04"),
        (9, 5, "CM-15"),
        (10, 6, "CM-14"),
        (12, 8, "CM-04"),
    ]
    assert "lines.json: line 9: action 5: CM-15: " in err
    assert json.loads(out)["state"]["roll_number"] == 1


def test_score_shows_odd_names_without_obeying_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = [
        "A\nB",
        "\x1b[31mred",
        "\u202eevil",
        "Zoë 👩\u200d👧",
        "'; --",
        "0",
        "None",
    ]
    start = {"do": "start", "players": names}
    assert main(["score", str(script(tmp_path, [start, {"do": "dance"}]))]) == 1
    printed = "".join(capsys.readouterr())
    assert (
        "  A\\nB: 0\n  \\x1b[31mred: 0\n  \\u202eevil: 0\n  Zoë 👩\u200d👧: 0"
        in printed
    )
    assert "\x1b" not in printed
    assert "\u202e" not in printed


def test_score_cuts_long_values_short(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    nested: object = "x" * 1000
    for _ in range(500):
        nested = [nested] * 2 if _ < 9 else [nested]
    wrong = [{"do": nested}, nested, {"do": "x" * 10_000}, {"do": "start"}]
    wrong += [{"do": "start", "players": [nested]}, {"do": "keep", "dice": nested}]
    wrong += [{"do": "start", "players": ["A"], "options": {"deck": nested}}]
    assert main(["score", str(script(tmp_path, wrong))]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == len(wrong)
    assert max(len(line) - len(str(tmp_path)) for line in lines) < 300


@pytest.mark.parametrize("constant", ["NaN", "Infinity", "-Infinity"])
def test_score_refuses_what_is_no_number(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], constant: str
) -> None:
    path = tmp_path / "nan.json"
    path.write_text(LINES.replace("0.5", constant), "utf-8")
    assert main(["score", str(path)]) == 2
    assert f"{constant} is no number in line 12" in capsys.readouterr().err


def test_score_takes_ten_thousand_actions_and_undoes_them_all(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    toss = {"do": "roll", "faces": ["9", "9", "T", "J", "K"]}
    turns = [toss, {"do": "pass"}] * 5000
    undo = [{"do": "undo"}] * 10_000
    start = {"do": "start", "players": ["Ann", "Bob"]}
    path = script(tmp_path, [start, *turns, *undo, {"do": "undo"}], "showdown")
    assert main(["score", "--json", str(path)]) == 1
    record = json.loads(capsys.readouterr().out)
    assert [fault["rule"] for fault in record["refused"]] == ["CM-08"]
    assert record["state"]["phase"] == "roll"
