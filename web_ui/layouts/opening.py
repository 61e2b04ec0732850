"""Opening the desk of layouts of a running table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoring.cards import CARD_DICE_FACES
from web_ui.layouts.asking import Asker
from web_ui.layouts.layout_desk import LayoutDesk
from web_ui.table.books import STORE_FILE

if TYPE_CHECKING:
    from collections.abc import Callable

    from web_ui.settings import Settings
    from web_ui.table.books import Books
    from web_ui.table.state import House, TableState


def open_layouts(
    settings: Settings,
    house: House,
    books: Books,
    state: Callable[[], TableState],
    *,
    virtual: bool,
) -> LayoutDesk | None:
    """The desk of a table; None for the demo, whose clip is always the same.

    Args:
        settings: where the store is.
        house: the dice that are played with.
        books: of the table.
        state: the table now.
        virtual: whether the dice are drawn.
    """
    if house.demo or set(house.dice_set.faces) != set(CARD_DICE_FACES):
        return None

    def game() -> str:
        on_table = state().game
        return "" if on_table is None else on_table.id

    asker = Asker()
    return LayoutDesk(
        books.folder,
        settings.store.url or str(books.folder / STORE_FILE),
        lambda: books.store.head[0],
        house.dice_set,
        game,
        asker.ask,
        asker.stop,
        virtual=virtual,
        store_id=lambda: books.store.store_id,
    )
