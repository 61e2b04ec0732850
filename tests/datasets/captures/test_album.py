"""The album: what is kept, listed, changed and dropped, and what a crash leaves."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from capture_makers import capture, dice, jpeg, picture, square

from datasets.captures.album import Album, Outcome
from datasets.captures.capture import Kept, Origin, Review
from datasets.captures.checking import verify
from datasets.captures.fields import CaptureError
from datasets.captures.labelled import labelled_pictures
from datasets.captures.listing import Filter, Order
from datasets.captures.rebuilding import rebuild

SUPPORT = Path(__file__).parents[2] / "support"


def filled(folder: Path, count: int = 6) -> Album:
    """An album: the first is the oldest, every third one was asked."""
    album = Album(folder)
    for seed in range(count):
        data = picture(seed)
        kept = Kept.ASKED if seed % 3 == 2 else Kept.SURE
        album.add(capture(data, kept, minute=seed, doubt=seed / 10), data)
    return album


def test_album_that_is_not_there_is_empty_and_makes_no_folder(tmp_path: Path) -> None:
    album = Album(tmp_path / "none")
    assert (len(album), album.page().total, album.tally().total) == (0, 0, 0)
    assert verify(album).ok
    assert not (tmp_path / "none").exists()


def test_capture_is_found_again_as_it_was_by_another_album(tmp_path: Path) -> None:
    data = picture(1)
    added = Album(tmp_path / "a").add(capture(data, Kept.ASKED), data)
    other = Album(tmp_path / "a")
    found = other.get(added.id)
    assert replace(found, likeness="") == capture(data, Kept.ASKED)
    assert other.picture(added.id) == data
    assert verify(other).good == 1


def test_files_are_for_their_owner_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        filled(tmp_path / "a", 2)
    finally:
        os.umask(before)
    for path in [tmp_path / "a", *(tmp_path / "a").rglob("*")]:
        assert path.stat().st_mode & 0o777 == (0o700 if path.is_dir() else 0o600), path


def test_pages_are_filtered_and_ordered(tmp_path: Path) -> None:
    album = filled(tmp_path / "a")
    newest = album.page(start=1, count=2)
    assert [entry.doubt for entry in newest.entries] == [0.4, 0.3]
    assert (newest.start, newest.total) == (1, 6)
    asked = album.page(Filter(kept=Kept.ASKED), Order.OLDEST)
    assert [entry.doubt for entry in asked.entries] == [0.2, 0.5]
    assert album.page(order=Order.DOUBT, count=1).entries[0].doubt == 0.5
    assert album.page(Filter(face="2C")).total == 6
    assert album.page(Filter(face="2D")).total == 0
    assert album.page(Filter(recording="morning")).total == 0
    assert album.page(start=100).entries == ()


def test_lists_follow_what_another_album_changes(tmp_path: Path) -> None:
    one, other = filled(tmp_path / "a"), Album(tmp_path / "a")
    assert other.page(Filter(review=Review.REVIEWED)).total == 0
    name = one.page().entries[0].id
    one.label(name, dice("3C 4C 5C", Origin.PERSON))
    one.drop(one.page().entries[1].id)
    assert other.page(Filter(review=Review.REVIEWED)).entries[0].by_person == 3
    assert other.tally() == one.tally()
    assert other.tally().dropped == {"person": 1}
    assert other.size == one.size


def test_labelled_pictures_are_those_reviewed_and_not_set_aside(tmp_path: Path) -> None:
    album = filled(tmp_path / "a", 3)
    first, second, _ = (entry.id for entry in album.page(order=Order.OLDEST).entries)
    assert labelled_pictures(album) == ()
    album.label(first, dice("3C ? 5C", Origin.PERSON))
    album.label(second, dice(), Review.DROPPED)
    (found,) = labelled_pictures(album)
    assert found.path.read_bytes() == picture(0)
    assert [die.rank for die in found.dice] == ["3", None, "5"]
    assert found.dice[0].quad == dice()[0].quad
    assert set(found.groups) == {"kept:sure", "labels:person", "recording:evening"}
    assert labelled_pictures(album, reviewed_only=False) == (found,)


@pytest.mark.parametrize(
    ("kept", "codes", "by", "teaches"),
    [
        (Kept.SURE, "QH 2C", Origin.MODEL, True),
        (Kept.SURE, "QH ?", Origin.MODEL, False),
        (Kept.ASKED, "QH 2C", Origin.MODEL, False),
        (Kept.ASKED, "QH 2C", Origin.PERSON, True),
        (Kept.CORRECTED, "QH 2C", Origin.PERSON, True),
        (Kept.REFUSED, "QH 2C", Origin.MODEL, False),
        (Kept.REFUSED, "", Origin.MODEL, False),
        (Kept.ENROLLED, "QH", Origin.PERSON, True),
        (Kept.ENTERED, "QH 2C", Origin.MODEL, False),
        (Kept.ENTERED, "QH 2C", Origin.PERSON, False),
        (Kept.ENTERED, "QH 2C", Origin.DRAWN, False),
    ],
)
def test_without_review_only_what_counted_teaches(
    tmp_path: Path, kept: Kept, codes: str, by: Origin, *, teaches: bool
) -> None:
    album, data = Album(tmp_path / "a"), picture(1)
    album.add(capture(data, kept, dice=dice(codes, by)), data)
    assert len(labelled_pictures(album, reviewed_only=False)) == teaches
    assert labelled_pictures(album) == ()


def test_what_does_not_belong_together_is_refused(tmp_path: Path) -> None:
    album, data = Album(tmp_path / "a"), picture(1)
    with pytest.raises(CaptureError, match="not the one it names"):
        album.add(capture(data), picture(2))
    with pytest.raises(CaptureError, match="320 x 180 pixels, not 10 x 180"):
        album.add(capture(data, width_px=10), data)
    with pytest.raises(CaptureError, match="no JPEG"):
        album.add(capture(b"text"), b"text")
    with pytest.raises(CaptureError, match=r"1\.\."):
        album.add(capture(b""), b"")
    added = album.add(capture(data), data)
    with pytest.raises(CaptureError, match="cannot be changed"):
        album.change(added.id, lambda one: capture(picture(2)))
    for name in ("", "../../etc/passwd", "0" * 24):
        with pytest.raises(CaptureError, match="there is no capture"):
            album.drop(name)
    assert len(album) == 1
    assert verify(album).ok


def test_near_duplicate_is_not_kept_and_the_one_there_is_named(tmp_path: Path) -> None:
    album = Album(tmp_path / "a")
    first = album.add(capture(picture(1)), picture(1))
    again = picture(1, quality=60, noise=6)
    added = album.add(capture(again, minute=1), again)
    assert (added.outcome, added.id) == (Outcome.TWICE, first.id)
    # another picture, other faces, or dice that lie elsewhere are something new
    for other in (
        capture(picture(2)),
        capture(again, dice=dice("QH 2C BJ")),
    ):
        data = picture(2) if other.picture == capture(picture(2)).picture else again
        assert album.add(other, data).outcome is Outcome.KEPT
    assert len(album) == 3


def test_dice_that_moved_are_no_duplicate(tmp_path: Path) -> None:
    album, again = Album(tmp_path / "a"), picture(1, quality=60)
    album.add(capture(picture(1)), picture(1))
    moved = tuple(
        replace(die, quad=square(10.0 + 40 * place, 32.0))
        for place, die in enumerate(dice())
    )
    assert album.add(capture(again, dice=moved), again).outcome is Outcome.KEPT


def test_better_duplicate_replaces_the_one_there(tmp_path: Path) -> None:
    album = Album(tmp_path / "a")
    first = album.add(capture(picture(1)), picture(1))
    again = picture(1, quality=60)
    added = album.add(capture(again, Kept.CORRECTED, minute=1), again)
    assert added.outcome is Outcome.KEPT
    assert added.gone == (first.id,)
    assert album.tally().dropped == {"twice": 1}
    assert verify(album).ok
    # the very same picture: what is worth more is believed, never less
    assert album.add(capture(again), again).outcome is Outcome.TWICE
    better = capture(again, review=Review.REVIEWED)
    assert album.add(better, again).outcome is Outcome.CHANGED
    assert album.get(added.id).review is Review.REVIEWED


def test_flat_pictures_without_dice_are_compared_too(tmp_path: Path) -> None:
    album = Album(tmp_path / "a")
    flat = [jpeg(np.full((180, 320, 3), shade, np.uint8)) for shade in (0, 40)]
    outcomes = [
        album.add(capture(data, dice=()), data).outcome
        for data in (*flat, picture(1), picture(2), picture(2, quality=70))
    ]
    kept, twice = Outcome.KEPT, Outcome.TWICE
    assert outcomes == [kept, twice, kept, kept, twice]


def test_process_may_die_at_every_file_operation(tmp_path: Path) -> None:
    command = [sys.executable, str(SUPPORT / "album_crashes.py"), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    counts = json.loads(done.stdout)
    assert counts["add"] >= 12
    assert counts["label"] >= 6
    assert counts["drop"] >= 6


def test_line_that_was_half_written_is_cut_off(tmp_path: Path) -> None:
    album = filled(tmp_path / "a", 3)
    before = album.entries()
    manifest = tmp_path / "a" / "manifest.jsonl"
    with manifest.open("ab") as file:
        file.write(b'{"op": "put", "id": "0')
    other = Album(tmp_path / "a")
    assert other.entries() == before
    data = picture(9)
    other.add(capture(data), data)
    assert verify(Album(tmp_path / "a")).good == 4
    assert album.page().total == 4


def test_damage_is_named_and_the_manifest_can_be_made_anew(tmp_path: Path) -> None:
    folder = tmp_path / "a"
    album = filled(folder, 4)
    one, two, three, _ = album.page(order=Order.OLDEST).entries
    album.path(one.id).write_bytes(picture(7))
    (folder / "sidecars" / two.id[:2] / f"{two.id}.json").write_text("{}")
    album.path(three.id).unlink()
    (folder / "pictures" / "stray.jpg").write_bytes(b"x")
    check = verify(album)
    assert check.good == 1
    assert not check.ok
    assert len(check.faults) == 4
    assert check.orphans == ("pictures/stray.jpg",)
    with pytest.raises(CaptureError, match="not the picture that was kept"):
        album.picture(one.id)
    (folder / "manifest.jsonl").write_text('{"format": "other/1"}\n')
    with pytest.raises(CaptureError, match="line 1: must say that this is"):
        Album(folder)
    listed, faults = rebuild(folder)
    assert (listed, len(faults)) == (1, 3)
    assert len(Album(folder)) == 1


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("size", "7"),
        ("size", True),
        ("doubt", 2),
        ("kept", "never"),
        ("picture", "0" * 64),
        ("id", "../x"),
        ("taken_at", "yesterday"),
        ("faces", None),
        ("recording", ["x"]),
        ("more", 1),
    ],
)
def test_hostile_manifest_is_refused_by_line_and_key(
    tmp_path: Path, key: str, value: object
) -> None:
    filled(tmp_path / "a", 3)
    path = tmp_path / "a" / "manifest.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    lines[2] = json.dumps({**json.loads(lines[2]), key: value}) + "\n"
    path.write_text("".join(lines))
    named = "id" if key in ("picture", "id") else key
    with pytest.raises(CaptureError, match=rf"manifest\.jsonl: line 3: '?{named}"):
        Album(tmp_path / "a")


@pytest.mark.parametrize(
    "line", [b"\n", b"[]\n", b"\xff\xfe\n", b"nothing\n", b"1,2\n"]
)
def test_manifest_with_other_lines_is_refused(tmp_path: Path, line: bytes) -> None:
    filled(tmp_path / "a", 2)
    path = tmp_path / "a" / "manifest.jsonl"
    path.write_bytes(path.read_bytes() + line)
    with pytest.raises(CaptureError, match="line 4"):
        Album(tmp_path / "a")
