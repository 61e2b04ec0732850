"""Telling a new roll from the same dice seen again, after a hand or a shadow passed."""

from __future__ import annotations

from itertools import pairwise
from math import hypot
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vision.reading import DieReading, Point

STIRRED = 0.35
"""A die has moved if its centre has by more than this share of its side."""


def _centre(die: DieReading) -> Point:
    xs, ys = zip(*die.quad, strict=True)
    return sum(xs) / 4, sum(ys) / 4


def _side(die: DieReading) -> float:
    corners = [*die.quad, die.quad[0]]
    sides = [hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(corners)]
    return sum(sides) / 4


def lies_as_before(
    before: tuple[DieReading, ...], after: tuple[DieReading, ...]
) -> bool:
    """Whether the dice lie where they lay: nothing was thrown in between.

    A die thrown comes to rest somewhere else, so equal places mean equal dice, whatever
    was read of them. Faces do not count here.

    Args:
        before: the earlier dice, in any order, quads in pixels.
        after: the later ones, from a picture of the same size.

    Returns:
        True if there are equally many, at least one, and each later die lies on an
        earlier one of its own. Dice typed in by hand lie nowhere: False.
    """
    if len(before) != len(after) or not before:
        return False
    free = list(before)
    for die in after:
        x, y = _centre(die)
        reach = STIRRED * _side(die)
        near = [
            other
            for other in free
            if reach > 0
            and hypot(_centre(other)[0] - x, _centre(other)[1] - y) <= reach
        ]
        if not near:
            return False
        free.remove(near[0])
    return True
