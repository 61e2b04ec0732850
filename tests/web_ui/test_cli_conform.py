from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from web_ui.cli import main

if TYPE_CHECKING:
    import pytest

CASES = Path(__file__).resolve().parents[1] / "scoring" / "cases"


def case_file(folder: Path, game: str, **case: object) -> Path:
    told = {"id": "x-1", "rule": "CM-06", "why": "a try", "setup": {}, **case}
    path = folder / f"{game}.json"
    record = {"format": "tableside-cases/1", "game": game, "cases": [told]}
    path.write_text(json.dumps(record), "utf-8")
    return path


def test_conform_counts_the_cases(capsys: pytest.CaptureFixture[str]) -> None:
    names = [str(CASES / f"{name}.json") for name in ("hands", "compare", "targets")]
    assert main(["conform", *names]) == 0
    assert capsys.readouterr().out == "92 cases, 0 failed\n"


def test_conform_prints_failures_and_ends_with_the_count(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    start = [{"do": "start", "players": ["Ann"]}]
    path = case_file(tmp_path, "classic", script=start, expect={"phase": "over"})
    assert main(["conform", str(path), str(CASES / "compare.json")]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"{path}: line 1: x-1 (CM-06) a try"
    assert lines[1].strip() == "phase is 'draw', expected 'over'"
    assert lines[-1] == "17 cases, 1 failed"


def test_conform_never_skips_a_game_that_does_not_exist(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = case_file(tmp_path, "ludo", script=[], expect={})
    assert main(["conform", "--json", str(path)]) == 1
    record = json.loads(capsys.readouterr().out)
    assert (record["cases"], record["failed"]) == (1, 1)
    assert record["failures"][0]["faults"] == ["there is no game 'ludo' yet"]


def test_conform_goes_on_after_an_unusable_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text("{}", "utf-8")
    gone = tmp_path / "gone.json"
    files = [str(bad), str(gone), str(CASES / "compare.json")]
    assert main(["conform", *files]) == 2
    out, err = capsys.readouterr()
    assert out == "16 cases, 0 failed\n"
    assert "bad.json: not a case file" in err
    assert "gone.json: cannot be read" in err
