"""Refusals: a rule says no, by its number and in a sentence for the players."""

from __future__ import annotations

from scoring.cards import ScoringError


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
