from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING

import pytest
from store_makers import PICTURE, PLAYERS, seeded

from web_ui.cli import main
from web_ui.store.chain import sha256
from web_ui.store.script_export import safe_cell
from web_ui.table.events import new_event

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def data(tmp_path: Path) -> Path:
    store, _ = seeded(tmp_path / "data")
    store.close()
    return tmp_path / "data"


def told(data: Path, *words: str) -> int:
    return main(["store", "--data", str(data), *words])


def test_verify_says_that_all_is_whole(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert told(data, "verify") == 0
    assert "7 events are whole" in capsys.readouterr().out
    assert told(data, "verify", "--json") == 0
    record = json.loads(capsys.readouterr().out)
    assert record["ok"] is True
    assert record["pictures"]["good"] == 1


def test_verify_fails_when_evidence_is_missing(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = sha256(PICTURE)
    (data / "pictures" / name[:2] / name[2:4] / name).unlink()
    assert told(data, "verify") == 1
    assert f"missing: picture {name}" in capsys.readouterr().out


def test_games_are_listed(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert told(data, "games") == 0
    assert "classic  open  7 events" in capsys.readouterr().out
    assert told(data, "games", "--json") == 0
    assert json.loads(capsys.readouterr().out)[0]["players"] == [*PLAYERS]


def test_exported_script_gives_the_same_scores(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.json"
    assert told(data, "export", "one", "--script", str(path)) == 0
    assert main(["score", "--json", str(path)]) == 0
    state = json.loads(capsys.readouterr().out)["state"]
    assert state["scores"] == {PLAYERS[0]: 10, PLAYERS[1]: 0}
    script = json.loads(path.read_text("utf-8"))["script"]
    does = ["start", "draw", "roll", "undo", "redo", "stop"]
    assert [action["do"] for action in script] == does
    assert told(data, "export", "one", "--script", str(path)) == 2  # it is there


def test_exported_scores_compute_nothing_in_a_spreadsheet(
    data: Path, tmp_path: Path
) -> None:
    path = tmp_path / "scores.csv"
    assert told(data, "export", "one", "--csv", str(path)) == 0
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["event", "at", "by", "what", f"'{PLAYERS[0]}", "Zoë"]
    assert rows[-2][3:] == ["final", "10", "0"]
    assert not any(
        cell.startswith(("=", "+", "-", "@")) for row in rows for cell in row
    )


@pytest.mark.parametrize(
    "text", ["=1", "+1", "-1", "@x", "\t=1", "\r=1", " =1", "\uff1d1"]
)
def test_formula_is_shown_as_text(text: str) -> None:
    assert safe_cell(text) == f"'{text}"


def test_bundle_and_backup_go_there_and_back(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bundle, backup = str(tmp_path / "one.zip"), str(tmp_path / "all.zip")
    assert told(data, "export", "one", "--bundle", bundle) == 0
    assert told(tmp_path / "second", "import", bundle) == 0
    assert "7 new events, 1 new pictures" in capsys.readouterr().out
    assert told(tmp_path / "second", "verify") == 0
    assert told(data, "backup", backup) == 0
    assert told(data, "backup", backup) == 2
    assert told(tmp_path / "third", "restore", backup) == 0
    assert told(tmp_path / "third", "verify") == 0
    assert told(tmp_path / "third", "restore", backup) == 2
    assert told(tmp_path / "third", "restore", backup, "--force") == 0


@pytest.mark.parametrize(
    "words",
    [
        ("verify",),
        ("games",),
        ("export", "one", "--csv", "x"),
        ("backup", "x"),
        ("import", "/nowhere"),
        ("restore", "/nowhere"),
    ],
)
def test_asking_makes_no_store_where_there_is_none(
    tmp_path: Path, words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert told(tmp_path / "none", *words) == 2
    assert capsys.readouterr().err.startswith("store: ")
    assert words[0] == "import" or not list((tmp_path / "none").glob("*.db"))


def test_unknown_game_and_game_without_start_are_refused(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(tmp_path / "x")
    for how in ("--script", "--csv", "--bundle"):
        assert told(data, "export", "no\x1b[31m", how, path) == 2
        assert "\x1b" not in capsys.readouterr().err
    store, _ = seeded(tmp_path / "other", "two")
    store.append([new_event("three", "read", {}, "camera")])
    store.close()
    assert told(tmp_path / "other", "export", "three", "--script", path) == 2


def test_settings_that_cannot_be_used_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "tableside.toml"
    path.write_text("[store]\nfolder = 7\n")
    assert main(["store", "--settings", str(path), "games"]) == 2
    assert "store.folder" in capsys.readouterr().err
