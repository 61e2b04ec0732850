"""How a turn ends with each roll: what the goal pays for it (CL-07 to CL-10)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from scoring.roll_bits import (
    Shown,
    face_bit,
    shown_blocks,
    shown_contain,
    suit_ranks,
)
from scoring.target_score import ExactWithJoker, PayRules

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoring.dice_sets import Layout
    from scoring.hand_shapes import HandName
    from scoring.target_deck import Target

TYPE, EXACT_BY_JOKER, EXACT = 1, 2, 4
"""The kind of a roll says how it meets a goal: the sum of these that hold. The type of
hand is there; the pictured cards are, jokers standing in for some; all of them are."""

KINDS = TYPE + EXACT_BY_JOKER + EXACT + 1


@dataclass(frozen=True, slots=True)
class Goal:
    """What the player aims at.

    Attributes:
        hand: the hand that the dice must contain (HD-13).
        target: the card whose chips count; None if only containing the hand counts,
            which is worth 1.
        rules: jokers, bonus and what an exact hand with jokers pays.
    """

    hand: HandName
    target: Target | None = None
    rules: PayRules = field(default_factory=PayRules)


@dataclass(frozen=True, slots=True)
class Ends:
    """What each kind of roll earns if the turn ends with it.

    Attributes:
        chips: by kind (see `TYPE`), chips or 1 for a hand.
        exact: by kind, 1 if the roll counts as exact.
        type: by kind, 1 if it counts as the type only.
    """

    chips: tuple[int, ...]
    exact: tuple[int, ...]
    type: tuple[int, ...]


def ends_of(goal: Goal, *, early: bool) -> Ends:
    """What each kind of roll earns.

    Args:
        goal: what the player aims at.
        early: whether the bonus can still be earned (CL-10).
    """
    ends = [_end(goal, kind, early) for kind in range(KINDS)]
    chips, exact, by_type = zip(*ends, strict=True)
    return Ends(chips, exact, by_type)


def _end(goal: Goal, kind: int, early: bool) -> tuple[int, int, int]:
    """Chips, whether exact, whether type only."""
    found = kind & TYPE
    if goal.target is None:
        return found, 0, found
    by_type = goal.target.chips_type if found else 0
    found = min(found, by_type)  # a type that pays nothing does not count
    if not kind & (EXACT | EXACT_BY_JOKER):
        return by_type, 0, found
    bonus = goal.rules.bonus if early and kind & EXACT else 0
    exact = goal.target.chips_exact + bonus
    if exact >= by_type:  # CL-09, as `score_target` has it
        return exact, 1, 0
    return by_type, 0, found


def kinds_of_rolls(dice: Layout, goal: Goal) -> NDArray[np.uint8]:
    """How every roll meets the goal (see `TYPE`).

    Returns:
        (6, ..., 6) uint8, one axis for each die.
    """
    kinds, start = np.empty(6 ** len(dice), np.uint8), 0
    for shown in shown_blocks(dice):
        found = shown_kinds(shown, goal)
        kinds[start : start + len(found)] = found
        start += len(found)
    return kinds.reshape((6,) * len(dice))


def shown_kinds(shown: Shown, goal: Goal) -> NDArray[np.uint8]:
    """How each of some rolls meets the goal: uint8."""
    wild = goal.rules.jokers_wild
    kinds = shown_contain(shown, goal.hand, wild).astype(np.uint8)
    if goal.target is None:
        return kinds
    cards = goal.target.cards
    pictured = suit_ranks(np.array([sum(map(face_bit, cards))], np.uint64))
    there = np.zeros(shown.jokers.shape, np.uint8)
    for ranks, asked in zip(shown.suits, pictured, strict=True):
        if asked[0]:
            there += np.bitwise_count(ranks & asked[0])
    missing = np.uint8(len(cards)) - there
    kinds += np.uint8(EXACT) * (missing == 0)
    if wild and goal.rules.exact_with_joker is ExactWithJoker.FULL:
        helped = (missing > 0) & (missing <= shown.jokers)
        kinds += np.uint8(EXACT_BY_JOKER) * helped
    return kinds
