"""What every game is: a fold of accepted actions over a frozen state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol, TypeVar

from scoring.refusals import RuleError

if TYPE_CHECKING:
    from scoring.action import Action
    from scoring.game_options import OptionTable

Record = Mapping[str, object]
"""A JSON object: state fields and results as `cases.md` names them."""


class State(Protocol):
    """What the log must know of any game's state."""

    @property
    def players(self) -> tuple[str, ...]:
        """Names in seat order."""
        ...

    @property
    def over(self) -> bool:
        """Whether the game has ended (CM-07)."""
        ...

    @property
    def kept_places(self) -> tuple[int, ...]:
        """Places that the next roll leaves lying (CM-12); none before a first roll."""
        ...


S = TypeVar("S", bound=State)


class Game(Protocol[S]):
    """The rules of one game. Holds nothing: all that changes is in the state."""

    @property
    def name(self) -> str:
        """As game scripts call it."""
        ...

    @property
    def options(self) -> OptionTable:
        """Every option: its name, default and meaning."""
        ...

    @property
    def actions(self) -> frozenset[str]:
        """What can be done beside start, undo, redo and correct."""
        ...

    def begin(self, players: tuple[str, ...], options: Record) -> S:
        """Start a game.

        Args:
            players: different, non-empty names in seat order.
            options: what departs from the defaults.

        Raises:
            RuleError: CM-03, or the game's own rule on the number of players.
        """
        ...

    def decide(self, state: S, action: Action) -> tuple[S, Record | None]:
        """Judge an action and let it happen.

        Returns:
            The state after it, and its result.

        Raises:
            RuleError: the rule that refuses it (CM-02).
        """
        ...

    def fields(self, state: S) -> Record:
        """What can be seen of a state, as `cases.md` lists it, `result` apart."""
        ...


def check_actor(action: Action, actor: str) -> None:
    """Check that it is the player's turn (CM-05).

    Raises:
        RuleError: CM-05, another player acts.
    """
    if action.player is not None and action.player != actor:
        raise RuleError("CM-05", f"It is {actor}'s turn, not {action.player}'s.")


def not_now(action: Action, phase: str) -> RuleError:
    """The refusal of an action that is not possible at this moment (CM-06)."""
    return RuleError("CM-06", f"{action.do!r} is not possible now (phase {phase}).")
