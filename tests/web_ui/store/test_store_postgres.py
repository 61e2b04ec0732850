"""The same store on a real PostgreSQL server, started for these tests."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import sqlalchemy as sa
from store_makers import game_events, happened, numbers, seeded

from web_ui.store.backup import back_up, restore, restore_into
from web_ui.store.errors import StoreError, Trouble
from web_ui.store.journal import Journal
from web_ui.store.pictures import Pictures
from web_ui.store.store import EventStore

if TYPE_CHECKING:
    from collections.abc import Iterator


def _programs() -> Path | None:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    named = shutil.which("initdb")
    return found[-1].parent if found else Path(named).parent if named else None


class Server:
    """A PostgreSQL server in a folder of its own, reached by a socket in it."""

    def __init__(self, programs: Path, folder: Path) -> None:
        self._programs = programs
        self._folder = folder
        # the server refuses to run as root
        self._as: list[str] = []
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres")
            self._as = ["runuser", "-u", "postgres", "--"]
        self._do("initdb", "-D", str(folder / "data"), "-A", "trust", "-U", "table")
        self._count = 0

    def _do(self, program: str, *words: str) -> None:
        command = [*self._as, str(self._programs / program), *words]
        told = subprocess.run(
            command, cwd=self._folder, capture_output=True, text=True, check=False
        )
        assert told.returncode == 0, told.stdout + told.stderr

    def start(self) -> None:
        options = f"-k {self._folder} -c listen_addresses=''"
        log, data = str(self._folder / "log"), str(self._folder / "data")
        self._do("pg_ctl", "-w", "-D", data, "-l", log, "-o", options, "start")

    def stop(self) -> None:
        data = str(self._folder / "data")
        self._do("pg_ctl", "-w", "-m", "immediate", "-D", data, "stop")

    def new_url(self) -> str:
        """The address of a new, empty database."""
        self._count += 1
        name = f"t{self._count}"
        self._do("createdb", "-h", str(self._folder), "-U", "table", name)
        return f"postgresql://table@/{name}?host={self._folder}"


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    programs = _programs()
    try:
        pwd.getpwnam("postgres")
    except KeyError:
        programs = programs if os.geteuid() else None
    if programs is None:
        if os.environ.get("CI"):
            pytest.fail("there is no PostgreSQL")
        pytest.skip("there is no PostgreSQL")
    with tempfile.TemporaryDirectory(prefix="tableside-pg-") as folder:
        started = Server(programs, Path(folder))
        started.start()
        yield started
        started.stop()


@pytest.fixture
def url(server: Server) -> str:
    return server.new_url()


@pytest.fixture
def store(url: str) -> Iterator[EventStore]:
    with closing(EventStore.open(url)) as opened:
        yield opened


def execute(url: str, *statements: str) -> None:
    """Do something behind the back of the store."""
    engine = sa.create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
    try:
        with engine.begin() as connection:
            for statement in statements:
                connection.exec_driver_sql(statement)
    finally:
        engine.dispose()


def test_events_come_back_and_verify(store: EventStore, url: str) -> None:
    stored = store.append(game_events("one", "0" * 64))
    assert store.append([one.event for one in stored]) == stored
    assert "table@" in store.address
    with closing(EventStore.open(url)) as again:
        assert again.store_id == store.store_id
        assert again.events() == stored
        assert again.open_game() == store.games()[0]
        assert again.verify().events == 7


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE events SET body = '{}'",
        "DELETE FROM events",
        "TRUNCATE events CASCADE",
        "INSERT INTO events SELECT 9, 'f', game, kind, '{}', made_by, made_at,"
        " hash, hash FROM events",
        "INSERT INTO events SELECT 2, 'f', game, kind, '{}', made_by, made_at,"
        " repeat('1', 64), hash FROM events",
    ],
)
def test_the_server_refuses_changes(
    store: EventStore, url: str, statement: str
) -> None:
    store.append([happened(1)])
    with pytest.raises(sa.exc.SQLAlchemyError, match="events are"):
        execute(url, statement)
    assert store.verify().ok


def test_changed_event_is_found_out(store: EventStore, url: str) -> None:
    store.append([happened(k) for k in range(3)])
    execute(
        url,
        "ALTER TABLE events DISABLE TRIGGER ALL",
        "UPDATE events SET made_by = 'nobody' WHERE number = 2",
    )
    assert store.verify().first_bad == 2


def test_lock_is_told_in_time_and_written_later(store: EventStore, url: str) -> None:
    journal = Journal(store, wait_s=0.05, again_s=[3600])
    engine = sa.create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
    with engine.begin() as holder:
        holder.exec_driver_sql("SELECT * FROM store_head FOR UPDATE")
        assert not journal.write([happened(1)])
        with pytest.raises(StoreError) as caught:
            store.append([happened(2)], wait_s=0.01)
        assert caught.value.kind is Trouble.LOCKED
    engine.dispose()
    assert journal.close()
    assert numbers(store) == [1]


def test_server_that_goes_and_comes_back_loses_nothing(
    server: Server, store: EventStore
) -> None:
    journal = Journal(store, wait_s=30, again_s=[3600])
    assert journal.write([happened(1)])
    server.stop()
    try:
        assert not journal.write([happened(2)])
        assert journal.trouble is not None
        assert journal.trouble.kind is Trouble.GONE
        assert not journal.write([happened(3)])
    finally:
        server.start()
    assert journal.close(30)
    assert numbers(store) == [1, 2, 3]
    assert store.verify().ok


WRITER = """
import sys
from web_ui.store.store import EventStore
from web_ui.table.events import new_event
store = EventStore.open(sys.argv[1])
for k in range(30):
    store.append([new_event("one", "answered", {"die": k}, sys.argv[2])], wait_s=30)
"""


def test_two_processes_make_and_fill_one_store(url: str) -> None:
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, url, name])
        for name in ("Ann", "Bob")
    ]
    assert [writer.wait() for writer in writers] == [0, 0]
    with closing(EventStore.open(url)) as store:
        assert store.verify().events == 60


def test_backup_goes_from_a_server_to_a_file_and_to_a_server(
    server: Server, store: EventStore, tmp_path: Path
) -> None:
    _, pictures = seeded(tmp_path / "evidence")
    store.append(game_events("one", pictures.listed()[0].hash))
    backup = tmp_path / "all.zip"
    told = back_up(store, pictures, backup)
    restore(backup, tmp_path / "back.db", pictures, force=False)
    with closing(EventStore.open(tmp_path / "back.db")) as file:
        assert file.verify() == store.verify()
        assert file.store_id == store.store_id
    with closing(EventStore.open(server.new_url())) as other:
        there = Pictures(tmp_path / "there")
        assert restore_into(backup, other, there) == told
        assert other.verify() == store.verify()
        assert other.games() == store.games()
        assert len(there.listed()) == 1
        with pytest.raises(StoreError, match="not empty"):
            restore_into(backup, other, there)
        other.append([happened(8)])
        assert other.verify().ok


def test_server_that_is_not_there_and_other_peoples_tables_are_told(
    url: str, tmp_path: Path
) -> None:
    with pytest.raises(StoreError) as caught:
        EventStore.open(f"postgresql://table:secret@/x?host={tmp_path}")
    assert caught.value.kind is Trouble.GONE
    assert "secret" not in caught.value.sentence
    execute(url, "CREATE TABLE games (id INTEGER)")
    with pytest.raises(StoreError, match="something else"):
        EventStore.open(url)
