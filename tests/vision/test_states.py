"""Every state of a roll is told, in pictures, by the models that come with Tableside.

The pictures are drawn by `tests/support/state_pictures.py`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from scoring.dice_sets import bundled_dice_set
from vision.overlap import iou
from vision.reader import RollReader, load_reader
from vision.reading import DieReading, DieState, ProblemCode, Reading, Status

PICTURES = Path(__file__).parent / "pictures"
TRUTH: dict[str, list[dict[str, Any]]] = {
    Path(one["image"]).stem: one["dice"]
    for one in json.loads((PICTURES / "truth.json").read_text("utf-8"))
}


@pytest.fixture(scope="module")
def reader() -> RollReader:
    return load_reader(bundled_dice_set("square-shooters"), threads=1)


def read(reader: RollReader, name: str) -> Reading:
    image = cv2.imread(str(PICTURES / f"{name}.jpg"))
    assert image is not None
    return reader.read(image.astype(np.uint8))


def codes(reading: Reading) -> set[ProblemCode]:
    return {problem.code for problem in reading.problems}


def odd_die(reading: Reading, name: str) -> DieReading | None:
    """What is said of the die that is odd: the first one of the picture."""
    quad = np.array(TRUTH[name][0]["quad"])
    best = max(
        reading.dice, key=lambda die: iou(np.array(die.quad), quad), default=None
    )
    return best if best and iou(np.array(best.quad), quad) > 0.3 else None


def test_ordinary_roll_is_read_and_nothing_told(reader: RollReader) -> None:
    reading = read(reader, "ordinary")
    assert reading.problems == ()
    assert reading.status is Status.SURE
    told = {die.face.code for die in reading.dice if die.face}
    assert told == {die["face"] for die in TRUTH["ordinary"]}


@pytest.mark.parametrize(
    ("name", "code", "state"),
    [
        ("cocked", ProblemCode.COCKED_DIE, DieState.COCKED),
        ("cocked_a_little", ProblemCode.COCKED_DIE, DieState.COCKED),
        ("hidden", ProblemCode.HIDDEN_DIE, DieState.HIDDEN_PART),
        ("cut", ProblemCode.HIDDEN_DIE, DieState.HIDDEN_PART),
    ],
)
def test_odd_die_is_told_if_it_is_found(
    reader: RollReader, name: str, code: ProblemCode, state: DieState
) -> None:
    reading = read(reader, name)
    assert reading.status is not Status.SURE
    die = odd_die(reading, name)
    if die is None:  # then one is missing, and that is told
        assert ProblemCode.TOO_FEW_DICE in codes(reading)
    else:
        assert die.state is state
        assert code in codes(reading)


def test_die_on_another_is_told_or_the_one_below_missed(reader: RollReader) -> None:
    reading = read(reader, "stacked")
    assert reading.status is not Status.SURE
    told = codes(reading)
    assert told & {ProblemCode.STACKED_DIE, ProblemCode.TOO_FEW_DICE}


@pytest.mark.parametrize(
    ("name", "code", "count"),
    [
        ("eight", ProblemCode.TOO_FEW_DICE, 8),
        ("ten", ProblemCode.TOO_MANY_DICE, 10),
        ("empty", ProblemCode.NO_DICE, 0),
    ],
)
def test_wrong_number_is_refused(
    reader: RollReader, name: str, code: ProblemCode, count: int
) -> None:
    reading = read(reader, name)
    assert reading.status is Status.REFUSE
    assert code in codes(reading)
    assert len(reading.dice) == count


@pytest.mark.parametrize(
    ("name", "code", "advice"),
    [
        ("dark", ProblemCode.TOO_DARK, "light the table"),
        ("glare", ProblemCode.OVEREXPOSED, "lamp"),
        ("motion", ProblemCode.BLURRED, "stand still"),
        ("defocus", ProblemCode.BLURRED, "focus the camera"),
        ("far", ProblemCode.DICE_TOO_SMALL, "of its distance"),
    ],
)
def test_bad_picture_is_told_with_what_to_do(
    reader: RollReader, name: str, code: ProblemCode, advice: str
) -> None:
    reading = read(reader, name)
    assert reading.status is not Status.SURE
    assert code in codes(reading)
    sentence = next(p.sentence for p in reading.problems if p.code is code)
    assert advice in sentence


def test_pictures_are_small() -> None:
    sizes = [path.stat().st_size for path in PICTURES.glob("*.jpg")]
    assert len(sizes) == len(TRUTH)
    assert max(sizes) <= 60_000
    assert sum(sizes) <= 600_000
