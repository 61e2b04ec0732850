"""Telling a new roll from dice that lie where they lay."""

from __future__ import annotations

from enum import StrEnum
from itertools import pairwise
from math import atan2, degrees, hypot
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vision.reading import DieReading, Point, Quad

STIRRED = 0.35
"""A die has moved if its centre has, by more than this share of its side ..."""
TWISTED_DEG = 25.0
"""... or if its edges have turned by more."""


class Change(StrEnum):
    """What happened to the dice between two times at rest."""

    NOTHING = "nothing"
    PICKED_UP = "picked_up"
    ROLLED = "rolled"


def change_of(before: tuple[DieReading, ...], after: tuple[DieReading, ...]) -> Change:
    """Compare dice at rest with those of an earlier rest.

    Equal places mean equal dice, whatever other light makes of their faces: a die that
    was thrown comes to rest elsewhere. Fewer dice than before that show some of the
    faces of before are those that a player keeps, even if they were pushed aside.

    Args:
        before: the earlier dice, in any order, quads in pixels.
        after: the later ones, from a picture of the same size; at least one.

    Returns:
        Nothing if each die lies as it lay; picked up if some are gone and the others
        lie as they lay or show what they showed; else rolled.
    """
    if len(after) < len(before) and _shown_before(before, after):
        return Change.PICKED_UP
    free = list(before)
    for die in after:
        same = next((other for other in free if _untouched(other, die)), None)
        if same is None:
            return Change.ROLLED
        free.remove(same)
    return Change.PICKED_UP if free else Change.NOTHING


def _shown_before(
    before: tuple[DieReading, ...], after: tuple[DieReading, ...]
) -> bool:
    """Whether all faces that can be read now were there before, as often as now."""
    free = [die.face for die in before]
    for die in after:
        if die.face is None:
            continue
        if die.face not in free:
            return False
        free.remove(die.face)
    return any(die.face is not None for die in after)


def _untouched(before: DieReading, after: DieReading) -> bool:
    (x0, y0), (x1, y1) = _centre(before.quad), _centre(after.quad)
    if hypot(x1 - x0, y1 - y0) > STIRRED * _side(after.quad):
        return False
    turn = (_angle_deg(after.quad) - _angle_deg(before.quad) + 45) % 90 - 45
    return abs(turn) <= TWISTED_DEG


def _centre(quad: Quad) -> Point:
    return sum(x for x, _ in quad) / 4, sum(y for _, y in quad) / 4


def _side(quad: Quad) -> float:
    corners = (*quad, quad[0])
    return sum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(corners)) / 4


def _angle_deg(quad: Quad) -> float:
    """Direction of the first edge; which edge is first does not matter modulo 90."""
    (x0, y0), (x1, y1) = quad[0], quad[1]
    return degrees(atan2(y1 - y0, x1 - x0))
