"""All games at the table, by the names that game scripts use."""

from __future__ import annotations

from typing import Any

from scoring.games import GAMES
from web_ui.table.desk import Desk
from web_ui.table.desk_classic import ClassicDesk
from web_ui.table.desk_rounds import BestHandDesk, RummyDesk
from web_ui.table.desk_showdown import ShowdownDesk
from web_ui.table.desk_squint import SquintDesk
from web_ui.table.desk_straight import StraightDesk
from web_ui.table.desk_war import WarDesk

AnyDesk = Desk[Any]
"""A desk whose kind of state does not matter to the caller."""

_ALL: tuple[AnyDesk, ...] = (
    ClassicDesk(),
    WarDesk(),
    ShowdownDesk(),
    RummyDesk(),
    BestHandDesk(),
    StraightDesk(),
    SquintDesk(),
)

DESKS: dict[str, AnyDesk] = {desk.name: desk for desk in _ALL}

assert set(DESKS) == set(GAMES)
