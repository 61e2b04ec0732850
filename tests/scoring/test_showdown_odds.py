"""Odds of Showdown, against plain recursion over five dice that can be told apart."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations, product
from typing import TYPE_CHECKING

import pytest

from scoring.cards import POKER_DICE_FACES, parse_face
from scoring.odds_error import OddsError
from scoring.showdown_odds import showdown_odds
from scoring.showdown_rows import POINTS, ROWS, fits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoring.cards import Face


def faces(text: str) -> tuple[Face, ...]:
    return tuple(map(parse_face, text.split()))


class Judge:
    """Best play with ordered dice; a state holds -1 for a die that is rolled."""

    def __init__(self, rows: Sequence[str], worth: dict[str, int]) -> None:
        self.pay: dict[tuple[int, ...], int] = {
            roll: max(
                (
                    worth[r]
                    for r in rows
                    if fits(r, [POKER_DICE_FACES[n] for n in roll])
                ),
                default=0,
            )
            for roll in product(range(6), repeat=5)
        }
        self.mean = cache(self._mean)
        self.value = cache(self._value)

    def _value(self, roll: tuple[int, ...], left: int) -> Fraction:
        """Of the dice in ascending order."""
        stop = Fraction(self.pay[roll])
        return max([stop, *self.keeps(roll, left).values()]) if left else stop

    def keeps(
        self, roll: tuple[int, ...], left: int
    ) -> dict[tuple[int, ...], Fraction]:
        return {
            tuple(roll[n] for n in kept): self.mean(tuple(roll[n] for n in kept), left)
            for size in range(5)
            for kept in combinations(range(5), size)
        }

    def _mean(self, kept: tuple[int, ...], left: int) -> Fraction:
        if len(kept) == 5:
            return self.value(tuple(sorted(kept)), left - 1)
        # one die after the other
        return (
            sum((self.mean((*kept, side), left) for side in range(6)), Fraction()) / 6
        )


@pytest.fixture(scope="module")
def points_judge() -> Judge:
    return Judge(("aces", "maiden", "big_straight"), POINTS)


@pytest.mark.parametrize("row", ["aces", "small_straight", "maiden"])
def test_chance_of_a_row_is_that_of_plain_recursion(row: str) -> None:
    judge = Judge([row], dict.fromkeys(ROWS, 1))
    lying = faces("Q Q 9 T A")
    roll = tuple(sorted(POKER_DICE_FACES.index(face) for face in lying))
    for left in (1, 2):
        ((name, play),) = showdown_odds([row], lying, left).rows
        keeps = judge.keeps(roll, left)
        assert name == row
        assert play.stop == judge.pay[roll]
        assert play.roll == max(keeps.values())
        assert play.value == max(play.stop, play.roll)
        best = {keep for keep, value in keeps.items() if value == play.roll}
        told = {tuple(POKER_DICE_FACES.index(f) for f in keep) for keep in play.keeps}
        assert told == best
        assert len(play.keeps) == len(told)
    for left in (1, 2, 3):
        ((_, play),) = showdown_odds([row], rolls_left=left).rows
        assert play.value == judge.mean((), left)
        assert play.stop is None


def test_points_are_the_best_open_row_after_any_roll(points_judge: Judge) -> None:
    rows = ("aces", "maiden", "big_straight")
    for text in ("Q Q 9 T A", "9 T J Q Q", "A A A 9 9"):
        lying = faces(text)
        roll = tuple(sorted(POKER_DICE_FACES.index(face) for face in lying))
        play = showdown_odds(rows, lying, 2).points
        assert play.stop == points_judge.pay[roll]
        assert play.roll == max(points_judge.keeps(roll, 2).values())
    assert showdown_odds(rows).points.value == points_judge.mean((), 3)


def test_first_roll_counts_rolls() -> None:
    every = list(product(POKER_DICE_FACES, repeat=5))
    told = dict(showdown_odds(rolls_left=1).rows)
    for row in ROWS:
        assert told[row].value == Fraction(sum(fits(row, r) for r in every), len(every))


def test_sh_15_five_of_a_kind_may_be_a_full_house() -> None:
    lying = faces("9 9 9 9 9")
    for agreed in (False, True):
        odds = showdown_odds(["full_house"], lying, 0, five_is_full_house=agreed)
        ((_, play),) = odds.rows
        assert play.value == int(agreed)
        assert play.roll is None


def test_keeping_all_five_is_no_way_to_roll() -> None:
    ((_, play),) = showdown_odds(["maiden"], faces("Q 9 9 T A"), 2).rows
    assert play.value == 1
    assert play.stop == 1
    assert play.roll is not None
    assert play.roll < 1
    assert play.keeps
    assert all(len(keep) < 5 for keep in play.keeps)


def test_rows_may_count_more_than_printed() -> None:
    lying = faces("A A A K K")
    doubled = showdown_odds(["aces", "full_house"], lying, 0, points={"aces": 9})
    assert doubled.points.value == 9


@pytest.mark.parametrize(
    ("rows", "text", "left", "words"),
    [
        pytest.param([], None, None, "at least one", id="no-row"),
        pytest.param(["ones"], None, None, "'ones' is no row", id="unknown-row"),
        pytest.param(["aces"], "A A A A", None, "5 faces, not 4", id="too-few"),
        pytest.param(["aces"], "A A A A AS", None, "poker dice: AS", id="card"),
        pytest.param(["aces"], "A A A A A", 3, "0..2, not 3", id="too-many-rolls"),
        pytest.param(["aces"], None, 0, "1..3, not 0", id="no-roll"),
    ],
)
def test_odds_of_showdown_refuse(
    rows: list[str], text: str | None, left: int | None, words: str
) -> None:
    with pytest.raises(OddsError, match=words):
        showdown_odds(rows, None if text is None else faces(text), left)
