"""Refusals: a rule says no, by its number and in a sentence for the players."""

from __future__ import annotations

from reprlib import Repr

from scoring.cards import ScoringError

_SHOWN = Repr()
_SHOWN.maxstring = _SHOWN.maxother = _SHOWN.maxlong = 60
_SHOWN.maxlevel = 3


class RuleError(ScoringError):
    """An action or a roll that a rule refuses (CM-02).

    Attributes:
        rule: number of the rule, as in `CM-17`.
        sentence: why, in words that a player understands.
    """

    def __init__(self, rule: str, sentence: str) -> None:
        super().__init__(f"{rule}: {sentence}")
        self.rule = rule
        self.sentence = sentence


def shown(value: object) -> str:
    """Write a value into a sentence, cut short however long or deep it is.

    >>> shown("T18"), shown([[[[1]]]] * 9)
    ("'T18'", '[[[[...]]], [[[...]]], [[[...]]], [[[...]]], [[[...]]], [[[...]]], ...]')
    """
    return _SHOWN.repr(value)
