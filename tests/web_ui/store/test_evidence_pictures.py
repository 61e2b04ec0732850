"""Evidence is what it was, or it is told that it is not."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from web_ui.store.chain import sha256
from web_ui.store.errors import StoreError, Trouble
from web_ui.store.pictures import MOST_PICTURE_BYTES, Pictures

ABSENT = "0" * 64


@pytest.fixture
def pictures(tmp_path: Path) -> Pictures:
    return Pictures(tmp_path / "deep" / "pictures")


def test_picture_comes_back_under_its_hash(pictures: Pictures) -> None:
    assert pictures.listed() == ()
    name = pictures.put(b"picture")
    assert name == sha256(b"picture")
    assert pictures.get(name) == b"picture"
    assert pictures.path(name) == pictures.folder / name[:2] / name[2:4] / name
    assert pictures.put(b"picture") == name
    assert [one.hash for one in pictures.listed()] == [name]
    assert pictures.get(ABSENT) is None


def test_pictures_are_for_their_owner_alone(pictures: Pictures) -> None:
    before = os.umask(0o022)
    try:
        path = pictures.path(pictures.put(b"picture"))
    finally:
        os.umask(before)
    assert path.stat().st_mode & 0o777 == 0o600
    folders = [path.parent, path.parent.parent, pictures.folder, pictures.folder.parent]
    assert {one.stat().st_mode & 0o777 for one in folders} == {0o700}


@pytest.mark.parametrize(
    "name", ["", "../../etc/passwd", ABSENT + "\n", "0" * 63, None]
)
def test_only_hashes_are_names(pictures: Pictures, name: str) -> None:
    with pytest.raises(StoreError) as caught:
        pictures.get(name)
    assert caught.value.kind is Trouble.REFUSED


@pytest.mark.parametrize("size", [0, MOST_PICTURE_BYTES + 1])
def test_picture_of_no_or_too_many_bytes_is_refused(
    pictures: Pictures, size: int
) -> None:
    with pytest.raises(StoreError) as caught:
        pictures.put(bytes(size))
    assert caught.value.kind is Trouble.REFUSED


@pytest.mark.parametrize("content", [b"picturf", b"", b"picture and more"])
def test_damaged_picture_is_told_and_healed_when_it_comes_again(
    pictures: Pictures, content: bytes
) -> None:
    name = pictures.put(b"picture")
    pictures.path(name).write_bytes(content)
    with pytest.raises(StoreError) as caught:
        pictures.get(name)
    assert caught.value.kind is Trouble.BROKEN
    assert pictures.check([name]).damaged == (name,)
    assert pictures.put(b"picture") == name
    assert pictures.get(name) == b"picture"


def test_check_tells_missing_ones_from_orphans(pictures: Pictures) -> None:
    named, orphan = pictures.put(b"named"), pictures.put(b"orphan")
    (pictures.folder / "aa").mkdir(exist_ok=True)
    (pictures.folder / "README").write_text("not a picture")
    check = pictures.check([named, ABSENT])
    assert (check.good, check.missing, check.orphans) == (2, (ABSENT,), (orphan,))
    assert check.damaged == ()


def test_budget_names_the_oldest(pictures: Pictures) -> None:
    names = [pictures.put(bytes([k]) * 10) for k in range(4)]
    for age, name in enumerate(names):
        os.utime(pictures.path(name), (1000 + age, 1000 + age))
    assert pictures.beyond(40) == ()
    assert [one.hash for one in pictures.beyond(25)] == names[:2]
    assert len(pictures.beyond(0)) == 4
    assert len(pictures.listed()) == 4  # nothing was removed


def test_many_threads_keep_the_same_and_other_pictures(pictures: Pictures) -> None:
    def keep(k: int) -> None:
        pictures.put(b"same")
        pictures.put(b"%d" % k)

    threads = [threading.Thread(target=keep, args=(k,)) for k in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(pictures.listed()) == 13
    assert pictures.check([]).damaged == ()
    assert list(pictures.folder.glob("*.part")) == []


def test_half_a_picture_of_a_killed_program_is_tidied_away(pictures: Pictures) -> None:
    pictures.put(b"picture")
    old, new = pictures.folder / "a.part", pictures.folder / "b.part"
    for path in (old, new):
        path.write_bytes(b"half")
    os.utime(old, (1000, 1000))
    assert pictures.tidy() == 1
    assert not old.exists()
    assert new.exists()


def test_folder_that_is_a_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError) as caught:
        Pictures(tmp_path / "file").put(b"picture")
    assert caught.value.kind is Trouble.GONE


def test_full_disk_is_told_and_leaves_nothing_half(pictures: Pictures) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no device that is always full")
    pictures.folder.mkdir(parents=True)
    for first in range(256):  # every picture would go to the full device
        (pictures.folder / f"{first:02x}").symlink_to("/dev/full")
    with pytest.raises(StoreError) as caught:
        pictures.put(b"picture")
    assert caught.value.kind in {Trouble.GONE, Trouble.FULL}
    assert list(pictures.folder.glob("*.part")) == []
