"""Rummy and Dice Rummy on the nine dice (RM-01 to RM-09)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from scoring.game import Record, check_actor, not_now
from scoring.game_options import (
    LAYOUT,
    GameOption,
    OptionReader,
    OptionTable,
)
from scoring.refusals import RuleError
from scoring.rolling import CARD_DICE, Throws, check_stop, roll_or_keep
from scoring.rummy_points import rummy_points

if TYPE_CHECKING:
    from scoring.action import Action
    from scoring.dice_sets import DiceSet

OPTIONS = OptionTable(
    GameOption("rounds", 5, "rounds, one turn of every player each", "RM-07"),
    GameOption(
        "to",
        None,
        "points that end the game instead of rounds; null: rounds do",
        "RM-08",
    ),
    GameOption(
        "jokers",
        "wild",
        'jokers stand for any card not showing ("wild") or "nothing"',
        "RM-06",
    ),
    LAYOUT,
)


@dataclass(frozen=True, slots=True)
class RummyOptions:
    """The agreements; defaults and meaning: `rummy.md`."""

    rounds: int = 5
    to: int | None = None
    jokers_wild: bool = True
    dice_set: DiceSet = CARD_DICE


@dataclass(frozen=True, slots=True)
class RummyState:
    """A game as far as it went. Players are seats, counted from 0.

    Attributes:
        players: names in seat order.
        options: the agreements.
        scores: points of each seat.
        round: from 1; extra rounds go on counting.
        contenders: who rolls in this round, in order.
        turn: place in `contenders` of who rolls.
        throws: the dice of the running turn.
        winner: the seat that won; None before the end.
    """

    players: tuple[str, ...]
    options: RummyOptions
    scores: tuple[int, ...]
    round: int
    contenders: tuple[int, ...]
    turn: int
    throws: Throws
    winner: int | None = None

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.winner is not None

    @property
    def kept_places(self) -> tuple[int, ...]:
        """Places that the next roll leaves."""
        return self.throws.kept_places

    @property
    def actor_name(self) -> str:
        """Who acts next."""
        return self.players[self.contenders[self.turn]]


class RummyGame:
    """The rules of `rummy.md`."""

    name = "rummy"
    options = OPTIONS
    actions = frozenset({"roll", "keep", "stop"})

    def begin(self, players: tuple[str, ...], options: Record) -> RummyState:
        """Start a game (RM-01)."""
        if not players:
            raise RuleError("RM-01", "Rummy needs at least one player.")
        reader = OptionReader(options, OPTIONS)
        read = RummyOptions(
            rounds=reader.number("rounds", 1),
            to=reader.number_or_none("to", 1),
            jokers_wild=reader.choice("jokers", ("wild", "nothing")) == "wild",
            dice_set=reader.card_dice(),
        )
        scores = (0,) * len(players)
        seats = tuple(range(len(players)))
        return RummyState(players, read, scores, 1, seats, 0, Throws(read.dice_set))

    def decide(
        self, state: RummyState, action: Action
    ) -> tuple[RummyState, Record | None]:
        """Judge an action and let it happen (RM-02)."""
        check_actor(action, state.actor_name)
        match action.do:
            case "roll" | "keep":
                throws = roll_or_keep(state.throws, action)
                return replace(state, throws=throws), None
            case "stop":
                return _stop(state)
            case _:
                raise not_now(action, state.throws.phase)

    def fields(self, state: RummyState) -> Record:
        """What can be seen of the state."""
        names = state.players
        return {
            "phase": "over" if state.over else state.throws.phase,
            "next_player": None if state.over else state.actor_name,
            "scores": dict(zip(names, state.scores, strict=True)),
            "winners": [] if state.winner is None else [names[state.winner]],
            "round": state.round,
            "contenders": [names[seat] for seat in state.contenders],
            "roll_number": state.throws.count,
        }


def _stop(state: RummyState) -> tuple[RummyState, Record]:
    check_stop(state.throws)
    points = rummy_points(state.throws.faces, state.options.jokers_wild)
    scores = list(state.scores)
    scores[state.contenders[state.turn]] += points
    state = replace(
        state,
        scores=tuple(scores),
        throws=Throws(state.options.dice_set),
        turn=state.turn + 1,
    )
    if state.turn == len(state.contenders):
        state = _finish_round(state)
    return state, {"points": points}


def _finish_round(state: RummyState) -> RummyState:
    """RM-07 to RM-09: go on, win, or play extra rounds among the tied."""
    most = max(state.scores[seat] for seat in state.contenders)
    to = state.options.to
    ended = state.round >= state.options.rounds if to is None else most >= to
    contenders = state.contenders
    if ended:
        contenders = tuple(seat for seat in contenders if state.scores[seat] == most)
        if len(contenders) == 1:
            return replace(state, winner=contenders[0], turn=0)
    return replace(state, round=state.round + 1, contenders=contenders, turn=0)
