"""Buttons of a box as orders at the table, and the table as lights of a box."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from firmware_bridge.events import HOLDS, BoxState, Button
from scoring.refusals import RuleError
from web_ui.table.commands import Order, parse_order
from web_ui.table.shown import Use

if TYPE_CHECKING:
    from collections.abc import Mapping

    from web_ui.table.state import TableState

DEFAULT_ACTIONS: dict[Button, str] = {
    Button.ROLL: "accept",
    Button.NEXT: "next",
    Button.UNDO: "undo",
    Button.TIMER: "timer",
}
"""What the buttons beside the holds do; settings may change it."""


@dataclass(frozen=True, slots=True)
class BoxPress:
    """A button of a box went down, as the table's queue takes it.

    Attributes:
        box: name of the box.
        button: which.
        action: what it does; empty for a hold.
        seat: the player whose box it is; None for the table's.
    """

    box: str
    button: Button
    action: str = ""
    seat: str | None = None


@dataclass(frozen=True, slots=True)
class BoxNews:
    """A box came or went: the page shall show it."""


def press_of(
    box: str,
    button: Button,
    actions: Mapping[Button, str],
    seats: Mapping[str, str],
) -> BoxPress:
    """Say what a button means at this table."""
    action = "" if button < HOLDS else actions.get(button, DEFAULT_ACTIONS[button])
    return BoxPress(box, button, action, seats.get(box))


def order_of(press: BoxPress, state: TableState) -> Order:
    """Turn a press into an order, as the page would send it.

    Raises:
        RuleError: CM-06, the button is of no use now.
    """
    data = _command(press, state)
    return parse_order(data, f"box {press.box}", referee=False, seat=press.seat)


def _command(press: BoxPress, state: TableState) -> dict[str, object]:
    if not press.action:
        return _hold(int(press.button), state)
    match press.action:
        case "accept":
            current = state.current
            if current is None or current.use is not Use.WAITING:
                raise RuleError("CM-06", "No reading waits for an answer.")
            return {"do": "confirm", "reading": current.id}
        case "next":
            return _way_on(state)
        case "undo" | "redo":
            return {"do": press.action}
        case "timer":
            running = state.timer.since_s is not None
            return {"do": "timer", "timer": "stop" if running else "start"}
        case _:
            raise RuleError("CM-06", "This button does nothing at this table.")


def _hold(place: int, state: TableState) -> dict[str, object]:
    game = state.game
    turn = None if game is None else game.desk.turn(game.state)
    if turn is None or not turn.can_keep:
        raise RuleError("CM-06", "No dice can be kept now.")
    kept = set(turn.kept) ^ {place}
    return {"do": "keep", "dice": sorted(kept)}


def _way_on(state: TableState) -> dict[str, object]:
    """The one main choice, or the likely one of several."""
    game = state.game
    choices = () if game is None else game.desk.choices(game.state)
    main = [choice for choice in choices if choice.group == "main"]
    likely = [choice for choice in main if choice.primary] or main
    if len(likely) != 1:
        raise RuleError("CM-06", "Choose on the page: there is more than one way on.")
    return dict(likely[0].command)


def lights_of(state: TableState, now_s: float) -> BoxState:
    """What a box shows: the kept dice as lights, the timer as minutes and seconds."""
    game = state.game
    turn = None if game is None else game.desk.turn(game.state)
    kept = () if turn is None else turn.kept
    lights = tuple(place in kept for place in range(HOLDS))
    if not state.timer.total_s:
        return BoxState(lights)
    seconds = int(-(-state.timer.left(now_s) // 1))
    minutes = min(seconds // 60, 99)
    return BoxState(lights, f"{minutes:02d}{seconds % 60:02d}")
