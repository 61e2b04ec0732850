"""What Squint is made of: its options and its frozen state."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from scoring.game_options import (
    GameOption,
    OptionReader,
    OptionTable,
)
from scoring.refusals import RuleError

if TYPE_CHECKING:
    from collections.abc import Mapping

OPTIONS = OptionTable(
    GameOption(
        "rounds",
        None,
        "rounds, one turn as builder each; null: 4, 3 or 2 by the players",
        "SQ-11",
    ),
    GameOption(
        "first_builder",
        None,
        "the player who builds first; null: the first in the list",
        "SQ-02",
    ),
    GameOption(
        "new_player_rounds",
        0,
        "rounds before the game, played without die and timer",
        "SQ-14",
    ),
    GameOption(
        "new_player_chips",
        False,
        "whether these rounds pay the number of the item chosen",
        "SQ-14",
    ),
    GameOption(
        "timer_seconds", None, "length of the timer; null: that of the set", "SQ-02"
    ),
    GameOption("colour", "blue", 'the side of the cards: "blue" or "green"', "SQ-02"),
)
ROUNDS = {3: 4, 4: 4, 5: 3, 6: 3, 7: 2, 8: 2}
"""SQ-11: rounds by the number of players."""


class Phase(StrEnum):
    """What the game waits for."""

    ROLL = "roll"
    DRAW = "draw"
    TIMER = "timer"
    CHOOSE = "choose"
    BUILD = "build"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class SquintOptions:
    """The agreements; defaults and meaning: `squint.md`."""

    rounds: int
    first_builder: int
    new_player_rounds: int
    new_player_chips: bool
    timer_seconds: int | None
    colour: str


@dataclass(frozen=True, slots=True)
class SquintState:
    """A game as far as it went. Players are seats, counted from 0.

    Attributes:
        players: names in seat order.
        options: the agreements.
        phase: what the game waits for.
        scores: chips of each seat.
        builder: who builds.
        turns: turns finished before the tie-breaker.
        die: the number rolled in this turn; None before.
        item: the item chosen in a new-player round; None before.
        tied: who guesses in the tie-breaker; none while there is no tie-breaker.
        winners: who won; nobody before the end.
    """

    players: tuple[str, ...]
    options: SquintOptions
    phase: Phase
    scores: tuple[int, ...]
    builder: int
    turns: int = 0
    die: int | None = None
    item: int | None = None
    tied: tuple[int, ...] = ()
    winners: tuple[int, ...] = ()

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.phase is Phase.OVER

    @property
    def kept_places(self) -> tuple[int, ...]:
        """The Squint die is never kept."""
        return ()

    @property
    def round(self) -> int:
        """The assigned rounds count from 1; new-player rounds end with 0."""
        first = 1 - self.options.new_player_rounds
        # the last turn of the last round has no next round to belong to
        last = self.options.rounds
        return min(first + self.turns // len(self.players), last)

    @property
    def practice(self) -> bool:
        """Whether this is a new-player round (SQ-14)."""
        return not self.tied and self.round < 1

    @property
    def timer_holder(self) -> int:
        """The builder's left neighbour."""
        return (self.builder + 1) % len(self.players)


def begin_squint(
    players: tuple[str, ...], options: Mapping[str, object]
) -> SquintState:
    """Set up a game.

    Raises:
        RuleError: SQ-01 the number of players; CM-03 wrong options.
    """
    if len(players) not in ROUNDS:
        raise RuleError(
            "SQ-01", f"Squint is for three to eight players, not {len(players)}."
        )
    reader = OptionReader(options, OPTIONS)
    rounds = reader.number_or_none("rounds", 1)
    read = SquintOptions(
        rounds=ROUNDS[len(players)] if rounds is None else rounds,
        first_builder=reader.player("first_builder", players, 0),
        new_player_rounds=reader.number("new_player_rounds", 0),
        new_player_chips=reader.flag("new_player_chips"),
        timer_seconds=reader.number_or_none("timer_seconds", 1),
        colour=reader.choice("colour", ("blue", "green")),
    )
    return SquintState(
        players=players,
        options=read,
        phase=Phase.DRAW if read.new_player_rounds else Phase.ROLL,
        scores=(0,) * len(players),
        builder=read.first_builder,
    )
