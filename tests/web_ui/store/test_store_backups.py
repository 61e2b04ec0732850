"""Backups: everything comes back, or nothing changes."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import pytest
import store_forgeries as forged
from store_makers import PICTURE, game_events, happened, seeded

from web_ui.store.backup import back_up, restore
from web_ui.store.chain import sha256
from web_ui.store.errors import StoreError, Trouble
from web_ui.store.pictures import Pictures
from web_ui.store.store import EventStore
from web_ui.table.books import STORE_FILE

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    store, pictures = seeded(tmp_path / "backed up")
    told = back_up(store, pictures, tmp_path / "all.zip")
    assert (told.events, told.pictures) == (7, 1)
    store.close()
    return tmp_path / "all.zip"


@pytest.fixture
def pictures(tmp_path: Path) -> Pictures:
    return Pictures(tmp_path / "pictures here")


@pytest.mark.parametrize("part", [0.0, 0.3, 0.9, 0.999])
def test_cut_backup_is_refused(backup: Path, pictures: Pictures, part: float) -> None:
    backup.write_bytes(backup.read_bytes()[: int(backup.stat().st_size * part)])
    target = backup.with_name("back.db")
    with pytest.raises(StoreError) as caught:
        restore(backup, target, pictures, force=False)
    assert caught.value.kind is Trouble.REFUSED
    assert not target.exists()
    assert pictures.listed() == ()


def test_backup_brings_back_everything(
    backup: Path, tmp_path: Path, pictures: Pictures
) -> None:
    target = tmp_path / "back" / STORE_FILE
    told = restore(backup, target, pictures, force=False)
    assert (told.events, told.pictures) == (7, 1)
    with (
        closing(EventStore.open(target)) as back,
        closing(EventStore.open(tmp_path / "backed up" / STORE_FILE)) as source,
    ):
        assert back.verify() == source.verify()
        assert back.store_id == source.store_id
        assert back.games() == source.games()
        back.append([happened(8)])
    assert pictures.get(sha256(PICTURE)) == PICTURE
    assert {one.name for one in target.parent.iterdir()} == {STORE_FILE}


def test_backup_of_a_store_in_use_is_whole(tmp_path: Path) -> None:
    store, pictures = seeded(tmp_path / "from")  # stays open, its log not moved
    told = back_up(store, pictures, tmp_path / "all.zip")
    store.append([happened(9)])
    restore(tmp_path / "all.zip", tmp_path / "back.db", pictures, force=False)
    assert told.head != store.verify().head
    store.close()


def test_store_that_is_there_is_replaced_only_by_force_and_kept(
    backup: Path, tmp_path: Path, pictures: Pictures
) -> None:
    target = tmp_path / "back" / STORE_FILE
    target.parent.mkdir()
    with closing(EventStore.open(target)) as store:
        store.append(game_events("mine", sha256(PICTURE)))
        with pytest.raises(StoreError, match="nothing was overwritten") as caught:
            restore(backup, target, pictures, force=False)
        assert caught.value.kind is Trouble.REFUSED
        with pytest.raises(StoreError) as caught:
            restore(backup, target, pictures, force=True)
        assert caught.value.kind is Trouble.LOCKED  # somebody has it open
        store.append([happened(1, "mine")])
    restore(backup, target, pictures, force=True)
    with closing(EventStore.open(target)) as store:
        assert [one.game for one in store.games()] == ["one"]
    (aside,) = target.parent.glob("*.replaced-*")
    with closing(EventStore.open(aside)) as old:
        assert [one.game for one in old.games()] == ["mine"]
        assert old.verify().events == 8


def test_broken_store_can_be_replaced(
    backup: Path, tmp_path: Path, pictures: Pictures
) -> None:
    target = tmp_path / STORE_FILE
    target.write_bytes(b"not a database at all" * 99)
    target.with_name(f"{STORE_FILE}-wal").write_bytes(b"old log")
    restore(backup, target, pictures, force=True)
    assert target.stat().st_mode & 0o077 == 0
    with closing(EventStore.open(target)) as store:
        assert store.verify().events == 7


BACKUP_FORGERIES = [
    forged.database_changed,
    forged.head_lied_about,
    forged.picture_changed,
    forged.bytes_changed,
    forged.not_in_manifest,
    forged.climbing,
    forged.of_another_form,
    forged.no_manifest,
]


@pytest.mark.parametrize("forge", BACKUP_FORGERIES)
def test_forged_backup_is_refused_and_changes_nothing(
    backup: Path,
    tmp_path: Path,
    pictures: Pictures,
    forge: Callable[[forged.Files], forged.Files],
) -> None:
    forged.packed(backup, forge(forged.unpacked(backup)))
    target = tmp_path / "back.db"
    before = b"the store that is there"
    target.write_bytes(before)
    with pytest.raises(StoreError) as caught:
        restore(backup, target, pictures, force=True)
    assert caught.value.kind in {Trouble.REFUSED, Trouble.BROKEN}
    assert target.read_bytes() == before
    assert pictures.listed() == ()


def test_backup_of_a_damaged_store_is_refused(tmp_path: Path) -> None:
    store, pictures = seeded(tmp_path / "from")
    pictures.path(sha256(PICTURE)).write_bytes(b"scribble")
    with pytest.raises(StoreError) as caught:
        back_up(store, pictures, tmp_path / "all.zip")
    assert caught.value.kind is Trouble.BROKEN
    assert not (tmp_path / "all.zip").exists()
    store.close()
