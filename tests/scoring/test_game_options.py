"""The options of every game are those of the rules, with their defaults."""

from __future__ import annotations

import re
from typing import Any

import pytest
from scripts import played, start, start_refusal

from scoring.games import GAMES

TOLD: dict[str, dict[str, Any]] = {
    "classic": {
        "rounds": 8,
        "jokers_wild": True,
        "bonus": 2,
        "kids": [],
        "same_target": False,
        "exact_with_joker": "full",
        "joker_card_bonus": False,
        "double_down_bonus": True,
        "quick_draw_doubled": True,
        "duel_joker_card": "drawer",
        "duel_stake": 6,
        "six_of_a_kind": True,
        "deck": "builtin",
        "layout": None,
    },
    "war": {"colours": None, "assign": None, "joker": "reroll", "best_of": 1},
    "straight_shooter": {"dealer": None, "target": 32},
    "squint": {
        "rounds": None,
        "first_builder": None,
        "new_player_rounds": 0,
        "new_player_chips": False,
        "timer_seconds": None,
        "colour": "blue",
    },
    "showdown": {
        "triple": False,
        "games": 1,
        "five_of_a_kind_full_house": False,
        "turn_cap": None,
    },
    "rummy": {"rounds": 5, "to": None, "jokers": "wild", "layout": None},
    "best_hand": {
        "rounds": 1,
        "jokers_wild": True,
        "tie": "reroll",
        "six_of_a_kind": True,
        "layout": None,
    },
}
"""The table "Options, with defaults" of the rules; the order of hands is in HD-06."""


@pytest.mark.parametrize("game", GAMES)
def test_options_are_those_of_the_rules(game: str) -> None:
    options = dict(GAMES[game].options)
    order = options.pop("hand_order", None)
    assert (order is not None) is (game == "classic")
    assert options == TOLD[game]


@pytest.mark.parametrize("game", GAMES)
def test_every_option_says_what_it_decides_and_which_rule_has_it(game: str) -> None:
    for option in GAMES[game].options.listed:
        assert len(option.meaning) > 10
        assert not option.meaning.endswith(".")
        assert re.fullmatch(r"[A-Z]{2}-\d\d", option.rule)
    names = [option.name for option in GAMES[game].options.listed]
    assert len(set(names)) == len(names) == len(GAMES[game].options)


@pytest.mark.parametrize("game", GAMES)
def test_naming_every_default_changes_nothing(game: str) -> None:
    names = ["Ann", "Bob", "Cid"][: 2 if game in ("war", "showdown") else 3]
    named = played(game, start(*names, **GAMES[game].options))
    assert named.view() == played(game, start(*names)).view()
    assert named.state == played(game, start(*names)).state


@pytest.mark.parametrize("game", GAMES)
def test_cm_03_every_option_refuses_a_wrong_type(game: str) -> None:
    names = ["Ann", "Bob", "Cid"][: 2 if game in ("war", "showdown") else 3]
    for option in GAMES[game].options:
        assert start_refusal(game, *names, **{option: {"no": 1.5}}) == "CM-03"
