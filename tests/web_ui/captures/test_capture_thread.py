"""The capturing thread: rolls of a running table come into its album, or are told."""

from __future__ import annotations

import json
import threading
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from capture_makers import picture as patches
from open_tables import SETTINGS, WAIT_S, OpenTable, ServedTable
from table_makers import FIRST, SECOND, THIRD, moment, reading, write_script
from table_rounds import Round

from datasets.captures.album import Album
from datasets.captures.capture import Kept, Origin, Review
from datasets.captures.checking import verify
from datasets.captures.labelled import labelled_pictures
from vision.reading import Status
from web_ui.captures import capture_thread
from web_ui.captures.capture_thread import CaptureThread, OverheardJournal
from web_ui.captures.opening import Capturing, captures_folder, plain_name
from web_ui.serving.metrics import Metrics
from web_ui.settings import CaptureSettings, StoreSettings
from web_ui.table.books import open_books
from web_ui.table.commands import parse_order

if TYPE_CHECKING:
    from pathlib import Path

    from vision.reading import Reading

ALL = CaptureSettings("all")


class Play:
    """A table whose rolls are captured; each roll has a picture of its own."""

    def __init__(self, folder: Path, settings: CaptureSettings = ALL) -> None:
        self.folder = folder
        self.round = Round()
        self.pictures: dict[str, bytes] = {}
        self.thread = CaptureThread(
            Album(folder), settings, self.pictures.get, "evening", "front"
        )
        self.thread.start()
        self._heard = 0
        self.round.order("draw", card="T18")

    def settle(self, roll: Reading, seed: int) -> str:
        data = patches(seed)
        name = f"{seed:064x}"
        self.pictures[name] = data
        self.round.settle(roll, picture=name)
        self.tell()
        return name

    def order(self, do: str, **fields: object) -> None:
        self.round.order(do, **fields)  # type: ignore[arg-type]
        self.tell()

    def tell(self) -> None:
        self.thread.hear(self.round.events[self._heard :])
        self._heard = len(self.round.events)

    def end(self) -> Album:
        """End the thread; what it kept."""
        self.thread.stop(WAIT_S)
        assert not self.thread.is_alive()
        return Album(self.folder)


def test_rolls_of_play_come_into_the_album(tmp_path: Path) -> None:
    play = Play(tmp_path / "a")
    play.settle(reading(FIRST, 1), 1)
    play.order("keep", dice=[0, 1])
    play.settle(reading(SECOND, 2, Status.ASK, (3,)), 2)
    play.order("correct", reading=2, die=3, face="3S")
    album = play.end()
    one, two = (album.get(entry.id) for entry in album.entries())
    assert (one.kept, two.kept) == (Kept.SURE, Kept.ASKED)
    assert [die.origin for die in two.dice].count(Origin.PERSON) == 1
    assert (two.recording, two.camera, two.models) == (
        "evening",
        "front",
        ("recorded",),
    )
    assert two.reading is not None
    assert two.reading.status is Status.ASK
    assert verify(album).good == 2
    # all faces are known: they can teach
    found = labelled_pictures(album, reviewed_only=False)
    assert "3S" in [die.face.code for die in found[1].dice if die.face]


def test_later_correction_changes_the_labels_of_the_capture(tmp_path: Path) -> None:
    play = Play(tmp_path / "a")
    play.settle(reading(FIRST, 1), 1)
    play.order("correct", reading=1, die=0, face="TS", by="referee Eve")
    album = play.end()
    (entry,) = album.entries()
    capture = album.get(entry.id)
    assert (capture.kept, capture.doubt) == (Kept.CORRECTED, 1.0)
    named = [die for die in capture.dice if die.origin is Origin.PERSON]
    assert [(die.face.code, die.role) for die in named if die.face] == [
        ("TS", "referee Eve")
    ]
    assert entry.by_person == 1


def test_doubtful_keeps_no_sure_roll_until_it_is_corrected(tmp_path: Path) -> None:
    play = Play(tmp_path / "a", CaptureSettings("doubtful"))
    play.settle(reading(FIRST, 1), 1)
    play.order("keep", dice=[0, 1])
    play.settle(reading(SECOND, 2), 2)
    play.order("correct", reading=2, die=2, face="AD")
    album = play.end()
    (entry,) = album.entries()
    assert entry.kept is Kept.CORRECTED
    assert album.picture(entry.id) == patches(2)


def test_review_is_not_overruled_by_play(tmp_path: Path) -> None:
    play = Play(tmp_path / "a")
    play.settle(reading(FIRST, 1), 1)
    deadline = time.monotonic() + WAIT_S
    album = Album(tmp_path / "a")
    while not len(album) and time.monotonic() < deadline:
        threading.Event().wait(0.01)
    (entry,) = album.entries()
    album.change(entry.id, lambda one: replace(one, review=Review.REVIEWED))
    play.order("correct", reading=1, die=0, face="TS")
    assert play.end().get(entry.id).kept is Kept.SURE


def test_trouble_is_told_and_play_goes_on(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    play = Play(tmp_path / "a")
    (tmp_path / "a").rmdir()
    (tmp_path / "a").write_text("in the way")
    play.settle(reading(FIRST, 1), 1)
    play.order("keep", dice=[0, 1])
    play.thread.stop(WAIT_S)
    state = play.thread.state
    assert (state.kept, state.failed, state.waiting) == (0, 1, 0)
    assert "cannot be" in state.trouble
    assert play.round.state.current is not None


def test_missing_or_broken_picture_is_told(tmp_path: Path) -> None:
    play = Play(tmp_path / "a")
    play.settle(reading(FIRST, 1), 1)
    play.order("keep", dice=[0, 1])
    play.round.settle(reading(SECOND, 2), picture="f" * 64)
    play.tell()
    play.pictures["e" * 64] = b"no picture"
    play.order("keep", dice=[0, 1])
    play.round.settle(reading(THIRD, 3), picture="e" * 64)
    play.tell()
    album = play.end()
    assert len(album) == 1
    assert play.thread.state.failed == 2


def test_too_many_waiting_events_are_counted_and_the_next_game_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(capture_thread, "MOST_WAITING", 6)
    play = Play(tmp_path / "a")
    play.thread = CaptureThread(
        Album(tmp_path / "a"), ALL, play.pictures.get, "evening", "front"
    )
    play.settle(reading(FIRST, 1), 1)  # 2 of the start, the draw, 2 of the roll
    play.order("keep", dice=[0, 1])
    play.settle(reading(SECOND, 2), 2)
    lost = play.thread.state.lost
    assert lost >= 2
    play.thread.start()
    deadline = time.monotonic() + WAIT_S
    while play.thread.state.waiting and time.monotonic() < deadline:
        threading.Event().wait(0.01)
    play.order("start", players=["Cem", "Dora"])
    play.order("draw", card="T18")
    play.settle(reading(THIRD, 3), 3)
    album = play.end()
    assert {album.picture(entry.id) for entry in album.entries()} == {
        patches(1),
        patches(3),
    }
    assert play.thread.state.failed == 0


def test_no_room_is_counted(tmp_path: Path) -> None:
    play = Play(tmp_path / "a")
    play.thread.stop(WAIT_S)
    small = CaptureThread(
        Album(tmp_path / "a", 100), ALL, play.pictures.get, "evening", "front"
    )
    small.start()
    play.thread = small
    play._heard = 0
    play.settle(reading(FIRST, 1), 1)
    play.end()
    assert (small.state.kept, small.state.dropped) == (0, 1)


def test_table_that_goes_on_after_a_restart_corrects_its_captures(
    tmp_path: Path,
) -> None:
    play = Play(tmp_path / "a")
    play.settle(reading(FIRST, 1), 1)
    play.end()
    past, heard = play.round.events[:], len(play.round.events)
    again = CaptureThread(
        Album(tmp_path / "a"), ALL, play.pictures.get, "later", "front", past
    )
    again.start()
    play.round.order("correct", reading=1, die=0, face="TS")
    again.hear(play.round.events[heard:])
    again.stop(WAIT_S)
    album = Album(tmp_path / "a")
    (entry,) = album.entries()
    assert (entry.kept, entry.recording) == (Kept.CORRECTED, "evening")


def test_whole_table_keeps_what_it_asked(tmp_path: Path) -> None:
    settings = replace(SETTINGS, store=StoreSettings(folder=str(tmp_path)))
    books = open_books(settings)
    capturing = Capturing(settings.capture, books, "front", demo=False)
    journal = capturing.journal
    assert isinstance(journal, OverheardJournal)
    table = OpenTable(settings, replace(books, journal=journal))  # type: ignore[arg-type]
    capturing.start()
    table.thread.obey(parse_order({"do": "draw"}))
    table.settle(reading(FIRST, 1, Status.ASK, (2,)))
    table.thread.obey(parse_order({"do": "confirm", "reading": 1}))
    metrics = Metrics()
    capturing.measure(metrics)
    table.feed.close()
    table.thread.stop(WAIT_S)
    capturing.stop(WAIT_S)
    assert b"tableside_captures_kept 1.0" in metrics.text()
    assert b"tableside_captures_trouble 0.0" in metrics.text()
    books.close()
    album = Album(captures_folder(tmp_path))
    (entry,) = album.entries()
    assert entry.kept is Kept.ASKED
    assert album.get(entry.id).recording.startswith("front 2")


@pytest.mark.parametrize(
    ("camera", "name"),
    [
        ("Camera 0", "Camera 0"),
        ("rtsp://ann:secret@10.0.0.2/one", "10.0.0.2/one"),
        ("ann:secret@10.0.0.2", "10.0.0.2"),
        ("rtsp://10.0.0.2/one?user=ann&password=secret", "rtsp://10.0.0.2/one"),
        ("rtsp://ann:secret@10.0.0.2/one?password=secret", "10.0.0.2/one"),
        ("rtsp://10.0.0.2/one?user=a@b&password=secret", "camera"),
        ("rtsp://ann:secret?@10.0.0.2/one", "camera"),
        ("rtsp://10.0.0.2/user=ann_password=secret_0.sdp", "rtsp://10.0.0.2"),
        ("what? why?.mp4", "what? why?.mp4"),
        ("two\nlines", "two\\nlines"),
        ("", "camera"),
        ("x" * 5000, "x" * 100),
    ],
)
def test_name_of_a_camera_is_short_and_tells_no_password(
    camera: str, name: str
) -> None:
    assert plain_name(camera) == name


@pytest.mark.parametrize("keep", ["off", "doubtful", "all"])
def test_demo_is_never_kept(tmp_path: Path, keep: str) -> None:
    books = open_books(SETTINGS, demo=True)
    capturing = Capturing(CaptureSettings(keep), books, "demo", demo=True)
    assert capturing.thread is None
    assert capturing.journal is books.journal
    capturing.start()
    capturing.stop(0.1)
    books.close()


def test_damaged_album_does_not_stop_play(tmp_path: Path) -> None:
    settings = replace(SETTINGS, store=StoreSettings(folder=str(tmp_path)))
    captures_folder(tmp_path).mkdir()
    (captures_folder(tmp_path) / "manifest.jsonl").write_text("nonsense\n")
    books = open_books(settings)
    capturing = Capturing(CaptureSettings(), books, "front", demo=False)
    assert capturing.thread is None
    assert "line 1" in capturing.trouble
    books.close()


def test_served_table_tells_of_its_captures(tmp_path: Path) -> None:
    asked = reading(FIRST, 1, Status.REFUSE, (2,))
    script = write_script(tmp_path / "w.json", [moment(0, "empty")])
    table = ServedTable(script)
    try:
        table.running.feed.after(0, WAIT_S)
        table.running.table.obey(parse_order({"do": "draw"}))
        table.settle(asked)
        table.wait_for("Look at this roll again.")
        thread = table.running.captures.thread
        assert thread is not None
        deadline = time.monotonic() + WAIT_S
        while not thread.state.kept and time.monotonic() < deadline:
            threading.Event().wait(0.01)
        assert thread.state.kept == 1
        state = json.loads(table.running.feed.latest().body)  # type: ignore[union-attr]
        assert state["verdict"]["kind"] == "refuse"
    finally:
        table.close()
