"""Dice that look like one face now and like another then: asked, whatever they sum to.

Noise makes a reading waver; a reading that is scored must not. If single frames of one
rest are each convinced of another face, the sum of them is no ground to be sure.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import hypot
from typing import TYPE_CHECKING

import numpy as np

from vision.decode import beliefs
from vision.fuse import follow_dice
from vision.reading import Alternative, Problem, ProblemCode, Status

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoring.cards import Face
    from scoring.dice_sets import DiceSet
    from vision.face_reading import Evidence
    from vision.reading import DieReading, Point, Quad, Reading

CONVINCED = 0.5
"""A frame speaks for a face that it gives at least this probability."""


@dataclass(frozen=True, slots=True)
class Wavering:
    """A die of which frames of one rest say different things.

    Attributes:
        centre: where it lies, pixels.
        side_px: its size.
        faces: each face that some frame is convinced of, with the mean probability
            over the frames, the likeliest first; at least two.
    """

    centre: Point
    side_px: float
    faces: tuple[tuple[Face, float], ...]


def wavering_dice(
    looks: Sequence[tuple[Evidence, ...]], dice_set: DiceSet
) -> tuple[Wavering, ...]:
    """Find the dice that change their face from look to look.

    Args:
        looks: evidence of each frame of one rest.
        dice_set: which faces there are; being no face at all is not a face.
    """
    found = []
    for track in follow_dice(looks) if len(looks) > 1 else ():
        held = beliefs(tuple(track.looks), dice_set)
        p = np.exp(held.log_p) * (1 - held.none)[:, None]
        best = {int(row.argmax()) for row in p if row.max() >= CONVINCED}
        if len(best) < 2:
            continue
        mean = p.mean(axis=0)
        order = sorted(best, key=lambda k: -float(mean[k]))
        x, y = (float(v) for v in track.centre)
        faces = tuple((held.faces[k], float(mean[k])) for k in order)
        found.append(Wavering((x, y), track.looks[-1].side_px, faces))
    return tuple(found)


def ask_about(reading: Reading, wavering: Sequence[Wavering]) -> Reading:
    """Ask about the dice that waver, offering all that they looked like.

    Args:
        reading: decided from all looks.
        wavering: of the same looks; those that are no dice of the reading are ignored.
    """
    dice = list(reading.dice)
    places = []
    for one in wavering:
        place = _place_of(one, reading)
        if place is not None:
            places.append(place)
            dice[place] = _offering(dice[place], one)
    if not places:
        return reading
    first = dice[places[0]]
    shown = [first.face, *(other.face for other in first.alternatives)][:2]
    names = " and ".join(face.code for face in shown if face is not None)
    words = f"One die looks like {names} in turn"
    if len(places) > 1:
        words = f"{len(places)} dice look like one face now and like another then"
    problem = Problem(ProblemCode.UNSTEADY_DIE, words, tuple(sorted(places)))
    return replace(
        reading,
        dice=tuple(dice),
        status=Status.ASK if reading.status is Status.SURE else reading.status,
        problems=(*reading.problems, problem),
    )


def _place_of(one: Wavering, reading: Reading) -> int | None:
    """The die of the reading that it is."""
    apart = [
        hypot(x - one.centre[0], y - one.centre[1])
        for x, y in (_middle(die.quad) for die in reading.dice)
    ]
    if not apart or min(apart) > one.side_px / 2:
        return None
    return apart.index(min(apart))


def _offering(die: DieReading, one: Wavering) -> DieReading:
    """The die with the faces it looked like first among its alternatives."""
    seen = [Alternative(face, p) for face, p in one.faces if face != die.face]
    named = {other.face for other in seen}
    rest = [other for other in die.alternatives if other.face not in named]
    return replace(die, alternatives=(*seen, *rest))


def _middle(quad: Quad) -> Point:
    return sum(x for x, _ in quad) / 4, sum(y for _, y in quad) / 4
