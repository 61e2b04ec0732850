"""A table without threads, cameras or pages: for tests of what it decides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from table_makers import HEIGHT_PX, WIDTH_PX

from scoring.dice_sets import bundled_dice_set
from scoring.target_deck import builtin_targets
from web_ui.commands import parse_order
from web_ui.settings import GameSettings
from web_ui.state_record import state_record
from web_ui.table_orders import obey
from web_ui.table_readings import Settled, make_room, settle
from web_ui.table_state import House, new_table

if TYPE_CHECKING:
    from vision.reading import Reading


class Round:
    """A table at which things happen one after the other.

    Args:
        demo: whether turns end by themselves.
    """

    def __init__(self, *, demo: bool = False) -> None:
        game = GameSettings(players=("Ann", "Bob"))
        self.house = House(bundled_dice_set("square-shooters"), game, demo)
        # T18 first: ten ten ten nine nine, 8 chips exact and 4 for the type
        deck = builtin_targets()
        first = [target for target in deck if target.id == "T18"]
        rest = [target for target in deck if target.id != "T18"]
        self.state = new_table(game.players, (*first, *rest))
        if demo:
            self.state = make_room(self.house, self.state)

    def settle(self, reading: Reading) -> dict[str, Any]:
        """A roll comes to rest."""
        settled = Settled(reading, WIDTH_PX, HEIGHT_PX)
        self.state = settle(self.house, self.state, settled)
        return self.record()

    def order(self, do: str, **fields: object) -> dict[str, Any]:
        """A person asks for something."""
        order = parse_order({"do": do, **fields})
        self.state = obey(self.house, self.state, order)
        return self.record()

    def record(self) -> dict[str, Any]:
        """What the page shows."""
        return state_record(self.house, self.state)

    def chips(self) -> list[int]:
        """The players' chips in seat order."""
        return [player.chips for player in self.state.players]
