"""What a roll earns against a target card (CL-07 to CL-16, CL-24)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from scoring.cards import Joker
from scoring.hands import contains
from scoring.rolling import MOST_ROLLS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoring.cards import Face
    from scoring.target_deck import Target


class Match(StrEnum):
    """How a roll meets its target."""

    EXACT = "exact"
    TYPE = "type"
    NONE = "none"


class ExactWithJoker(StrEnum):
    """Option `exact_with_joker` of CL-14: what an exact hand with jokers pays."""

    FULL = "full"
    TYPE = "type"


@dataclass(frozen=True, slots=True)
class PayRules:
    """The agreements that decide what a target pays.

    Attributes:
        jokers_wild: CL-14, CL-15: jokers stand for cards; otherwise they are blanks.
        bonus: CL-10: chips for an exact hand within fewer than three rolls.
        exact_with_joker: CL-14: whether an exact hand with jokers pays in full.
        joker_card_bonus: CL-24: the bonus stays if Joker cards alone fill every gap.
    """

    jokers_wild: bool = True
    bonus: int = 2
    exact_with_joker: ExactWithJoker = ExactWithJoker.FULL
    joker_card_bonus: bool = False


@dataclass(frozen=True, slots=True)
class Earned:
    """What a roll earns.

    Attributes:
        kind: how the target is met.
        chips: chips of the card, without the bonus.
        bonus: chips for being quick.
    """

    kind: Match
    chips: int
    bonus: int

    @property
    def total(self) -> int:
        """Chips and bonus together."""
        return self.chips + self.bonus


NOTHING = Earned(Match.NONE, 0, 0)
"""CL-16."""


def score_target(
    target: Target,
    faces: Sequence[Face],
    roll_number: int,
    rules: PayRules | None = None,
    *,
    kid: bool = False,
    joker_cards: int = 0,
) -> Earned:
    """Say what the dice earn if the player stops now.

    Args:
        target: the card that lies there.
        faces: the faces showing, nine in the game.
        roll_number: how many rolls were made, 1 to 3.
        rules: the agreements; those of the published rules if None.
        kid: whether the player gets all chips for the type too (CL-11).
        joker_cards: Joker cards played in the turn (CL-24).

    Returns:
        The better of exact and type (CL-09).

    Raises:
        RuleError: HD-01 to HD-03, the faces cannot be.
    """
    rules = rules or PayRules()
    found = _type(target, faces, rules, kid, joker_cards)
    dice = sum(isinstance(face, Joker) for face in faces)
    missing = sum(card not in faces for card in target.cards)
    if missing > (dice + joker_cards if rules.jokers_wild else 0):
        return found
    if missing and rules.exact_with_joker is ExactWithJoker.TYPE:
        return found
    by_cards = rules.joker_card_bonus and missing <= joker_cards
    early = roll_number < MOST_ROLLS
    bonus = rules.bonus if early and (not missing or by_cards) else 0
    exact = Earned(Match.EXACT, target.chips_exact, bonus)
    return exact if exact.total >= found.total else found


def _type(
    target: Target,
    faces: Sequence[Face],
    rules: PayRules,
    kid: bool,
    joker_cards: int,
) -> Earned:
    """CL-08, CL-11: what the same type of hand earns."""
    if not contains(faces, target.hand, rules.jokers_wild, joker_cards=joker_cards):
        return NOTHING
    chips = max(target.chips_exact, target.chips_type) if kid else target.chips_type
    return Earned(Match.TYPE, chips, 0)
