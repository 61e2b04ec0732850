"""The places of dice of any kind, with nothing read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from vision.places import ANY_DICE, LEAST_SCORE, PlaceReader
from vision.reading import ProblemCode, Sighting, Status
from vision.tray import Tray

if TYPE_CHECKING:
    from vision.ports import BgrImage

PICTURE: BgrImage = np.zeros((100, 200, 3), np.uint8)


class Told:
    """A detector that says what it was told to say."""

    name = "told@1"

    def __init__(self, *scores: float) -> None:
        self._scores = scores

    def detect(self, image: BgrImage) -> tuple[Sighting, ...]:
        return tuple(
            Sighting(
                ((10.0, y), (30.0, y), (30.0, y + 20), (10.0, y + 20)),
                score,
            )
            for score, y in zip(self._scores, (60.0, 10.0, 35.0), strict=False)
        )


def test_no_dice_is_refused() -> None:
    reading = PlaceReader(Told()).read(PICTURE)
    assert reading.status is Status.REFUSE
    assert [problem.code for problem in reading.problems] == [ProblemCode.NO_DICE]
    assert reading.confidence == 0


def test_places_are_told_from_top_to_bottom_and_never_sure() -> None:
    reading = PlaceReader(Told(0.9, 0.8, 0.7)).read(PICTURE)
    assert reading.dice_set == ANY_DICE
    assert reading.status is Status.ASK
    assert [die.quad[0][1] for die in reading.dice] == [10.0, 35.0, 60.0]
    assert [die.confidence for die in reading.dice] == [0.8, 0.7, 0.9]
    assert all(die.face is None for die in reading.dice)
    assert reading.confidence == pytest.approx(0.7)
    assert reading.model == "told@1"


def test_dice_outside_the_tray_are_not_told() -> None:
    reader = PlaceReader(Told(0.9, 0.8, 0.7))
    corners = ((0.0, 0.0), (200.0, 0.0), (200.0, 57.0), (0.0, 57.0))
    reader.tray = Tray(corners, 200, 100)
    assert [die.quad[0][1] for die in reader.read(PICTURE).dice] == [10.0, 35.0]


def test_weak_sightings_are_no_dice() -> None:
    reading = PlaceReader(Told(LEAST_SCORE - 0.01, LEAST_SCORE)).read(PICTURE)
    assert [die.confidence for die in reading.dice] == [LEAST_SCORE]
