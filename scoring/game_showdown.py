"""Showdown: two players fill the rows of one score card (SH-01 to SH-17)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from scoring.dice_sets import bundled_dice_set
from scoring.game import Record, check_actor, not_now
from scoring.game_options import (
    GameOption,
    OptionReader,
    OptionTable,
)
from scoring.refusals import RuleError, shown
from scoring.rolling import Throws, check_stop, roll_or_keep
from scoring.showdown_rows import POINTS, ROWS, TRIPLETS, fits

if TYPE_CHECKING:
    from scoring.action import Action

OPTIONS = OptionTable(
    GameOption(
        "triple",
        False,
        "whether later rows of a section count times two and three",
        "SH-12",
    ),
    GameOption(
        "games",
        1,
        "games of the series; the other player begins each next one",
        "SH-11",
    ),
    GameOption(
        "five_of_a_kind_full_house",
        False,
        "whether five of a kind is a full house too",
        "SH-15",
    ),
    GameOption(
        "turn_cap",
        None,
        "turns of each player after which a game ends; null: no end",
        "SH-16",
    ),
)
DICE = bundled_dice_set("poker-dice")
MOST_TIMES = 3
"""SH-12: a row counts at most times three."""


@dataclass(frozen=True, slots=True)
class ShowdownOptions:
    """The agreements; defaults and meaning: `showdown.md`."""

    triple: bool = False
    games: int = 1
    five_is_full_house: bool = False
    turn_cap: int | None = None


@dataclass(frozen=True, slots=True)
class Scored:
    """A row of the score card that is taken.

    Attributes:
        row: its name.
        seat: who scored it; the other has a zero there (SH-09).
        points: what it counted.
    """

    row: str
    seat: int
    points: int


@dataclass(frozen=True, slots=True)
class ShowdownState:
    """A game as far as it went. Players are seats 0 and 1.

    Attributes:
        players: names in seat order.
        options: the agreements.
        before: points of each seat in the games finished before.
        card: rows taken in this game, in order.
        turns: turns finished in this game, both players together.
        game: which game of the series, from 1.
        throws: the dice of the running turn.
        over: whether the series has ended.
    """

    players: tuple[str, ...]
    options: ShowdownOptions
    before: tuple[int, ...] = (0, 0)
    card: tuple[Scored, ...] = ()
    turns: int = 0
    game: int = 1
    throws: Throws = Throws(DICE)  # noqa: RUF009  # frozen
    over: bool = False

    @property
    def kept_places(self) -> tuple[int, ...]:
        """Places that the next roll leaves."""
        return self.throws.kept_places

    @property
    def actor(self) -> int:
        """Whose turn it is (SH-11: the other begins each next game)."""
        return (self.game - 1 + self.turns) % 2

    @property
    def game_scores(self) -> tuple[int, ...]:
        """Points of each seat in this game."""
        points = [0, 0]
        for taken in self.card:
            points[taken.seat] += taken.points
        return tuple(points)

    @property
    def scores(self) -> tuple[int, ...]:
        """Points of each seat in all games (SH-11)."""
        first, second = self.game_scores
        return self.before[0] + first, self.before[1] + second


class ShowdownGame:
    """The rules of `showdown.md`."""

    name = "showdown"
    options = OPTIONS
    actions = frozenset({"roll", "keep", "choose", "pass"})

    def begin(self, players: tuple[str, ...], options: Record) -> ShowdownState:
        """Start a game (SH-01)."""
        if len(players) != 2:
            raise RuleError(
                "SH-01", f"Showdown is for exactly two players, not {len(players)}."
            )
        reader = OptionReader(options, OPTIONS)
        read = ShowdownOptions(
            triple=reader.flag("triple"),
            games=reader.number("games", 1),
            five_is_full_house=reader.flag("five_of_a_kind_full_house"),
            turn_cap=reader.number_or_none("turn_cap", 1),
        )
        return ShowdownState(players, read)

    def decide(
        self, state: ShowdownState, action: Action
    ) -> tuple[ShowdownState, Record | None]:
        """Judge an action and let it happen (SH-03)."""
        check_actor(action, state.players[state.actor])
        match action.do:
            case "roll" | "keep":
                throws = roll_or_keep(state.throws, action)
                return replace(state, throws=throws), None
            case "choose":
                return _choose(state, action)
            case "pass":  # SH-08
                check_stop(state.throws)
                return _end_turn(state), {"row": None, "points": 0}
            case _:
                raise not_now(action, state.throws.phase)

    def fields(self, state: ShowdownState) -> Record:
        """What can be seen of the state."""
        names = state.players
        scores = state.scores
        owners = {taken.row: names[taken.seat] for taken in state.card}
        most = max(scores)
        winners = [
            name
            for name, score in zip(names, scores, strict=True)
            if state.over and score == most  # SH-10: equal totals share
        ]
        return {
            "phase": "over" if state.over else state.throws.phase,
            "next_player": None if state.over else names[state.actor],
            "scores": dict(zip(names, scores, strict=True)),
            "winners": winners,
            "rows": {row: owners.get(row) for row in ROWS},
            "open_rows": len(ROWS) - len(owners),
            "sheet": {
                name: {
                    taken.row: taken.points if taken.seat == seat else 0
                    for taken in state.card
                }
                for seat, name in enumerate(names)
            },
            "game": state.game,
            "game_scores": dict(zip(names, state.game_scores, strict=True)),
            "roll_number": state.throws.count,
        }


def _choose(state: ShowdownState, action: Action) -> tuple[ShowdownState, Record]:
    """SH-04 to SH-07, SH-12: score one free row that the roll meets."""
    row = action.row
    if row not in ROWS:
        raise RuleError("CM-04", f"There is no row {shown(row)}: {', '.join(ROWS)}.")
    check_stop(state.throws)
    if any(taken.row == row for taken in state.card):
        raise RuleError("SH-06", f"The row {row} is scored already.")
    if not fits(row, state.throws.faces, state.options.five_is_full_house):
        raise RuleError("SH-07", f"The dice do not meet the row {row}.")
    points = row_points(state, row)
    taken = Scored(row, state.actor, points)
    after = _end_turn(replace(state, card=(*state.card, taken)))
    return after, {"row": row, "points": points}


def row_points(state: ShowdownState, row: str) -> int:
    """What a row counts for the one whose turn it is (SH-05, SH-12)."""
    if not state.options.triple:
        return POINTS[row]
    same = sum(
        taken.seat == state.actor and (taken.row in TRIPLETS) is (row in TRIPLETS)
        for taken in state.card
    )
    return POINTS[row] * min(same + 1, MOST_TIMES)


def _end_turn(state: ShowdownState) -> ShowdownState:
    """SH-10, SH-11, SH-16: pass on, or end the game and the series."""
    state = replace(state, turns=state.turns + 1, throws=Throws(DICE))
    cap = state.options.turn_cap
    capped = cap is not None and state.turns >= 2 * cap
    if len(state.card) < len(ROWS) and not capped:
        return state
    if state.game == state.options.games:
        return replace(state, over=True)
    return replace(state, before=state.scores, card=(), turns=0, game=state.game + 1)
