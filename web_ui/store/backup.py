"""A whole store in one file, and back: what protects against the loss of a disk."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
import uuid
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from datasets.captures.private_files import make_private
from datasets.whole_files import sync
from web_ui.store import sqlite_file
from web_ui.store.archive import reading, writing
from web_ui.store.database_faults import translated
from web_ui.store.errors import StoreError, Trouble
from web_ui.store.pictures import MOST_PICTURE_BYTES
from web_ui.store.store import EventStore

if TYPE_CHECKING:
    from web_ui.store.archive import ArchiveReader
    from web_ui.store.pictures import Pictures
    from web_ui.store.store import Verdict

FORMAT = "tableside-backup/1"
DATABASE = "store.db"
MOST_BYTES = 2**40


@dataclass(frozen=True, slots=True)
class BackedUp:
    """What a backup holds.

    Attributes:
        events: number of events.
        pictures: number of pictures.
        head: hash of the last event.
    """

    events: int
    pictures: int
    head: str


def back_up(store: EventStore, pictures: Pictures, path: Path) -> BackedUp:
    """Write everything into one file while the table plays on.

    The copy is verified before the file gets its name.

    Raises:
        StoreError: the store is damaged, or the file cannot be written.
    """
    about: dict[str, object] = {"format": FORMAT, "store": store.store_id}
    with (
        tempfile.TemporaryDirectory(dir=_folder(path), prefix=".backup-") as room,
        writing(path, about) as archive,
    ):
        copy = Path(room) / DATABASE
        _copy(store, copy)
        verdict = _verified(copy)
        archive.add(DATABASE, copy, packed=True)
        count = 0
        for one in pictures.listed():
            data = pictures.get(one.hash)
            if data is not None:
                archive.add(f"pictures/{one.hash}", data)
                count += 1
        about |= {"events": verdict.events, "head": verdict.head, "pictures": count}
    return BackedUp(verdict.events, count, verdict.head)


def restore(
    archive_path: Path, target: Path, pictures: Pictures, *, force: bool
) -> BackedUp:
    """Bring a store back from a backup: whole, or not at all.

    Nothing changes before all of the backup is proved. The pictures come first: they
    are only added, and without events they do no harm.

    Args:
        archive_path: the backup.
        target: the SQLite file to make.
        pictures: where the pictures go.
        force: whether a store that is there may be replaced; it is kept under another
            name beside it.

    Raises:
        StoreError: refused: the backup is not what was written, or there is a store.
            Locked: the store is in use.
    """
    if target.exists() and not force:
        raise StoreError(
            Trouble.REFUSED, f"There is a store {target}: nothing was overwritten."
        )
    make_private(target.parent)
    with (
        reading(archive_path, FORMAT, MOST_BYTES) as archive,
        tempfile.TemporaryDirectory(dir=target.parent, prefix=".restore-") as room,
    ):
        half = Path(room) / DATABASE
        names = _proved_pictures(archive)
        archive.extract(DATABASE, half)
        verdict = _verified(half)
        stated = (archive.about.get("events"), archive.about.get("head"))
        if stated != (verdict.events, verdict.head):
            raise archive.bad("its events are not those that its manifest states")
        for name in names:
            pictures.put(archive.read(f"pictures/{name}", MOST_PICTURE_BYTES))
        if target.exists():
            _put_aside(target)
            half.replace(target)
            sync(target.parent)
        else:
            try:
                sqlite_file.put_new(half, target)
            except FileExistsError as error:
                raise StoreError(
                    Trouble.REFUSED, f"There is a store {target} by now."
                ) from error
    return BackedUp(verdict.events, len(names), verdict.head)


def restore_into(archive_path: Path, store: EventStore, pictures: Pictures) -> BackedUp:
    """Bring a backup into a store that is still empty, as on a database server.

    Raises:
        StoreError: refused: the backup is not what was written, or the store is not
            empty.
    """
    with tempfile.TemporaryDirectory(prefix="tableside-restore-") as room:
        half = Path(room) / DATABASE
        told = restore(archive_path, half, pictures, force=False)
        with closing(EventStore.open(half)) as source:
            store.take_over(source)
    return told


def _folder(path: Path) -> Path:
    if not path.parent.is_dir():
        raise StoreError(Trouble.GONE, f"There is no folder {path.parent}.")
    return path.parent


def _copy(store: EventStore, copy: Path) -> None:
    """Copy the store into a new SQLite file that stands alone."""
    if store.path is None:
        with closing(EventStore.open(copy)) as target:
            target.take_over(store)
        return
    try:
        with (
            closing(sqlite_file.connect(store.path)) as source,
            closing(sqlite3.connect(copy)) as target,
        ):
            source.backup(target)
            target.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.Error as error:
        raise translated(error, store.address, store.path) from error


def _verified(path: Path) -> Verdict:
    store = EventStore.open(path)
    try:
        verdict = store.verify()
    finally:
        store.close()
    if not verdict.ok:
        where = f"event {verdict.first_bad}: " if verdict.first_bad else ""
        raise StoreError(Trouble.BROKEN, f"The store is damaged: {where}{verdict.why}.")
    return verdict


def _put_aside(target: Path) -> None:
    """Give the store that is there a second name, so that nothing is ever lost.

    Its companions must go first: SQLite would put an old log into the new file.
    """
    aside = target.with_name(f"{target.name}.replaced-{uuid.uuid4().hex[:8]}")
    try:
        with closing(sqlite3.connect(target, timeout=1, isolation_level=None)) as old:
            # moves the log into the file; fails while anybody else has it open
            mode = old.execute("PRAGMA journal_mode = DELETE").fetchone()[0]
            if mode != "delete":
                raise StoreError(Trouble.LOCKED, f"The store {target} is in use.")
    except sqlite3.DatabaseError as error:
        fault = translated(error, str(target), target)
        if fault.kind is not Trouble.BROKEN:
            raise StoreError(
                fault.kind, f"Nothing was overwritten. {fault.sentence}"
            ) from error
        for ending in sqlite_file.COMPANIONS:  # nothing can be saved from it by us
            companion = target.with_name(target.name + ending)
            if companion.exists():
                companion.rename(aside.with_name(aside.name + ending))
    try:
        aside.hardlink_to(target)
    except OSError:
        shutil.copy2(target, aside)


def _proved_pictures(archive: ArchiveReader) -> list[str]:
    names = []
    for file, (_, hash_) in archive.files.items():
        if file == DATABASE:
            continue
        name = file.removeprefix("pictures/")
        if file == name or hash_ != name:
            raise archive.bad(f"{file} is no picture")
        archive.read(file, MOST_PICTURE_BYTES)
        names.append(name)
    return names
