"""Labels corrected elsewhere and brought back into the album they are from."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from capture_makers import capture, dice, picture

from datasets.captures.album import Album
from datasets.captures.capture import Kept, Origin, Review
from datasets.labels.export_marks import EXPORT_FILE, marks_about
from datasets.labels.into_album import CHANGED_SINCE, INCOMPLETE, REPLACED
from datasets.labels.notes import NoteBook
from vision.reading import DieState
from web_ui.cli import main

if TYPE_CHECKING:
    from pathlib import Path

SPADES_ACE = "0"


class Trip:
    """An album of one reviewed capture, its export, and the way back."""

    def __init__(self, root: Path, by: Origin = Origin.PERSON) -> None:
        self.folder, self.out, data = root / "album", root / "out", picture(1)
        kept = capture(
            data, kept=Kept.ASKED, dice=dice("QH 2C RJ", by), review=Review.REVIEWED
        )
        tilted = replace(kept.dice[1], state=DieState.COCKED)
        kept = replace(kept, dice=(kept.dice[0], tilted, kept.dice[2]))
        self.album = Album(self.folder)
        self.name = self.album.add(kept, data).id
        self.kept = self.album.get(self.name)

    @property
    def codes(self) -> str:
        faces = [die.face for die in self.album.get(self.name).dice]
        return " ".join("?" if face is None else face.code for face in faces)

    def export(self, kind: str, *more: str) -> None:
        asked = ["dataset", "export", str(self.folder), "--format", kind]
        assert main([*asked, "--out", str(self.out), *more]) == 0

    def bring(self, kind: str, *more: str) -> None:
        asked = ["dataset", "import", str(self.out), "--format", kind]
        assert main([*asked, "--album", str(self.folder), *more]) == 0

    def correct(self, number: int = 0, word: str = SPADES_ACE) -> None:
        """Give a die another class, as any editor can."""
        (path,) = (self.out / "labels").rglob("*.txt")
        rows = path.read_text().splitlines()
        rows[number] = " ".join([word, *rows[number].split()[1:]])
        path.write_text("\n".join(rows) + "\n")


@pytest.mark.parametrize("kind", ["yolo-pose", "yolo-obb", "yolo-detect"])
def test_corrected_class_comes_back_and_the_rest_stays(
    tmp_path: Path, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    trip = Trip(tmp_path)
    trip.export(kind)
    trip.correct()
    trip.bring(kind, "--by", "person")
    told = capsys.readouterr()
    assert trip.codes == "AS 2C RJ"
    assert "changed 1" in told.out
    assert f"{REPLACED} {trip.name}: AS at 10,20" in told.err
    assert "was QH at 10,20" in told.err
    after = trip.album.get(trip.name)
    first = replace(trip.kept.dice[0], face=after.dice[0].face, role="")
    assert after == replace(trip.kept, dice=(first, *trip.kept.dice[1:]))


@pytest.mark.parametrize(
    "kind", ["native", "yolo-pose", "yolo-obb", "yolo-detect", "coco", "cvat"]
)
def test_labels_that_were_not_touched_change_nothing(
    tmp_path: Path, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    trip = Trip(tmp_path)
    trip.export(kind)
    trip.bring(kind)
    assert trip.album.get(trip.name) == trip.kept
    assert "twice 1" in capsys.readouterr().out


def test_label_changed_in_the_album_meanwhile_is_told_and_left(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    trip = Trip(tmp_path)
    trip.export("yolo-pose")
    trip.correct()
    trip.album.label(trip.name, dice("KH 2C RJ", Origin.PERSON))
    trip.bring("yolo-pose")
    assert trip.codes == "KH 2C RJ"
    assert CHANGED_SINCE in capsys.readouterr().err
    trip.bring("yolo-pose", "--over")
    assert trip.codes == "AS 2C RJ"


def test_capture_set_aside_meanwhile_stays_aside(tmp_path: Path) -> None:
    trip = Trip(tmp_path)
    trip.export("yolo-pose")
    trip.album.label(trip.name, trip.kept.dice, Review.DROPPED)
    trip.bring("yolo-pose")
    assert trip.album.get(trip.name).review is Review.DROPPED


def test_labels_by_a_model_replace_none_of_a_person(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    trip = Trip(tmp_path)
    trip.export("yolo-pose")
    trip.correct()
    trip.bring("yolo-pose", "--by", "model")
    assert trip.album.get(trip.name) == trip.kept
    assert "by no person" in capsys.readouterr().err


def test_new_die_without_corners_is_told_and_left(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    trip = Trip(tmp_path)
    trip.export("yolo-detect")
    (path,) = (trip.out / "labels").rglob("*.txt")
    path.write_text(path.read_text() + "0 0.8 0.8 0.1 0.1\n")
    trip.bring("yolo-detect")
    assert trip.album.get(trip.name) == trip.kept
    assert INCOMPLETE in capsys.readouterr().err


def test_die_that_was_taken_out_goes_and_another_order_is_no_change(
    tmp_path: Path,
) -> None:
    trip = Trip(tmp_path)
    trip.export("yolo-pose")
    (path,) = (trip.out / "labels").rglob("*.txt")
    rows = path.read_text().splitlines()
    path.write_text("\n".join(reversed(rows)))
    trip.bring("yolo-pose")
    assert trip.album.get(trip.name) == trip.kept
    path.write_text(rows[0])
    trip.bring("yolo-pose")
    assert trip.codes == "QH"


def test_moved_corners_come_back(tmp_path: Path) -> None:
    trip = Trip(tmp_path)
    trip.export("native")
    path = trip.out / "labels.json"
    record = json.loads(path.read_text())
    record[0]["dice"][0]["quad"][0] = [12.0, 21.0]
    path.write_text(json.dumps(record))
    trip.bring("native")
    first = trip.album.get(trip.name).dice[0]
    assert first.quad == ((12.0, 21.0), *trip.kept.dice[0].quad[1:])


@pytest.mark.parametrize("text", ["[", "[" * 200_000, "[]", '{"albums": 3}'])
def test_broken_list_of_an_export_is_told(tmp_path: Path, text: str) -> None:
    (tmp_path / EXPORT_FILE).write_text(text)
    book = NoteBook()
    assert marks_about([tmp_path], book) == {}
    assert len(book.notes()) == 1
