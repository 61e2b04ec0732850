"""Commands from JSON: every action, and every way to be malformed."""

from __future__ import annotations

import pytest

from scoring.action import Action
from scoring.cards import parse_face
from web_ui.table.commands import (
    ACTIONS,
    GAME_ACTIONS,
    Act,
    Command,
    CommandError,
    Confirm,
    Dismiss,
    Freeze,
    MakeClaim,
    Name,
    Order,
    Reopen,
    Rule,
    SetAdvice,
    SetTimer,
    SignOff,
    Start,
    Thaw,
    parse_order,
)

WELL_FORMED: list[tuple[dict[str, object], Command]] = [
    ({"do": "start", "players": ["A", " B "]}, Start(None, ("A", "B"), {})),
    (
        {"do": "start", "game": "war", "players": ["A", "B"], "options": {"joker": 1}},
        Start("war", ("A", "B"), {"joker": 1}),
    ),
    ({"do": "draw"}, Act(Action("draw"))),
    ({"do": "draw", "card": "T18"}, Act(Action("draw", card="T18"))),
    ({"do": "roll", "faces": ["10h"]}, Act(Action("roll", faces=("10h",)))),
    ({"do": "keep", "dice": [0, 8]}, Act(Action("keep", dice=(0, 8)))),
    ({"do": "stop"}, Act(Action("stop"))),
    ({"do": "undo"}, Act(Action("undo"))),
    (
        {"do": "correct", "roll": 0, "faces": ["TH"], "reason": "misread"},
        Act(Action("correct", roll=0, faces=("TH",)), "misread"),
    ),
    (
        {"do": "correct", "reading": 3, "die": 1, "face": "qd"},
        Name(3, 1, parse_face("QD")),
    ),
    (
        {"do": "name", "reading": 3, "die": 1, "face": "qd", "reason": " a  b "},
        Name(3, 1, parse_face("QD"), "a b"),
    ),
    ({"do": "confirm", "reading": 3}, Confirm(3)),
    ({"do": "dismiss", "reading": 3}, Dismiss(3)),
    ({"do": "timer", "timer": "start", "seconds": 30}, SetTimer("start", 30.0)),
    ({"do": "timer", "timer": "stop"}, SetTimer("stop")),
    ({"do": "advice", "on": False}, SetAdvice(False)),
    (
        {"do": "claim", "player": "A", "words": "No!", "reading": 4},
        MakeClaim("No!", "A", 4),
    ),
    (
        {"do": "rule", "claim": 1, "ruling": "upheld", "reason": "Right"},
        Rule(1, "upheld", "Right"),
    ),
    ({"do": "freeze", "reason": "a dispute"}, Freeze("a dispute")),
    ({"do": "thaw"}, Thaw()),
    ({"do": "sign_off", "name": "R"}, SignOff("R")),
    ({"do": "reopen", "reason": "protest"}, Reopen("protest")),
]


@pytest.mark.parametrize(("data", "command"), WELL_FORMED)
def test_action_is_understood(data: dict[str, object], command: Command) -> None:
    do = str(data["do"])
    assert parse_order(data) == Order(command, do)
    more = {**data, "step": 4, "id": "a1", "extra": 1}
    assert parse_order(more) == Order(command, do, 4, "a1")


def test_every_action_of_the_table_is_tried_here() -> None:
    tried = {data["do"] for data, _ in WELL_FORMED}
    assert tried >= set(ACTIONS) - GAME_ACTIONS


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        "stop",
        {},
        {"do": "dance"},
        {"do": ["stop"]},
        {"do": "stop", "step": "1"},
        {"do": "stop", "step": True},
        {"do": "stop", "id": 5},
        {"do": "stop", "id": "x" * 65},
        {"do": "start"},
        {"do": "start", "players": []},
        {"do": "start", "players": ["A", "a"]},
        {"do": "start", "players": ["A" * 25]},
        {"do": "start", "players": ["A\nB"]},
        {"do": "start", "players": ["A"], "options": [1]},
        {"do": "start", "players": ["A"], "game": 5},
        {"do": "draw", "card": 18},
        {"do": "roll", "faces": "TH"},
        {"do": "roll", "faces": [5]},
        {"do": "keep"},
        {"do": "keep", "dice": [1.0]},
        {"do": "confirm"},
        {"do": "confirm", "reading": 10**400},
        {"do": "correct", "reading": 1, "die": 0},
        {"do": "correct", "reading": 1, "face": "TH"},
        {"do": "name", "reading": 1, "die": 0, "face": "JK"},
        {"do": "dismiss", "reading": None},
        {"do": "timer", "timer": "faster"},
        {"do": "timer", "timer": "start", "seconds": "9"},
        {"do": "advice", "on": "yes"},
        {"do": "claim", "words": "", "player": "A"},
        {"do": "claim", "words": "x" * 241, "player": "A"},
        {"do": "claim", "words": "a\x00b", "player": "A"},
        {"do": "rule", "claim": 1, "ruling": "maybe", "reason": "x"},
        {"do": "freeze"},
    ],
    ids=str,
)
def test_malformed_command_is_refused_with_a_short_sentence(data: object) -> None:
    with pytest.raises(CommandError) as caught:
        parse_order(data)
    assert 10 < len(str(caught.value)) < 330
