"""Poker hands on five to nine faces: the best one, comparing, containing, naming."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from scoring.cards import RANKS, Card, Face, FaceCodeError, Joker, parse_face
from scoring.dice_sets import codes, repeated
from scoring.face_bits import face_bit
from scoring.hand_numbers import MOST_JOKERS, best_number, hand_of_number, suits_of
from scoring.hand_shapes import HandName as HandName
from scoring.hand_shapes import Made, Pool, make_hand, pool_of
from scoring.refusals import RuleError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

HAND_ORDER: tuple[HandName, ...] = tuple(HandName)
"""HD-06, lowest first."""

LEAST_FACES = 5
MOST_FACES = 9


@dataclass(frozen=True, slots=True)
class Hand:
    """A poker hand as found among the dice.

    Attributes:
        name: which of the twelve.
        ranks: tie-break ranks of HD-07 from the left, 2 to 14 (ace; a straight from
            ace to 5 has rank 5).
        uses: the faces that make it, kickers included, jokers last (HD-12).
        joker_cards: how many Joker cards (not dice) help to make it.
    """

    name: HandName
    ranks: tuple[int, ...]
    uses: tuple[Face, ...]
    joker_cards: int = 0

    @property
    def letters(self) -> tuple[str, ...]:
        """The ranks as rank letters: `("K", "4")`."""
        return tuple(RANKS[(rank - 1) % len(RANKS)] for rank in self.ranks)


def parse_faces(texts: Iterable[str]) -> tuple[Face, ...]:
    """Read face codes of card dice leniently.

    Raises:
        RuleError: HD-01, naming the text that is no face of card dice.
    """
    faces = []
    for text in texts:
        try:
            face = parse_face(text)
        except FaceCodeError as error:
            raise RuleError("HD-01", f"{text!r} is not a face of card dice.") from error
        if not isinstance(face, Card | Joker):
            raise RuleError("HD-01", f"{text!r} is not a face of card dice.")
        faces.append(face)
    return tuple(faces)


def best_hand(
    faces: Sequence[Face],
    jokers_wild: bool = True,
    *,
    six_of_a_kind: bool = True,
    hand_order: Sequence[HandName] = HAND_ORDER,
    joker_cards: int = 0,
) -> Hand:
    """Find the best hand among five to nine faces (HD-02 to HD-12).

    Args:
        faces: 5 to 9 different faces of card dice, in any order.
        jokers_wild: whether jokers stand for cards; otherwise they are blanks.
        six_of_a_kind: whether six of a kind is played (HD-11).
        hand_order: all hand names, lowest first. If it departs from HD-06, the faces
            have the highest hand of it that they contain.
        joker_cards: further wild jokers that are cards, not dice (CL-24).

    Raises:
        RuleError: HD-01 to HD-03, the faces cannot be.
    """
    roll, pool = _pool(faces, jokers_wild, joker_cards)
    if tuple(hand_order) == HAND_ORDER and pool.jokers <= MOST_JOKERS:
        number = best_number(suits_of(roll), pool.jokers, six_of_a_kind=six_of_a_kind)
        hand_order = (hand_of_number(number)[0],)
    for name in reversed(hand_order):
        if name is HandName.SIX_OF_A_KIND and not six_of_a_kind:
            continue
        made = make_hand(pool, name)
        if made is not None:
            return _hand(name, made, faces)
    raise ValueError(f"hand_order must hold all hands, not {list(hand_order)}")


def _hand(name: HandName, made: Made, faces: Sequence[Face]) -> Hand:
    jokers = [face for face in faces if isinstance(face, Joker)][: made.jokers]
    cards = made.jokers - len(jokers)
    return Hand(name, made.ranks, (*made.cards, *jokers), cards)


def contains(
    faces: Sequence[Face],
    name: HandName,
    jokers_wild: bool = True,
    *,
    joker_cards: int = 0,
) -> bool:
    """Whether some choice of the dice meets the definition of a hand (HD-13).

    Raises:
        RuleError: HD-01 to HD-03, the faces cannot be.
    """
    _, pool = _pool(faces, jokers_wild, joker_cards)
    return make_hand(pool, name) is not None


def _pool(
    faces: Sequence[Face], jokers_wild: bool, joker_cards: int
) -> tuple[int, Pool]:
    """What lies there: as bits (`scoring.face_bits`), and sorted for finding hands."""
    if not LEAST_FACES <= len(faces) <= MOST_FACES:
        raise RuleError(
            "HD-02",
            f"A hand is made of {LEAST_FACES} to {MOST_FACES} dice, not {len(faces)}.",
        )
    cards = [face for face in faces if isinstance(face, Card)]
    if not all(isinstance(face, Card | Joker) for face in faces):
        raise RuleError("HD-01", f"Not all faces of card dice: {codes(faces)}.")
    roll = 0
    for face in faces:
        roll |= face_bit(face)
    if roll.bit_count() < len(faces):
        raise RuleError("HD-03", f"A face cannot show twice: {codes(repeated(faces))}.")
    jokers = len(faces) - len(cards)
    return roll, pool_of(cards, jokers + joker_cards if jokers_wild else 0)


def hand_record(hand: Hand) -> dict[str, object]:
    """A hand as results of game scripts show it."""
    return {"hand": hand.name.value, "ranks": list(hand.letters)}


def strength(
    hand: Hand, hand_order: Sequence[HandName] = HAND_ORDER
) -> tuple[int, tuple[int, ...]]:
    """Sort key: the stronger hand has the greater one, equal keys are a tie (HD-10).

    A missing kicker is lower than any card (HD-04): the shorter tuple is smaller.
    """
    return hand_order.index(hand.name), hand.ranks


def compare(
    hands: Sequence[Hand], hand_order: Sequence[HandName] = HAND_ORDER
) -> tuple[tuple[int, ...], ...]:
    """Order hands.

    Returns:
        Groups of places in `hands`, best first; those level are together, ascending.
    """
    groups: dict[tuple[int, tuple[int, ...]], list[int]] = {}
    for place, hand in enumerate(hands):
        groups.setdefault(strength(hand, hand_order), []).append(place)
    return tuple(tuple(groups[key]) for key in sorted(groups, reverse=True))


_RANK_WORDS = [
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "jack",
    "queen",
    "king",
    "ace",
]


def _one(rank: int) -> str:
    return _RANK_WORDS[rank - 2]


def _many(rank: int) -> str:
    return _one(rank) + ("es" if rank == 6 else "s")


def title(name: HandName) -> str:
    """The hand's name in English: `Full house`."""
    return name.value.replace("_", " ").capitalize()


def describe(hand: Hand) -> str:
    """Say what a hand is: `Full house, tens over fours`."""
    first = hand.ranks[0]
    match hand.name:
        case HandName.HIGH_CARD:
            return f"High card, {_one(first)}"
        case HandName.PAIR:
            return f"Pair of {_many(first)}"
        case HandName.TWO_PAIR:
            return f"Two pair, {_many(first)} and {_many(hand.ranks[1])}"
        case HandName.FULL_HOUSE:
            return f"Full house, {_many(first)} over {_many(hand.ranks[1])}"
        case HandName.STRAIGHT | HandName.FLUSH | HandName.STRAIGHT_FLUSH:
            return f"{title(hand.name)}, {_one(first)} high"
        case HandName.ROYAL_FLUSH:
            return title(hand.name)
        case _:
            return f"{title(hand.name)}, {_many(first)}"
