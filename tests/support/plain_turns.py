"""Turns of few card dice by plain recursion in fractions: slow and plainly right."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from typing import TYPE_CHECKING

from scoring.cards import Card, Joker
from scoring.dice_sets import DiceSet
from scoring.hand_shapes import HandName, make_hand, pool_of
from scoring.hands import parse_faces
from scoring.target_deck import read_target
from scoring.target_score import ExactWithJoker

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scoring.cards import Face
    from scoring.odds import Goal
    from scoring.target_deck import Target

End = tuple[Fraction, Fraction, Fraction]
"""Value, chance of an exact end, chance of an end by type only."""

DICE = tuple(
    parse_faces(die.split())
    for die in (
        "TS 9H 2S 5C AD RJ",
        "TC 9C 3S 5D AH KS",
        "TH 9D 4S 5H AC BJ",
        "TD 9S 5S KC QS JS",
    )
)


def dice_set(count: int) -> DiceSet:
    dice = DICE[:count]
    return DiceSet("few", tuple(face for die in dice for face in die), count, dice)


def target_of(hand: str, cards: str, exact: int, by_type: int) -> Target:
    fields = {"hand": hand, "cards": cards.split()}
    return read_target("X", {**fields, "chips_exact": exact, "chips_type": by_type})


PAIR = target_of("pair", "TS TC", 6, 3)
THREE = target_of("three_of_a_kind", "9H 9C 9D", 9, 4)


def shows(faces: Sequence[Face], hand: HandName, wild: bool) -> bool:
    """HD-13 without asking for five dice."""
    cards = [face for face in faces if isinstance(face, Card)]
    jokers = sum(isinstance(face, Joker) for face in faces)
    return make_hand(pool_of(cards, jokers if wild else 0), hand) is not None


def pay(goal: Goal, faces: Sequence[Face], early: bool) -> End:
    """CL-07 to CL-10 written once more."""
    rules, card = goal.rules, goal.target
    typed = shows(faces, goal.hand, rules.jokers_wild)
    if card is None:
        return Fraction(typed), Fraction(0), Fraction(typed)
    missing = len(set(card.cards) - set(faces))
    jokers = sum(isinstance(face, Joker) for face in faces)
    helped = rules.jokers_wild and rules.exact_with_joker is ExactWithJoker.FULL
    by_type = card.chips_type if typed else 0
    if missing == 0 or (helped and missing <= jokers):
        exact = card.chips_exact + (rules.bonus if early and not missing else 0)
        if exact >= by_type:
            return Fraction(exact), Fraction(1), Fraction(0)
    return Fraction(by_type), Fraction(0), Fraction(by_type > 0)


class Judge:
    """Best play by plain recursion; among equal values the one more often exact."""

    def __init__(self, goal: Goal, count: int) -> None:
        self.goal, self.dice = goal, DICE[:count]
        self.mean = cache(self._mean)
        self.value = cache(self._value)

    def faces(self, place: Sequence[int]) -> tuple[Face, ...]:
        return tuple(die[side] for die, side in zip(self.dice, place, strict=True))

    def _value(self, place: tuple[int, ...], number: int) -> End:
        stop = pay(self.goal, self.faces(place), number < 3)
        if number == 3:
            return stop
        return max([stop, *self.keeps(place, number).values()])

    def keeps(self, place: tuple[int, ...], number: int) -> dict[tuple[int, ...], End]:
        """The end of each kept set, -1 for a die that is rolled."""
        choices = product(*((-1, side) for side in place))
        return {k: self.mean(k, number + 1) for k in choices if -1 in k}

    def _mean(self, state: tuple[int, ...], number: int) -> End:
        if -1 not in state:
            return self.value(state, number)
        at = state.index(-1)
        ends = [self.mean((*state[:at], s, *state[at + 1 :]), number) for s in range(6)]
        value, exact, by_type = (sum(part, Fraction()) / 6 for part in zip(*ends))  # noqa: B905
        return value, exact, by_type


def some_places(count: int) -> Iterator[tuple[int, ...]]:
    """Some forty rolls of so many dice, by the sides they show."""
    every = list(product(range(6), repeat=count))
    return iter(every[:: max(1, len(every) // 40)])
