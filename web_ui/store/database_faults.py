"""What drivers of databases say went wrong, in the words of the store."""

from __future__ import annotations

import errno
import shutil
import sqlite3
from typing import TYPE_CHECKING

from web_ui.store.errors import StoreError, Trouble

if TYPE_CHECKING:
    from pathlib import Path

LITTLE_BYTES = 256 * 1024
"""With less free than this, a failed write is put down to a full disk."""

_SQLITE = {
    sqlite3.SQLITE_BUSY: Trouble.LOCKED,
    sqlite3.SQLITE_LOCKED: Trouble.LOCKED,
    sqlite3.SQLITE_PROTOCOL: Trouble.LOCKED,
    sqlite3.SQLITE_FULL: Trouble.FULL,
    sqlite3.SQLITE_NOMEM: Trouble.FULL,
    sqlite3.SQLITE_IOERR: Trouble.GONE,
    sqlite3.SQLITE_PERM: Trouble.GONE,
    sqlite3.SQLITE_READONLY: Trouble.GONE,
    sqlite3.SQLITE_CANTOPEN: Trouble.GONE,
    sqlite3.SQLITE_TOOBIG: Trouble.REFUSED,
}
_POSTGRESQL = {
    "55P03": Trouble.LOCKED,
    "57014": Trouble.LOCKED,
    "40001": Trouble.LOCKED,
    "40P01": Trouble.LOCKED,
    "53": Trouble.FULL,
    "08": Trouble.GONE,
    "57": Trouble.GONE,
    "28": Trouble.GONE,
    "3D": Trouble.GONE,
    "42501": Trouble.GONE,
    "25006": Trouble.GONE,
}
"""SQLSTATEs, or their classes."""

_SENTENCES = {
    Trouble.LOCKED: "Somebody else is writing to the store {place}.",
    Trouble.FULL: "The disk of the store {place} is full.",
    Trouble.GONE: "The store {place} cannot be reached or written: {why}.",
    Trouble.BROKEN: "The store {place} is damaged: {why}.",
    Trouble.REFUSED: "The store {place} refuses it: {why}.",
}


def translated(error: BaseException, place: str, path: Path | None) -> StoreError:
    """Say what an error of a database means.

    Args:
        error: of a driver, or of SQLAlchemy around one.
        place: the store, for people.
        path: its file, if it is one.
    """
    cause = getattr(error, "orig", None) or error
    kind = _kind(cause)
    if kind is Trouble.GONE and path is not None and _no_room(path):
        kind = Trouble.FULL
    text = str(cause).strip()
    why = text.splitlines()[0].rstrip(".") if text else type(cause).__name__
    return StoreError(kind, _SENTENCES[kind].format(place=place, why=why))


def _kind(cause: BaseException) -> Trouble:
    if isinstance(cause, sqlite3.Error):
        code = getattr(cause, "sqlite_errorcode", None)
        return Trouble.BROKEN if code is None else _sqlite_kind(code)
    if isinstance(cause, OSError):
        full = cause.errno in {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
        return Trouble.FULL if full else Trouble.GONE
    if hasattr(cause, "sqlstate"):  # psycopg
        state = cause.sqlstate or "08"  # none: the server did not answer
        return _POSTGRESQL.get(state) or _POSTGRESQL.get(state[:2], Trouble.BROKEN)
    if type(cause).__name__ == "TimeoutError":  # all connections are in use
        return Trouble.LOCKED
    return Trouble.BROKEN


def _sqlite_kind(code: int) -> Trouble:
    return _SQLITE.get(code & 0xFF, Trouble.BROKEN)


def _no_room(path: Path) -> bool:
    try:
        return shutil.disk_usage(path.parent).free < LITTLE_BYTES
    except OSError:
        return False
