"""The tables of the store, as numbered steps; a step that was shipped never changes.

The SQL is what SQLite and PostgreSQL both understand, except where a step says which.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Migration:
    """One step to the tables of today.

    Attributes:
        number: from 1 without gaps; the version of the store after it.
        name: what it does.
        everywhere: SQL statements for every database.
        sqlite: further ones for SQLite.
        postgresql: further ones for PostgreSQL.
    """

    number: int
    name: str
    everywhere: tuple[str, ...] = ()
    sqlite: tuple[str, ...] = ()
    postgresql: tuple[str, ...] = ()

    def statements(self, dialect: str) -> tuple[str, ...]:
        """All statements for a database, in order."""
        own = {"sqlite": self.sqlite, "postgresql": self.postgresql}
        return self.everywhere + own.get(dialect, ())


_TABLES = (
    """
    CREATE TABLE events (
        number INTEGER NOT NULL PRIMARY KEY,
        event_key VARCHAR(32) NOT NULL UNIQUE,
        game VARCHAR(200) NOT NULL,
        kind VARCHAR(200) NOT NULL,
        body TEXT NOT NULL,
        made_by VARCHAR(200) NOT NULL,
        made_at VARCHAR(200) NOT NULL,
        previous_hash CHAR(64) NOT NULL,
        hash CHAR(64) NOT NULL
    )
    """,
    "CREATE INDEX events_of_game ON events (game, number)",
    """
    CREATE TABLE games (
        game VARCHAR(200) NOT NULL PRIMARY KEY,
        first_number INTEGER NOT NULL REFERENCES events (number),
        last_number INTEGER NOT NULL REFERENCES events (number),
        events INTEGER NOT NULL,
        name VARCHAR(200) NOT NULL,
        players TEXT NOT NULL,
        started_at VARCHAR(200) NOT NULL,
        last_at VARCHAR(200) NOT NULL,
        closed INTEGER NOT NULL,
        imported INTEGER NOT NULL
    )
    """,
    # one row: the store's name, and the end of the chain, which a writer locks
    """
    CREATE TABLE store_head (
        only_one INTEGER NOT NULL PRIMARY KEY CHECK (only_one = 1),
        store_id VARCHAR(32) NOT NULL,
        number INTEGER NOT NULL,
        hash CHAR(64) NOT NULL
    )
    """,
)

_SQLITE_GUARDS = (
    """
    CREATE TRIGGER events_are_never_changed BEFORE UPDATE ON events
    BEGIN SELECT RAISE(ABORT, 'events are never changed'); END
    """,
    """
    CREATE TRIGGER events_are_never_deleted BEFORE DELETE ON events
    BEGIN SELECT RAISE(ABORT, 'events are never deleted'); END
    """,
    # REPLACE deletes without asking the trigger above, so it is caught here
    """
    CREATE TRIGGER events_are_appended BEFORE INSERT ON events
    WHEN NEW.number <> (SELECT COALESCE(MAX(number), 0) + 1 FROM events)
        OR EXISTS (SELECT 1 FROM events WHERE event_key = NEW.event_key)
        OR NEW.previous_hash <> COALESCE(
            (SELECT hash FROM events WHERE number = NEW.number - 1),
            '0000000000000000000000000000000000000000000000000000000000000000')
    BEGIN SELECT RAISE(ABORT, 'events are only appended'); END
    """,
)

_POSTGRESQL_GUARDS = (
    """
    CREATE FUNCTION events_are_never_changed() RETURNS trigger AS $$
    BEGIN RAISE EXCEPTION 'events are never changed or deleted'; END
    $$ LANGUAGE plpgsql
    """,
    """
    CREATE TRIGGER events_are_never_changed BEFORE UPDATE OR DELETE ON events
    FOR EACH ROW EXECUTE FUNCTION events_are_never_changed()
    """,
    """
    CREATE TRIGGER events_are_never_emptied BEFORE TRUNCATE ON events
    FOR EACH STATEMENT EXECUTE FUNCTION events_are_never_changed()
    """,
    """
    CREATE FUNCTION events_are_appended() RETURNS trigger AS $$
    BEGIN
        IF NEW.number <> (SELECT COALESCE(MAX(number), 0) + 1 FROM events)
            OR NEW.previous_hash <> COALESCE(
                (SELECT hash FROM events WHERE number = NEW.number - 1),
                REPEAT('0', 64))
        THEN RAISE EXCEPTION 'events are only appended';
        END IF;
        RETURN NEW;
    END
    $$ LANGUAGE plpgsql
    """,
    """
    CREATE TRIGGER events_are_appended BEFORE INSERT ON events
    FOR EACH ROW EXECUTE FUNCTION events_are_appended()
    """,
)

MIGRATIONS = (Migration(1, "events", _TABLES, _SQLITE_GUARDS, _POSTGRESQL_GUARDS),)
"""All steps, in order."""
