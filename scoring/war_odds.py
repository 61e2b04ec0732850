"""Exact odds of one battle of War, both dice given (WR-06 to WR-11)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from scoring.cards import Card, Colour, Joker
from scoring.dice_sets import FACES_A_DIE, codes
from scoring.odds_error import OddsError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoring.cards import Face

ACE_RANK = 14
JOKER_RANK = 15

CASES: dict[str, str] = {
    "a": "both in their own colour: the higher card wins die and pot",
    "b": "both in the other's colour: the higher card wins, the loser's die is pot",
    "c": "both black: the black player wins, the red player's die is pot",
    "d": "both red: the red player wins, the black player's die is pot",
}


@dataclass(frozen=True, slots=True)
class CaseOdds:
    """How likely a battle ends in one of the four cases.

    Attributes:
        case: `a` to `d`.
        red: the chance that it does and the red player wins.
        black: the same for the black player.
    """

    case: str
    red: Fraction
    black: Fraction


@dataclass(frozen=True, slots=True)
class BattleOdds:
    """How a battle ends, all tosses that are repeated included.

    Attributes:
        cases: the four cases in order; their chances add up to 1.
        level: the chance that two tosses are level and both are repeated (WR-10).
        joker: the chance that the first toss of at least one player is a joker and
            is repeated (WR-11).
    """

    cases: tuple[CaseOdds, ...]
    level: Fraction
    joker: Fraction

    @property
    def red(self) -> Fraction:
        """The chance that the red player wins the battle."""
        return sum((case.red for case in self.cases), Fraction())

    @property
    def black(self) -> Fraction:
        """The chance that the black player wins the battle."""
        return sum((case.black for case in self.cases), Fraction())


def battle_odds(
    red: Sequence[Face], black: Sequence[Face], *, joker_high: bool = False
) -> BattleOdds:
    """Say how a battle of two dice ends.

    Args:
        red: the six faces of the red player's die.
        black: those of the black player's.
        joker_high: WR-11: a joker beats every card; otherwise it is tossed again.

    Raises:
        OddsError: not six card faces each, a face on both, or a battle without an end.
    """
    _check(red, black)
    counted = [
        (first, second)
        for first in _counting(red, joker_high)
        for second in _counting(black, joker_high)
    ]
    found = Counter(_outcome(first, second) for first, second in counted)
    level = found.pop(None, 0)
    ends = len(counted) - level
    if not ends:
        raise OddsError(
            f"a battle of {codes(red)} and {codes(black)} never ends: every toss is"
            " repeated"
        )
    return BattleOdds(
        cases=tuple(
            CaseOdds(
                case,
                Fraction(found[case, Colour.RED], ends),
                Fraction(found[case, Colour.BLACK], ends),
            )
            for case in CASES
        ),
        level=Fraction(level, len(counted)),
        joker=1 - Fraction(len(counted), FACES_A_DIE**2),
    )


def _check(red: Sequence[Face], black: Sequence[Face]) -> None:
    for whose, die in (("red", red), ("black", black)):
        if len(die) != FACES_A_DIE:
            raise OddsError(f"the {whose} die has six faces, not {len(die)}")
        if not all(isinstance(face, Card | Joker) for face in die):
            raise OddsError(f"War needs card dice, the {whose} one is {codes(die)}")
    if both := [face for face in red if face in black]:
        raise OddsError(f"on both dice, expected on one: {codes(both)}")


def _counting(die: Sequence[Face], joker_high: bool) -> list[Face]:
    """The sides that are not simply tossed again; each is as likely as the others."""
    return [face for face in die if joker_high or isinstance(face, Card)]


def _outcome(red: Face, black: Face) -> tuple[str, Colour] | None:
    """Case and winner of two tosses; None if they are level."""
    shows_red = _colour(red, Colour.RED) is Colour.RED
    shows_black = _colour(black, Colour.BLACK) is Colour.BLACK
    if shows_red is not shows_black:
        return ("d", Colour.RED) if shows_red else ("c", Colour.BLACK)
    if _rank(red) == _rank(black):
        return None
    winner = Colour.RED if _rank(red) > _rank(black) else Colour.BLACK
    return ("a" if shows_red else "b"), winner


def _colour(face: Face, own: Colour) -> Colour:
    return face.colour if isinstance(face, Card) else own


def _rank(face: Face) -> int:
    if not isinstance(face, Card):
        return JOKER_RANK
    return ACE_RANK if face.rank == 1 else face.rank
