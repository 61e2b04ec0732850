"""A table without threads, cameras or pages: for tests of what it decides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from open_tables import SETTINGS, house_of
from table_makers import HEIGHT_PX, WIDTH_PX

from web_ui.table.advance import end_turn, make_room
from web_ui.table.beginning import start_again
from web_ui.table.commands import parse_order
from web_ui.table.fold import replay
from web_ui.table.orders import obey
from web_ui.table.pen import Pen
from web_ui.table.readings import Settled, settle
from web_ui.table.records import Surroundings, state_record
from web_ui.table.state import TableState

if TYPE_CHECKING:
    from vision.reading import Reading
    from web_ui.table.events import NewEvent


class Round:
    """A table at which things happen one after the other.

    Args:
        demo: whether turns end by themselves.
        begin: whether the game of the settings is started.
    """

    def __init__(self, *, demo: bool = False, begin: bool = True) -> None:
        self.house = house_of(SETTINGS, demo=demo)
        self.state = TableState()
        self.events: list[NewEvent] = []
        self.told = ""
        if begin:
            pen = self._pen()
            start_again(pen)
            if demo:
                make_room(pen)
            self._keep(pen)

    def _pen(self, by: str = "test") -> Pen:
        return Pen(self.house, self.state, by)

    def _keep(self, pen: Pen) -> None:
        self.state = pen.state
        self.events += pen.events

    def settle(
        self, reading: Reading, moved: tuple[int, ...] = (), picture: str = ""
    ) -> dict[str, Any]:
        """A roll comes to rest."""
        pen = self._pen("camera")
        settled = Settled(reading, WIDTH_PX, HEIGHT_PX, picture, moved=moved)
        notice = settle(pen, settled)
        if self.house.demo:
            end_turn(pen)
        self.told = notice.sentence if notice else ""
        self._keep(pen)
        return self.record()

    def order(
        self,
        do: str,
        *,
        by: str = "operator",
        referee: bool = True,
        seat: str | None = None,
        **fields: object,
    ) -> dict[str, Any]:
        """A person asks for something."""
        order = parse_order({"do": do, **fields}, by, referee=referee, seat=seat)
        pen = self._pen(by)
        obey(pen, order)
        self._keep(pen)
        return self.record()

    def record(self) -> dict[str, Any]:
        """What the page shows."""
        return state_record(self.house, self.state, Surroundings())

    def told_again(self) -> TableState:
        """The state as a restart finds it."""
        return replay(self.events)

    def scores(self) -> list[int]:
        """The players' scores in seat order."""
        return [player["score"] for player in self.record()["players"]]
