"""All games of a store, told again when somebody asks, from any thread."""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from typing import TYPE_CHECKING, Any

from web_ui.history.records import (
    corrections_record,
    ending_record,
    game_record,
    listed_record,
)
from web_ui.history.story import Story
from web_ui.store.errors import StoreError, Trouble
from web_ui.store.script_export import script_record
from web_ui.table.reading_records import reading_on_page

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from web_ui.store.pictures import Pictures
    from web_ui.store.store import EventStore
    from web_ui.store.summaries import GameSummary
    from web_ui.table.events import StoredEvent
    from web_ui.table.shown import Shown

MOST_STORIES = 4
"""Games that are kept told: whoever replays one asks for it again and again."""
MOST_ENDINGS = 2000
MOST_LISTED = 100
MOST_EVENTS = 50_000
"""Events of one game that are told; more are no evening of play."""


class NoSuchError(LookupError):
    """There is no such game, reading or picture; the message says which."""


class DamagedError(Exception):
    """A picture is not the one that was kept."""


class Library:
    """Tells the games of a store.

    Args:
        store: where their events are.
        pictures: where their evidence is.
        on_table: gives the id of the game on the table, empty if there is none.
    """

    def __init__(
        self, store: EventStore, pictures: Pictures, on_table: Callable[[], str]
    ) -> None:
        self._store, self._pictures, self.on_table = store, pictures, on_table
        self._lock = threading.Lock()
        self._stories: OrderedDict[str, Story] = OrderedDict()
        self._texts: dict[str, tuple[object, str]] = {}
        self._endings: OrderedDict[tuple[str, int], dict[str, Any]] = OrderedDict()

    def games(self, limit: int, before: int | None = None) -> dict[str, Any]:
        """A page of the list of games, the newest first (schema `PastGames`).

        Args:
            limit: at most so many, 1 to `MOST_LISTED`.
            before: only games that began before this event.

        Raises:
            StoreError: the store cannot be read.
        """
        every = self._store.games()
        older = [one for one in every if before is None or one.first < before]
        page = older[-limit:][::-1]
        more = len(older) > len(page)
        return {
            "games": [self._listed(one) for one in page],
            "total": len(every),
            "before": page[-1].first if more else None,
        }

    def _listed(self, summary: GameSummary) -> dict[str, Any]:
        key = (summary.game, summary.last)
        with self._lock:
            ending = self._endings.get(key)
        if ending is None:
            # not under the lock, and not kept: a long list must not make others wait,
            # nor push out the game that somebody looks at
            story = Story()
            story.tell(self._store.events(summary.game, limit=MOST_EVENTS))
            ending = ending_record(story)
            with self._lock:
                self._endings[key] = ending
                while len(self._endings) > MOST_ENDINGS:
                    self._endings.popitem(last=False)
        return listed_record(summary, ending, self.on_table())

    def game(self, game: str) -> str:
        """A whole game as JSON text (schema `ToldGame`).

        Raises:
            NoSuchError: there is no such game.
            StoreError: the store cannot be read.
        """
        summary = self.summary(game)
        on_table = self.on_table()
        with self._lock:
            story = self._told(game)
            # many may follow the game on the table: it is written once for all of them
            key = (story.last, story.fault, summary.imported, on_table == game)
            known = self._texts.get(game)
            if known is not None and known[0] == key:
                return known[1]
            listed = listed_record(summary, ending_record(story), on_table)
            # the story may be newer than the summary
            listed |= {"closed": story.closed or summary.closed}
            if story.last:
                listed |= {"last": story.last, "last_at": story.last_at}
            record = game_record(listed, story) | {"script": self._script(game)}
            text = json.dumps(record, ensure_ascii=False)
            self._texts[game] = (key, text)
            return text

    def _script(self, game: str) -> dict[str, object] | None:
        try:
            return script_record(self.events(game))
        except StoreError as error:
            if error.kind is not Trouble.REFUSED:
                raise
            return None  # a game that never began

    def corrections(self, game: str) -> list[dict[str, Any]]:
        """What was corrected in a game, the newest first; nothing if there is none.

        Raises:
            StoreError: the store cannot be read.
        """
        with self._lock:
            return corrections_record(self._told(game)) if game else []

    def summary(self, game: str) -> GameSummary:
        """What the store says of a game.

        Raises:
            NoSuchError: there is no such game.
            StoreError: the store cannot be read.
        """
        for one in self._store.games():
            if one.game == game:
                return one
        raise NoSuchError(f"there is no game {game!r:.80}")

    def events(self, game: str) -> Sequence[StoredEvent]:
        """The events of a game.

        Raises:
            NoSuchError: there is no such game.
            StoreError: the store cannot be read.
        """
        found = self._store.events(game, limit=MOST_EVENTS) if game else ()
        if not found:
            raise NoSuchError(f"there is no game {game!r:.80}")
        return found

    def reading(self, reading: int) -> str:
        """A reading of this store's own games as JSON text (schema `Reading`).

        Raises:
            NoSuchError: there is no such reading.
            StoreError: the store cannot be read.
        """
        item = self._shown(self._game_of(reading), reading)
        return json.dumps(reading_on_page(item), ensure_ascii=False)

    def picture(self, reading: int, game: str | None = None) -> tuple[str, bytes]:
        """The picture of a reading, proved to be the one that was kept.

        Args:
            reading: id of the reading.
            game: in which game; None for this store's own games, which never use an
                id twice.

        Returns:
            Its SHA-256, hex, and the JPEG file.

        Raises:
            NoSuchError: there is no such reading, or it has no picture any more.
            DamagedError: the picture is not the one that was kept.
            StoreError: the store or the picture cannot be read.
        """
        where = self._game_of(reading) if game is None else game
        name = self._shown(where, reading).picture
        if not name:
            raise NoSuchError(f"there is no picture of reading {reading}")
        try:
            data = self._pictures.get(name)
        except StoreError as error:
            if error.kind is Trouble.BROKEN:
                raise DamagedError(
                    f"The picture of reading {reading} was damaged: it is not the one"
                    " that was kept, and proves nothing."
                ) from error
            if error.kind is Trouble.REFUSED:  # an imported game may name anything
                raise NoSuchError(f"there is no picture {name!r:.80}") from error
            raise
        if data is None:
            raise NoSuchError(f"the picture of reading {reading} is not there any more")
        return name, data

    def _shown(self, game: str, reading: int) -> Shown:
        with self._lock:
            item = self._told(game).readings.get(reading) if game else None
        if item is None:
            raise NoSuchError(f"there is no reading {reading}, or it is forgotten")
        return item

    def _game_of(self, reading: int) -> str:
        """In which game of this table a reading was made: ids count through them."""
        own = [one for one in self._store.games() if not one.imported]
        low, high = 0, len(own)
        while low < high:
            middle = (low + high) // 2
            if self._first_reading(own[middle]) <= reading:
                low = middle + 1
            else:
                high = middle
        return own[low - 1].game if low else ""

    def _first_reading(self, summary: GameSummary) -> int:
        """Id that the next reading had when a game began."""
        found = self._store.events(summary.game, limit=1)
        first = found[0].event.body.get("next_reading", 1) if found else 1
        return first if isinstance(first, int) else 1

    def _told(self, game: str) -> Story:
        """The story of a game as far as the store knows it; under the lock."""
        story = self._stories.get(game) or Story()
        if not story.fault:
            story.tell(self._store.events(game, story.last, MOST_EVENTS))
        self._stories[game] = story
        self._stories.move_to_end(game)
        while len(self._stories) > MOST_STORIES:
            gone, _ = self._stories.popitem(last=False)
            self._texts.pop(gone, None)
        return story
