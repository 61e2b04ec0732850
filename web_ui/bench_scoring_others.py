"""Other evaluators of poker hands: judges and rivals, where they are installed."""

from __future__ import annotations

import importlib
from functools import partial
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

RANK_LETTERS = "23456789TJQKA"


class Other(NamedTuple):
    """A public library that ranks five to seven cards, without jokers.

    Attributes:
        name: the package and its version.
        card: a card as the library has it, from its bit (`scoring.face_bits`).
        rank: the rank of cards; equal ranks are a tie.
        lower_wins: whether the smaller rank is the stronger hand.
    """

    name: str
    card: Callable[[int], Any]
    rank: Callable[[Sequence[Any]], Any]
    lower_wins: bool


def other_evaluator(package: str) -> Other | None:
    """The evaluator of a package; None if it is not installed.

    Args:
        package: `phevaluator`, `treys` or `pokerkit`.
    """
    try:
        library = importlib.import_module(package)
    except ImportError:
        return None
    return partial(_MAKERS[package], f"{package} {version(package)}")(library)


def _letters(place: int) -> str:
    return RANK_LETTERS[place % 13] + "shdc"[place // 13]


def _phevaluator(name: str, library: Any) -> Other:
    evaluate = library.evaluate_cards
    # its cards are numbers: 4 * rank + suit
    return Other(
        name,
        lambda place: place % 13 * 4 + place // 13,
        lambda cards: evaluate(*cards),
        True,
    )


def _treys(name: str, library: Any) -> Other:
    evaluate = library.Evaluator().evaluate
    return Other(
        name,
        lambda place: library.Card.new(_letters(place)),
        lambda cards: evaluate(cards[:2], cards[2:]),
        True,
    )


def _pokerkit(name: str, library: Any) -> Other:
    best = library.StandardHighHand.from_game
    return Other(
        name, lambda place: next(library.Card.parse(_letters(place))), best, False
    )


_MAKERS: dict[str, Callable[[str, Any], Other]] = {
    "phevaluator": _phevaluator,
    "treys": _treys,
    "pokerkit": _pokerkit,
}
PACKAGES = tuple(_MAKERS)
