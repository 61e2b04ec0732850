"""Exact odds against plain counting on five dice, and what is refused."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import TYPE_CHECKING

import plain_turns
import pytest

from scoring.dice_sets import DiceSet, bundled_dice_set
from scoring.hand_shapes import HandName
from scoring.hands import contains, parse_faces
from scoring.odds import Goal, OddsError, best_keep, best_play, first_roll_count
from scoring.target_deck import Target, read_target
from scoring.target_score import ExactWithJoker, PayRules, score_target

if TYPE_CHECKING:
    from scoring.cards import Face

DICE = (*plain_turns.DICE, parse_faces(["AS", "6S", "6H", "KD", "8S", "7S"]))
SMALL = DiceSet("small", tuple(face for die in DICE for face in die), 5, DICE)
ROLLS = list(product(range(6), repeat=5))
TARGET = read_target(
    "X",
    {"hand": "pair", "cards": ["TS", "TC"], "chips_exact": 6, "chips_type": 3},
)


def faces_of(roll: tuple[int, ...]) -> tuple[Face, ...]:
    return tuple(die[side] for die, side in zip(DICE, roll, strict=True))


def pays(goal: Goal) -> dict[tuple[tuple[int, ...], bool], float]:
    """What each roll pays, before the third roll or on it, by the scalar rules."""
    found: dict[tuple[tuple[int, ...], bool], float] = {}
    for roll in ROLLS:
        faces = faces_of(roll)
        for early in (True, False):
            if goal.target is None:
                pay = int(contains(faces, goal.hand, goal.rules.jokers_wild))
            else:
                number = 1 if early else 3
                pay = score_target(goal.target, faces, number, goal.rules).total
            found[roll, early] = float(pay)
    return found


class Judge:
    """Best play by plain recursion over one keep after the other."""

    def __init__(self, goal: Goal, last: int) -> None:
        self.pay = pays(goal)
        self.last = last
        self.mean = cache(self._mean)
        self.value = cache(self._value)

    def _value(self, roll: tuple[int, ...], number: int) -> float:
        stop = self.pay[roll, number < 3]
        if number == self.last:
            return stop
        return max(stop, *self.keeps(roll, number).values())

    def keeps(self, roll: tuple[int, ...], number: int) -> dict[tuple[int, ...], float]:
        """The mean of each kept set, -1 for a die that is rolled."""
        choices = product(*((side, -1) for side in roll))
        return {k: self.mean(k, number + 1) for k in choices if -1 in k}

    def _mean(self, state: tuple[int, ...], number: int) -> float:
        if -1 not in state:
            return self.value(state, number)
        at = state.index(-1)
        sides = (
            self.mean((*state[:at], s, *state[at + 1 :]), number) for s in range(6)
        )
        return sum(sides) / 6


GOALS = [
    pytest.param(Goal(HandName.FULL_HOUSE), id="full-house-wild"),
    pytest.param(
        Goal(HandName.TWO_PAIR, None, PayRules(jokers_wild=False)), id="two-pair-blank"
    ),
    pytest.param(Goal(HandName.PAIR, TARGET), id="target-wild"),
    pytest.param(
        Goal(HandName.PAIR, TARGET, PayRules(exact_with_joker=ExactWithJoker.TYPE)),
        id="target-exact-with-joker-pays-type",
    ),
]


@pytest.mark.parametrize("wild", [True, False], ids=["wild", "blank"])
@pytest.mark.parametrize("hand", HandName)
def test_od_01_first_rolls_are_those_that_contain_the_hand(
    hand: HandName, wild: bool
) -> None:
    counted = sum(contains(faces_of(roll), hand, wild) for roll in ROLLS)
    goal = Goal(hand, None, PayRules(jokers_wild=wild))
    assert first_roll_count(SMALL, goal) == (counted, 6**5)


@pytest.mark.parametrize("goal", GOALS)
def test_od_06_best_play_is_backward_induction(goal: Goal) -> None:
    judge = Judge(goal, 3)
    expected = judge.mean((-1,) * 5, 1)
    assert best_play(SMALL, goal) == pytest.approx(expected, abs=1e-9)
    assert best_play(SMALL, goal, 1) < expected


@pytest.mark.parametrize("left", [1, 2])
def test_od_05_best_keep_is_the_only_best_of_all_keeps(left: int) -> None:
    goal = Goal(HandName.PAIR, TARGET)
    judge = Judge(goal, 3)
    told = set()
    for roll in ROLLS[::311]:
        keeps = judge.keeps(roll, 3 - left)
        most = max(keeps.values())
        best = [keep for keep, mean in keeps.items() if mean >= most - 1e-9]
        advice = best_keep(SMALL, goal, faces_of(roll)[::-1], left)
        assert advice.roll == pytest.approx(most, abs=1e-9)
        assert advice.stop == judge.pay[roll, True]
        assert advice.value == max(advice.stop, advice.roll)
        told.add(advice.keep is None)
        if len(best) > 1:
            assert advice.keep is None
        else:
            assert advice.keep is not None
            kept = [DICE[i][side] for i, side in enumerate(best[0]) if side >= 0]
            assert set(advice.keep) == set(kept)
    assert told == {True, False}


def test_turn_of_two_rolls_earns_the_bonus_on_both() -> None:
    goal = Goal(HandName.PAIR, TARGET)
    expected = Judge(goal, 2).mean((-1,) * 5, 1)
    assert best_play(SMALL, goal, 2) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        pytest.param("square-shooters", "known layout", id="layout-unknown"),
        pytest.param("poker-dice", "card dice", id="poker-dice"),
        pytest.param("squint-die", "card dice", id="squint-die"),
    ],
)
def test_odds_refuse_dice_they_cannot_tell(name: str, words: str) -> None:
    with pytest.raises(OddsError, match=words):
        best_play(bundled_dice_set(name), Goal(HandName.PAIR))


@pytest.mark.parametrize(
    ("text", "left", "words"),
    [
        pytest.param("TS TC TH TD", 2, "5 faces, not 4", id="too-few"),
        pytest.param("TS 9H TH TD AS", 2, "die 1 shows one of", id="one-die-twice"),
        pytest.param("TS TC TH TD AS", 3, "1..2, not 3", id="too-many-rolls"),
    ],
)
def test_best_keep_refuses_what_cannot_lie_there(
    text: str, left: int, words: str
) -> None:
    with pytest.raises(OddsError, match=words):
        best_keep(SMALL, Goal(HandName.PAIR), parse_faces(text.split()), left)


def test_target_is_a_value_that_odds_can_remember() -> None:
    assert isinstance(TARGET, Target)
    assert hash(Goal(HandName.PAIR, TARGET)) == hash(Goal(HandName.PAIR, TARGET))
