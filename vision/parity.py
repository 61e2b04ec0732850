"""Do two ways of running the networks read alike? Counted die by die.

A runtime, a precision or a smaller file may change the last digits of what a network
says; it must not change what is read. The gate before a model is published and the
benchmark that compares runtimes measure it in the same way.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from vision.overlap import iou
from vision.reading import Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from vision.reading import DieReading, Quad, Reading

Floats = NDArray[np.float64]

SAME_PLACE_IOU = 0.5
"""Quads that overlap at least so much show the same die."""
MOST_NAMED = 5
"""Pictures that a complaint names."""


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How much two ways may differ and still count as equal.

    Attributes:
        faces: share of dice whose decided face may differ, or that only one of both
            finds.
        shift_px: 99 in 100 quads move by no more, in pixels of the picture.
        statuses: share of pictures whose status may differ.
        sure_pictures: pictures of which one of both was sure and read other faces.
    """

    faces: float = 0.002
    shift_px: float = 1.0
    statuses: float = 0.01
    sure_pictures: int = 0


TOLERANCE = Tolerance()


@dataclass(frozen=True, slots=True)
class Compared:
    """One picture, read in both ways.

    Attributes:
        name: of the picture.
        dice: of the reference.
        differing: dice with another face, or that only one of both has.
        shifts_px: for each die that both have, how far its furthest corner moved.
        status_differs: sure, ask or refuse.
        sure_differs: faces differ though one of both was sure.
    """

    name: str
    dice: int
    differing: int
    shifts_px: tuple[float, ...]
    status_differs: bool
    sure_differs: bool


@dataclass(frozen=True, slots=True)
class Parity:
    """Many pictures, read in both ways.

    Attributes:
        pictures: how many.
        dice: of the reference, in all of them.
        differing: see `Compared`.
        shift_p50_px: half of the quads moved by no more.
        shift_p99_px: 99 in 100 quads moved by no more.
        differing_in: names of the pictures with a die that differs, most dice first.
        statuses_in: names of the pictures whose status differs.
        sure_in: names of the pictures in which one was sure and the faces differ.
        shifted_in: names of the pictures whose quads moved furthest, furthest first.
    """

    pictures: int
    dice: int
    differing: int
    shift_p50_px: float
    shift_p99_px: float
    differing_in: tuple[str, ...]
    statuses_in: tuple[str, ...]
    sure_in: tuple[str, ...]
    shifted_in: tuple[str, ...]


def compare_readings(name: str, reference: Reading, candidate: Reading) -> Compared:
    """Pair the dice of two readings of one picture by place and compare them.

    Args:
        name: of the picture.
        reference: the reading that counts as right.
        candidate: the one that shall be like it.
    """
    pairs = _pairs(reference.dice, candidate.dice)
    same = sum(one.face == other.face for one, other in pairs)
    differing = max(len(reference.dice), len(candidate.dice)) - same
    sure = Status.SURE in (reference.status, candidate.status)
    return Compared(
        name=name,
        dice=len(reference.dice),
        differing=differing,
        shifts_px=tuple(shift_px(one.quad, other.quad) for one, other in pairs),
        status_differs=reference.status is not candidate.status,
        sure_differs=sure and differing > 0,
    )


def shift_px(one: Quad, other: Quad) -> float:
    """How far the furthest corner moved, whichever corner is called the first."""
    first, second = np.array(one, np.float64), np.array(other, np.float64)
    return min(
        float(np.linalg.norm(np.roll(second, k, axis=0) - first, axis=1).max())
        for k in range(4)
    )


def _pairs(
    some: Sequence[DieReading], others: Sequence[DieReading]
) -> list[tuple[DieReading, DieReading]]:
    """Dice at the same place, best overlap first, each die once."""
    shares = sorted(
        (
            (iou(np.array(one.quad), np.array(other.quad)), i, k)
            for i, one in enumerate(some)
            for k, other in enumerate(others)
        ),
        key=lambda pair: -pair[0],
    )
    pairs, used, taken = [], set[int](), set[int]()
    for share, i, k in shares:
        if share >= SAME_PLACE_IOU and i not in used and k not in taken:
            used.add(i)
            taken.add(k)
            pairs.append((some[i], others[k]))
    return pairs


def summarise(compared: Iterable[Compared]) -> Parity:
    """Add up pictures.

    Raises:
        ValueError: there is no picture; nothing would be shown by that.
    """
    rows = list(compared)
    if not rows:
        raise ValueError("there is no picture to compare readings of")
    shifts = np.array([s for row in rows for s in row.shifts_px] or [0.0])
    worst = sorted(rows, key=lambda row: -row.differing)
    furthest = sorted(rows, key=lambda row: -max(row.shifts_px, default=0.0))
    return Parity(
        pictures=len(rows),
        dice=sum(row.dice for row in rows),
        differing=sum(row.differing for row in rows),
        shift_p50_px=float(np.percentile(shifts, 50)),
        shift_p99_px=float(np.percentile(shifts, 99)),
        differing_in=tuple(row.name for row in worst if row.differing),
        statuses_in=tuple(row.name for row in rows if row.status_differs),
        sure_in=tuple(row.name for row in rows if row.sure_differs),
        shifted_in=tuple(row.name for row in furthest[:MOST_NAMED] if row.shifts_px),
    )


def complaints(parity: Parity, tolerance: Tolerance = TOLERANCE) -> tuple[str, ...]:
    """What is beyond the tolerance, in sentences that name pictures; empty if equal."""
    found = []
    if len(parity.sure_in) > tolerance.sure_pictures:
        found.append(
            f"{len(parity.sure_in)} pictures read otherwise though one of both was "
            f"sure ({tolerance.sure_pictures} allowed): {_named(parity.sure_in)}"
        )
    share = parity.differing / max(1, parity.dice)
    if share > tolerance.faces:
        found.append(
            f"{parity.differing} of {parity.dice} faces differ ({share:.2%}, "
            f"{tolerance.faces:.2%} allowed): {_named(parity.differing_in)}"
        )
    # written so that NaN does not pass
    if not parity.shift_p99_px <= tolerance.shift_px:
        found.append(
            f"one quad in a hundred moves by {parity.shift_p99_px:.2f} pixels or "
            f"more ({tolerance.shift_px:g} allowed): {_named(parity.shifted_in)}"
        )
    if len(parity.statuses_in) > tolerance.statuses * parity.pictures:
        found.append(
            f"{len(parity.statuses_in)} of {parity.pictures} statuses differ "
            f"({tolerance.statuses:.2%} allowed): {_named(parity.statuses_in)}"
        )
    return tuple(found)


def _named(names: Sequence[str]) -> str:
    more = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
