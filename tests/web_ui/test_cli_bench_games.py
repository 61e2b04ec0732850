from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from scoring.games import GAMES
from web_ui import random_play
from web_ui.cli import main

if TYPE_CHECKING:
    from random import Random

    from scoring.play import Play


def test_bench_games_plays_every_game_to_its_end(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["bench", "games", "--games", "2", "--json"]) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [each["game"] for each in told] == list(GAMES)
    for each in told:
        assert each["games"] == 2
        assert each["faults"] == []
        assert each["accepted"] > 4


def test_bench_games_in_parts_counts_as_one_run(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def part(seed: int, games: int) -> dict[str, Any]:
        words = ["--game", "war", "--seed", str(seed), "--games", str(games)]
        assert main(["bench", "games", "--json", *words]) == 0
        record: dict[str, Any] = json.loads(capsys.readouterr().out)
        return record

    whole = part(0, 5)
    first = part(0, 2)
    rest = part(first["next_seed"], 3)
    assert first["accepted"] + rest["accepted"] == whole["accepted"]
    assert rest["next_seed"] == whole["next_seed"] == 5


def test_bench_games_tells_the_seed_of_a_game_that_never_ends(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def idle(_: Random, play: Play[Any]) -> dict[str, Any]:
        return {"do": "toss", "player": play.view()["next_player"], "face": "KH"}

    monkeypatch.setattr(random_play, "sensible", idle)
    monkeypatch.setattr(random_play, "MOST_TRIES", 20)
    words = ["--game", "best_hand", "--seed", "7", "--games", "2"]
    assert main(["bench", "games", *words]) == 1
    printed = capsys.readouterr().out
    assert "best_hand, seed 7: no end after 20 actions" in printed
    assert "best_hand, seed 8" in printed


@pytest.mark.parametrize("words", [["--games", "0"], ["--seed", "-1"]])
def test_bench_games_refuses_counts_that_make_no_sense(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench", "games", *words]) == 2
    assert "tableside bench games:" in capsys.readouterr().err
