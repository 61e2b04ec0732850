"""Odds of War, against the game itself and tosses repeated until they end."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from itertools import permutations, product
from typing import TYPE_CHECKING

import pytest
from scripts import do, played, start

from scoring.cards import parse_face
from scoring.dice_sets import reference_dice_set
from scoring.odds_error import OddsError
from scoring.war_odds import battle_odds

if TYPE_CHECKING:
    from scoring.cards import Face

DICE = reference_dice_set().dice
assert DICE is not None


def die(text: str) -> tuple[Face, ...]:
    return tuple(map(parse_face, text.split()))


# die 4 and 5 hold the jokers; ranks in common make level tosses
PAIRS = [
    pytest.param(DICE[0], DICE[1], id="no-joker"),
    pytest.param(DICE[3], DICE[4], id="a-joker-each"),
    pytest.param(DICE[4], DICE[8], id="one-joker"),
    pytest.param(die("AS KS QS JS TS 9S"), die("AC KC QC JC TC 2C"), id="all-black"),
    pytest.param(die("AH KH RJ JH BJ 9H"), die("AC KC QC JC TC 2C"), id="own-colours"),
    pytest.param(die("AS KS RJ JS BJ 9S"), die("AD KD QD JD TD 2H"), id="swapped"),
]


def battle(red: Face, black: Face, joker: str) -> tuple[str, str] | str:
    """What the game makes of two tosses: case and winner, or who tosses again."""
    play = played("war", start("Red", "Black", joker=joker))
    result = play.result
    for player, face in (("Red", red), ("Black", black)):
        play.act(do("toss", player=player, face=face.code))
        result = play.result
        assert result is not None
        if result["case"] == "joker":
            return player
    assert result is not None
    if result["case"] == "tie":
        return "both"
    return str(result["case"]), str(result["winner"])


def followed(
    red: tuple[Face, ...], black: tuple[Face, ...], joker: str
) -> dict[tuple[str, str], float]:
    """Follow the tosses until what has not ended weighs nothing."""
    outcomes = {(a, b): battle(a, b, joker) for a in red for b in black}
    ends: dict[tuple[str, str], float] = defaultdict(float)
    # a toss that stands waits for the other one; None is still to be tossed
    waiting: dict[tuple[Face | None, Face | None], float] = {(None, None): 1.0}
    for _ in range(100):
        after: dict[tuple[Face | None, Face | None], float] = defaultdict(float)
        for (first, second), weight in waiting.items():
            firsts = red if first is None else (first,)
            seconds = black if second is None else (second,)
            for a, b in product(firsts, seconds):
                share = weight / len(firsts) / len(seconds)
                match outcomes[a, b]:
                    case (case, winner):
                        ends[case, winner] += share
                    case "Red":
                        after[None, b] += share
                    case "Black":
                        after[a, None] += share
                    case _:
                        after[None, None] += share
        waiting = dict(after)
    assert sum(waiting.values()) < 1e-15
    return ends


@pytest.mark.parametrize("joker", ["reroll", "high"])
@pytest.mark.parametrize(("red", "black"), PAIRS)
def test_battle_ends_as_often_as_in_the_game(
    red: tuple[Face, ...], black: tuple[Face, ...], joker: str
) -> None:
    odds = battle_odds(red, black, joker_high=joker == "high")
    ends = followed(red, black, joker)
    assert [case.case for case in odds.cases] == ["a", "b", "c", "d"]
    for case in odds.cases:
        assert float(case.red) == pytest.approx(ends[case.case, "Red"], abs=1e-12)
        assert float(case.black) == pytest.approx(ends[case.case, "Black"], abs=1e-12)
    assert odds.red + odds.black == 1


def test_repeated_tosses_are_told() -> None:
    red, black = die("AS KS RJ 4H 5D 6D"), die("AC KC 2H 3H 7D 8D")
    odds = battle_odds(red, black)
    assert odds.joker == Fraction(1, 6)
    assert odds.level == Fraction(0)  # two aces, but both black: case c
    swapped = battle_odds(die("AS KS QS JS TS 9S"), die("AH KH QH JH TH 9H"))
    assert swapped.level == Fraction(1, 6)
    assert battle_odds(red, black, joker_high=True).joker == 0


def test_the_order_of_sides_plays_no_part() -> None:
    red, black = die("AS KH RJ 4H"), die("AC KC 2H 3H 7D 8D")
    filled = [(*sides, *die("5C 6C")) for sides in permutations(red)]
    assert len({battle_odds(sides, black) for sides in filled}) == 1


@pytest.mark.parametrize(
    ("red", "black", "words"),
    [
        pytest.param("AS KS QS JS TS", "AC KC QC JC TC 9C", "six faces, not 5", id="5"),
        pytest.param(
            "AS KS QS JS TS AC", "AC KC QC JC TC 9C", "on both dice.*AC", id="both"
        ),
        pytest.param("A K Q J T 9", "AC KC QC JC TC 9C", "card dice", id="poker"),
        pytest.param(
            "RJ RJ RJ RJ RJ RJ", "AC KC QC JC TC 9C", "never ends", id="jokers-only"
        ),
        pytest.param(
            "AS AS AS AS AS AS", "AH AH AH AH AH AH", "never ends", id="always-level"
        ),
    ],
)
def test_odds_of_war_refuse(red: str, black: str, words: str) -> None:
    with pytest.raises(OddsError, match=words):
        battle_odds(die(red), die(black))
