"""Telling a new roll from dice that lie where they lay, were pushed or were turned."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise
from math import atan2, degrees, hypot
from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.reading import DieReading, Point, Quad

STIRRED = 0.35
"""A die has moved if its centre has, by more than this share of its side ..."""
TWISTED_DEG = 25.0
"""... or if its edges have turned by more."""
TRUSTED = 0.9
"""Faces read with less confidence do not contradict an earlier reading."""
LEAST_TOGETHER = 4
"""Dice that all moved as one were moved with their tray, or the camera was."""
MOST_SCALED = 0.15
"""Share by which the picture may have become larger or smaller meanwhile."""
MANY = 4
"""So many dice that changed at once were thrown, even if nobody saw them fly: out of a
cup, or while the camera stood still. A hand turns or moves one or two."""


class Change(StrEnum):
    """What happened to the dice between two times at rest."""

    NOTHING = "nothing"
    PICKED_UP = "picked_up"
    MOVED = "moved"
    ROLLED = "rolled"


class Stay(StrEnum):
    """What became of one die."""

    KEPT = "kept"
    CHANGED = "changed"
    MOVED = "moved"
    NEW = "new"


@dataclass(frozen=True, slots=True)
class Followed:
    """A die at rest and the die of an earlier rest that it is.

    Attributes:
        stay: kept: it lies where it lay and shows what it showed, as far as can be
            said; changed: it shows something else there; moved: it shows what a die
            showed that is gone from its place; new: there was no such die.
        before: place of the earlier die in its tuple; None if new.
    """

    stay: Stay
    before: int | None = None


def follow(
    before: tuple[DieReading, ...],
    after: tuple[DieReading, ...],
    gone: frozenset[int] = frozenset(),
) -> tuple[Followed, ...]:
    """Find each die among those of an earlier rest, by its place and then by its face.

    Args:
        before: the earlier dice, in any order, quads in pixels.
        after: the later ones, from a picture of the same size.
        gone: places in `before` of dice that were not to be seen meanwhile: another
            face in such a place is another die.

    Returns:
        What became of each die of `after`.
    """
    found = _by_place(before, after, gone)
    if len([b for b in found if b is not None]) < len(after):
        together = _by_common_motion(before, after)
        if together is not None:
            found = together
    free = [k for k in range(len(before)) if k not in found]
    out = []
    for place, die in zip(found, after, strict=True):
        if place is not None:
            stay = Stay.CHANGED if _contradict(before[place], die) else Stay.KEPT
            out.append(Followed(stay, place))
            continue
        same = [k for k in free if die.face is not None and before[k].face == die.face]
        if same:
            nearest = min(same, key=lambda k: _apart(before[k], after[len(out)]))
            free.remove(nearest)
            out.append(Followed(Stay.MOVED, nearest))
        else:
            out.append(Followed(Stay.NEW))
    return tuple(out)


def _by_place(
    before: tuple[DieReading, ...],
    after: tuple[DieReading, ...],
    gone: frozenset[int],
) -> list[int | None]:
    free = list(range(len(before)))
    found: list[int | None] = []
    for die in after:
        near = [
            k
            for k in free
            if _untouched(before[k], die)
            and not (k in gone and _contradict(before[k], die))
        ]
        best = min(near, key=lambda k: _apart(before[k], die), default=None)
        if best is not None:
            free.remove(best)
        found.append(best)
    return found


def _by_common_motion(
    before: tuple[DieReading, ...], after: tuple[DieReading, ...]
) -> list[int | None] | None:
    """Find the dice if they all moved as one; None if they did not.

    That happens if the camera is nudged or the tray is: thrown dice never keep their
    pattern.
    """
    pairs = [
        (_centre(a.quad), _centre(b.quad))
        for a in before
        for b in after
        if a.face is not None and a.face == b.face
    ]
    if len(after) < LEAST_TOGETHER or len(pairs) < LEAST_TOGETHER:
        return None
    source = np.array([a for a, _ in pairs], np.float32)
    target = np.array([b for _, b in pairs], np.float32)
    reach = STIRRED * float(np.median([_side(die.quad) for die in after]))
    matrix, _ = cv2.estimateAffinePartial2D(
        source, target, method=cv2.RANSAC, ransacReprojThreshold=reach
    )
    if matrix is None or not np.isfinite(matrix).all():
        return None
    scale = float(np.hypot(matrix[0, 0], matrix[1, 0]))
    if abs(scale - 1) > MOST_SCALED:
        return None
    moved = [_carried(die, np.asarray(matrix, np.float64)) for die in before]
    found = _by_place(tuple(moved), after, frozenset())
    return None if None in found else found


def _carried(die: DieReading, matrix: NDArray[np.float64]) -> DieReading:
    """A die, its quad moved by a (2, 3) matrix."""
    quad = np.array(die.quad) @ matrix[:, :2].T + matrix[:, 2]
    a, b, c, d = ((float(x), float(y)) for x, y in quad)
    return replace(die, quad=(a, b, c, d))


def change_of(
    before: tuple[DieReading, ...],
    after: tuple[DieReading, ...],
    thrown: bool = True,
    gone: frozenset[int] = frozenset(),
) -> Change:
    """Compare dice at rest with those of an earlier rest.

    Equal places mean equal dice, whatever other light makes of their faces: a die that
    was thrown comes to rest elsewhere. Fewer dice than before that show some of the
    faces of before are those that a player keeps, even if they were pushed aside. Dice
    that show all the faces of before in other places were pushed or sorted; so they
    are if few others changed and no die was seen to move by itself.

    Args:
        before: the earlier dice, in any order, quads in pixels.
        after: the later ones, from a picture of the same size; at least one.
        thrown: whether dice may have moved while no hand was at them.
        gone: places in `before` of dice that were not to be seen meanwhile.

    Returns:
        Nothing if each die lies as it lay; picked up if some are gone and the others
        lie as they lay or show what they showed; moved if hands did it; else rolled.
    """
    if not before:
        return Change.ROLLED
    followed = follow(before, after, gone)
    stays = [one.stay for one in followed]
    if all(stay in (Stay.KEPT, Stay.CHANGED) for stay in stays):
        return Change.PICKED_UP if len(after) < len(before) else Change.NOTHING
    if len(after) < len(before) and _shown_before(before, after):
        return Change.PICKED_UP
    new, moved = stays.count(Stay.NEW), stays.count(Stay.MOVED)
    if thrown:
        pushed = new == 0 and len(after) == len(before) and not gone
        return Change.MOVED if pushed else Change.ROLLED
    return Change.ROLLED if new >= 2 and new + moved >= MANY else Change.MOVED


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


def _contradict(before: DieReading, after: DieReading) -> bool:
    """Whether two readings of one die cannot both be right."""
    return (
        before.face is not None
        and after.face is not None
        and before.face != after.face
        and min(before.confidence, after.confidence) >= TRUSTED
    )


def _untouched(before: DieReading, after: DieReading) -> bool:
    if _apart(before, after) > STIRRED * _side(after.quad):
        return False
    turn = (_angle_deg(after.quad) - _angle_deg(before.quad) + 45) % 90 - 45
    return abs(turn) <= TWISTED_DEG


def _apart(before: DieReading, after: DieReading) -> float:
    (x0, y0), (x1, y1) = _centre(before.quad), _centre(after.quad)
    return hypot(x1 - x0, y1 - y0)


def _centre(quad: Quad) -> Point:
    return sum(x for x, _ in quad) / 4, sum(y for _, y in quad) / 4


def _side(quad: Quad) -> float:
    corners = (*quad, quad[0])
    return sum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(corners)) / 4


def _angle_deg(quad: Quad) -> float:
    """Direction of the first edge; which edge is first does not matter modulo 90."""
    (x0, y0), (x1, y1) = quad[0], quad[1]
    return degrees(atan2(y1 - y0, x1 - x0))
