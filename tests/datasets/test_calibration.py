"""Limits of doubt: chosen so that the promised rate holds, checked on other rolls."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pytest

from datasets.calibration import Observed, fit_temperature
from datasets.eval_labels import LabelledDie, LabelledPicture
from datasets.intervals import clopper_pearson
from datasets.risk_control import (
    Risk,
    Share,
    Told,
    calibrate,
    judged,
    lowest_level,
    risk_of,
)
from datasets.shards import DataSetError
from scoring.cards import ALL_FACES
from scoring.dice_sets import bundled_dice_set
from vision.classes import TURNS
from vision.errors import ModelError
from vision.face_reading import FACES, Evidence
from vision.limits import SHIPPED
from vision.limits_file import CALIBRATED, FILE_NAME, limits_record, read_limits
from vision.reading import DieState

if TYPE_CHECKING:
    from vision.reader import RollReader

CARD_DICE = bundled_dice_set("square-shooters")
GOOD = {name: 0.9 for name in CALIBRATED}
MODELS = {"detector": "d@1", "faces": "f@1"}


@pytest.fixture(autouse=True)
def few_choices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("datasets.risk_control.CHOICES", {"sure_score": (0.6, 0.96)})


def reader() -> RollReader:
    """As much of a reader as deciding needs."""
    nobody = SimpleNamespace(name="d", detect=lambda image: ())
    faces = SimpleNamespace(name="f", crop_px=96)
    fake = SimpleNamespace(
        detector=nobody, faces=faces, dice_set=CARD_DICE, limits=SHIPPED, turns=4
    )
    return cast("RollReader", fake)


def observed(rng: np.random.Generator, boast: float, number: int) -> Observed:
    """Nine dice of which each is doubtful to its own degree.

    The right face has the probability that is stated only if `boast` is 1: with more
    the odds are stated to that power.
    """
    faces = rng.choice(54, 10, replace=False)
    evidence, dice = [], []
    for k in range(9):
        p_right = 1 - float(10 ** rng.uniform(-6, -1.3))
        right = rng.random() < p_right
        first, second = (faces[k], faces[9]) if right else (faces[9], faces[k])
        odds = np.array([p_right, 1 - p_right]) ** boast
        p = np.full((FACES, TURNS), 1e-9)
        p[first, 0], p[second, 0] = odds / odds.sum()
        p /= p.sum()
        x = 60.0 * k
        quad = np.array([[x, 0], [x + 40, 0], [x + 40, 40], [x, 40.0]])
        evidence.append(Evidence(quad, 0.95, np.log(p), float(np.log(1e-9))))
        corners = [(float(a) + 0.5, float(b) + 0.5) for a, b in quad]
        a, b, c, d = corners
        dice.append(
            LabelledDie(
                face=ALL_FACES[int(faces[k])],
                rank=None,
                quad=(a, b, c, d),
                box=None,
                state=DieState.FLAT,
            )
        )
    label = LabelledPicture(f"{number}.jpg", Path(), 640, 60, tuple(dice))
    return Observed(label, tuple(evidence), None, (640, 60))


def many(boast: float, count: int = 200) -> list[Observed]:
    rng = np.random.default_rng(7)
    return [observed(rng, boast, k) for k in range(count)]


@pytest.mark.parametrize("boast", [0.6, 1.0, 2.0])
def test_the_temperature_takes_back_what_was_boasted(boast: float) -> None:
    temperature, before, after = fit_temperature(many(boast, 150), CARD_DICE)
    assert temperature == pytest.approx(boast, rel=0.25)
    assert after <= before + 1e-12
    if boast != 1.0:
        assert after < before - 0.001


def test_the_promised_rate_holds_on_rolls_that_had_no_say() -> None:
    pictures = many(3.0, 200)
    done = calibrate(reader(), pictures, 0.05, 0.0)
    assert done.chosen_on.bound <= 0.05
    checked = done.checked_on.ordinary
    assert checked.wrong <= 0.05 * checked.pictures
    assert checked.sure > 10
    assert done.together.ordinary.pictures == len(pictures)
    assert done.together.ordinary.sure == done.chosen_on.ordinary.sure + checked.sure
    # the limits that come with the program cannot promise as much
    careless = risk_of(judged(reader(), pictures, SHIPPED), 0.0, SHIPPED.sure_roll)
    assert careless.bound > 0.05


def test_a_stricter_rate_leaves_fewer_rolls_sure() -> None:
    pictures = many(1.0, 140)
    strict, loose = (calibrate(reader(), pictures, rate, 0.0) for rate in (0.06, 0.25))
    assert strict.limits.sure_roll > loose.limits.sure_roll
    assert strict.checked_on.ordinary.sure < loose.checked_on.ordinary.sure


def test_too_few_rolls_promise_nothing() -> None:
    with pytest.raises(DataSetError, match="too few"):
        calibrate(reader(), many(1.0, 40), 0.005, 0.0)


def test_disturbed_rolls_that_come_up_in_play_must_be_there() -> None:
    with pytest.raises(DataSetError, match="leans"):
        calibrate(reader(), many(1.0, 40), 0.1, 0.02)


def test_without_any_known_face_there_is_nothing_to_fit() -> None:
    with pytest.raises(DataSetError, match="no die with a known face"):
        fit_temperature([], CARD_DICE)


def test_the_bound_weighs_both_kinds_by_how_often_they_come_up() -> None:
    plain, other = Share(1000, 500, 1), Share(100, 40, 30)
    high = clopper_pearson(1, 1000, 0.95)[1]
    low = clopper_pearson(30, 100, 0.95)[1]
    assert Risk(plain, other, 0.1).bound == pytest.approx(0.9 * high + 0.1 * low)
    assert Risk(plain, other, 0.0).bound == clopper_pearson(1, 1000, 0.9)[1]


def told(*, wrong_at: set[int], other_at: set[int], count: int = 1000) -> list[Told]:
    """Rolls in falling order of confidence."""
    return [
        Told(True, 1 - k / count, k in wrong_at, k not in other_at)
        for k in range(count)
    ]


def test_the_level_is_the_last_before_the_promise_breaks() -> None:
    rolls = told(wrong_at=set(range(400, 1000, 7)), other_at=set())
    level = lowest_level(rolls, 0.02, 0.0)
    assert level is not None
    wrong = [one.wrong for one in rolls if one.confidence >= level]
    assert clopper_pearson(sum(wrong), 1000, 0.9)[1] <= 0.02
    assert clopper_pearson(sum(wrong) + 1, 1000, 0.9)[1] > 0.02


def test_mistakes_at_the_top_promise_nothing() -> None:
    assert (
        lowest_level(told(wrong_at={0}, other_at=set(), count=100), 0.02, 0.0) is None
    )


def test_disturbed_rolls_weigh_as_often_as_they_come_up() -> None:
    every_fifth = set(range(0, 1000, 5))
    rolls = told(wrong_at=every_fifth, other_at=every_fifth)
    rare, often = (lowest_level(rolls, 0.02, share) for share in (0.02, 0.2))
    assert rare is not None
    assert often is not None
    assert rare < often


def write(folder: Path, change: dict[str, Any]) -> None:
    limits = replace(SHIPPED, temperature=1.3, sure_roll=0.985, sure_score=0.45)
    record = limits_record(limits, MODELS, {"rate": 0.005})
    (folder / FILE_NAME).write_text(json.dumps({**record, **change}))


def test_limits_are_read_back_for_the_models_they_were_made_for(tmp_path: Path) -> None:
    write(tmp_path, {})
    limits = read_limits(tmp_path, MODELS)
    assert (limits.temperature, limits.sure_roll) == (1.3, 0.985)
    assert limits.odd_size == SHIPPED.odd_size


def test_limits_for_other_models_are_refused(tmp_path: Path) -> None:
    write(tmp_path, {})
    with pytest.raises(ModelError, match=r"d@1.*d@2.*calibrate"):
        read_limits(tmp_path, {"detector": "d@2", "faces": "f@1"})


@pytest.mark.parametrize(
    "change",
    [
        {"limits": {}},
        {"limits": None},
        {"models": 3},
        {"limits": {**GOOD, "temperature": 0}},
        {"limits": {**GOOD, "sure_roll": 1.5}},
        {"limits": {**GOOD, "covered": "much"}},
    ],
)
def test_malformed_limits_are_named(tmp_path: Path, change: dict[str, Any]) -> None:
    write(tmp_path, change)
    with pytest.raises(ModelError, match=FILE_NAME):
        read_limits(tmp_path, MODELS)


def test_without_a_file_the_programs_own_limits_hold(tmp_path: Path) -> None:
    assert read_limits(tmp_path, MODELS) == SHIPPED
