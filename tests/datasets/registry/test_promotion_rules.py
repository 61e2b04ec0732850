"""What the rules of promotion say of counted differences."""

from __future__ import annotations

from dataclasses import replace

import pytest

from datasets.registry.contest import Bout, Side
from datasets.registry.paired import Finding
from datasets.registry.rules import CAPTURED, HELD_OUT, Check, compare, speed

GOOD = Side((True,) * 9, roll=True, wrong_sure=False, asked=False, elapsed_ms=50.0)
MISREAD = Side((True,) * 8 + (False,), False, False, True, 50.0)
DECEIVED = replace(MISREAD, wrong_sure=True, asked=False)
ASKED = replace(GOOD, asked=True)
OTHER = Side((True,) * 8, None, False, None, 50.0)


def bouts(*groups: tuple[int, Side, Side]) -> list[Bout]:
    return [
        Bout(f"{k}-{n}", current, candidate)
        for k, (count, current, candidate) in enumerate(groups)
        for n in range(count)
    ]


def found(*groups: tuple[int, Side, Side]) -> dict[str, Check]:
    checks = compare(bouts(*groups), HELD_OUT, "rolls")
    return {check.name.partition(",")[0]: check for check in checks}


def test_equal_models_pass_with_enough_pictures() -> None:
    checks = found((300, GOOD, GOOD), (40, MISREAD, MISREAD))
    assert all(check.passed for check in checks.values())
    assert "340 pictures" in checks["rolls right"].sentence


@pytest.mark.parametrize(
    ("candidate", "names"),
    [
        (MISREAD, {"faces right", "rolls right", "asked"}),
        (DECEIVED, {"faces right", "rolls right", "wrong while sure"}),
        (ASKED, {"asked"}),
    ],
    ids=["misreads", "overconfident", "asks-more"],
)
def test_worse_model_fails_just_where_it_is_worse(
    candidate: Side, names: set[str]
) -> None:
    checks = found((500, GOOD, GOOD), (90, GOOD, candidate))
    worse = {n for n, check in checks.items() if check.finding is Finding.WORSE}
    assert worse == names


def test_better_model_passes_with_few_pictures() -> None:
    checks = found((60, DECEIVED, GOOD), (20, ASKED, GOOD))
    assert checks["faces right"].passed
    assert checks["wrong while sure"].passed


def test_many_pictures_do_not_thin_out_mistakes_while_sure() -> None:
    """9 in 6,000 are far below the margin, and yet no chance."""
    check = found((6000, GOOD, GOOD), (9, ASKED, DECEIVED))["wrong while sure"]
    assert check.finding is Finding.WORSE
    assert "9 of 6009 rolls for the candidate only" in check.sentence
    # as many that only the current models have may well be chance
    both = found((6000, GOOD, GOOD), (9, ASKED, DECEIVED), (8, DECEIVED, ASKED))
    assert both["wrong while sure"].passed


def test_rolls_that_must_not_be_sure_count_for_that_alone() -> None:
    sure = replace(OTHER, wrong_sure=True)
    checks = found((300, GOOD, GOOD), (30, OTHER, sure))
    assert checks["wrong while sure"].finding is Finding.WORSE
    assert checks["rolls right"].passed
    assert dict(checks["rolls right"].figures)["counted"] == 300


def test_labels_that_tell_too_little_decide_nothing() -> None:
    unknown = Side((), None, None, None, 50.0)
    checks = found((500, unknown, unknown))
    assert all(check.finding is Finding.OPEN for check in checks.values())


def test_captured_rolls_decide_with_fewer() -> None:
    rows = bouts((100, GOOD, GOOD))
    assert all(check.passed for check in compare(rows, CAPTURED, "captured rolls"))
    assert not all(check.passed for check in compare(rows, HELD_OUT, "rolls"))


@pytest.mark.parametrize(
    ("candidate_ms", "finding"),
    [
        (50.0, Finding.NOT_WORSE),
        (56.0, Finding.NOT_WORSE),
        (60.0, Finding.WORSE),
        (20.0, Finding.NOT_WORSE),
    ],
)
def test_speed_is_judged_by_the_median_of_pairs(
    candidate_ms: float, finding: Finding
) -> None:
    candidate = replace(GOOD, elapsed_ms=candidate_ms)
    slow = replace(GOOD, elapsed_ms=900.0)
    # a few pauses of the machine, in the readings of both, change nothing
    rows = bouts((40, GOOD, candidate), (4, slow, candidate), (4, GOOD, slow))
    assert speed(rows).finding is finding


def test_speed_of_few_pictures_decides_nothing() -> None:
    check = speed(bouts((5, GOOD, GOOD)))
    assert check.finding is Finding.OPEN
    assert check.sentence.startswith("not enough evidence")
