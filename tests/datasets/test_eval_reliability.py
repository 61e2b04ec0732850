"""Reliability, strictness and the curve over sizes, on answers made to measure."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from labelled_sets import reading

from datasets.eval_charts import Line, Point, nines, share_chart
from datasets.eval_labels import LabelledPicture
from datasets.eval_reliability import BIN_EDGES, reliability, strictness
from datasets.eval_results import PictureResult, RollKind, Verdict
from datasets.eval_sizes import size_curve
from vision.reading import ProblemCode, Status


def result(
    confidence: float,
    right: bool,
    status: Status = Status.SURE,
    problems: tuple[ProblemCode, ...] = (),
    size_px: float = 40.0,
) -> PictureResult:
    picture = LabelledPicture("a.jpg", Path("a.jpg"), 640, 360, ())
    wrong_sure = status is Status.SURE and not right
    return PictureResult(
        picture=picture,
        status=status,
        reading=reading("AS", status, confidence, problems=problems),
        verdict=Verdict(RollKind.ORDINARY, right, wrong_sure),
        dice=(),
        size_px=size_px,
    )


def test_nothing_claimed_is_nothing_measured() -> None:
    nothing = reliability([])
    assert (nothing.bins, nothing.ece, nothing.brier) == ((), None, None)


def test_claims_that_come_true_have_no_error() -> None:
    answers = [(0.75, hit) for hit in (True, True, True, False)] * 5
    measured = reliability(answers)
    assert measured.ece == pytest.approx(0)
    assert measured.brier == pytest.approx(0.75 * 0.25)
    (one,) = measured.bins
    assert (one.low, one.high, one.right.hits, one.right.total) == (0.7, 0.8, 15, 20)


def test_too_much_trust_is_an_error() -> None:
    measured = reliability([(1.0, True), (1.0, False), (0.6, False), (0.0, False)])
    # the bins: half of two that claimed 1, none of one at 0.6, none of one at 0
    assert measured.ece == pytest.approx((2 * 0.5 + 0.6 + 0.0) / 4)
    assert measured.brier == pytest.approx((1 + 0.36) / 4)


@pytest.mark.parametrize("edge", BIN_EDGES)
def test_every_claim_falls_into_one_bin(edge: float) -> None:
    measured = reliability([(edge, True)])
    (only,) = measured.bins
    assert only.low <= edge <= only.high
    assert only.low == edge or edge == 1


def test_calibrated_chance_has_a_small_error() -> None:
    chance = np.random.default_rng(3)
    claims = chance.uniform(0, 1, 20_000)
    answers = [(float(p), bool(chance.random() < p)) for p in claims]
    measured = reliability(answers)
    assert measured.ece is not None
    assert measured.ece < 0.01
    shy = reliability([(p / 2, hit) for p, hit in answers])
    assert shy.ece == pytest.approx(0.25, abs=0.02)


def test_a_stricter_limit_makes_fewer_sure() -> None:
    doubtful, small = ProblemCode.DOUBTFUL_DIE, ProblemCode.DICE_TOO_SMALL
    results = [
        result(0.995, True),
        result(0.985, False),
        result(0.96, True, Status.ASK, (doubtful,)),
        result(0.999, True, Status.ASK, (small,)),
        result(0.9, False, Status.REFUSE),
    ]
    steps = {step.least: step for step in strictness(results)}
    counted = {
        least: (steps[least].sure.hits, steps[least].wrong.hits)
        for least in (0.5, 0.97, 0.99, 0.999)
    }
    # what is too small or refused is never sure, whatever its confidence
    assert counted == {0.5: (3, 1), 0.97: (2, 1), 0.99: (1, 0), 0.999: (0, 0)}
    assert all(step.sure.total == 5 for step in steps.values())


def test_pictures_are_sorted_by_the_size_of_their_dice() -> None:
    ask = Status.ASK
    results = [
        result(0.9, False, ask, size_px=20),
        result(0.9, True, ask, size_px=40.0),
        result(0.99, True, size_px=44.9),
        result(0.99, False, size_px=120),
    ]
    small, middle, large = size_curve(results)
    assert (small.low_px, small.high_px, small.pictures) == (0, 24, 1)
    assert (middle.low_px, middle.high_px, middle.pictures) == (40, 45, 2)
    assert (large.low_px, large.high_px, large.pictures) == (90, None, 1)
    assert middle.middle_px == pytest.approx(42.45)
    assert (middle.asked.hits, middle.asked.total) == (1, 2)
    assert (middle.rolls_right.hits, large.wrong_sure.hits) == (2, 1)


def test_scale_of_nines_puts_them_equally_far_apart() -> None:
    places = [nines(p) for p in (0.0, 0.9, 0.99, 0.999, 1.0)]
    assert places[0] == 0
    assert np.diff(places[:4]) == pytest.approx([places[1]] * 3)
    assert places[-1] == 1 == nines(1 - 1e-9)


def test_chart_stays_inside_its_frame() -> None:
    points = (Point(20, 0.6, 0.0, 1.0, "a < b"), Point(90, 1.0, 0.9, 1.0, "c"))
    drawing = str(share_chart([Line("good", points)], 'say "so"', "px", (20, 90)))
    heights = [
        float(word.split('"')[1])
        for word in drawing.replace("<", " ").split()
        if word.startswith(("y1=", "y2=", "cy="))
    ]
    assert heights
    assert all(0 <= height <= 250 for height in heights)
    assert "a &lt; b" in drawing
    assert "say &#34;so&#34;" in drawing
