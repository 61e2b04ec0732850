"""Every kept set and how turns end, against plain recursion in fractions."""

from __future__ import annotations

from itertools import product

import pytest
from plain_turns import DICE, PAIR, THREE, Judge, dice_set, pay, shows, some_places
from plain_turns import target_of as target

from scoring.dice_sets import DiceSet
from scoring.hand_shapes import HandName
from scoring.hands import parse_faces
from scoring.odds import (
    Goal,
    OddsError,
    all_keeps,
    best_play,
    first_roll_count,
    first_roll_table,
    keep_value,
)
from scoring.target_score import ExactWithJoker, PayRules
from scoring.turn_odds import TurnOdds, turn_odds

ACE = target("high_card", "AD", 4, 1)

GOALS = [
    pytest.param(Goal(HandName.PAIR), 1, id="one-die"),
    pytest.param(Goal(HandName.PAIR), 2, id="two-dice"),
    pytest.param(Goal(HandName.HIGH_CARD, ACE), 1, id="target-of-one-die"),
    pytest.param(Goal(HandName.PAIR, PAIR), 2, id="target"),
    pytest.param(Goal(HandName.THREE_OF_A_KIND, THREE), 3, id="three-dice"),
    pytest.param(
        Goal(HandName.PAIR, PAIR, PayRules(exact_with_joker=ExactWithJoker.TYPE)),
        3,
        id="exact-with-joker-pays-type",
    ),
    pytest.param(
        Goal(HandName.PAIR, PAIR, PayRules(jokers_wild=False, bonus=0)),
        3,
        id="blank-without-bonus",
    ),
    pytest.param(
        Goal(HandName.PAIR, target("pair", "TS TC", 3, 7)), 3, id="type-pays-more"
    ),
    pytest.param(
        Goal(HandName.PAIR, target("pair", "TS TC", 5, 5), PayRules(bonus=0)),
        3,
        id="type-pays-the-same",
    ),
    pytest.param(
        Goal(HandName.PAIR, target("pair", "TS TC", 6, 0)), 3, id="type-pays-nothing"
    ),
    pytest.param(
        Goal(HandName.HIGH_CARD, target("high_card", "TS TC", 5, 2)),
        3,
        id="nearly-every-roll-is-the-type",
    ),
    pytest.param(Goal(HandName.THREE_OF_A_KIND), 4, id="four-dice"),
]


@pytest.mark.parametrize("left", [1, 2])
@pytest.mark.parametrize(("goal", "count"), GOALS)
def test_od_06_every_keep_is_worth_what_recursion_says(
    goal: Goal, count: int, left: int
) -> None:
    judge, few = Judge(goal, count), dice_set(count)
    for place in some_places(count):
        faces = judge.faces(place)
        told = all_keeps(few, goal, faces[::-1], left)
        assert told.faces == faces
        ends = list(judge.keeps(place, 3 - left).values())
        most = max(value for value, _, _ in ends)
        ends.append(pay(goal, faces, True))
        for part, name in enumerate(("value", "exact", "type")):
            expected = [float(end[part]) for end in ends]
            assert list(getattr(told, name)) == pytest.approx(expected, abs=1e-12), name
        best = [n for n, end in enumerate(ends[:-1]) if end[0] == most]
        assert list(told.best) == best


@pytest.mark.parametrize(("goal", "count"), GOALS)
def test_best_play_of_few_dice_is_that_of_recursion(goal: Goal, count: int) -> None:
    value, _, _ = Judge(goal, count).mean((-1,) * count, 1)
    assert best_play(dice_set(count), goal) == pytest.approx(float(value), abs=1e-12)


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_od_01_first_rolls_of_few_dice_contain_what_they_contain(count: int) -> None:
    few = dice_set(count)
    rolls = [
        Judge(Goal(HandName.PAIR), count).faces(p)
        for p in product(range(6), repeat=count)
    ]
    table = first_roll_table(few)
    assert table.of == len(rolls)
    for place, hand in enumerate(HandName):
        for wild, counts in ((False, table.blank), (True, table.wild)):
            expected = sum(shows(faces, hand, wild) for faces in rolls)
            assert counts[place] == expected
            goal = Goal(hand, None, PayRules(jokers_wild=wild))
            assert first_roll_count(few, goal) == (expected, len(rolls))


def test_kept_sets_have_numbers_and_numbers_faces() -> None:
    few, goal = dice_set(3), Goal(HandName.PAIR, PAIR)
    faces = parse_faces(["TS", "9C", "AC"])
    keeps = all_keeps(few, goal, faces)
    for number in range(8):
        kept = keeps.kept(number)
        assert keeps.number(kept[::-1]) == number
        assert keep_value(few, goal, faces, kept) == keeps.value[number]
        assert keeps.keep(number).kept == kept
        assert keeps.keep(number).value == keeps.value[number]
    assert keeps.kept(7) == faces
    assert keeps.kept(4) == faces[:1]
    order = keeps.in_order()
    assert sorted(order) == list(range(8))
    assert [keeps.value[n] for n in order] == sorted(keeps.value, reverse=True)


@pytest.mark.parametrize("kept", ["KS", "TS TS"])
def test_keep_of_what_does_not_lie_there_is_refused(kept: str) -> None:
    few, faces = dice_set(3), parse_faces(["TS", "9C", "AC"])
    with pytest.raises(OddsError, match="does not lie there"):
        keep_value(
            few, Goal(HandName.PAIR), faces, [parse_faces([c])[0] for c in kept.split()]
        )


@pytest.mark.parametrize("count", [1, 3, 4])
@pytest.mark.parametrize("goal", [Goal(HandName.PAIR, PAIR), Goal(HandName.PAIR)])
def test_counts_restored_give_the_same_keeps(goal: Goal, count: int) -> None:
    few = dice_set(count)
    made = turn_odds(few, goal)
    again = TurnOdds(made.dice, goal)
    again.restore(made.counts())
    for place in some_places(count):
        fresh, restored = made.keeps(place, 2), again.keeps(place, 2)
        assert [part.tolist() for part in fresh] == [part.tolist() for part in restored]
        assert made.stop(place) == again.stop(place)
    with pytest.raises(OddsError, match="bytes"):
        again.restore(made.counts()[:-1])


@pytest.mark.parametrize(("chips", "bonus"), [(10**14, 2), (6, 10**14), (6, -1)])
def test_chips_beyond_whole_numbers_are_refused(chips: int, bonus: int) -> None:
    goal = Goal(HandName.PAIR, target("pair", "TS TC", chips, 3), PayRules(bonus=bonus))
    with pytest.raises(OddsError, match="chips must be 0"):
        all_keeps(dice_set(4), goal, DICE[0][:4])


def test_die_may_show_a_face_on_several_sides() -> None:
    dice = (parse_faces(["TS", "TS", "TS", "9H", "9H", "AC"]), DICE[1])
    few = DiceSet("twice", tuple(dict.fromkeys(dice[0] + dice[1])), 2, dice)
    goal = Goal(HandName.PAIR)
    # TC makes a pair with three sides of the first die, 9C with two, AH with one
    assert first_roll_count(few, goal) == (6, 36)
    keeps = all_keeps(few, goal, parse_faces(["TS", "KS"]), 1)
    assert keeps.value == pytest.approx((6 / 36, 0, 1 / 6, 0))
    assert keeps.kept(keeps.best[0]) == ()
    assert [keeps.kept(number) for number in keeps.best] == [(), (dice[0][0],)]
