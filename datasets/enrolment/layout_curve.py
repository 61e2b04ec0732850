"""How many rolls it takes until a layout can be told, by simulation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from datasets.enrolment.seen_layout import SeenLayout, seen_layout
from scoring.cards import CARD_DICE_FACES, Card, Face
from scoring.dice_sets import (
    CARD_DICE_COUNT,
    FACES_A_DIE,
    DiceSetError,
    check_card_layout,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    from scoring.dice_sets import Layout

POINTS = (10, 15, 20, 25, 30, 35, 40, 50, 75, 100, 200)
"""Numbers of rolls after which the layout is asked for."""


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """What could be told after some rolls.

    Attributes:
        rolls: how many.
        sets: simulated sets.
        proposed: of them, those whose layout was certain.
        wrong: of those, wrong ones.
        right: sets whose most likely layout is right, certain or not.
    """

    rolls: int
    sets: int
    proposed: int
    wrong: int
    right: int


def random_layout(rng: np.random.Generator) -> Layout:
    """A layout that obeys everything published: drawn, then mended by swaps."""
    die_of = rng.permutation(np.repeat(np.arange(CARD_DICE_COUNT), FACES_A_DIE))
    faults = _faults(die_of)
    while faults:
        a, b = rng.integers(0, len(die_of), 2)
        die_of[a], die_of[b] = die_of[b], die_of[a]
        now = _faults(die_of)
        if now <= faults:
            faults = now
        else:
            die_of[a], die_of[b] = die_of[b], die_of[a]
    return _layout(die_of)


def _layout(die_of: NDArray[np.int64]) -> Layout:
    return tuple(
        tuple(CARD_DICE_FACES[int(k)] for k in np.flatnonzero(die_of == d))
        for d in range(CARD_DICE_COUNT)
    )


def _faults(die_of: NDArray[np.int64]) -> int:
    try:
        check_card_layout(_layout(die_of))
    except DiceSetError as error:
        return str(error).count(";") + 1
    return 0


def misread(rng: np.random.Generator, face: Face, *, alike: bool) -> Face:
    """Another face: any, or one that is easily taken for it."""
    if alike and isinstance(face, Card):
        kin = [
            other
            for other in CARD_DICE_FACES
            if isinstance(other, Card)
            and (
                (other.rank == face.rank and _red(other) == _red(face))
                or (other.suit is face.suit and {other.rank, face.rank} == {6, 9})
            )
            and other != face
        ]
        return kin[int(rng.integers(len(kin)))]
    others = [other for other in CARD_DICE_FACES if other != face]
    return others[int(rng.integers(len(others)))]


def _red(card: Card) -> bool:
    return card.suit.value in "HD"


def simulated_rolls(
    rng: np.random.Generator, dice: Layout, count: int, errors: float, *, alike: bool
) -> list[tuple[Face, ...]]:
    """Throw all dice and misread some; a reading never shows one face twice.

    Args:
        rng: source of every choice.
        dice: their layout.
        count: how many rolls.
        errors: chance that a die is misread.
        alike: misread as what looks like it, half of the time.
    """
    rolls = []
    for _ in range(count):
        faces = [die[int(rng.integers(FACES_A_DIE))] for die in dice]
        for place in range(len(faces)):
            if rng.random() < errors:
                near = alike and bool(rng.random() < 0.5)
                other = misread(rng, faces[place], alike=near)
                if other not in faces:
                    faces[place] = other
        rolls.append(tuple(faces))
    return rolls


def layout_curve(
    sets: int,
    errors: float,
    seed: int,
    progress: Callable[[Iterable[int], int], Iterable[int]],
    *,
    alike: bool,
    points: tuple[int, ...] = POINTS,
) -> tuple[CurvePoint, ...]:
    """Simulate sets and ask for their layout after more and more rolls."""
    found: dict[int, list[tuple[bool, SeenLayout]]] = {point: [] for point in points}
    for number in progress(range(sets), sets):
        rng = np.random.default_rng((seed, number))
        dice = random_layout(rng)
        true = {frozenset(die) for die in dice}
        rolls = simulated_rolls(rng, dice, points[-1], errors, alike=alike)
        for point in points:
            layout = seen_layout(rolls[:point])
            right = {frozenset(die) for die in layout.dice} == true
            found[point].append((right, layout))
    return tuple(
        CurvePoint(
            point,
            sets,
            sum(layout.certain for _, layout in results),
            sum(layout.certain and not right for right, layout in results),
            sum(right for right, _ in results),
        )
        for point, results in found.items()
    )
