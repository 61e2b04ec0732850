"""Whatever a script holds, it is played or refused by a rule, never a crash."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.action import NEEDS_PLAYER, Action
from scoring.conformance import CaseFileError, run_case_file
from scoring.games import GAMES
from scoring.play import Play
from scoring.refusals import RuleError

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=6,
)
FIELDS = [name for name in Action.__slots__ if name != "do"]
PLAYABLE = st.one_of(
    JSON,
    st.sampled_from(["Ann", "Bob", "T18", "DD1", "KH", "aces", "joker", "RJ"]),
    st.lists(st.sampled_from(["KH", "9", "3", "TC", "10♥"]), max_size=9),
)
DOES = sorted({*NEEDS_PLAYER, "roll", "keep", "stop", "draw", "duel", "deal", "choose"})
ACTIONS = st.fixed_dictionaries(
    {"do": st.sampled_from([*DOES, "start", "undo", "redo", "correct", "pass"])},
    optional=dict.fromkeys(FIELDS, PLAYABLE),
)


@pytest.mark.parametrize("game", GAMES)
@given(actions=st.lists(ACTIONS | JSON, max_size=8))
def test_cm_02_any_json_is_played_or_refused(game: str, actions: list[object]) -> None:
    play: Play[Any] = Play(GAMES[game])
    names = ["Ann", "Bob", "Cid"][: 2 if game in ("war", "showdown") else 3]
    play.act({"do": "start", "players": names})
    for action in actions:
        with contextlib.suppress(RuleError):
            play.act(action)
    json.dumps(play.view(), allow_nan=False)


@pytest.mark.parametrize("game", GAMES)
@given(st.data())
def test_cm_03_any_json_as_option_is_played_or_refused(
    game: str, data: st.DataObject
) -> None:
    name = data.draw(st.sampled_from(sorted(GAMES[game].options)))
    card = {"id": "X", "kind": "target", "hand": "pair", "cards": ["AS", "AH"]}
    near = st.lists(JSON | st.just(card) | st.just(["AS"]), max_size=3)
    by_player = st.fixed_dictionaries({"Ann": JSON, "Bob": JSON})
    value = data.draw(JSON | near | by_player)
    names = ["Ann", "Bob", "Cid"][: 2 if game in ("war", "showdown") else 3]
    play: Play[Any] = Play(GAMES[game])
    with contextlib.suppress(RuleError):
        play.act({"do": "start", "players": names, "options": {name: value}})


SETUPS = st.fixed_dictionaries(
    {"kind": st.sampled_from(["hand", "contains", "compare", "target"])},
    optional=dict.fromkeys(
        ["faces", "hand", "hands", "target", "jokers_wild", "roll_number", "bonus"],
        PLAYABLE,
    ),
)


@given(SETUPS | JSON, JSON, JSON)
def test_any_json_as_case_is_judged_or_refused(
    setup: object, script: object, expect: object
) -> None:
    case = {"id": "x", "setup": setup, "script": script, "expect": expect}
    content = {"format": "tableside-cases/1", "game": "classic", "cases": [case]}
    with contextlib.suppress(CaseFileError):
        (verdict,) = run_case_file(content)
        assert verdict.id == "x"


@pytest.mark.parametrize("game", GAMES)
def test_cm_03_half_a_character_is_no_name(game: str) -> None:
    play: Play[Any] = Play(GAMES[game])
    names = ["\ud800", "Bob", "Cid"][: 2 if game in ("war", "showdown") else 3]
    with pytest.raises(RuleError, match="CM-03"):
        play.act({"do": "start", "players": names})
    assert play.state is None


def test_cm_02_a_value_is_shown_however_deep_it_is() -> None:
    deep: object = 1
    for _ in range(100_000):
        deep = [deep]
    for action in (deep, {"do": deep}, {"do": "roll", "faces": deep}):
        with pytest.raises(RuleError) as caught:
            Play(GAMES["classic"]).act(action)
        assert len(str(caught.value)) < 200


def test_cm_10_corrections_cost_no_more_than_what_they_change() -> None:
    play: Play[Any] = Play(GAMES["showdown"])
    play.act({"do": "start", "players": ["Ann", "Bob"]})
    for _ in range(1000):
        play.act({"do": "roll", "faces": ["9", "9", "T", "J", "K"]})
        play.act({"do": "pass"})
    rest = play.entries[3:]
    for face in ["Q", "A"] * 500:
        play.act({"do": "correct", "roll": 0, "faces": ["9", "9", "T", "J", face]})
    # the game stands as before once the turn is over: not told anew a million times
    assert all(a is b for a, b in zip(play.entries[3:], rest, strict=True))
    for _ in range(1000):
        play.act({"do": "undo"})
    assert play.entries[1].action.faces == ("9", "9", "T", "J", "K")
    for _ in range(1000):
        play.act({"do": "redo"})
    assert play.entries[1].action.faces == ("9", "9", "T", "J", "A")
    assert len(play.entries) == 2001
