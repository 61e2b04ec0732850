"""What sets the timer: people, and the game that has one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoring.refusals import RuleError
from web_ui.table import timer as timers

if TYPE_CHECKING:
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
    if do in ("guess", "time_up", "pass") and game.state.phase != "build":
        return timers.IDLE
    return timer
