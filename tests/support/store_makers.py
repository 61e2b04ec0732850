"""Builders for tests of the store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from web_ui.store.pictures import Pictures
from web_ui.store.store import EventStore
from web_ui.table.books import PICTURES, STORE_FILE
from web_ui.table.events import NewEvent, new_event

if TYPE_CHECKING:
    from pathlib import Path

EXACT = ["TC", "TD", "TS", "9C", "9H", "2S", "3H", "4D", "6C"]
PICTURE = b"\xff\xd8 a picture \xff\xd9"
PLAYERS = ("=cmd|' /C calc'!A0", "Zoë")


def happened(number: int, game: str = "one") -> NewEvent:
    """Some event."""
    return new_event(game, "answered", {"die": number, "face": "QH"}, "operator")


def acted(action: dict[str, object], game: str) -> NewEvent:
    return new_event(game, "acted", {"action": action, "reading": None}, "camera")


def game_events(game: str, picture: str) -> list[NewEvent]:
    """A turn of a classic game with one picture, an undo and a redo."""
    started = {"game": "classic", "players": [*PLAYERS], "options": {"rounds": 1}}
    read = {"reading": 1, "record": {"confidence": 0.1}, "picture": picture}
    return [
        new_event(game, "game_started", started, "operator"),
        acted({"do": "draw", "player": PLAYERS[0], "card": "T18"}, game),
        new_event(game, "read", read, "camera"),
        acted({"do": "roll", "faces": EXACT}, game),
        acted({"do": "undo"}, game),
        acted({"do": "redo"}, game),
        acted({"do": "stop"}, game),
    ]


def seeded(folder: Path, game: str = "one") -> tuple[EventStore, Pictures]:
    """A store with one game, where `tableside store --data FOLDER` finds it."""
    folder.mkdir(parents=True, exist_ok=True)
    store = EventStore.open(folder / STORE_FILE)
    pictures = Pictures(folder / PICTURES)
    store.append(game_events(game, pictures.put(PICTURE)))
    return store, pictures


def numbers(store: EventStore) -> list[object]:
    """What `happened` was given, in the order it was stored."""
    return [one.event.body["die"] for one in store.events()]
