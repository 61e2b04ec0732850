"""One classic turn: up to three rolls against a target card (CL-06 to CL-17)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import reduce
from typing import TYPE_CHECKING, assert_never

from scoring.refusals import RuleError as RuleError
from scoring.rolling import MOST_ROLLS, Throws, check_stop, keep, roll
from scoring.target_score import Earned, PayRules, score_target

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scoring.cards import Face
    from scoring.target_deck import Target


@dataclass(frozen=True, slots=True)
class Rolled:
    """All dice of the set lie still after a throw.

    Attributes:
        faces: the face at each place; kept places show what they showed (CM-17).
    """

    faces: tuple[Face, ...]


@dataclass(frozen=True, slots=True)
class Kept:
    """The player selected the dice that the next roll leaves.

    Attributes:
        places: places of the dice, from 0; none keeps nothing.
    """

    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Stopped:
    """The player said that the roll lying there counts (CM-22)."""


Event = Rolled | Kept | Stopped


class Phase(StrEnum):
    """What a turn waits for."""

    ROLL = "roll"
    DECIDE = "decide"
    STOP = "stop"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class TurnOptions:
    """The agreements of a turn.

    Attributes:
        pay: what decides the chips.
        kid: whether the player gets all chips for the type too (CL-11).
        joker_cards: Joker cards played in this turn (CL-24).
    """

    pay: PayRules = field(default_factory=PayRules)
    kid: bool = False
    joker_cards: int = 0


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn as far as it went.

    Attributes:
        target: the card that lies there.
        options: the agreements.
        throws: the rolls so far, and what is kept for the next.
        result: what the turn earned; None until it is stopped.
    """

    target: Target
    options: TurnOptions
    throws: Throws
    result: Earned | None = None

    @property
    def phase(self) -> Phase:
        """What the turn waits for."""
        if self.result is not None:
            return Phase.OVER
        if self.roll_number == 0:
            return Phase.ROLL
        return Phase.DECIDE if self.roll_number < MOST_ROLLS else Phase.STOP

    @property
    def rolls(self) -> tuple[tuple[Face, ...], ...]:
        """The faces of each roll so far."""
        return self.throws.rolls

    @property
    def roll_number(self) -> int:
        """How many rolls were made, 0 to 3."""
        return self.throws.count

    @property
    def faces(self) -> tuple[Face, ...]:
        """What lies there in place order; nothing before the first roll."""
        return self.throws.faces

    @property
    def kept(self) -> tuple[int, ...]:
        """Places that the next roll leaves, ascending."""
        return self.throws.kept_places

    @property
    def earns(self) -> Earned | None:
        """What stopping now would earn; None before the first roll."""
        if not self.throws.can_stop:
            return None
        return score_target(
            self.target,
            self.faces,
            self.roll_number,
            self.options.pay,
            kid=self.options.kid,
            joker_cards=self.options.joker_cards,
        )


def new_turn(
    target: Target, options: TurnOptions | None = None, throws: Throws | None = None
) -> Turn:
    """Begin a turn: the target lies there, nothing is rolled.

    Args:
        target: the card drawn.
        options: the agreements; those of the published rules if None.
        throws: dice without a roll yet; nine card dice of unknown layout if None.
    """
    return Turn(target, options or TurnOptions(), throws or Throws())


def decide(turn: Turn, event: Event) -> Turn:
    """Judge an event and let it happen.

    Returns:
        The turn after it.

    Raises:
        RuleError: the rule that refuses it; `turn` is as it was (CM-02).
    """
    if turn.phase is Phase.OVER:
        raise RuleError("CM-06", "This turn is over.")
    match event:
        case Rolled(faces):
            roll(turn.throws, faces)
        case Kept(places):
            keep(turn.throws, places)
        case Stopped():
            check_stop(turn.throws)
        case _:
            assert_never(event)
    return apply(turn, event)


def apply(turn: Turn, event: Event) -> Turn:
    """Record an event that `decide` accepted."""
    match event:
        case Rolled(faces):
            rolls = (*turn.throws.rolls, faces)
            return replace(turn, throws=replace(turn.throws, rolls=rolls, kept=None))
        case Kept(places):
            kept = tuple(sorted(places))
            return replace(turn, throws=replace(turn.throws, kept=kept))
        case Stopped():
            return replace(turn, result=turn.earns)
        case _:
            assert_never(event)


def replay(turn: Turn, events: Iterable[Event]) -> Turn:
    """Let events happen one after the other (CM-01).

    Raises:
        RuleError: one of them is refused.
    """
    return reduce(decide, events, turn)


def can_roll(turn: Turn) -> bool:
    """Whether a possible roll would be accepted."""
    return turn.phase is not Phase.OVER and turn.throws.can_roll


def can_keep(turn: Turn) -> bool:
    """Whether dice can be selected now."""
    return turn.phase is not Phase.OVER and turn.throws.can_keep


def can_stop(turn: Turn) -> bool:
    """Whether the turn can be scored now."""
    return turn.phase is not Phase.OVER and turn.throws.can_stop
