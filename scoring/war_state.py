"""What War is made of: its options and its frozen state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from scoring.cards import Colour
from scoring.game_options import (
    GameOption,
    OptionReader,
    OptionTable,
)
from scoring.refusals import RuleError

if TYPE_CHECKING:
    from scoring.cards import Face

OPTIONS = OptionTable(
    GameOption(
        "colours",
        None,
        "an object with red or black for each player; null: the first is red",
        "WR-03",
    ),
    GameOption(
        "assign",
        None,
        'an object with four dice for each player, or "draft"; null: 1-4 and 5-8',
        "WR-02",
    ),
    GameOption(
        "joker",
        "reroll",
        'a joker is tossed again ("reroll") or beats every card ("high")',
        "WR-11",
    ),
    GameOption(
        "best_of",
        1,
        "an odd number of games; who wins more than half wins the set",
        "WR-14",
    ),
)
MOST_NUMBER = 9
ASSIGNED = ((1, 2, 3, 4), (5, 6, 7, 8))
"""WR-02: who has which dice unless agreed otherwise."""

NO_DICE: tuple[tuple[int, ...], ...] = ((), ())


class Phase(StrEnum):
    """What the game waits for."""

    DRAFT = "draft"
    TOSS = "toss"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Toss:
    """A die tossed: its number and the face on top."""

    die: int
    face: Face


@dataclass(frozen=True, slots=True)
class WarOptions:
    """The agreements.

    Attributes:
        red: seat of the red player.
        assign: the dice of each seat at the start; None if they are drafted.
        joker_high: WR-11: a joker beats every card; otherwise it is tossed again.
        best_of: WR-14: an odd number of games.
    """

    red: int
    assign: tuple[tuple[int, ...], ...] | None
    joker_high: bool
    best_of: int


@dataclass(frozen=True, slots=True)
class WarState:
    """A game as far as it went. Players are seats 0 and 1.

    Attributes:
        players: names in seat order.
        options: the agreements.
        phase: what the game waits for.
        scores: games won by each seat.
        dice: numbers of the dice of each seat, ascending.
        pot: numbers of the dice in the pot.
        game: which game of the set, from 1.
        tosses: what each seat tossed in this battle.
        again: the die that each seat must toss again.
        tied: whether the battle was level and is tossed again (WR-10).
        winner: the seat that won the set; None before the end.
    """

    players: tuple[str, ...]
    options: WarOptions
    phase: Phase
    scores: tuple[int, ...]
    dice: tuple[tuple[int, ...], ...]
    pot: tuple[int, ...] = ()
    game: int = 1
    tosses: tuple[Toss | None, Toss | None] = (None, None)
    again: tuple[int | None, int | None] = (None, None)
    tied: bool = False
    winner: int | None = None

    @property
    def over(self) -> bool:
        """Whether the set has ended."""
        return self.phase is Phase.OVER

    @property
    def kept_places(self) -> tuple[int, ...]:
        """No die is kept in War."""
        return ()

    @property
    def actor(self) -> int:
        """Who acts next: the picker, or the first who has still to toss."""
        if self.phase is Phase.DRAFT:
            picks = sum(len(dice) for dice in self.dice)
            return (self.game - 1 + picks) % 2
        return 0 if self.tosses[0] is None else 1


def begin_war(players: tuple[str, ...], options: Mapping[str, object]) -> WarState:
    """Set up a game.

    Raises:
        RuleError: WR-01 not two players; CM-03, WR-02, WR-03, WR-14 wrong options.
    """
    if len(players) != 2:
        raise RuleError("WR-01", f"War is for exactly two players, not {len(players)}.")
    reader = OptionReader(options, OPTIONS)
    best_of = reader.number("best_of", 1)
    if best_of % 2 == 0:
        raise RuleError("WR-14", f"Best of an odd number of games, not {best_of}.")
    read = WarOptions(
        red=_red(reader, players),
        assign=_assign(reader, players),
        joker_high=reader.choice("joker", ("reroll", "high")) == "high",
        best_of=best_of,
    )
    return new_game(WarState(players, read, Phase.TOSS, (0, 0), NO_DICE))


def new_game(state: WarState) -> WarState:
    """Deal the dice of the next game (WR-02, WR-14)."""
    assign = state.options.assign
    if assign is None:
        return replace(state, phase=Phase.DRAFT, dice=NO_DICE, pot=())
    return replace(state, phase=Phase.TOSS, dice=assign, pot=())


def _red(reader: OptionReader, players: tuple[str, ...]) -> int:
    value = reader.raw("colours")
    if value is None:
        return 0
    if not isinstance(value, Mapping) or set(value) != set(players):
        raise reader.wrong("colours", "an object with a colour for each player")
    colours = [value[name] for name in players]
    if any(colour not in list(Colour) for colour in colours):
        raise reader.wrong("colours", "red or black for each player")
    if colours[0] == colours[1]:
        raise RuleError("WR-03", "One player is red, the other black.")
    return colours.index(Colour.RED)


def _assign(
    reader: OptionReader, players: tuple[str, ...]
) -> tuple[tuple[int, ...], ...] | None:
    value = reader.raw("assign")
    if value is None:
        return ASSIGNED
    if value == "draft":
        return None
    expected = '"draft" or an object with four numbers for each player'
    if not isinstance(value, Mapping) or set(value) != set(players):
        raise reader.wrong("assign", expected)
    dealt = []
    for name in players:
        numbers = value[name]
        if not isinstance(numbers, list) or len(numbers) != len(ASSIGNED[0]):
            raise reader.wrong("assign", expected)
        if any(not isinstance(n, int) or isinstance(n, bool) for n in numbers):
            raise reader.wrong("assign", expected)
        dealt.append(tuple(sorted(numbers)))
    every = [number for numbers in dealt for number in numbers]
    if len(set(every)) < len(every):
        raise RuleError("WR-02", "A die cannot be dealt twice.")
    if any(not 1 <= number <= MOST_NUMBER for number in every):
        raise RuleError("WR-02", f"Dice are numbered 1 to {MOST_NUMBER}.")
    return tuple(dealt)
