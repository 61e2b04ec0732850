"""Are the dice fair: exact tests, and evidence that may be looked at at any time."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from random import Random

import pytest
from scripts import STOP, do, keep, played, roll, start

from scoring.dice_sets import DiceSet, bundled_dice_set, reference_dice_set
from scoring.fairness import FairnessError, fairness
from scoring.fairness_evidence import Evidence, interval, log_evidence, rolls_to_see
from scoring.fairness_exact import equal_chances_p, one_chance_p
from scoring.fairness_rolls import Throw, throws_of

SIX = (1 / 6,) * 6
LOADED = (1 / 5, *(4 / 25,) * 5)
REFERENCE = reference_dice_set()
DICE = REFERENCE.dice or ()
LAYOUT = [[face.code for face in die] for die in DICE]


def plain_p(counts: tuple[int, ...]) -> float:
    """The exact p by writing down every way the rolls can fall."""
    faces, rolls = len(counts), sum(counts)
    uneven = sum(count**2 for count in counts)
    ways = sum(
        sum(fall.count(face) ** 2 for face in range(faces)) >= uneven
        for fall in product(range(faces), repeat=rolls)
    )
    return float(Fraction(ways, faces**rolls))


@pytest.mark.parametrize(
    "counts",
    [
        (0,) * 6,
        (1, 0, 0, 0, 0, 0),
        (2, 1, 0, 0, 1, 1),
        (6, 0, 0, 0, 0, 0),
        (1, 1, 1, 1, 1, 1),
        (5, 1, 2),
        (3, 3, 3),
        (7, 2),
    ],
)
def test_exact_p_equals_plain_counting(counts: tuple[int, ...]) -> None:
    assert equal_chances_p(counts) == pytest.approx(plain_p(counts), abs=1e-10)


def test_exact_p_of_many_rolls_nears_its_limit() -> None:
    uneven = [200 + step for step in (28, -28, 4, -4, 0, 0)]  # chi-square 8.0
    # the tail of chi-square with five degrees of freedom at 8.0, from tables
    assert equal_chances_p(uneven) == pytest.approx(0.15624, abs=0.002)


def test_exact_p_that_would_take_too_long_is_not_told() -> None:
    assert equal_chances_p([10_000, 0, 0, 0, 0, 0]) is None


@pytest.mark.parametrize(("count", "rolls"), [(0, 0), (0, 9), (3, 9), (9, 9), (4, 10)])
def test_exact_p_of_one_face_equals_plain_counting(count: int, rolls: int) -> None:
    off = abs(6 * count - rolls)
    plain = sum(
        Fraction(math.comb(rolls, other) * 5 ** (rolls - other), 6**rolls)
        for other in range(rolls + 1)
        if abs(6 * other - rolls) >= off
    )
    assert one_chance_p(count, rolls, 6) == pytest.approx(float(plain), abs=1e-12)


def test_evidence_cannot_be_expected_to_grow_with_a_fair_die() -> None:
    for before in ([], [0], [0, 0, 5], [1, 2, 3, 3, 3]):
        means = []
        for face in range(6):
            seen = Evidence(SIX)
            for other in before:
                seen.see(other)
            value = seen.now
            seen.see(face)
            means.append(seen.now)
        assert sum(means) / 6 == pytest.approx(value)


def test_fair_dice_are_called_unfair_no_more_often_than_said() -> None:
    random = Random(1)
    histories, looks, alarms = 2000, 500, 0
    for _ in range(histories):
        seen = Evidence(SIX)
        for _ in range(looks):
            seen.see(random.randrange(6))
        alarms += seen.most >= 20
    assert 0 < alarms <= 0.05 * histories


def test_loaded_die_is_seen_about_as_often_as_said() -> None:
    random, seen = Random(2), 0
    rolls = rolls_to_see(SIX, LOADED, 20)
    for _ in range(100):
        evidence = Evidence(SIX)
        for face in random.choices(range(6), LOADED, k=rolls):
            evidence.see(face)
        seen += evidence.most >= 20
    assert 70 <= seen <= 95


def test_evidence_depends_on_the_counts_alone() -> None:
    random = Random(3)
    fallen = random.choices(range(6), LOADED, k=700)
    one, other = Evidence(SIX), Evidence(SIX)
    for face in fallen:
        one.see(face)
    for face in sorted(fallen):
        other.see(face)
    assert one.now == pytest.approx(other.now)
    assert math.log(one.now) == pytest.approx(log_evidence(SIX, one.counts))


def test_evidence_without_end_stays_a_number() -> None:
    seen = Evidence(SIX)
    for _ in range(2000):
        seen.see(0)
    assert seen.now <= seen.most < math.inf


@pytest.mark.parametrize(("count", "rolls"), [(0, 0), (0, 30), (30, 30), (9, 40)])
def test_interval_holds_the_chances_with_too_little_evidence(
    count: int, rolls: int
) -> None:
    low, high = interval(count, rolls, 1 / 6, 0.05)
    assert 0 <= low <= (count / rolls if rolls else 1 / 6) <= high <= 1
    fair = Evidence((1 / 6, 5 / 6))
    for side in [0] * count + [1] * (rolls - count):
        fair.see(side)
    assert (low < 1 / 6 < high) == (fair.now < 20)


def test_intervals_hold_the_truth_at_every_look() -> None:
    random, out = Random(4), 0
    for _ in range(60):
        count, missed = 0, False
        for rolls in range(1, 101):
            count += random.random() < 0.3
            if rolls % 5 == 0:
                low, high = interval(count, rolls, 1 / 6, 0.1)
                missed |= not low <= 0.3 <= high
        out += missed
    assert out <= 6


def whole(random: Random, loaded: int | None = None) -> Throw:
    """A throw of the nine dice; a loaded one shows its first face half the time."""
    faces = [
        die[0] if place == loaded and random.random() < 0.5 else random.choice(die)
        for place, die in enumerate(DICE)
    ]
    return Throw(tuple(faces), whole=True)


def test_loaded_die_is_named_and_the_others_are_not() -> None:
    random = Random(5)
    report = fairness(REFERENCE, [whole(random, 3) for _ in range(150)])
    assert [die.name for die in report.suspects] == ["die 4"]
    assert report.unfair
    loaded = report.dice[3]
    assert loaded.faces[0].low > 1 / 6
    assert loaded.anytime_p < 0.05 / 9
    assert report.enough_each == pytest.approx(180)


def test_fair_dice_are_not_suspected() -> None:
    random = Random(6)
    report = fairness(REFERENCE, [whole(random) for _ in range(300)])
    assert not report.unfair
    assert report.throws == 300
    for die in report.dice:
        assert die.rolls == sum(face.count for face in die.faces) == 300
        assert die.exact_p is not None
        assert all(face.low < 1 / 6 < face.high for face in die.faces)
        assert len(die.way) <= 202
        assert die.way[-1] == (300, die.evidence)


def test_evidence_against_the_set_is_the_mean_over_its_dice() -> None:
    random = Random(7)
    report = fairness(REFERENCE, [whole(random) for _ in range(50)])
    mean = sum(die.evidence for die in report.dice) / 9
    assert report.evidence == pytest.approx(mean)
    assert report.most >= report.evidence


def test_faces_are_judged_by_whole_throws_if_the_layout_is_not_known() -> None:
    random = Random(8)
    throws = [whole(random, 3) for _ in range(200)]
    part = Throw(throws[0].faces[:4], whole=False)
    report = fairness(bundled_dice_set("square-shooters"), [*throws, part])
    assert (report.by, report.throws, report.left_out) == ("face", 200, 1)
    assert len(report.dice) == 54
    suspects = {die.name for die in report.suspects}
    assert LAYOUT[3][0] in suspects <= set(LAYOUT[3])
    assert {die.rolls for die in report.dice} == {200}


def test_poker_dice_are_judged_together() -> None:
    dice = bundled_dice_set("poker-dice")
    throws = [Throw(dice.faces[:5], whole=True), Throw(dice.faces[:2], whole=False)]
    report = fairness(dice, throws)
    assert (report.by, len(report.dice), report.dice[0].rolls) == ("set", 1, 7)


def test_squint_die_has_three_faces_in_three() -> None:
    dice = bundled_dice_set("squint-die")
    report = fairness(dice, [Throw((dice.faces[0],), whole=True)] * 12)
    (die,) = report.dice
    assert [face.chance for face in die.faces] == pytest.approx([1 / 3] * 3)
    assert die.exact_p == pytest.approx(3 / 3**12)


def test_no_throw_says_nothing() -> None:
    report = fairness(REFERENCE, [])
    assert not report.unfair
    assert all(die.evidence == 1 and die.exact_p == 1 for die in report.dice)


@pytest.mark.parametrize(
    ("faces", "dice_set"),
    [
        pytest.param(DICE[0][:2], REFERENCE, id="two-of-one-die"),
        pytest.param((DICE[0][0],) * 2, REFERENCE, id="a-face-twice"),
        pytest.param(DICE[0][:1], bundled_dice_set("poker-dice"), id="other-dice"),
        pytest.param(
            bundled_dice_set("poker-dice").faces, bundled_dice_set("poker-dice"), id="6"
        ),
    ],
)
def test_impossible_throw_is_named(
    faces: tuple[object, ...], dice_set: DiceSet
) -> None:
    throw = Throw(faces, whole=False)  # type: ignore[arg-type]  # faces all
    with pytest.raises(FairnessError, match="throw 2: "):
        fairness(dice_set, [Throw((), whole=False), throw])


@pytest.mark.parametrize("alpha", [0.0, 1.0, -1.0, math.nan])
def test_alpha_is_a_chance(alpha: float) -> None:
    with pytest.raises(FairnessError, match="alpha must be between 0 and 1"):
        fairness(REFERENCE, [], alpha)


def test_kept_dice_were_not_rolled() -> None:
    first = [die[0] for die in LAYOUT]
    second = [*first[:2], *(die[1] for die in LAYOUT[2:])]
    play = played(
        "best_hand",
        start("Ann", "Bob", layout=LAYOUT),
        roll(" ".join(first)),
        keep(0, 1),
        roll(" ".join(second)),
        roll(" ".join(first)),  # without a selection all dice are rolled (CM-21)
        STOP,
        roll(" ".join(second)),
        do("undo"),
        roll(" ".join(first)),
        do("correct", roll=3, faces=second),
    )
    throws = throws_of(play)
    assert [(len(throw.faces), throw.whole) for throw in throws] == [
        (9, True),
        (7, False),
        (9, True),
        (9, True),
    ]
    assert [face.code for face in throws[3].faces] == second
    report = fairness(REFERENCE, throws)
    assert [die.rolls for die in report.dice] == [3, 3] + [4] * 7


def test_every_toss_of_war_is_a_die_rolled() -> None:
    play = played(
        "war",
        start("Ann", "Bob"),
        do("toss", player="Ann", face="RJ"),
        do("toss", player="Ann", face="KH"),
        do("toss", player="Bob", face="QS"),
    )
    assert [throw.faces[0].code for throw in throws_of(play)] == ["RJ", "KH", "QS"]
    assert not any(throw.whole for throw in throws_of(play))
