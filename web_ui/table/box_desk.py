"""The button boxes of a table: their presses go in, its lights go out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from firmware_bridge.boxes import ButtonBoxes
from firmware_bridge.events import Button, Connected, Lost, Pressed
from web_ui.table.box_orders import BoxNews, lights_of, press_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from firmware_bridge.events import BoxEvent, BoxState
    from web_ui.settings import BoxSettings
    from web_ui.table.box_orders import BoxPress
    from web_ui.table.state import TableState

AUTO = "auto"


class BoxDesk:
    """Wires boxes to a table.

    Args:
        settings: ports, seats and what the buttons do.
        press: takes each press; False if there is no room: it comes again.
        tell: called when a box came or went.
    """

    def __init__(
        self,
        settings: BoxSettings,
        press: Callable[[BoxPress], bool],
        tell: Callable[[BoxNews], None],
    ) -> None:
        self._press, self._tell = press, tell
        self._shown: BoxState | None = None
        self._actions = {
            Button.ROLL: settings.roll,
            Button.NEXT: settings.next,
            Button.UNDO: settings.undo,
            Button.TIMER: settings.timer,
        }
        pairs = (seat.partition("=") for seat in settings.seats)
        self._seats = {box.strip(): player.strip() for box, _, player in pairs}
        self._boxes: ButtonBoxes | None = None
        if settings.ports:
            ports = None if AUTO in settings.ports else settings.ports
            self._boxes = ButtonBoxes(self._deliver, ports)

    def _deliver(self, event: BoxEvent) -> bool:
        if isinstance(event, Connected | Lost):
            self._tell(BoxNews())
            return True
        if not isinstance(event, Pressed):
            return True
        return self._press(
            press_of(event.box, event.button, self._actions, self._seats)
        )

    def light(self, state: TableState, now_s: float) -> None:
        """Show the table's state on every box; never waits."""
        wanted = lights_of(state, now_s)
        if self._boxes is not None and wanted != self._shown:
            self._shown = wanted
            self._boxes.show(wanted)

    def record(self) -> list[dict[str, Any]]:
        """How each box is, for the page's chip."""
        if self._boxes is None:
            return []
        return [
            {"box": one.box, "port": one.port, "connected": one.connected}
            for one in self._boxes.status()
            if one.box is not None
        ]

    def stop(self) -> None:
        """End the boxes' threads, within a second."""
        if self._boxes is not None:
            self._boxes.stop()
