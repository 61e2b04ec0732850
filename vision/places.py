"""Where dice of any kind lie, whatever they show."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from vision.reading import DieReading, Problem, ProblemCode, Reading, Status
from vision.tray import Place

if TYPE_CHECKING:
    from vision.ports import BgrImage, Detector
    from vision.tray import Tray

ANY_DICE = "any-dice"
"""Name under which places are asked for and told, where others name a dice set."""

LEAST_SCORE = 0.25
"""Of 1,063 real pip dice that were lessons for later models, the first detector found
99.2 % with this, and 99.2 % of what it told was one."""


class PlaceReader:
    """Tells the places of all dice in a picture and reads none of them.

    Args:
        detector: finds the top faces.
        least_score: sightings below are not told, 0..1.
    """

    def __init__(self, detector: Detector, least_score: float = LEAST_SCORE) -> None:
        self.detector, self.least_score = detector, least_score
        self.tray: Tray | None = None
        """Dice outside are not told; None for the whole picture."""

    def read(self, image: BgrImage) -> Reading:
        """Find the dice of a picture.

        Args:
            image: (H, W, 3) uint8 BGR.

        Returns:
            Dice from top to bottom, every face None; the confidence of a die is that of
            its place, that of the reading the least of them. Nothing is ever sure: no
            roll was read.

        Raises:
            TrayError: the tray was set in a picture of another shape.
        """
        found = [
            sighting
            for sighting in self.detector.detect(image)
            if sighting.score >= self.least_score
        ]
        if self.tray is not None:
            tray = self.tray.fitted(image.shape[1], image.shape[0])
            found = [
                sighting
                for sighting in found
                if tray.place_of(np.array(sighting.quad)) is not Place.OUTSIDE
            ]
        found.sort(key=lambda sighting: min(y for _, y in sighting.quad))
        dice = tuple(
            DieReading(face=None, confidence=sighting.score, quad=sighting.quad)
            for sighting in found
        )
        problems: tuple[Problem, ...] = ()
        if not dice:
            problems = (Problem(ProblemCode.NO_DICE, "There are no dice to be seen"),)
        return Reading(
            dice_set=ANY_DICE,
            status=Status.ASK if dice else Status.REFUSE,
            confidence=min((die.confidence for die in dice), default=0.0),
            dice=dice,
            problems=problems,
            model=self.detector.name,
        )
