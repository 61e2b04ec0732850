"""Imports into an album of captures, and exports out of one."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import numpy as np
import pytest
from label_makers import (
    HEIGHT,
    WIDTH,
    a_die,
    a_format,
    a_picture,
    draw_picture,
    near,
    read_back,
    square,
)
from PIL import Image

from datasets.captures.album import Album, Outcome
from datasets.captures.capture import Kept, Origin, Review, stamp
from datasets.eval_labels import LabelError
from datasets.labels.exporting import ExportOptions, export_set
from datasets.labels.into_album import Entered, enter_all
from datasets.labels.notes import NoteBook
from datasets.labels.sources import each_picture

if TYPE_CHECKING:
    from pathlib import Path

    from datasets.eval_labels import LabelledPicture

ABOUT = Entered(
    "table two", "square-shooters", stamp(datetime(2026, 1, 31, tzinfo=UTC))
)
BY_PERSON = ("labels:person", "recording:evening")


def noise(path: Path, seed: int) -> Path:
    """Pictures that are no near-duplicates of each other."""
    grain = np.random.default_rng(seed).integers(0, 255, (HEIGHT, WIDTH, 3), np.uint8)
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(grain).save(path)
    return path


def enter(album: Album, *pictures: LabelledPicture, about: Entered = ABOUT) -> NoteBook:
    book = NoteBook()
    enter_all(album, pictures, about, book)
    return book


def test_labels_of_a_person_are_kept_as_reviewed(tmp_path: Path) -> None:
    die = a_die("QH", square(20, 10, 20))
    picture = a_picture(noise(tmp_path / "a.jpg", 1), die, tags=BY_PERSON)
    album = Album(tmp_path / "album")
    enter(album, picture)
    (entry,) = album.entries()
    capture = album.get(entry.id)
    assert (capture.kept, capture.review) == (Kept.ENTERED, Review.REVIEWED)
    assert capture.recording == "evening"
    assert capture.dice[0].origin is Origin.PERSON
    assert capture.dice[0].quad == die.quad
    assert album.picture(entry.id) == picture.path.read_bytes()


def test_what_is_not_complete_waits_for_a_person(tmp_path: Path) -> None:
    whole = a_die("QH", square(20, 10, 20))
    pictures = [
        a_picture(noise(tmp_path / "1.jpg", 1), whole, tags=("labels:model",)),
        a_picture(noise(tmp_path / "2.jpg", 2), whole),
        a_picture(
            noise(tmp_path / "3.jpg", 3),
            a_die("KH", box=(9, 9, 30, 30)),
            tags=BY_PERSON,
        ),
        a_picture(
            noise(tmp_path / "4.jpg", 4), a_die(None, square(20, 10)), tags=BY_PERSON
        ),
    ]
    album = Album(tmp_path / "album")
    book = enter(album, *pictures)
    assert {entry.review for entry in album.entries()} == {Review.WAITING}
    assert len(album) == 4
    assert any("has a box only" in note.sentence for note in book.notes())
    assert album.get(album.entries()[1].id).recording == "table two"


def test_unknown_turns_wait_for_a_person(tmp_path: Path) -> None:
    die = a_die("QH", square(20, 10, 20))
    picture = a_picture(noise(tmp_path / "a.jpg", 1), die, tags=BY_PERSON)
    album = Album(tmp_path / "album")
    enter(album, picture, about=replace(ABOUT, turn_known=False))
    assert album.entries()[0].review is Review.WAITING


def test_other_pictures_become_jpeg_as_a_person_sees_them(tmp_path: Path) -> None:
    png = a_picture(noise(tmp_path / "a.png", 1), tags=BY_PERSON)
    turned = replace(
        a_picture(draw_picture(tmp_path / "b.jpg", turn=6), tags=BY_PERSON),
        width=HEIGHT,
        height=WIDTH,
    )
    album = Album(tmp_path / "album")
    book = enter(album, png, turned)
    first, second = (album.get(entry.id) for entry in album.entries())
    assert (first.width_px, first.height_px) == (WIDTH, HEIGHT)
    assert (second.width_px, second.height_px) == (HEIGHT, WIDTH)
    assert album.picture(second.id) == turned.path.read_bytes()
    assert [note.places for note in book.notes()] == [("a.png",)]


def test_same_picture_again_is_not_kept_twice(tmp_path: Path) -> None:
    picture = a_picture(noise(tmp_path / "a.jpg", 1), tags=BY_PERSON)
    album = Album(tmp_path / "album")
    counted = enter_all(album, [picture, picture], ABOUT, NoteBook())
    assert counted == {Outcome.KEPT: 1, Outcome.TWICE: 1}


def test_broken_picture_is_named(tmp_path: Path) -> None:
    picture = a_picture(noise(tmp_path / "a.jpg", 1), tags=BY_PERSON)
    picture.path.write_bytes(b"\x89PNG nothing")
    with pytest.raises(LabelError, match=r"a\.jpg"):
        enter(Album(tmp_path / "album"), picture)


def test_album_is_exported_and_what_waits_is_not(tmp_path: Path) -> None:
    die = a_die("QH", square(20, 10, 20))
    album = Album(tmp_path / "album")
    enter(
        album,
        a_picture(noise(tmp_path / "a.jpg", 1), die, tags=BY_PERSON),
        a_picture(noise(tmp_path / "b.jpg", 2), die, tags=("labels:model",)),
    )
    source = tmp_path / "album"
    (picture,) = each_picture(source)
    assert set(BY_PERSON) <= set(picture.groups)
    assert list(each_picture(source, reviewed_only=False)) == [picture]
    out = tmp_path / "out"
    export_set(each_picture(source), out, a_format("yolo-pose"), ExportOptions())
    ((back,), _) = read_back("yolo-pose", out)
    assert near(back.dice[0].quad, die.quad)


def test_folder_without_labels_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LabelError, match=r"neither labels\.json nor an album"):
        list(each_picture(tmp_path))
