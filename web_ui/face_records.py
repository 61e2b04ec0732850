"""Faces as the page shows them: rank and suit signs, ink and a spoken name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, assert_never

from scoring.cards import RANKS, Card, Joker, PokerFace, SquintFace

if TYPE_CHECKING:
    from scoring.cards import Face

_RANK_NAMES = (
    *("ace", "two", "three", "four", "five", "six", "seven"),
    *("eight", "nine", "ten", "jack", "queen", "king"),
)


def _rank_sign(rank: int) -> str:
    return "10" if rank == 10 else RANKS[rank - 1]


def face_record(face: Face) -> dict[str, Any]:
    """Write a face for the page.

    Returns:
        `code`; `rank` and `suit` as signs (a joker has a star and no suit); `colour`
        `red` or `black`; `name` as spoken, `ten of spades`.
    """
    match face:
        case Card(rank, suit):
            name = f"{_RANK_NAMES[rank - 1]} of {suit.name.lower()}"
            signs = (_rank_sign(rank), suit.symbol, suit.colour.value)
        case Joker(colour):
            name, signs = f"{colour} joker", ("★", "", colour.value)
        case PokerFace(rank):
            name, signs = _RANK_NAMES[rank - 1], (_rank_sign(rank), "", "black")
        case SquintFace(number):
            name, signs = str(number), (str(number), "", "black")
        case _:
            assert_never(face)
    rank_sign, suit_sign, ink = signs
    return {
        "code": face.code,
        "rank": rank_sign,
        "suit": suit_sign,
        "colour": ink,
        "name": name,
    }
