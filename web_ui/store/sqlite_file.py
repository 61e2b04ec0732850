"""The SQLite file: made whole or not at all, opened safely, missed when it goes."""

from __future__ import annotations

import sqlite3
import uuid
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from datasets.captures.private_files import make_private
from datasets.whole_files import sync
from web_ui.store.errors import StoreError, Trouble

if TYPE_CHECKING:
    from collections.abc import Callable

COMPANIONS = ("-wal", "-shm", "-journal")
"""Endings of the files that SQLite keeps beside its own."""


def path_of(database: str | None) -> Path:
    """The file that an SQLite address names.

    Raises:
        ValueError: it names a database in memory, which keeps nothing.
    """
    if not database or database == ":memory:" or database.startswith("file:"):
        raise ValueError("a store must be a file on a disk")
    return Path(database).absolute()


def connect(path: Path) -> sqlite3.Connection:
    """Open a file that is there, safe against loss of power at every commit.

    Raises:
        sqlite3.Error: it cannot be opened.
    """
    connection = _opened(path)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA trusted_schema = OFF")
    except BaseException:
        connection.close()
        raise
    return connection


def _opened(path: Path) -> sqlite3.Connection:
    # mode=rw: a file that has gone must be missed, not made anew
    return sqlite3.connect(
        f"file:{quote(str(path))}?mode=rw",
        uri=True,
        timeout=3,
        isolation_level=None,  # transactions are begun by hand, with their kind
        check_same_thread=False,
    )


def create_whole(path: Path, make: Callable[[Path], None]) -> None:
    """Make a file under another name and give it its own when it is whole.

    So nobody ever sees half a store, and of two that make one at once, one wins.

    Args:
        path: what is not there yet; its folder is made if need be.
        make: makes the tables in an empty database.

    Raises:
        OSError: the folder cannot be written to.
    """
    try:
        make_private(path.parent)
        half = path.with_name(f".{path.name}.{uuid.uuid4().hex}.part")
        half.touch(mode=0o600)
    except OSError as error:
        raise StoreError(
            Trouble.GONE, f"No store can be made in {path.parent}: {error.strerror}."
        ) from error
    try:
        make(half)
        sync(half)
        put_new(half, path)
    except FileExistsError:
        pass  # somebody else was faster
    finally:
        for name in (half.name, *(half.name + ending for ending in COMPANIONS)):
            half.with_name(name).unlink(missing_ok=True)


def put_new(half: Path, path: Path) -> None:
    """Give a file a name that is still free, for good.

    Raises:
        FileExistsError: it is not free.
    """
    try:
        path.hardlink_to(half)
    except FileExistsError:
        raise
    except OSError:  # a file system without second names (FAT)
        if path.exists():
            raise FileExistsError(path) from None
        half.rename(path)
    sync(path.parent)


def check_kind(path: Path) -> None:
    """Refuse what is no SQLite file, before tables are made in it.

    SQLite looks itself: a process that opens the file by hand and closes it again
    gives up the locks of all its connections to it (a rule of POSIX).

    Raises:
        StoreError: broken or gone.
    """
    if not path.is_file():
        raise StoreError(Trouble.BROKEN, f"{path} is no file, so no store.")
    try:
        with closing(_opened(path)) as connection:
            pages = connection.execute("PRAGMA page_count").fetchone()[0]
    except sqlite3.Error as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_CANTOPEN:
            raise StoreError(Trouble.GONE, f"{path} cannot be read.") from error
        if error.sqlite_errorcode == sqlite3.SQLITE_NOTADB:
            raise StoreError(Trouble.BROKEN, f"{path} is not a store.") from error
        return  # locked, or damaged further in: told when it is used
    if not pages:
        raise StoreError(Trouble.BROKEN, f"{path} is empty, which no store is.")


def identity(path: Path) -> tuple[int, int]:
    """What tells a file from another one under the same name."""
    state = path.stat()
    return state.st_dev, state.st_ino


def check_same(path: Path, known: tuple[int, int]) -> None:
    """Notice a file that was removed or replaced while it was open.

    Raises:
        StoreError: gone.
    """
    try:
        same = identity(path) == known
    except OSError as error:
        raise StoreError(
            Trouble.GONE, f"The store {path} has gone: {error.strerror}."
        ) from error
    if not same:
        raise StoreError(Trouble.GONE, f"The store {path} was replaced by another.")


def new_store_id() -> str:
    """A name for a new store that no other has; 32 hex digits."""
    return uuid.uuid4().hex
