"""Commands from JSON: every action, and every way to be malformed."""

from __future__ import annotations

import pytest

from scoring.cards import parse_face
from web_ui.commands import (
    ACTIONS,
    Command,
    CommandError,
    Confirm,
    Correct,
    Dismiss,
    Draw,
    Keep,
    Next,
    Order,
    Roll,
    Start,
    Stop,
    parse_order,
)

WELL_FORMED: list[tuple[dict[str, object], Command]] = [
    ({"do": "start", "players": ["A", " B "]}, Start(("A", "B"))),
    ({"do": "draw"}, Draw()),
    ({"do": "draw", "card": "T18"}, Draw("T18")),
    ({"do": "roll", "faces": ["10h"]}, Roll((parse_face("TH"),))),
    ({"do": "keep", "dice": [0, 8]}, Keep((0, 8))),
    ({"do": "keep", "dice": []}, Keep(())),
    ({"do": "stop"}, Stop()),
    ({"do": "next"}, Next()),
    ({"do": "confirm", "reading": 3}, Confirm(3)),
    (
        {"do": "correct", "reading": 3, "die": 1, "face": "qd"},
        Correct(3, 1, parse_face("QD")),
    ),
    ({"do": "dismiss", "reading": 3}, Dismiss(3)),
]


@pytest.mark.parametrize(("data", "command"), WELL_FORMED)
def test_action_is_understood(data: dict[str, object], command: Command) -> None:
    assert parse_order(data) == Order(command)
    assert parse_order({**data, "turn": 4, "extra": 1}) == Order(command, 4)


def test_every_action_is_tried_here() -> None:
    assert {data["do"] for data, _ in WELL_FORMED} == set(ACTIONS)


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        "stop",
        {},
        {"do": "dance"},
        {"do": ["stop"]},
        {"do": "stop", "turn": "1"},
        {"do": "stop", "turn": True},
        {"do": "start"},
        {"do": "start", "players": []},
        {"do": "start", "players": ["A", "a"]},
        {"do": "start", "players": ["A" * 25]},
        {"do": "start", "players": ["A\nB"]},
        {"do": "draw", "card": 18},
        {"do": "roll", "faces": "TH"},
        {"do": "roll", "faces": ["JK"]},
        {"do": "roll", "faces": [5]},
        {"do": "roll", "faces": ["TH"] * 33},
        {"do": "keep"},
        {"do": "keep", "dice": [1.0]},
        {"do": "keep", "dice": [10**400]},
        {"do": "keep", "dice": [0] * 33},
        {"do": "confirm"},
        {"do": "correct", "reading": 1, "die": 0},
        {"do": "correct", "reading": 1, "face": "TH"},
        {"do": "dismiss", "reading": None},
    ],
    ids=str,
)
def test_malformed_command_is_refused_with_a_short_sentence(data: object) -> None:
    with pytest.raises(CommandError) as caught:
        parse_order(data)
    assert 10 < len(str(caught.value)) < 250
