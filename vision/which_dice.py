"""Which sightings are dice of the roll; the number of dice settles close calls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from vision.lie import lies_of

if TYPE_CHECKING:
    from vision.decode import Beliefs
    from vision.face_reading import Evidence
    from vision.limits import Limits


@dataclass(frozen=True, slots=True)
class Chosen:
    """Places of sightings, by what they are taken for.

    Attributes:
        dice: dice with a face, the surest first.
        perhaps: what may be a die that cannot be read, the likeliest first.
    """

    dice: tuple[int, ...]
    perhaps: tuple[int, ...]


def choose_dice(
    evidence: tuple[Evidence, ...], held: Beliefs, wanted: int, limits: Limits
) -> Chosen:
    """Choose the dice among all sightings.

    Args:
        evidence: all sightings.
        held: beliefs about them, in the same order.
        wanted: how many dice belong to a roll.
        limits: where doubt begins.
    """
    dice = _dice_among(evidence, held, wanted, limits)
    perhaps = sorted(
        (
            k
            for k in range(len(evidence))
            if limits.certainly_none < held.none[k] < limits.perhaps_none
            and evidence[k].score >= limits.weak_score
        ),
        key=lambda k: held.none[k],
    )
    missing = max(0, wanted - len(dice))
    return Chosen(tuple(dice), tuple(perhaps[:missing]))


def _dice_among(
    evidence: tuple[Evidence, ...], held: Beliefs, wanted: int, limits: Limits
) -> list[int]:
    faces = [k for k in range(len(evidence)) if held.none[k] <= limits.certainly_none]
    faces.sort(key=lambda k: -evidence[k].score)
    strong = [k for k in faces if evidence[k].score >= limits.weak_score]
    if len(strong) > wanted:
        strong = _alike_in_size(strong, evidence, limits)
    while len(strong) > wanted and evidence[strong[-1]].score < limits.faint_score:
        strong.pop()
    if len(strong) > wanted:
        strong = _upright(strong, evidence, wanted, limits)
    if len(strong) < limits.least_strong * wanted:
        return strong
    return strong + [k for k in faces if k not in strong][: wanted - len(strong)]


def _alike_in_size(
    places: list[int], evidence: tuple[Evidence, ...], limits: Limits
) -> list[int]:
    """Those that are about as large as the middle one."""
    middle = float(np.median([evidence[k].side_px for k in places]))
    odd = limits.odd_size
    return [k for k in places if middle / odd < evidence[k].side_px < middle * odd]


def _upright(
    places: list[int], evidence: tuple[Evidence, ...], wanted: int, limits: Limits
) -> list[int]:
    """Without the most certain print and sides of dice, as long as there are too many.

    A die never rests at half a right angle or more against the table: whatever stands
    so is the side of a die whose top is another sighting.
    """
    lies = dict(
        zip(places, lies_of([evidence[k] for k in places], limits), strict=True)
    )
    odd = [
        k
        for k in places
        if lies[k].foot_off > limits.odd_foot or lies[k].printed > limits.printed
    ]
    odd.sort(key=lambda k: -lies[k].foot_off)
    gone = set(odd[: len(places) - wanted])
    return [k for k in places if k not in gone]
