"""The store of events: appended, numbered, chained, never changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from web_ui.store.chain import GENESIS, fault, row_of, same_fact
from web_ui.store.errors import StoreError, Trouble
from web_ui.store.summaries import games_named, summarise

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from web_ui.store.books import Books
    from web_ui.store.chain import Row
    from web_ui.store.database import Database
    from web_ui.store.summaries import GameSummary
    from web_ui.table.events import NewEvent, StoredEvent

PATIENCE_S = 3.0
"""How long to wait for somebody else who writes, if nothing else is said."""

PAGE = 500
"""Events read at once when all are looked at."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of looking at everything in a store.

    Attributes:
        events: how many were looked at and are right.
        head: hash of the last of them.
        first_bad: number of the first that is not; None if all are right.
        why: what is wrong, for people; empty if nothing is.
    """

    events: int
    head: str
    first_bad: int | None = None
    why: str = ""

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.why


class EventStore:
    """An open store; may be used by several threads and several processes.

    Attributes:
        store_id: 32 hex digits that no other store has.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        with database.reading() as books:
            self.store_id, number, last = books.head()
        self._known = (number, last)

    @classmethod
    def open(cls, address: str | Path) -> EventStore:
        """Open a store; a new one is made where there is none.

        Args:
            address: path of an SQLite file, or an SQLAlchemy URL.

        Raises:
            StoreError: it cannot be opened, or is not a store of this version.
        """
        # SQLAlchemy takes a third of a second to load: only who opens a store waits
        from web_ui.store.database import Database

        database = Database.open(str(address))
        try:
            return cls(database)
        except BaseException:
            database.close()
            raise

    @property
    def address(self) -> str:
        """Where it is, for people: without a password."""
        return self._database.shown

    @property
    def path(self) -> Path | None:
        """Its file; None for a server."""
        return self._database.path

    @property
    def head(self) -> tuple[int, str]:
        """Number and hash of the last event that this object saw."""
        return self._known

    def append(
        self, events: Sequence[NewEvent], *, wait_s: float = PATIENCE_S
    ) -> tuple[StoredEvent, ...]:
        """Append events, all or none; those that are there already stay as they are.

        After an error at the very end nobody knows whether they were written: append
        them again.

        Args:
            events: in the order they happened.
            wait_s: longest wait for somebody else who writes.

        Returns:
            The same events with number and hash, in the same order.

        Raises:
            StoreError: nothing was written. Refused: an event that cannot be stored, or
                another event has its key.
        """
        if not events:
            return ()
        for event in events:
            row_of(event, 1, GENESIS)  # refused before anybody waits
        with self._database.writing(wait_s) as books:
            number, last = self._sound_head(books)
            there = books.rows_by_key({event.key for event in events})
            new: list[Row] = []
            for event in events:
                known = there.get(event.key)
                if known is None:
                    number += 1
                    known = row_of(event, number, last)
                    last = known.hash
                    new.append(known)
                    there[event.key] = known
                elif not same_fact(known, event):
                    raise StoreError(
                        Trouble.REFUSED,
                        f"Not stored: another event has the key {event.key}.",
                    )
            if new:
                books.add(new)
                books.set_head(number, last)
                _sum_up(books, [row.stored for row in new])
        self._known = (number, last)
        return tuple(there[event.key].stored for event in events)

    def _sound_head(self, books: Books) -> tuple[int, str]:
        """The end of the chain, if it is one to go on from."""
        store_id, number, last = books.head()
        if store_id != self.store_id:
            raise _broken(f"{self.address} has become another store")
        if books.last() != (number, last):
            raise _broken(f"{self.address} does not end where it says")
        row = books.row(number)
        if row is not None and fault(row, number, row.previous):
            raise _broken(f"event {number} is not what was written")
        known_number, known_hash = self._known
        if known_number:
            known = row if known_number == number else books.row(known_number)
            if known is None or known.hash != known_hash:
                raise _broken(f"event {known_number} was there and is there no more")
        return number, last

    def events(
        self, game: str | None = None, after: int = 0, limit: int | None = None
    ) -> tuple[StoredEvent, ...]:
        """Events in the order they were stored.

        Args:
            game: only of this one; "" for what belongs to none; None for all.
            after: only with a higher number.
            limit: at most so many.

        Raises:
            StoreError: the store cannot be read.
        """
        return tuple(row.stored for row in self.rows(game, after, limit))

    def rows(
        self, game: str | None = None, after: int = 0, limit: int | None = None
    ) -> tuple[Row, ...]:
        """The same as they lie in the store, for those who check or copy them."""
        with self._database.reading() as books:
            return books.rows(game, after, limit)

    def pages(self, game: str | None = None) -> Iterator[tuple[Row, ...]]:
        """All events of a game or of the store, some hundred at a time."""
        after = 0
        while page := self.rows(game, after, PAGE):
            yield page
            after = page[-1].number

    def games(self) -> tuple[GameSummary, ...]:
        """All games, in the order they began.

        Raises:
            StoreError: the store cannot be read.
        """
        with self._database.reading() as books:
            return tuple(books.summaries().values())

    def open_game(self) -> GameSummary | None:
        """The game to go on with: the latest of this store that was not closed."""
        going_on = [one for one in self.games() if not (one.closed or one.imported)]
        return going_on[-1] if going_on else None

    def verify(self) -> Verdict:
        """Look at everything: the file, every event, the chain, the list of games.

        Raises:
            StoreError: the store cannot be read.
        """
        with self._database.reading() as books:
            damage = books.damage()
            _, head_number, head_hash = books.head()
            summaries = books.summaries()
        number, last = 0, GENESIS
        derived: dict[str, GameSummary] = {}
        for page in self.pages():
            for row in page:
                if number == head_number:
                    break  # written while we looked
                why = fault(row, number + 1, last)
                if why:
                    return Verdict(number, last, number + 1, why)
                number, last = row.number, row.hash
                derived |= summarise(derived, row.stored)
        if (number, last) != (head_number, head_hash):
            why = (
                f"the chain should end with event {head_number}, it ends with {number}"
            )
            return Verdict(number, last, number + 1, why)
        if damage:
            return Verdict(number, last, None, f"the file is damaged: {damage}")
        if derived != summaries:
            why = "the list of games is not what the events say"
            return Verdict(number, last, None, why)
        return Verdict(number, last)

    def derive_games(self) -> None:
        """Make the list of games anew from the events.

        Raises:
            StoreError: the store cannot be written.
        """
        with self._database.writing(PATIENCE_S) as books:
            derived: dict[str, GameSummary] = {}
            after = 0
            while rows := books.rows(None, after, PAGE):
                for row in rows:
                    derived |= summarise(derived, row.stored)
                after = rows[-1].number
            books.clear_summaries()
            books.put_summaries(derived.values())

    def take_over(self, other: EventStore) -> None:
        """Become a copy of another store: same id, numbers and hashes.

        Args:
            other: stays as it is.

        Raises:
            StoreError: refused: there are events here already.
        """
        with self._database.writing(PATIENCE_S) as books:
            if books.last()[0]:
                raise StoreError(Trouble.REFUSED, f"{self.address} is not empty.")
            number, last = 0, GENESIS
            for page in other.pages():
                books.add(page)
                number, last = page[-1].number, page[-1].hash
                _sum_up(books, [row.stored for row in page])
            books.set_head(number, last)
            books.name_store(other.store_id)
        self.store_id = other.store_id
        self._known = (number, last)

    def close(self) -> None:
        """Let go of the database."""
        self._database.close()


def _sum_up(books: Books, stored: Sequence[StoredEvent]) -> None:
    named = set().union(*(games_named(one) for one in stored))
    known = books.summaries(named)
    changed: dict[str, GameSummary] = {}
    for one in stored:
        changed |= summarise({**known, **changed}, one)
    books.put_summaries(changed.values())


def _broken(why: str) -> StoreError:
    return StoreError(Trouble.BROKEN, f"Nothing is written: {why}.")
