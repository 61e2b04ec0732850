"""Power cuts, full disks, locks and lost files: nothing that was shown is missing."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from store_killing import kill_while_writing
from store_makers import happened, numbers

from web_ui.store.errors import StoreError, Trouble
from web_ui.store.journal import Journal
from web_ui.store.store import EventStore
from web_ui.table.events import new_event

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store.db"


@pytest.fixture
def store(path: Path) -> Iterator[EventStore]:
    opened = EventStore.open(path)
    yield opened
    opened.close()


def test_killed_writer_loses_nothing_that_was_shown(path: Path) -> None:
    chance, least = random.Random(2), 0
    for _ in range(4):
        shown, events = kill_while_writing(path, chance)
        assert events >= max(shown, least)
        least = events
    assert least > 0


HOLDER = """
import sqlite3, sys
held = sqlite3.connect(sys.argv[1], isolation_level=None)
held.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.readline()
"""


VISITOR = """
import sqlite3, sys
seen = sqlite3.connect(sys.argv[1])
print(seen.execute("SELECT count(*) FROM sqlite_master").fetchone()[0])
seen.close()
"""


def test_second_store_of_one_process_leaves_the_locks_of_the_first(
    path: Path, store: EventStore
) -> None:
    store.append([happened(0)])
    EventStore.open(path).close()
    # whoever closes a file that nobody else has locked removes its log of writes
    command = [sys.executable, "-c", VISITOR, str(path)]
    subprocess.run(command, check=True, capture_output=True)
    assert path.with_name(path.name + "-wal").exists()
    store.append([happened(1)])
    assert numbers(store) == [0, 1]


def test_store_locked_by_another_process_is_told_and_written_later(
    path: Path, store: EventStore
) -> None:
    journal = Journal(store, wait_s=0.05, again_s=[3600])
    command = [sys.executable, "-c", HOLDER, str(path)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        for k in range(4):
            assert not journal.write([happened(k)])
        with pytest.raises(StoreError) as caught:
            store.append([happened(9)], wait_s=0.01)
        assert caught.value.kind is Trouble.LOCKED
        assert store.events() == ()  # a lock does not keep readers out
        assert journal.pending == 4
        holder.communicate("\n")
    assert journal.close()
    assert numbers(store) == [0, 1, 2, 3]
    assert store.verify().ok


WRITER = """
import sys
from web_ui.store.store import EventStore
from web_ui.table.events import new_event
store = EventStore.open(sys.argv[1])
print("open", flush=True)
sys.stdin.readline()
for k in range(40):
    store.append([new_event("one", "answered", {"die": k}, sys.argv[2])], wait_s=30)
"""


def test_two_processes_append_at_once_without_harm(path: Path) -> None:
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path), name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for name in ("Ann", "Bob")
    ]
    for writer in writers:  # both made the store, which was not there
        assert writer.stdout is not None
        assert writer.stdout.readline() == "open\n"
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.write("\n")
        writer.stdin.flush()
    for writer in writers:
        writer.communicate()
        assert writer.returncode == 0
    with closing(EventStore.open(path)) as store:
        assert store.verify().events == 80
        for name in ("Ann", "Bob"):
            own = [one.event for one in store.events() if one.event.by == name]
            assert [event.body["die"] for event in own] == list(range(40))


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)]
    told = subprocess.run(command, capture_output=True, check=False)
    if told.returncode:
        if os.environ.get("CI"):
            pytest.fail(f"no small disk: {told.stderr!r}")
        pytest.skip("a small disk can be mounted by root only")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def test_full_disk_is_told_and_events_are_written_when_there_is_room(
    small_disk: Path,
) -> None:
    store = EventStore.open(small_disk / "store.db")
    ballast = small_disk / "ballast"
    ballast.write_bytes(bytes(600_000))
    journal = Journal(store, wait_s=30, again_s=[3600])
    written = 0
    for _ in range(60):
        event = new_event("one", "answered", {"die": 1, "pad": "x" * 20_000}, "camera")
        written += journal.write([event])
    assert 0 < written < 60
    assert journal.pending == 60 - written
    assert journal.trouble is not None
    assert journal.trouble.kind is Trouble.FULL
    assert "full" in journal.sentence
    ballast.unlink()
    with closing(EventStore.open(small_disk / "store.db")) as looker:
        assert looker.verify().ok
    before, waiting = written, journal.pending
    for _ in range(20):  # fewer at once each time: 1 MB does not hold them all
        if journal.retry() or journal.pending < waiting:
            break
    written = len(store.events())
    assert written > before
    verdict = store.verify()
    assert verdict.ok
    assert verdict.events == written
    assert journal.pending == 60 - verdict.events
    journal.close(0.0)
    store.close()


@pytest.mark.parametrize("left", [0, 10, 32, 5000, 9999])
def test_truncated_log_leaves_a_store_that_verifies(path: Path, left: int) -> None:
    copied = path.with_name("copy.db")
    with closing(EventStore.open(path)) as store:
        for k in range(5):
            store.append([happened(k)])
        shutil.copy(path, copied)
        log = path.with_name("store.db-wal").read_bytes()
        assert len(log) > 9999
        path.with_name("copy.db-wal").write_bytes(log[:left])
    with closing(EventStore.open(copied)) as cut:
        verdict = cut.verify()
        assert verdict.ok
        assert numbers(cut) == list(range(5))[: verdict.events]
        cut.append([happened(7)])
        assert cut.verify().ok


@pytest.mark.parametrize("at", [0, 100, 5000, 20_000])
def test_scribbled_file_is_found_out_and_never_a_crash(
    path: Path, store: EventStore, at: int
) -> None:
    written = store.append([happened(k) for k in range(200)])
    store.close()
    data = bytearray(path.read_bytes())
    data[at : at + 3000] = b"\xa5" * 3000
    path.write_bytes(data)
    try:
        with closing(EventStore.open(path)) as scribbled:
            # a page may have room where nothing is written
            assert not scribbled.verify().ok or scribbled.events() == written
    except StoreError as error:
        assert error.kind is Trouble.BROKEN  # noqa: PT017  # either is right


def test_file_that_goes_while_open_is_missed_and_taken_up_when_it_is_back(
    path: Path, store: EventStore
) -> None:
    journal = Journal(store, wait_s=30, again_s=[3600])
    assert journal.write([happened(1)])
    away = path.with_name("away.db")
    path.rename(away)
    assert not journal.write([happened(2)])
    assert journal.trouble is not None
    assert journal.trouble.kind is Trouble.GONE
    assert not path.exists()
    away.rename(path)
    assert journal.retry()
    assert numbers(store) == [1, 2]
    assert journal.close()


def test_another_file_under_the_name_is_not_written_to(
    path: Path, store: EventStore, tmp_path: Path
) -> None:
    store.append([happened(1)])
    with closing(EventStore.open(tmp_path / "other.db")) as other:
        other.append([happened(2)])
    (tmp_path / "other.db").replace(path)
    with pytest.raises(StoreError) as caught:
        store.append([happened(3)])
    assert caught.value.kind is Trouble.GONE


READER = """
import os, sys
from web_ui.store.errors import StoreError
from web_ui.store.store import EventStore
EventStore.open(sys.argv[2]).close()  # loads all that it needs
if os.geteuid() == 0:  # whom no mode stops
    os.setgroups([]); os.setgid(65534); os.setuid(65534)
try:
    EventStore.open(sys.argv[1])
except StoreError as error:
    print(error.kind, error.sentence)
"""


@pytest.mark.parametrize("there", [True, False])
def test_folder_that_may_not_be_written_is_told(tmp_path: Path, there: bool) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    if there:
        EventStore.open(folder / "store.db").close()
        (folder / "store.db").chmod(0o444)
    folder.chmod(0o555)
    # another user must come through; a process of several has a folder of its own
    for parent in (tmp_path, *tmp_path.parents[:3]):
        parent.chmod(parent.stat().st_mode | 0o005)
    names = [str(folder / "store.db"), str(tmp_path / "other.db")]
    command = [sys.executable, "-c", READER, *names]
    told = subprocess.run(command, capture_output=True, text=True, check=False)
    folder.chmod(0o755)
    assert told.stdout.startswith("gone "), told
    assert str(folder) in told.stdout


def test_reader_is_not_held_up_by_a_transaction_that_never_ends(
    path: Path, store: EventStore
) -> None:
    store.append([happened(1)])
    with closing(sqlite3.connect(path, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        assert reader.execute("SELECT count(*) FROM events").fetchone() == (1,)
        store.append([happened(k) for k in range(2, 50)])
        assert reader.execute("SELECT count(*) FROM events").fetchone() == (1,)
    assert store.verify().events == 49
