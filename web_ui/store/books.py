"""What lies in the tables, as values: the half of the adapter that asks and writes."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from web_ui.store.chain import GENESIS, Row
from web_ui.store.errors import StoreError, Trouble
from web_ui.store.summaries import GameSummary

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

TABLES = sa.MetaData()
_events = sa.Table(
    "events",
    TABLES,
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("event_key", sa.String),
    sa.Column("game", sa.String),
    sa.Column("kind", sa.String),
    sa.Column("body", sa.Text),
    sa.Column("made_by", sa.String),
    sa.Column("made_at", sa.String),
    sa.Column("previous_hash", sa.String),
    sa.Column("hash", sa.String),
)
_games = sa.Table(
    "games",
    TABLES,
    sa.Column("game", sa.String, primary_key=True),
    sa.Column("first_number", sa.Integer),
    sa.Column("last_number", sa.Integer),
    sa.Column("events", sa.Integer),
    sa.Column("name", sa.String),
    sa.Column("players", sa.Text),
    sa.Column("started_at", sa.String),
    sa.Column("last_at", sa.String),
    sa.Column("closed", sa.Integer),
    sa.Column("imported", sa.Integer),
)
HEAD = sa.Table(
    "store_head",
    TABLES,
    sa.Column("only_one", sa.Integer, primary_key=True),
    sa.Column("store_id", sa.String),
    sa.Column("number", sa.Integer),
    sa.Column("hash", sa.String),
)
VERSIONS = sa.Table(
    "store_versions",
    TABLES,
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("name", sa.String(200), nullable=False),
    sa.Column("at", sa.String(40), nullable=False),
)


class Books:
    """What can be read and written within one transaction.

    Attributes:
        writes: whether it is one that writes.
    """

    def __init__(self, connection: sa.Connection, *, writes: bool) -> None:
        self._connection = connection
        self.writes = writes

    def head(self) -> tuple[str, int, str]:
        """Store id, number and hash of the last event; a writer locks out others."""
        asked = sa.select(HEAD.c.store_id, HEAD.c.number, HEAD.c.hash)
        if self.writes:
            asked = asked.with_for_update()
        found = self._connection.execute(asked).one_or_none()
        if found is None:
            raise StoreError(Trouble.BROKEN, "The store has lost the end of its chain.")
        return found[0], found[1], found[2].strip()

    def set_head(self, number: int, hash_: str) -> None:
        """Move the end of the chain."""
        self._connection.execute(sa.update(HEAD).values(number=number, hash=hash_))

    def name_store(self, store_id: str) -> None:
        """Give the store another id, as when another one is brought back into it."""
        self._connection.execute(sa.update(HEAD).values(store_id=store_id))

    def last(self) -> tuple[int, str]:
        """Number and hash of the last event that is there; 0 and `GENESIS` for none."""
        row = self._connection.execute(
            sa.select(_events.c.number, _events.c.hash)
            .order_by(_events.c.number.desc())
            .limit(1)
        ).one_or_none()
        return (0, GENESIS) if row is None else (row[0], row[1])

    def row(self, number: int) -> Row | None:
        """One event by its number."""
        found = self._rows(sa.select(_events).where(_events.c.number == number))
        return found[0] if found else None

    def rows_by_key(self, keys: Iterable[str]) -> dict[str, Row]:
        """Those events that are there already."""
        found: dict[str, Row] = {}
        wanted = list(keys)
        for start in range(0, len(wanted), 500):
            part = wanted[start : start + 500]
            asked = sa.select(_events).where(_events.c.event_key.in_(part))
            found |= {row.key: row for row in self._rows(asked)}
        return found

    def rows(self, game: str | None, after: int, limit: int | None) -> tuple[Row, ...]:
        """Events in order: of one game or all, with a higher number than `after`."""
        asked = sa.select(_events).where(_events.c.number > after)
        if game is not None:
            asked = asked.where(_events.c.game == game)
        return self._rows(asked.order_by(_events.c.number).limit(limit))

    def add(self, rows: Sequence[Row]) -> None:
        """Append events."""
        records = [
            {
                "number": row.number,
                "event_key": row.key,
                "game": row.game,
                "kind": row.kind,
                "body": row.body,
                "made_by": row.by,
                "made_at": row.at,
                "previous_hash": row.previous,
                "hash": row.hash,
            }
            for row in rows
        ]
        self._connection.execute(sa.insert(_events), records)

    def summaries(self, games: Iterable[str] | None = None) -> dict[str, GameSummary]:
        """The summaries of some games or all, by id, in the order they began."""
        asked = sa.select(_games).order_by(_games.c.first_number)
        if games is not None:
            asked = asked.where(_games.c.game.in_(list(games)))
        return {row.game: _summary(row) for row in self._connection.execute(asked)}

    def put_summaries(self, summaries: Iterable[GameSummary]) -> None:
        """Replace the summaries of games."""
        for one in summaries:
            record = _summary_record(one)
            there = _games.c.game == one.game
            changed = self._connection.execute(
                sa.update(_games).where(there).values(record)
            )
            if not changed.rowcount:
                self._connection.execute(sa.insert(_games).values(record))

    def clear_summaries(self) -> None:
        """Forget all summaries; they can be derived anew."""
        self._connection.execute(sa.delete(_games))

    def damage(self) -> str:
        """What the database itself finds wrong with its file; empty for nothing."""
        if self._connection.dialect.name != "sqlite":
            return ""
        found = self._connection.exec_driver_sql("PRAGMA quick_check(1)").scalar()
        return "" if found == "ok" else str(found)

    def _rows(self, asked: sa.Select[Any]) -> tuple[Row, ...]:
        return tuple(Row(*record) for record in self._connection.execute(asked))


def _summary(row: Any) -> GameSummary:
    return GameSummary(
        row.game,
        row.first_number,
        row.last_number,
        row.events,
        row.name,
        tuple(json.loads(row.players)),
        row.started_at,
        row.last_at,
        bool(row.closed),
        bool(row.imported),
    )


def _summary_record(one: GameSummary) -> dict[str, object]:
    record = asdict(one)
    record["first_number"] = record.pop("first")
    record["last_number"] = record.pop("last")
    record["players"] = json.dumps(one.players)
    record["closed"], record["imported"] = int(one.closed), int(one.imported)
    return record
