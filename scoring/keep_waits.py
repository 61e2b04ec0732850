"""What a kept set waits for: the faces that would complete the goal."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from scoring.dice_sets import codes
from scoring.odds_error import OddsError
from scoring.roll_bits import Shown, face_bit, joker_count, suit_ranks
from scoring.turn_ends import EXACT, EXACT_BY_JOKER, TYPE, shown_kinds
from scoring.turn_odds import known_layout, place_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from scoring.cards import Face
    from scoring.dice_sets import DiceSet, Layout
    from scoring.turn_ends import Goal

WAYS: dict[str, int] = {"exact": EXACT | EXACT_BY_JOKER, "type": TYPE}
"""What can be waited for, and the kinds of rolls that have it."""


@dataclass(frozen=True, slots=True)
class Out:
    """Faces of one die that are waited for.

    Attributes:
        die: its number, from 1.
        faces: these faces of it.
    """

    die: int
    faces: tuple[Face, ...]


@dataclass(frozen=True, slots=True)
class Wait:
    """What a kept set waits for.

    Attributes:
        what: `exact` for the pictured cards, `type` for the hand.
        missing: how many of the dice rolled again must help at least; 0 if it is there
            already, None if they cannot show it however they fall.
        outs: the faces that take part where so few help: with one missing, each of
            them completes it alone.
        chance: of having it after the next roll, in any way.
    """

    what: str
    missing: int | None
    outs: tuple[Out, ...]
    chance: float


def waits_of(
    dice_set: DiceSet, goal: Goal, faces: Sequence[Face], kept: Sequence[Face]
) -> tuple[Wait, ...]:
    """Say what a kept set waits for.

    Args:
        dice_set: the dice, their layout known.
        goal: what is aimed at.
        faces: one face of each die, in any order.
        kept: those of them that stay.

    Returns:
        For a target the exact cards and the type, otherwise the type alone.

    Raises:
        OddsError: the dice cannot show these faces, a kept one does not lie there, or
            odds cannot be told.
    """
    dice = known_layout(dice_set)
    place_of(dice, faces)
    if strange := [face for face in kept if face not in faces]:
        raise OddsError(f"{codes(strange)} cannot be kept: it does not lie there")
    stay = [next((face for face in die if face in kept), None) for die in dice]
    rolled = [number for number, face in enumerate(stay) if face is None]
    bits = sum(face_bit(face) for face in stay if face is not None)
    whats = ("type",) if goal.target is None else ("exact", "type")
    chances = _chances(dice, goal, bits, rolled)
    return tuple(_wait(dice, goal, bits, rolled, what, chances[what]) for what in whats)


def _chances(
    dice: Layout, goal: Goal, bits: int, rolled: list[int]
) -> dict[str, float]:
    """How often the next roll has it."""
    found = dict.fromkeys(WAYS, 0)
    split = max(0, len(rolled) - 6)  # few enough rolls at a time
    for first in _rolls(dice, rolled[:split], bits):
        kinds = _kinds(_rolls(dice, rolled[split:], int(first)), goal)
        for what, mask in WAYS.items():
            found[what] += int(np.count_nonzero(kinds & np.uint8(mask)))
    return {what: count / 6 ** len(rolled) for what, count in found.items()}


def _wait(
    dice: Layout, goal: Goal, bits: int, rolled: list[int], what: str, chance: float
) -> Wait:
    mask = np.uint8(WAYS[what])
    for missing in range(len(rolled) + 1):
        outs: set[tuple[int, int]] = set()
        for chosen in combinations(rolled, missing):
            made = (_kinds(_rolls(dice, chosen, bits), goal) & mask) != 0
            if not made.any():
                continue
            if not missing:
                return Wait(what, 0, (), chance)
            sides = np.argwhere(made.reshape((6,) * missing))
            for die, places in zip(chosen, sides.T, strict=True):
                outs |= {(die, side) for side in np.unique(places).tolist()}
        if outs:
            return Wait(what, missing, _by_die(dice, outs), chance)
    return Wait(what, None, (), chance)


def _by_die(dice: Layout, outs: set[tuple[int, int]]) -> tuple[Out, ...]:
    return tuple(
        Out(
            number + 1,
            tuple(face for side, face in enumerate(die) if (number, side) in outs),
        )
        for number, die in enumerate(dice)
        if any(other == number for other, _ in outs)
    )


def _rolls(dice: Layout, chosen: Sequence[int], bits: int) -> NDArray[np.uint64]:
    """All rolls of some dice, with what lies there already."""
    rolls = np.array([bits], np.uint64)
    for number in chosen:
        sides = np.array([face_bit(face) for face in dice[number]], np.uint64)
        rolls = np.bitwise_or.outer(rolls, sides).ravel()
    return rolls


def _kinds(rolls: NDArray[np.uint64], goal: Goal) -> NDArray[np.uint8]:
    return shown_kinds(Shown(suit_ranks(rolls), joker_count(rolls)), goal)
