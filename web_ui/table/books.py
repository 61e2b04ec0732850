"""The books of a table: its journal, its pictures, and the game to go on with."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from datasets.captures.private_files import make_private
from web_ui.odds_store import user_store
from web_ui.store.journal import Journal
from web_ui.store.pictures import Pictures
from web_ui.store.store import EventStore

if TYPE_CHECKING:
    from collections.abc import Callable

    from web_ui.odds_store import OddsStore
    from web_ui.settings import Settings
    from web_ui.table.events import NewEvent

STORE_FILE = "tableside.db"
PICTURES = "pictures"


@dataclass(frozen=True, slots=True)
class Books:
    """What a table writes into and remembers from.

    Attributes:
        store: all games.
        journal: writes events, in order, even while the store cannot be written.
        pictures: evidence pictures.
        past: events of the game to go on with, oldest first; nothing if there is none.
        folder: where all of it lies.
        odds: odds kept on disk; None to compute them anew.
        at_end: called when all is closed.
    """

    store: EventStore
    journal: Journal
    pictures: Pictures
    past: tuple[NewEvent, ...]
    folder: Path
    odds: OddsStore | None
    at_end: Callable[[], None]

    def close(self) -> None:
        """Write what waits, then close everything."""
        self.journal.close()
        self.store.close()
        self.at_end()


def open_books(settings: Settings, *, demo: bool = False) -> Books:
    """Open the store of the settings, or for a demonstration one that is thrown away.

    Raises:
        StoreError: it cannot be used; the sentence says why.
    """
    if demo:
        scratch = tempfile.TemporaryDirectory(prefix="tableside-demo-")
        return _open(Path(scratch.name), "", scratch.cleanup)
    return _open(Path(settings.store.folder), settings.store.url, lambda: None)


def _open(folder: Path, url: str, at_end: Callable[[], None]) -> Books:
    make_private(folder)
    store = EventStore.open(url or folder / STORE_FILE)
    game = store.open_game()
    past = store.events(game=game.game) if game is not None else ()
    return Books(
        store=store,
        journal=Journal(store),
        pictures=Pictures(folder / PICTURES),
        past=tuple(stored.event for stored in past),
        folder=folder,
        odds=user_store(),
        at_end=at_end,
    )
