"""The game cards of the classic game: targets and shootout cards (CL-02, CL-12)."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import resources
from typing import cast

from scoring.cards import Card, FaceCodeError, parse_face
from scoring.hand_shapes import HandName, make_hand, pool_of
from scoring.refusals import RuleError, shown

MOST_CARDS = 6


class CardKind(StrEnum):
    """What a game card is."""

    TARGET = "target"
    DOUBLE_DOWN = "double_down"
    QUICK_DRAW = "quick_draw"
    SHOWDOWN = "showdown"
    JOKER = "joker"


@dataclass(frozen=True, slots=True)
class Target:
    """A target card.

    Attributes:
        id: its name in the deck, as in `T18`.
        hand: the type of hand asked for.
        cards: the pictured cards, all different.
        chips_exact: chips for exactly these cards, >= 0.
        chips_type: chips for the same type of hand, >= 0.
    """

    id: str
    hand: HandName
    cards: tuple[Card, ...]
    chips_exact: int
    chips_type: int

    def __post_init__(self) -> None:
        pictured = " ".join(card.code for card in self.cards)
        if not 1 <= len(self.cards) <= MOST_CARDS:
            raise ValueError(
                f"a target pictures 1..{MOST_CARDS} cards, not {len(self.cards)}"
            )
        if len(set(self.cards)) < len(self.cards):
            raise ValueError(f"a target pictures each card once, not {pictured}")
        if make_hand(pool_of(self.cards, 0), self.hand) is None:
            raise ValueError(f"{pictured} are not a {self.hand}")
        if self.chips_exact < 0 or self.chips_type < 0:
            raise ValueError(
                f"chips must be >= 0, not {self.chips_exact} and {self.chips_type}"
            )

    @property
    def kind(self) -> CardKind:
        """Always `CardKind.TARGET`."""
        return CardKind.TARGET


@dataclass(frozen=True, slots=True)
class ShootoutCard:
    """A shootout card: anything in the deck that is not a target.

    Attributes:
        id: its name in the deck, as in `DD1`.
        kind: what it does; never `CardKind.TARGET`.
    """

    id: str
    kind: CardKind

    def __post_init__(self) -> None:
        if self.kind is CardKind.TARGET:
            raise ValueError(f"{self.id} is no shootout card: its kind is target")


GameCard = Target | ShootoutCard


@cache
def builtin_deck() -> tuple[GameCard, ...]:
    """The 42 cards of our own deck: 34 targets, then 8 shootout cards."""
    bundled = resources.files("scoring").joinpath("target_deck.json")
    record = json.loads(bundled.read_text("utf-8"))
    return tuple(read_card(card) for card in (*record["targets"], *record["shootout"]))


def builtin_targets() -> tuple[Target, ...]:
    """The 34 targets of our own deck."""
    return tuple(card for card in builtin_deck() if isinstance(card, Target))


def read_deck(value: object) -> tuple[GameCard, ...]:
    """Read the option `deck` of the classic game (CL-02).

    Args:
        value: `"builtin"`, or a list of ids of its cards and of cards written out.

    Raises:
        RuleError: CM-03 not such a list or a card in it malformed; CL-02 an id twice;
            CL-12 an odd number of chips without its half.
    """
    if value == "builtin":
        return builtin_deck()
    if not isinstance(value, list) or not value:
        raise RuleError(
            "CM-03", f'The deck is "builtin" or a list, not {shown(value)}.'
        )
    known = {card.id: card for card in builtin_deck()}
    cards: list[GameCard] = []
    for entry in value:
        if not isinstance(entry, str):
            cards.append(read_card(entry))
        elif entry in known:
            cards.append(known[entry])
        else:
            raise RuleError(
                "CM-03", f"The card {shown(entry)} is not in the builtin deck."
            )
    counted = Counter(card.id for card in cards)
    if twice := [name for name, count in counted.items() if count > 1]:
        raise RuleError("CL-02", f"In the deck more than once: {' '.join(twice)}.")
    return tuple(cards)


def read_card(value: object) -> GameCard:
    """Read a card that is written out.

    Raises:
        RuleError: CM-03 malformed, CL-12 an odd number of chips without its half.
    """
    if not isinstance(value, dict):
        raise RuleError("CM-03", f"A card is an id or an object, not {shown(value)}.")
    fields = cast("dict[str, object]", value)
    name = fields.get("id")
    if not isinstance(name, str) or not name:
        raise RuleError(
            "CM-03", f"A card needs an id that is a text, not {shown(name)}."
        )
    kind = fields.get("kind")
    if kind not in [known.value for known in CardKind]:
        raise RuleError("CM-03", f"The card {name} has no such kind: {shown(kind)}.")
    if kind == CardKind.TARGET:
        return read_target(name, fields)
    return ShootoutCard(name, CardKind(kind))


def read_target(name: str, fields: dict[str, object]) -> Target:
    """Read a target from its JSON fields (see `read_card`)."""
    hand = fields.get("hand")
    if hand not in [known.value for known in HandName]:
        raise RuleError(
            "CM-03", f"The target {name} asks for no known hand: {shown(hand)}."
        )
    exact = _chips(name, fields.get("chips_exact"))
    if fields.get("chips_type") is None and exact % 2:
        raise RuleError(
            "CL-12",
            f"Half of {exact} chips is never rounded: the target {name} must give"
            " chips_type too.",
        )
    half = fields.get("chips_type")
    chips_type = exact // 2 if half is None else _chips(name, half)
    cards = _cards(name, fields.get("cards"))
    try:
        return Target(name, HandName(hand), cards, exact, chips_type)
    except ValueError as error:
        raise RuleError("CM-03", f"The target {name} is wrong: {error}.") from error


def _chips(name: str, value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise RuleError(
            "CM-03", f"Chips of {name} must be a whole number >= 0, not {shown(value)}."
        )
    return value


def _cards(name: str, value: object) -> tuple[Card, ...]:
    if not isinstance(value, list):
        raise RuleError(
            "CM-03", f"The cards of {name} must be a list, not {shown(value)}."
        )
    cards = []
    for code in value:
        try:
            card = parse_face(code) if isinstance(code, str) else None
        except FaceCodeError:
            card = None
        if not isinstance(card, Card):
            raise RuleError(
                "CM-03", f"The target {name} pictures no card {shown(code)}."
            )
        cards.append(card)
    return tuple(cards)
