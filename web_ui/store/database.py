"""The database: opened, locked, migrated; errors translated. Decides nothing.

This file and `books` alone know SQLAlchemy. Loading it takes a third of a second, so
they are imported when a store is opened.
"""

from __future__ import annotations

import logging
import sqlite3
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import sqlalchemy as sa
from sqlalchemy import event as sa_event
from sqlalchemy.pool import QueuePool

from web_ui.store import sqlite_file
from web_ui.store.books import HEAD, TABLES, VERSIONS, Books
from web_ui.store.chain import GENESIS
from web_ui.store.database_faults import translated
from web_ui.store.errors import StoreError, Trouble
from web_ui.store.migrations import MIGRATIONS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from web_ui.store.migrations import Migration

log = logging.getLogger(__name__)

CONNECT_S = 3
"""Longest wait for a database server to answer."""


class Database:
    """One database, open; may be used by several threads.

    Args:
        url: its address.
        migrations: the steps to the tables of this version.
    """

    def __init__(self, url: sa.URL, migrations: tuple[Migration, ...]) -> None:
        self._migrations = migrations
        self.path: Path | None = None
        if url.get_backend_name() == "sqlite":
            self.path = sqlite_file.path_of(url.database)
        self.shown = str(self.path or url.render_as_string(hide_password=True))
        self._engine = _engine(url, self.path)
        self._file: tuple[int, int] | None = None

    @classmethod
    def open(
        cls, address: str, migrations: tuple[Migration, ...] = MIGRATIONS
    ) -> Database:
        """Open a database, and make its tables if they are not there.

        Args:
            address: an SQLAlchemy URL, or the path of an SQLite file.
            migrations: the steps to the tables of this version.

        Raises:
            StoreError: it cannot be opened, or is not a store of this version.
        """
        try:
            url = sa.make_url(address) if "://" in address else _file_url(address)
            database = cls(url, migrations)
        except (sa.exc.ArgumentError, ImportError, ValueError) as error:
            raise StoreError(
                Trouble.REFUSED, f"This is no address of a store: {error}"
            ) from error
        try:
            database._prepare()
        except BaseException:
            database.close()
            raise
        return database

    def _prepare(self) -> None:
        if self.path is not None:
            if not self.path.exists():
                sqlite_file.create_whole(self.path, self._make_file)
            sqlite_file.check_kind(self.path)
            self._file = sqlite_file.identity(self.path)
        elif self._engine.dialect.name != "postgresql":
            log.warning("only SQLite and PostgreSQL themselves refuse changes")
        with self._transaction(writes=True, wait_s=CONNECT_S) as connection:
            _migrate(connection, self._migrations, self.shown)

    def _make_file(self, path: Path) -> None:
        made = Database(_file_url(str(path)), self._migrations)
        try:
            with made._transaction(writes=True, wait_s=CONNECT_S) as connection:
                _migrate(connection, self._migrations, self.shown)
        finally:
            made.close()

    @contextmanager
    def writing(self, wait_s: float) -> Iterator[Books]:
        """One transaction that writes all or nothing, alone.

        Args:
            wait_s: longest wait for somebody else who writes.

        Raises:
            StoreError: nothing was written; or, if the connection was lost at the very
                end, nobody knows.
        """
        with self._transaction(writes=True, wait_s=wait_s) as connection:
            yield Books(connection, writes=True)

    @contextmanager
    def reading(self, wait_s: float = CONNECT_S) -> Iterator[Books]:
        """One transaction that sees the store as it is at one moment.

        Raises:
            StoreError: it cannot be read.
        """
        with self._transaction(writes=False, wait_s=wait_s) as connection:
            yield Books(connection, writes=False)

    @contextmanager
    def _transaction(self, *, writes: bool, wait_s: float) -> Iterator[sa.Connection]:
        try:
            if self.path is not None and self._file is not None:
                sqlite_file.check_same(self.path, self._file)
            with self._engine.connect() as connection:
                _be_patient(connection, wait_s)
                connection = connection.execution_options(tableside_writes=writes)
                with connection.begin():
                    if connection.dialect.name == "postgresql":
                        _be_patient_here(connection, wait_s)
                    yield connection
        except (sa.exc.SQLAlchemyError, sqlite3.Error, OSError) as error:
            raise translated(error, self.shown, self.path) from error
        except StoreError as error:
            if error.kind is Trouble.GONE:
                self._engine.dispose()  # what is open belongs to a file that has gone
            raise

    def close(self) -> None:
        """Let go of the database."""
        self._engine.dispose()


def _file_url(address: str) -> sa.URL:
    return sa.URL.create("sqlite", database=str(Path(address).absolute()))


def _engine(url: sa.URL, path: Path | None) -> sa.Engine:
    if path is None:
        postgresql = url.get_backend_name() == "postgresql"
        if url.drivername == "postgresql":
            url = url.set(drivername="postgresql+psycopg")
        timeout = {"connect_timeout": CONNECT_S} if postgresql else {}
        return sa.create_engine(
            url, pool_pre_ping=True, pool_timeout=CONNECT_S, connect_args=timeout
        )
    engine = sa.create_engine(
        "sqlite://",
        creator=lambda: sqlite_file.connect(path),
        poolclass=QueuePool,
        pool_timeout=CONNECT_S,
    )
    sa_event.listen(engine, "begin", _begin_sqlite)
    return engine


def _begin_sqlite(connection: sa.Connection) -> None:
    # a writer takes the lock at once: two that first read could both fail
    writes = connection.get_execution_options().get("tableside_writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _be_patient(connection: sa.Connection, wait_s: float) -> None:
    if connection.dialect.name == "sqlite":
        driver = connection.connection.driver_connection
        assert isinstance(driver, sqlite3.Connection)
        driver.execute(f"PRAGMA busy_timeout = {int(wait_s * 1000)}")


def _be_patient_here(connection: sa.Connection, wait_s: float) -> None:
    limit = max(1, int(wait_s * 1000))
    connection.exec_driver_sql(f"SET LOCAL lock_timeout = {limit}")


def _migrate(
    connection: sa.Connection, migrations: tuple[Migration, ...], shown: str
) -> None:
    """Take the steps that are missing, all or none."""
    dialect = connection.dialect.name
    if dialect == "postgresql":  # two that open a new store at once
        connection.exec_driver_sql("SELECT pg_advisory_xact_lock(5201314)")
    names = set(sa.inspect(connection).get_table_names())
    if "store_versions" not in names:
        foreign = names if dialect == "sqlite" else names & set(TABLES.tables)
        if foreign:
            raise StoreError(
                Trouble.BROKEN, f"{shown} is a database of something else."
            )
        VERSIONS.create(connection)
    asked = sa.select(sa.func.coalesce(sa.func.max(VERSIONS.c.number), 0))
    version = connection.execute(asked).scalar_one()
    newest = migrations[-1].number
    if version > newest:
        raise StoreError(
            Trouble.NEWER_SCHEMA,
            f"{shown} was written by a newer version of Tableside (its tables are"
            f" number {version}, this version knows {newest}).",
        )
    for step in migrations[version:]:
        for statement in step.statements(dialect):
            connection.exec_driver_sql(statement)
        at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        record = {"number": step.number, "name": step.name, "at": at}
        connection.execute(sa.insert(VERSIONS).values(record))
    if not connection.execute(sa.select(sa.func.count()).select_from(HEAD)).scalar():
        connection.execute(sa.insert(HEAD).values(_first_head()))


def _first_head() -> dict[str, object]:
    return {
        "only_one": 1,
        "store_id": sqlite_file.new_store_id(),
        "number": 0,
        "hash": GENESIS,
    }
