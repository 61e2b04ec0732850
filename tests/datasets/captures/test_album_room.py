"""Room and company: the budget of an album, full disks, several writers at once."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from capture_makers import capture, dice, picture

from datasets.captures.album import Album, Outcome
from datasets.captures.capture import Kept, Origin, Review
from datasets.captures.checking import verify
from datasets.captures.fields import CaptureError
from datasets.captures.manifest import SLACK

SUPPORT = Path(__file__).parents[2] / "support"
WRITER = """
import sys
sys.path.insert(0, sys.argv[3])
from pathlib import Path
from capture_makers import capture, picture
from datasets.captures.album import Album
album = Album(Path(sys.argv[1]), wait_s=60)
for seed in range(int(sys.argv[2]), int(sys.argv[2]) + 25):
    data = picture(seed)
    assert album.add(capture(data), data).outcome == "kept", seed
"""


def add(album: Album, seed: int, kept: Kept, minute: int, **more: object) -> str:
    data = picture(seed)
    added = album.add(capture(data, kept, minute, **more), data)
    assert added.outcome is Outcome.KEPT
    return added.id


def test_least_worth_goes_first_and_of_that_the_oldest(tmp_path: Path) -> None:
    album = Album(tmp_path / "a")
    names = {
        "reviewed": add(album, 1, Kept.SURE, 1, review=Review.REVIEWED),
        "corrected": add(album, 2, Kept.CORRECTED, 2),
        "asked": add(album, 3, Kept.ASKED, 3),
        "refused": add(album, 4, Kept.REFUSED, 4),
        "sure, new": add(album, 5, Kept.SURE, 9),
        "sure, old": add(album, 6, Kept.SURE, 5),
        "set aside": add(album, 7, Kept.CORRECTED, 8, review=Review.DROPPED),
    }
    words = {name: word for word, name in names.items()}
    album.budget_bytes = album.size
    gone: list[str] = []
    for seed in range(20, 40):
        data = picture(seed)
        fresh = capture(data, Kept.CORRECTED, 60 + seed, review=Review.REVIEWED)
        before = album.size
        added = album.add(fresh, data)
        assert added.outcome is Outcome.KEPT
        assert album.size <= album.budget_bytes
        assert added.gone or album.size > before
        gone += [words[name] for name in added.gone if name in words]
    assert gone == [
        "set aside",
        "sure, old",
        "sure, new",
        "refused",
        "asked",
        "corrected",
        "reviewed",
    ]
    tally = album.tally()
    assert tally.dropped["room"] == 7 + 20 - tally.total
    assert verify(album).ok


def test_nothing_of_more_worth_goes_for_less(tmp_path: Path) -> None:
    album = Album(tmp_path / "a")
    asked = add(album, 1, Kept.ASKED, 1)
    album.budget_bytes = album.size + 10
    data = picture(2)
    added = album.add(capture(data, minute=9), data)
    assert (added.outcome, added.id, added.gone) == (Outcome.NO_ROOM, "", ())
    assert [entry.id for entry in album.entries()] == [asked]
    assert verify(album).ok


def test_picture_bigger_than_the_budget_drops_nothing(tmp_path: Path) -> None:
    album = Album(tmp_path / "a")
    add(album, 1, Kept.SURE, 1)
    album.budget_bytes = 100
    data = picture(2)
    added = album.add(capture(data, Kept.CORRECTED), data)
    assert added.outcome is Outcome.NO_ROOM
    assert len(album) == 1


def test_two_processes_and_threads_may_write_at_once(tmp_path: Path) -> None:
    folder = tmp_path / "a"
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(folder), str(first), str(SUPPORT)]
        )
        for first in (100, 200)
    ]
    shared = Album(folder, wait_s=60)

    def write(first: int) -> None:
        for seed in range(first, first + 20):
            data = picture(seed)
            name = shared.add(capture(data, minute=seed), data).id
            shared.label(name, dice("3C 4C 5C", Origin.PERSON))

    threads = [threading.Thread(target=write, args=(n,)) for n in (300, 400)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [writer.wait() for writer in writers] == [0, 0]
    assert len(shared) == 90
    assert shared.tally().by_review == {"waiting": 50, "reviewed": 40}
    assert shared.entries() == Album(folder).entries()
    assert verify(shared).good == 90


def test_changes_of_two_people_do_not_undo_each_other(tmp_path: Path) -> None:
    one = Album(tmp_path / "a")
    name = add(one, 1, Kept.SURE, 1)
    other = Album(tmp_path / "a")

    def more(album: Album) -> None:
        for _ in range(30):
            album.change(
                name,
                lambda before: capture(
                    picture(1),
                    doubt=round(before.doubt + 0.01, 2),
                    likeness=before.likeness,
                ),
            )

    threads = [threading.Thread(target=more, args=(album,)) for album in (one, other)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert one.get(name).doubt == pytest.approx(0.6, abs=1e-9)


def test_album_held_by_another_program_is_told(tmp_path: Path) -> None:
    album = Album(tmp_path / "a", wait_s=0.05)
    add(album, 1, Kept.SURE, 1)
    with (tmp_path / "a" / "lock").open("r+") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        data = picture(2)
        with pytest.raises(CaptureError, match="another program"):
            album.add(capture(data), data)
        assert len(album) == 1
    assert album.add(capture(data), data).outcome is Outcome.KEPT


def test_manifest_is_written_anew_when_most_of_it_counts_no_more(
    tmp_path: Path,
) -> None:
    album = Album(tmp_path / "a", durable=False)
    name = add(album, 1, Kept.SURE, 1)
    gone = add(album, 2, Kept.SURE, 2)
    album.drop(gone)
    other = Album(tmp_path / "a")
    for step in range(SLACK + 10):
        album.label(name, dice("3C 4C 5C" if step % 2 else "6C 7C 8C"))
    lines = (tmp_path / "a" / "manifest.jsonl").read_bytes().count(b"\n")
    assert lines < 100
    assert other.get(name).dice == dice("3C 4C 5C")
    assert other.tally() == album.tally()
    assert other.tally().dropped == {"person": 1}


def test_change_is_done_though_the_manifest_cannot_be_written_anew(
    tmp_path: Path,
) -> None:
    album = Album(tmp_path / "a", durable=False)
    name = add(album, 1, Kept.SURE, 1)
    blocked = tmp_path / "a" / "manifest.jsonl.part"
    (blocked / "x").mkdir(parents=True)  # as on a disk with room for a line only
    for step in range(SLACK + 10):
        album.label(name, dice("3C 4C 5C" if step % 2 else "6C 7C 8C"))
    shutil.rmtree(blocked)
    assert Album(tmp_path / "a").get(name).dice == dice("3C 4C 5C")
    album.label(name, dice("6C 7C 8C"))
    assert (tmp_path / "a" / "manifest.jsonl").read_bytes().count(b"\n") == 2


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_folder_that_may_not_be_written_is_told_and_can_be_read(tmp_path: Path) -> None:
    folder = tmp_path / "a"
    add(Album(folder), 1, Kept.SURE, 1)
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o500 if path.is_dir() else 0o400)
    album, data = Album(folder), picture(2)
    with pytest.raises(CaptureError, match="cannot be written"):
        album.add(capture(data), data)
    assert verify(album).good == 1


def test_file_where_the_folder_should_be_is_told(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("no folder")
    data = picture(1)
    with pytest.raises(CaptureError, match=r"cannot be (read|written)"):
        Album(tmp_path / "a").add(capture(data), data)


def test_full_disk_leaves_the_album_as_it_was(tmp_path: Path) -> None:
    folder = tmp_path / "a"
    add(Album(folder), 1, Kept.SURE, 1)
    # a limit on the size of files stops a write in its middle, as a full disk does
    script = f"""
import resource, signal, sys
sys.path.insert(0, {str(SUPPORT)!r})
from pathlib import Path
from capture_makers import capture, dice, picture
from datasets.captures.album import Album
from datasets.captures.capture import Origin
from datasets.captures.fields import CaptureError
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
album, data, told = Album(Path({str(folder)!r})), picture(2), []
for most in (50, 500, 700, 1500):
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, -1))
    try:
        album.add(capture(data), data)
    except CaptureError as error:
        told.append(str(error))
    try:
        album.label(capture(picture(1)).id, dice("3C 4C 5C", Origin.PERSON))
    except CaptureError as error:
        told.append(str(error))
resource.setrlimit(resource.RLIMIT_FSIZE, (-1, -1))
assert len(told) >= 6, told
assert all("cannot be written" in words for words in told), told
album.add(capture(data), data)
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert verify(Album(folder)).good == 2
    assert verify(Album(folder)).ok
