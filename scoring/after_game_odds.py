"""What a classic turn is worth, told by the exact odds of dice with a known layout."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from scoring.after_game import TIE, NotJudgedError, Option
from scoring.odds import Goal, all_keeps, best_play, keep_value
from scoring.rolling import MOST_ROLLS
from scoring.target_deck import CardKind, Target
from scoring.target_score import score_target

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoring.after_game import Faces
    from scoring.classic_options import ClassicOptions
    from scoring.dice_sets import DiceSet


@lru_cache(maxsize=256)
def _whole_turn(dice_set: DiceSet, goal: Goal) -> float:
    return best_play(dice_set, goal)


@dataclass(frozen=True, slots=True)
class ClassicWorth:
    """The chips of a target turn: a `Worth`.

    Attributes:
        dice_set: the dice, their layout known.
        options: the agreements of the game.
        target: the card that lies there.
        kid: whether the player gets all chips for the type too (CL-11).
    """

    dice_set: DiceSet
    options: ClassicOptions
    target: Target
    kid: bool = False

    def start(self, cards: Sequence[str]) -> float:
        """Before the first roll."""
        goal, factor = self._goal(cards)
        return factor * _whole_turn(self.dice_set, goal)

    def stop(self, faces: Faces, roll: int, cards: Sequence[str], _: str = "") -> float:
        """Stopping now, as the game itself pays it (CL-20)."""
        jokers = list(cards).count(CardKind.JOKER)
        pay = self.options.pay
        earned = score_target(
            self.target, faces, roll, pay, kid=self.kid, joker_cards=jokers
        )
        if CardKind.DOUBLE_DOWN not in cards:
            return float(earned.total)
        twice = 2 if self.options.double_down_bonus else 1
        return float(2 * earned.chips + twice * earned.bonus)

    def best(self, faces: Faces, roll: int, cards: Sequence[str]) -> Option:
        """The best thing to do after a roll."""
        stop = self.stop(faces, roll, cards)
        if roll == MOST_ROLLS:
            return Option(stop, forced=True)
        goal, factor = self._goal(cards)
        keeps = all_keeps(self.dice_set, goal, faces, MOST_ROLLS - roll)
        if abs(factor * keeps.stop - stop) > TIE:
            raise NotJudgedError("the odds do not know what this card pays")
        if keeps.stop >= keeps.roll - TIE:
            return Option(stop)
        kept = keeps.kept(keeps.best[0])
        return Option(factor * keeps.roll, stop=False, keep=kept)

    def keep(self, faces: Faces, kept: Faces, roll: int, cards: Sequence[str]) -> float:
        """Rolling all but the kept faces once more."""
        goal, factor = self._goal(cards)
        return factor * keep_value(self.dice_set, goal, faces, kept, MOST_ROLLS - roll)

    def _goal(self, cards: Sequence[str]) -> tuple[Goal, int]:
        """What the odds must know, and by what its chips are multiplied."""
        if CardKind.JOKER in cards:
            raise NotJudgedError("a Joker card was played before the last roll")
        exact, other = self.target.chips_exact, self.target.chips_type
        if self.kid:
            other = max(exact, other)
        factor = 1
        if CardKind.DOUBLE_DOWN in cards:
            if self.options.double_down_bonus:
                factor = 2
            else:
                exact, other = 2 * exact, 2 * other
        # without its name: the same card under another shares what is computed
        target = replace(self.target, id="", chips_exact=exact, chips_type=other)
        return Goal(target.hand, target, self.options.pay), factor
