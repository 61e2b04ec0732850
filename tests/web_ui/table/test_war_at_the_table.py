"""War at the table: what the die that lies there has to say."""

from __future__ import annotations

import pytest
from table_rounds import Round

from scoring.refusals import RuleError


def war(*rolls: str) -> Round:
    table = Round(begin=False)
    table.order("start", game="war", players=["Ann", "Bob"])
    for faces in rolls:
        table.order("roll", faces=faces.split())
    return table


@pytest.mark.parametrize(
    "rolls",
    [
        pytest.param(("RJ QC",), id="after-a-joker"),
        pytest.param(("5H 5C", "RJ QC"), id="after-a-joker-in-a-level-battle"),
    ],
)
def test_die_that_lies_there_cannot_show_another_face(rolls: tuple[str, ...]) -> None:
    table = war(*rolls)
    before = table.state
    with pytest.raises(RuleError) as caught:
        table.order("roll", faces=["JD", "KC"])
    assert caught.value.rule == "CM-17"
    assert table.state is before
    told = table.order("roll", faces=["JD", "QC"])
    assert told["log"][0]["words"] == "Ann tossed JD; Bob wins the battle"


def test_hint_names_the_only_one_who_tosses() -> None:
    level = war("5H 5C")
    assert level.order("claim", player="Ann", words="?")["game"]["hint"] == (
        "Level: both toss the same dice again."
    )
    joker = level.order("roll", faces=["RJ", "QC"])
    assert joker["game"]["hint"] == "A joker: Ann toss the same die again."
    half = war("KH 2C").order("undo")
    assert half["game"]["hint"] == "Bob tosses a die; the other one lies there."
