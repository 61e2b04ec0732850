"""Events are appended, numbered and chained; whoever changes one is found out."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from store_makers import game_events, happened, numbers

from web_ui.store.chain import GENESIS, parse_line, row_of, sha256
from web_ui.store.database import Database
from web_ui.store.errors import StoreError, Trouble
from web_ui.store.migrations import MIGRATIONS, Migration
from web_ui.store.store import EventStore
from web_ui.table.events import NewEvent, new_event

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "store.db"


@pytest.fixture
def store(path: Path) -> Iterator[EventStore]:
    opened = EventStore.open(path)
    yield opened
    opened.close()


def refused(store: EventStore, *events: NewEvent) -> StoreError:
    with pytest.raises(StoreError) as caught:
        store.append(events)
    return caught.value


def tamper(path: Path, *statements: str) -> None:
    """Change the file as somebody would who knows how, triggers and all."""
    with closing(sqlite3.connect(path)) as connection:
        found = connection.execute(
            "SELECT name FROM sqlite_master WHERE type='trigger'"
        )
        for (name,) in found.fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def test_new_store_is_empty_and_verifies(store: EventStore) -> None:
    assert store.append([]) == ()
    assert store.events() == ()
    assert store.games() == ()
    assert store.open_game() is None
    verdict = store.verify()
    assert (verdict.ok, verdict.events, verdict.head) == (True, 0, GENESIS)


def test_events_come_back_as_they_were_numbered_from_one(
    store: EventStore, path: Path
) -> None:
    body = {"b": [1, 2.5, None, True], "ä": "Zoë 🎲\u2028\n", "a": {"x": -0.0}}
    first = new_event("one", "acted", body, "operator")
    stored = store.append([first, happened(1), happened(2, "two")])
    assert [one.number for one in stored] == [1, 2, 3]
    assert stored[0].event == first
    again = EventStore.open(path)
    assert again.events() == stored
    assert again.store_id == store.store_id
    assert again.events(game="two") == stored[2:]
    assert again.events(after=1, limit=1) == stored[1:2]
    again.close()


def test_appending_twice_stores_once(store: EventStore) -> None:
    events = [happened(k) for k in range(3)]
    first = store.append(events[:2])
    assert store.append(events) == (*first, *store.events(after=2))
    assert numbers(store) == [0, 1, 2]
    twice = happened(3)
    assert store.append([twice, twice])[0].number == 4
    assert store.verify().events == 4


def test_another_event_with_a_known_key_is_refused(store: EventStore) -> None:
    known = happened(1)
    store.append([known])
    error = refused(store, happened(2), replace(known, kind="dismissed"))
    assert error.kind is Trouble.REFUSED
    assert numbers(store) == [1]


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"body": [1]}, id="body-a-list"),
        pytest.param({"body": {"x": float("nan")}}, id="not-a-number"),
        pytest.param({"body": {"x": {1}}}, id="body-with-a-set"),
        pytest.param({"body": {1: 1, "1": 2}}, id="a-key-twice"),
        pytest.param({"body": {"x": "\ud800"}}, id="half-a-character"),
        pytest.param({"body": {"x": "x" * 5_000_000}}, id="body-too-long"),
        pytest.param({"body": {"x": 10**5000}}, id="number-too-long"),
        pytest.param({"key": "X" * 32}, id="key-not-hex"),
        pytest.param({"key": "a" * 32 + "\n"}, id="key-with-line-end"),
        pytest.param({"key": 7}, id="key-a-number"),
        pytest.param({"game": "g" * 201}, id="game-too-long"),
        pytest.param({"game": None}, id="game-none"),
        pytest.param({"by": "Ann\0"}, id="zero-character"),
        pytest.param({"by": "\udc80"}, id="by-half-a-character"),
        pytest.param({"kind": ""}, id="kind-empty"),
        pytest.param({"at": 5}, id="at-a-number"),
    ],
)
def test_what_cannot_be_stored_is_refused_whole(
    store: EventStore, change: dict[str, object]
) -> None:
    bad = replace(happened(1), **change)  # type: ignore[arg-type]  # what is tested
    assert refused(store, happened(0), bad).kind is Trouble.REFUSED
    assert store.events() == ()


def test_chain_can_be_verified_by_its_description_alone(store: EventStore) -> None:
    store.append([happened(k) for k in range(3)])
    previous = "0" * 64
    for row in store.rows():
        assert f'"number":{row.number},"previous":"{previous}"}}' in row.text
        assert row.text.startswith('{"at":"')
        previous = sha256(row.text.encode())
        assert previous == row.hash
        assert parse_line(row.text) == row
        with pytest.raises(ValueError, match="canonical"):
            parse_line(row.text.replace(",", ", ", 1))


CHANGES = {
    "body": ("UPDATE events SET body = '{\"die\":9}' WHERE number = 2", 2),
    "who": ("UPDATE events SET made_by = 'nobody' WHERE number = 3", 3),
    "removed": ("DELETE FROM events WHERE number = 2", 2),
    "end cut": ("DELETE FROM events WHERE number = 4", 4),
    "hash": ("UPDATE events SET hash = previous_hash WHERE number = 1", 1),
    "blanks": ("UPDATE events SET body = ' ' || body WHERE number = 2", 2),
    "swapped": ("UPDATE events SET number = 9 WHERE number = 1", 1),
}


@pytest.mark.parametrize("what", CHANGES)
def test_verify_names_the_first_bad_event(
    store: EventStore, path: Path, what: str
) -> None:
    store.append([happened(k) for k in range(4)])
    statement, first_bad = CHANGES[what]
    tamper(path, statement)
    verdict = store.verify()
    assert not verdict.ok
    assert verdict.first_bad == first_bad
    assert verdict.events == first_bad - 1


def test_rehashed_event_breaks_the_one_after_it(store: EventStore, path: Path) -> None:
    store.append([happened(k) for k in range(3)])
    row = store.rows()[1]
    forged = row_of(replace(row.stored.event, by="nobody"), 2, row.previous)
    tamper(
        path, f"UPDATE events SET made_by='nobody', hash='{forged.hash}' WHERE number=2"
    )
    verdict = store.verify()
    assert verdict.first_bad == 3
    assert "does not follow" in verdict.why


def test_list_of_games_is_verified_and_made_anew(store: EventStore, path: Path) -> None:
    store.append(game_events("one", "0" * 64))
    games = store.games()
    tamper(path, "UPDATE games SET closed = 1")
    assert "list of games" in store.verify().why
    store.derive_games()
    assert store.verify().ok
    assert store.games() == games


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM events WHERE number = 2",
        "UPDATE events SET made_by = 'nobody' WHERE number = 2",
    ],
)
def test_nothing_is_appended_to_a_broken_end(
    store: EventStore, path: Path, statement: str
) -> None:
    store.append([happened(1), happened(2)])
    tamper(path, statement)
    assert refused(store, happened(3)).kind is Trouble.BROKEN


def test_store_that_went_back_in_time_is_noticed(store: EventStore, path: Path) -> None:
    store.append([happened(1)])
    store.append([happened(2)])
    tamper(  # the file as it was before: events, games and head agree
        path,
        "DELETE FROM events WHERE number = 2",
        "UPDATE games SET last_number = 1, events = 1",
        "UPDATE store_head SET number = 1, hash = (SELECT hash FROM events)",
    )
    assert refused(store, happened(3)).kind is Trouble.BROKEN


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE events SET body = '{}'",
        "DELETE FROM events",
        "INSERT OR REPLACE INTO events SELECT number, event_key, game, kind, '{}',"
        " made_by, made_at, previous_hash, hash FROM events WHERE number = 1",
        "REPLACE INTO events SELECT 3, event_key, game, kind, '{}', made_by,"
        " made_at, (SELECT hash FROM events WHERE number = 2), hash FROM events"
        " WHERE number = 1",
        "INSERT INTO events SELECT 3, 'f', game, kind, '{}', made_by, made_at,"
        " previous_hash, hash FROM events WHERE number = 1",
        "INSERT INTO events SELECT 9, 'f', game, kind, '{}', made_by, made_at,"
        " hash, hash FROM events WHERE number = 2",
    ],
)
def test_the_database_itself_refuses_changes(
    store: EventStore, path: Path, statement: str
) -> None:
    store.append([happened(1), happened(2)])
    with (
        closing(sqlite3.connect(path)) as connection,
        pytest.raises(sqlite3.IntegrityError, match="events are"),
    ):
        connection.execute(statement)
    assert store.verify().ok


def test_games_are_listed_and_the_open_one_is_found(store: EventStore) -> None:
    store.append(game_events("one", "0" * 64))
    store.append([new_event("", "shutdown", {}, "operator")])  # of no game
    store.append(game_events("two", "0" * 64))
    assert [one.game for one in store.games()] == ["one", "two"]
    assert store.games()[0].events == 7
    assert store.games()[0].name == "classic"
    assert store.open_game() == store.games()[1]
    store.append([new_event("two", "game_closed", {}, "operator")])
    assert store.open_game() == store.games()[0]
    store.append([new_event("", "imported", {"game": "one"}, "import")])
    assert store.open_game() is None
    assert store.verify().ok


@pytest.mark.parametrize("content", [b"", b"PK\3\4 a zip", b"SQLite format 3\0" * 99])
def test_file_of_another_kind_is_refused_and_left_alone(
    path: Path, content: bytes
) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    with pytest.raises(StoreError) as caught:
        EventStore.open(path)
    assert caught.value.kind is Trouble.BROKEN
    assert str(path) in caught.value.sentence
    assert path.read_bytes() == content


def test_database_of_another_program_is_refused(path: Path) -> None:
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE moz_places (id INTEGER)")
    with pytest.raises(StoreError, match="something else") as caught:
        EventStore.open(path)
    assert caught.value.kind is Trouble.BROKEN


@pytest.mark.parametrize(
    "address",
    ["sqlite://", "sqlite:///:memory:", "nonsense://x", "mysql+no://h/d", "://"],
)
def test_address_that_keeps_nothing_is_refused(address: str) -> None:
    with pytest.raises(StoreError) as caught:
        EventStore.open(address)
    assert caught.value.kind is Trouble.REFUSED


NEXT = Migration(2, "notes", ("CREATE TABLE notes (number INTEGER, words TEXT)",))
WRONG = Migration(3, "slip", ("CREATE TABLE later (a INTEGER)", "CREATE NONSENSE"))


def test_older_store_is_brought_up_to_date_with_its_events(path: Path) -> None:
    first = EventStore.open(path)
    first.append([happened(1)])
    first.close()
    newer = EventStore(Database.open(str(path), (*MIGRATIONS, NEXT)))
    newer.append([happened(2)])
    assert newer.verify().ok
    newer.close()
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT count(*) FROM notes").fetchone() == (0,)
        steps = connection.execute("SELECT number, name FROM store_versions").fetchall()
    assert steps == [(1, "events"), (2, "notes")]


def test_store_of_a_newer_version_is_refused_and_left_alone(path: Path) -> None:
    Database.open(str(path), (*MIGRATIONS, NEXT)).close()
    with pytest.raises(StoreError, match="newer version") as caught:
        EventStore.open(path)
    assert caught.value.kind is Trouble.NEWER_SCHEMA


def test_step_that_fails_leaves_the_store_as_it_was(path: Path) -> None:
    EventStore.open(path).close()
    with pytest.raises(StoreError):
        Database.open(str(path), (*MIGRATIONS, NEXT, WRONG))
    with closing(sqlite3.connect(path)) as connection:
        names = {row[0] for row in connection.execute("SELECT name FROM sqlite_master")}
    assert not {"notes", "later"} & names
    store = EventStore.open(path)
    assert store.verify().ok
    store.close()


def test_opening_leaves_no_half_made_file(path: Path, store: EventStore) -> None:
    assert {one.name for one in path.parent.iterdir()} <= {
        "store.db",
        "store.db-wal",
        "store.db-shm",
    }
