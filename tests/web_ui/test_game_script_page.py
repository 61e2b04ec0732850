"""The page on game scripts: its examples run, its table names every action."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from scoring.games import GAMES
from web_ui.cli import main

PAGE = Path(__file__).resolve().parents[2] / "docs" / "game-script.md"
EXAMPLES = re.findall(r"```json\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
WON = ["Ann", "Ann"]


def test_the_page_has_examples() -> None:
    assert len(EXAMPLES) == len(WON)


@pytest.mark.parametrize("number", range(len(WON)))
def test_an_example_of_the_page_is_accepted_whole(
    number: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "example.json"
    path.write_text(EXAMPLES[number], "utf-8")
    assert main(["score", str(path), "--json"]) == 0
    state = json.loads(capsys.readouterr().out)["state"]
    best = max(state["scores"], key=state["scores"].get)
    assert best == WON[number]


def test_the_page_names_every_action() -> None:
    named = set(
        re.findall(r"^\| (`\w+`(?:, `\w+`)*) \|", PAGE.read_text("utf-8"), re.M)
    )
    words = {word for cell in named for word in re.findall(r"\w+", cell)}
    actions = {"start", "undo", "redo", "correct"}
    for game in GAMES.values():
        actions |= game.actions
    assert words == actions
