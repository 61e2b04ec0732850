"""What sets the timer: people, and the game that has one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoring.refusals import RuleError
from web_ui.table import timer as timers

if TYPE_CHECKING:
    from web_ui.settings import TableSettings
    from web_ui.table.commands import SetTimer
    from web_ui.table.state import TableState


def timer_after(timer: timers.Timer, command: SetTimer, now_s: float) -> timers.Timer:
    """The timer after a command.

    Raises:
        RuleError: TB-05, no such length.
    """
    match command.do:
        case "clear":
            return timers.IDLE
        case "stop":
            return timers.stopped(timer, now_s)
        case _ if command.seconds is None:
            return timers.resumed(timer, now_s)
        case _:
            try:
                return timers.started(command.seconds, now_s)
            except ValueError as error:
                raise RuleError("TB-05", f"The timer: {error}.") from error


def game_timer(
    state: TableState, do: str, timer: timers.Timer, now_s: float
) -> timers.Timer:
    """Squint's timer follows the game (SQ-05, SQ-08)."""
    game = state.game
    if game is None or game.play.game.name != "squint":
        return timer
    if do == "start_timer":
        seconds = game.state.options.timer_seconds
        return timers.started(float(seconds), now_s) if seconds else timer
    after = ("guess", "time_up", "pass", "undo", "redo")
    if do in after and game.state.phase != "build":
        return timers.IDLE
    return timer


TURN_ENDS = frozenset({"start", "stop", "choose", "pass", "guess", "time_up"})
"""Actions after which somebody else, or the same player anew, has a turn."""


def turn_timer(
    before: TableState, after: TableState, agreed: TableSettings, now_s: float
) -> timers.Timer:
    """The timer of a turn: it starts with each turn and rings, but decides nothing."""
    if _turn_of(before) == _turn_of(after):
        return after.timer
    if after.game is None or after.game.state.over:
        return timers.IDLE
    return timers.started(agreed.turn_s, now_s)


def _turn_of(state: TableState) -> object:
    game = state.game
    if game is None:
        return None
    ends = sum(entry.action.do in TURN_ENDS for entry in game.play.entries)
    return game.id, ends, game.desk.actor(game.state)
