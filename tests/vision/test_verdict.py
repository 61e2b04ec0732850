"""The roll is decided as a whole: legal, complete, and as sure as it deserves."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from painted_dice import NINE

from scoring.cards import ALL_FACES, parse_face
from scoring.dice_sets import DiceSet, bundled_dice_set
from vision.assignment import assign
from vision.classes import TURNS
from vision.decode import Beliefs, decide
from vision.face_reading import FACES, Evidence
from vision.reading import DieState, ProblemCode, Reading, Status
from vision.verdict import judge

if TYPE_CHECKING:
    from numpy.typing import NDArray

CARD_DICE = bundled_dice_set("square-shooters")
REFERENCE = bundled_dice_set("square-shooters-reference")


def evidence(
    place: int,
    odds: dict[str, float],
    none: float = 0.0001,
    turn: int = 0,
    side: float = 40,
) -> Evidence:
    """A die in a row, its face as likely as `odds` say."""
    p = np.full((FACES, TURNS), 1e-9)
    for code, share in odds.items():
        p[ALL_FACES.index(parse_face(code)), turn] = share
    p *= (1 - none) / p.sum()
    x, y = 100.0 + 60 * place, 100.0
    corners = [(0.0, 0.0), (side, 0.0), (side, side), (0.0, side)]
    quad = np.array([(x + dx, y + dy) for dx, dy in corners])
    return Evidence(quad, 0.9, np.log(p), float(np.log(none)))


def roll(codes: str, start: int = 0) -> list[Evidence]:
    return [evidence(start + k, {c: 1.0}) for k, c in enumerate(codes.split())]


def said(reading: Reading) -> str:
    return " ".join(die.face.code if die.face else "--" for die in reading.dice)


def problems(reading: Reading) -> set[ProblemCode]:
    return {problem.code for problem in reading.problems}


def test_empty_table_is_refused() -> None:
    reading = judge((), CARD_DICE, "m")
    assert reading.status is Status.REFUSE
    assert problems(reading) == {ProblemCode.NO_DICE}
    assert reading.dice == ()


def test_nine_clear_dice_are_sure() -> None:
    reading = judge(tuple(roll(NINE)), CARD_DICE, "m")
    assert said(reading) == NINE
    assert reading.status is Status.SURE
    assert reading.problems == ()
    assert reading.confidence > 0.99
    assert (reading.dice_set, reading.model) == ("square-shooters", "m")


@pytest.mark.parametrize("count", [1, 5, 8])
def test_missing_dice_are_refused(count: int) -> None:
    reading = judge(tuple(roll(NINE)[:count]), CARD_DICE, "m")
    assert reading.status is Status.REFUSE
    assert problems(reading) == {ProblemCode.TOO_FEW_DICE}
    assert len(reading.dice) == count


def test_ten_clear_dice_are_too_many_and_all_kept() -> None:
    reading = judge(tuple(roll(NINE + " JH")), CARD_DICE, "m")
    assert reading.status is Status.REFUSE
    assert ProblemCode.TOO_MANY_DICE in problems(reading)
    assert said(reading) == NINE + " JH"


def test_pip_dice_and_cards_beside_nine_dice_do_not_count() -> None:
    strangers = [evidence(9, {"AS": 1.0}, none=0.99), evidence(10, {"2S": 1}, none=0.7)]
    reading = judge((*roll(NINE), *strangers), CARD_DICE, "m")
    assert said(reading) == NINE
    assert reading.status is Status.SURE


def test_faces_of_other_dice_do_not_count() -> None:
    poker = evidence(9, {"K": 0.95, "KS": 0.05})
    reading = judge((*roll(NINE), poker), CARD_DICE, "m")
    assert said(reading) == NINE
    assert reading.status is Status.SURE


def test_likely_stranger_in_the_place_of_a_missing_die_is_unreadable() -> None:
    washed_out = evidence(4, {"5S": 0.6, "5C": 0.4}, none=0.8)
    clear = roll(NINE)
    reading = judge((*clear[:4], *clear[5:], washed_out), CARD_DICE, "m")
    assert said(reading) == NINE.replace("5S", "--")
    assert reading.status is Status.ASK
    (problem,) = reading.problems
    assert (problem.code, problem.dice) == (ProblemCode.UNREADABLE_DIE, (4,))
    offered = [other.face.code for other in reading.dice[4].alternatives]
    assert offered == ["5S", "5C"]


def test_certain_stranger_does_not_fill_the_place_of_a_missing_die() -> None:
    stranger = evidence(8, {"TS": 1.0}, none=0.999)
    reading = judge((*roll(NINE)[:8], stranger), CARD_DICE, "m")
    assert len(reading.dice) == 8
    assert reading.status is Status.REFUSE


def test_doubtful_die_is_asked_about_and_marked() -> None:
    dice = roll(NINE)
    dice[4] = evidence(4, {"5S": 0.6, "5C": 0.4})
    reading = judge(tuple(dice), CARD_DICE, "m")
    assert reading.status is Status.ASK
    (problem,) = reading.problems
    assert (problem.code, problem.dice) == (ProblemCode.DOUBTFUL_DIE, (4,))
    assert reading.dice[4].alternatives[0].face == parse_face("5C")
    assert reading.dice[4].alternatives[0].p == pytest.approx(0.4, abs=0.01)
    assert reading.dice[4].confidence == pytest.approx(0.6, abs=0.01)


def test_small_doubts_that_add_up_are_asked_about_and_the_largest_marked() -> None:
    dice = roll(NINE)
    first, second = NINE.split()[0], NINE.split()[4]
    dice[0] = evidence(0, {first: 0.97, "BJ": 0.03})
    dice[4] = evidence(4, {second: 0.98, "BJ": 0.02})
    reading = judge(tuple(dice), CARD_DICE, "m")
    assert reading.status is Status.ASK
    (problem,) = reading.problems
    assert (problem.code, problem.dice) == (ProblemCode.DOUBTFUL_DIE, (0, 4))


def test_face_seen_twice_goes_to_the_surer_die() -> None:
    dice = roll(NINE)
    dice[0] = evidence(0, {"2H": 0.55, "AS": 0.45})
    reading = judge(tuple(dice), CARD_DICE, "m")
    assert said(reading) == NINE
    # the other die that shows 2H for certain leaves no room for doubt
    assert reading.dice[0].confidence > 0.99
    assert reading.dice[0].alternatives[-1].face == parse_face("2H")


def test_same_face_on_two_dice_is_a_problem() -> None:
    dice = roll(NINE)
    dice[0] = evidence(0, {"2H": 0.999, "AS": 0.001})
    reading = judge(tuple(dice), CARD_DICE, "m")
    assert reading.status is Status.ASK
    clashes = [p for p in reading.problems if p.code is ProblemCode.DUPLICATE_FACE]
    assert [p.dice for p in clashes] == [(0, 1)]


def test_faces_of_one_die_are_a_problem_only_if_the_layout_is_known() -> None:
    # AS and 6S share the first die of the reference layout
    legal = "AS AH 2S 2D 2H 2C 3S 3H 5D"
    both = legal.replace("AH", "6S")
    assert judge(tuple(roll(both)), CARD_DICE, "m").status is Status.SURE
    reading = judge(tuple(roll(both)), REFERENCE, "m")
    assert ProblemCode.SAME_DIE_TWICE in problems(reading)
    assert reading.status is Status.ASK
    assert judge(tuple(roll(legal)), REFERENCE, "m").status is Status.SURE


def test_known_layout_settles_a_doubt() -> None:
    dice = roll("AS AH 2S 2D 2H 2C 3S 3H 5D")
    # AS and 6S share a die, so the second die cannot show 6S
    dice[1] = evidence(1, {"6S": 0.5, "AH": 0.5})
    assert judge(tuple(dice), CARD_DICE, "m").status is Status.ASK
    reading = judge(tuple(dice), REFERENCE, "m")
    assert said(reading).split()[1] == "AH"
    assert reading.status is Status.SURE


@pytest.mark.parametrize("turn", range(TURNS))
def test_quad_begins_at_the_top_left_of_the_art(turn: int) -> None:
    dice = roll(NINE)
    dice[2] = evidence(2, {"3D": 1.0}, turn=turn)
    reading = judge(tuple(dice), CARD_DICE, "m")
    corners = [tuple(map(float, corner)) for corner in dice[2].quad]
    # art turned clockwise once has its top left at the crop's top right
    assert reading.dice[2].quad[0] == corners[turn]
    assert list(reading.dice[2].quad) == corners[turn:] + corners[:turn]


def test_dice_are_in_reading_order() -> None:
    dice = roll(NINE)
    for k, piece in enumerate(dice):
        wobble = 8.0 * (-1) ** k
        piece.quad[:, 1] += 120 * (k // 3) + wobble
        piece.quad[:, 0] += 60 * (2 - 2 * (k % 3)) - 180 * (k // 3)
    reading = judge(tuple(dice), CARD_DICE, "m")
    assert said(reading) == "3D 2H AS 6H 5S 4C TS 8C 7D"


def test_tiny_dice_are_asked_about() -> None:
    dice = [evidence(k, {c: 1.0}, side=10) for k, c in enumerate(NINE.split())]
    reading = judge(tuple(dice), CARD_DICE, "m")
    assert reading.status is Status.ASK
    assert problems(reading) == {ProblemCode.DICE_TOO_SMALL}


def test_die_that_leans_is_asked_about() -> None:
    dice = roll(NINE)
    middle = dice[6].quad.mean(axis=0)
    dice[6].quad[:] = (dice[6].quad - middle) * [1.0, 0.35] + middle
    reading = judge(tuple(dice), CARD_DICE, "m")
    assert reading.status is Status.ASK
    (problem,) = reading.problems
    assert (problem.code, problem.dice) == (ProblemCode.COCKED_DIE, (6,))
    assert [die.state for die in reading.dice].index(DieState.COCKED) == 6


def scored(pieces: list[Evidence], scores: dict[int, float]) -> tuple[Evidence, ...]:
    return tuple(
        replace(piece, score=scores.get(k, piece.score))
        for k, piece in enumerate(pieces)
    )


def test_weak_sighting_counts_in_the_place_of_a_missing_die_only() -> None:
    nine = judge(scored(roll(NINE), {8: 0.15}), CARD_DICE, "m")
    assert (said(nine), nine.status) == (NINE, Status.ASK)
    assert [problem.dice for problem in nine.problems] == [(8,)]
    ten = judge(scored(roll(NINE + " JH"), {9: 0.15}), CARD_DICE, "m")
    assert (said(ten), ten.status) == (NINE, Status.SURE)


def test_faint_sighting_beyond_the_number_of_dice_does_not_count() -> None:
    ten = judge(scored(roll(NINE + " JH"), {9: 0.35}), CARD_DICE, "m")
    assert (said(ten), ten.status) == (NINE, Status.SURE)
    clear = judge(scored(roll(NINE + " JH"), {9: 0.7}), CARD_DICE, "m")
    assert clear.status is Status.REFUSE


def test_print_on_a_card_beyond_the_number_of_dice_does_not_count() -> None:
    ten = roll(NINE + " JH")
    middle = ten[9].quad.mean(axis=0)
    ten[9].quad[:] = (ten[9].quad - middle) * 1.8 + middle
    reading = judge(tuple(ten), CARD_DICE, "m")
    assert (said(reading), reading.status) == (NINE, Status.SURE)


def test_weak_sightings_alone_are_no_dice() -> None:
    weak = {k: 0.15 for k in range(5, 9)}
    assert len(judge(scored(roll(NINE), weak), CARD_DICE, "m").dice) == 9
    assert len(judge(scored(roll(NINE), weak | {4: 0.1}), CARD_DICE, "m").dice) == 4


def test_poker_dice_may_show_one_face_twice() -> None:
    dice = roll("A A K T A")
    reading = judge(tuple(dice), bundled_dice_set("poker-dice"), "m")
    assert said(reading) == "A A K T A"
    assert reading.status is Status.SURE


def test_many_more_dice_than_belong_to_the_set_do_not_break_it() -> None:
    codes = " ".join(face.code for face in CARD_DICE.faces)
    for dice_set in (CARD_DICE, REFERENCE):
        crowd = tuple(roll(codes + " AS 2S"))
        reading = judge(crowd, dice_set, "m")
        assert reading.status is Status.REFUSE
        assert len(reading.dice) == 56


def best_by_hand(
    log_p: NDArray[np.float64], dice_set: DiceSet
) -> list[tuple[float, tuple[int, ...]]]:
    """All legal rolls with their log-probabilities, best first."""
    rolls = []
    for columns in itertools.product(range(log_p.shape[1]), repeat=len(log_p)):
        if len(set(columns)) < len(columns):
            continue
        if dice_set.dice is not None:
            shown = [
                {d for d, die in enumerate(dice_set.dice) if dice_set.faces[c] in die}
                for c in columns
            ]
            owners = [next(iter(dice)) for dice in shown]
            if len(set(owners)) < len(owners):
                continue
        total = float(sum(log_p[k, c] for k, c in enumerate(columns)))
        rolls.append((total, columns))
    return sorted(rolls, reverse=True)


@pytest.mark.parametrize("layout", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_decision_agrees_with_trying_every_roll(layout: bool, seed: int) -> None:
    faces = CARD_DICE.faces[:12]
    dice = (faces[:6], faces[6:]) if layout else None
    dice_set = DiceSet("small", faces, 2 if layout else 3, dice)
    rng = np.random.default_rng(seed)
    count = 2 if layout else 3
    log_p = np.log(rng.dirichlet(np.full(12, 0.4), count) + 1e-9)
    log_p -= np.logaddexp.reduce(log_p, axis=1)[:, None]
    decision = decide(Beliefs(faces, log_p, np.zeros(count)), dice_set)
    ranked = best_by_hand(log_p, dice_set)
    best_total, best = ranked[0]
    assert decision.faces == tuple(faces[c] for c in best)
    for k in range(count):
        rival = next(total for total, columns in ranked if columns[k] != best[k])
        expected = 1 / (1 + np.exp(rival - best_total))
        assert decision.die_confidence[k] == pytest.approx(expected, abs=1e-9)
    assert decision.confidence <= min(decision.die_confidence)


@pytest.mark.parametrize("seed", range(8))
def test_assignment_agrees_with_trying_all(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(25):
        rows = int(rng.integers(1, 6))
        columns = int(rng.integers(rows, 7))
        cost = rng.integers(-9, 9, (rows, columns)).astype(np.float64)
        chosen, total = assign(cost)
        assert len(set(chosen.tolist())) == rows
        assert total == pytest.approx(cost[np.arange(rows), chosen].sum())
        best = min(
            sum(cost[k, c] for k, c in enumerate(order))
            for order in itertools.permutations(range(columns), rows)
        )
        assert total == pytest.approx(best)


def test_assignment_needs_enough_columns() -> None:
    with pytest.raises(ValueError, match="3 rows"):
        assign(np.zeros((3, 2)))
