"""Short game scripts for tests: write actions, play them, look at the state."""

from __future__ import annotations

from typing import Any

import pytest

from scoring.games import GAMES
from scoring.play import Play
from scoring.refusals import RuleError

Action = dict[str, Any]


def start(*players: str, **options: Any) -> Action:
    return {"do": "start", "players": list(players), "options": options}


def roll(faces: str) -> Action:
    return {"do": "roll", "faces": faces.split()}


def keep(*places: int) -> Action:
    return {"do": "keep", "dice": list(places)}


def do(what: str, **fields: Any) -> Action:
    return {"do": what, **fields}


STOP = do("stop")


def played(game: str, *actions: Action) -> Play[Any]:
    """A game after these actions, none of which may be refused."""
    play: Play[Any] = Play(GAMES[game])
    for action in actions:
        play.act(action)
    return play


def view(play: Play[Any]) -> dict[str, Any]:
    return dict(play.view())


def refusal(play: Play[Any], action: object) -> str:
    """The rule that refuses an action; the state must stay as it was (CM-02)."""
    before = play.view()
    with pytest.raises(RuleError) as refused:
        play.act(action)
    assert play.view() == before
    assert refused.value.sentence
    return refused.value.rule


def start_refusal(game: str, *players: str, **options: Any) -> str:
    """The rule that refuses a start."""
    return refusal(played(game), start(*players, **options))
