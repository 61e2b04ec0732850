"""`tableside dataset export`, `import`, `check` and `split`."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from capture_makers import capture, picture
from label_makers import a_die, a_format, a_picture, draw_picture, square

from datasets.captures.album import Album
from datasets.captures.capture import Review
from datasets.enrolment.set_folder import SetFolder
from datasets.eval_labels import read_labels
from datasets.labels.exporting import ExportOptions, export_set
from datasets.labels.formats import FORMATS
from scoring.dice_sets import reference_dice_set
from web_ui.cli import main

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Six pictures of three recordings, as a folder with labels.json."""
    pictures = [
        a_picture(
            tmp_path / "in" / f"{number}.jpg",
            a_die("QH", square(5, 5, 12)),
            a_die("KS", square(30, 20, 12)),
            tags=(f"recording:evening {number % 3}",),
        )
        for number in range(6)
    ]
    export_set(pictures, tmp_path / "set", a_format("native"), ExportOptions())
    return tmp_path / "set"


@pytest.mark.parametrize("name", FORMATS)
def test_export_and_import_give_the_dice_back(
    source: Path, tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out, back = str(tmp_path / "out"), str(tmp_path / "back")
    words = ["dataset", "export", str(source), "--format", name, "--out", out]
    assert main(words) == 0
    assert "dice: 12" in capsys.readouterr().out
    assert main(["dataset", "import", out, "--format", name, "--out", back]) == 0
    labels = read_labels(tmp_path / "back")
    assert sum(len(label.dice) for label in labels) == 12
    assert all(label.path.exists() for label in labels)
    recordings = {tag for label in labels for tag in label.groups}
    if name == "native":
        assert "recording:evening 0" in recordings
        assert "labels:person" not in recordings
    else:
        assert {"recording:out", "labels:person"} <= recordings


def test_what_is_lost_is_told(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "out")
    main(["dataset", "export", str(source), "--format", "yolo-detect", "--out", out])
    told = capsys.readouterr().err
    assert "note: 0.jpg, 1.jpg, 2.jpg and 3 more: tags are not carried" in told
    assert "only the box about the quad" in told


def test_bad_line_is_refused_and_nothing_is_left(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    main(["dataset", "export", str(source), "--format", "yolo-obb", "--out", str(out)])
    line = out / "labels" / "train" / "3.txt"
    line.write_text(line.read_text() + "54 .1 .1 .2 .1 .2 .2 .1 .2\n")
    before = sorted(path.name for path in tmp_path.iterdir())
    words = ["dataset", "import", str(out), "--format", "yolo-obb"]
    assert main([*words, "--out", str(tmp_path / "back")]) == 2
    assert "3.txt:3: class 54 of 54" in capsys.readouterr().err
    assert main([*words, "--album", str(tmp_path / "album")]) == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == before


def test_import_into_an_album_is_found_there(source: Path, tmp_path: Path) -> None:
    album = tmp_path / "album"
    words = ["dataset", "import", str(source), "--format", "native"]
    assert main([*words, "--album", str(album), "--by", "person"]) == 0
    # all six pictures look alike: near-duplicates of one roll
    assert len(Album(album)) == 1
    out = str(tmp_path / "out")
    assert (
        main(["dataset", "export", str(album), "--format", "coco", "--out", out]) == 0
    )


def test_check_tells_what_is_wrong(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["dataset", "check", str(source)]) == 0
    path = source / "labels.json"
    records = json.loads(path.read_text("utf-8"))
    records[1]["dice"][1]["face"] = "QH"
    records[2]["image"] = "gone.jpg"
    path.write_text(json.dumps(records), "utf-8")
    capsys.readouterr()
    assert main(["dataset", "check", str(source)]) == 1
    said = capsys.readouterr().out
    assert "1.jpg: QH is shown by die 1 and die 2" in said
    assert "gone.jpg: no such file" in said
    assert "6 pictures, 2 with findings: face_twice 1, file 1" in said
    assert main(["dataset", "check", str(source), "--json", "--set", "none"]) == 1
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [bool(line["problem"]) for line in lines] == [
        number == 2 for number in range(6)
    ]


def test_check_knows_an_enrolled_set_by_its_file(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dice = {"name": "pair", "dice_count": 1, "faces": ["QH", "KS"]}
    path = tmp_path / "pair.json"
    path.write_text(json.dumps(dice), "utf-8")
    assert main(["dataset", "check", str(source), "--set", str(path)]) == 1
    assert "2 dice, but pair has 1" in capsys.readouterr().out
    assert main(["dataset", "check", str(source), "--set", "unknown"]) == 2


def test_check_knows_an_enrolled_set_by_its_name(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    SetFolder(tmp_path / "sets").save(replace(reference_dice_set(), name="mine"))
    words = ["--set", "mine", "--data", str(tmp_path)]
    assert main(["dataset", "check", str(source), *words]) == 1
    # only a set with a layout can know that
    assert "KS and QH are on one die" in capsys.readouterr().out


def test_split_shows_and_writes_whole_recordings(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["dataset", "split", str(source), "--pin", "evening 0=train"]
    words += ["--pin", "evening 1=val", "--pin", "evening 2=test"]
    assert main(words) == 0
    shown = capsys.readouterr().out
    assert "val         2 pictures  evening 1" in shown
    assert main([*words, "--out", str(tmp_path / "out")]) == 0
    for side in ("train", "val", "test"):
        assert len(read_labels(tmp_path / "out" / side)) == 2


def test_drawn_rolls_are_dealt_one_by_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drawn, out = tmp_path / "rolls", tmp_path / "out"
    words = ["--out", str(drawn), "--count", "12", "--workers", "1", "--seed", "5"]
    assert main(["dataset", "rolls", *words]) == 0
    shares = ["--shares", "train=0.5,val=0.5"]
    words = ["export", str(drawn), "--format", "yolo-pose", "--out", str(out)]
    assert main(["dataset", *words, *shares]) == 0
    report = json.loads((out / "export.json").read_text())
    assert sum(report["pictures"].values()) == 12
    assert "drawn 5 000000" in report["split"]["recordings"]
    capsys.readouterr()
    assert main(["dataset", "split", str(drawn), *shares]) == 0
    assert "1 picture   drawn 5 000011" in capsys.readouterr().out


@pytest.mark.parametrize("kind", ["check", "export", "split"])
def test_album_of_which_nothing_was_reviewed_says_how_much_waits(
    tmp_path: Path, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    album = Album(tmp_path / "album")
    for seed in range(2):
        data = picture(seed)
        album.add(capture(data), data)
    more = ["--format", "coco", "--out", str(tmp_path / "out")]
    words = ["dataset", kind, str(album.folder), *(more if kind == "export" else [])]
    assert main(words) == 2
    said = "no picture was reviewed yet: 2 wait for a person on the page /dataset"
    assert said in capsys.readouterr().err
    for entry in album.entries():
        album.label(entry.id, (), Review.DROPPED)
    assert main(words) == 2
    said = "there is no capture, but some that were set aside"
    assert said in capsys.readouterr().err


def test_help_of_an_import_says_one_per_cent(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        main(["dataset", "import", "--help"])
    assert "up to 1 % outside" in " ".join(capsys.readouterr().out.split())


def test_split_that_cannot_be_is_refused(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["dataset", "split", str(source), "--shares"]
    assert main([*words, "train=0.5,val=0.6"]) == 2
    assert main([*words, "train=1", "--pin", "evening 0"]) == 2
    lone = tmp_path / "lone"
    draw_picture(lone / "a.jpg")
    (lone / "labels.json").write_text('{"image": "a.jpg", "dice": []}')
    capsys.readouterr()
    assert main(["dataset", "split", str(lone)]) == 2
    said = capsys.readouterr().err
    assert "the recording is not known" in said
    assert "import DIR --format native --recording NAME" in said


@pytest.mark.parametrize(
    "words",
    [
        ["export", "NONE", "--format", "coco", "--out", "OUT"],
        ["import", "NONE", "--format", "coco", "--out", "OUT"],
        ["import", "NONE", "--format", "cvat", "--out", "OUT"],
        ["import", "NONE", "--format", "yolo-pose", "--out", "OUT"],
        ["import", "NONE", "--format", "yolo-classify", "--out", "OUT"],
        ["import", "NONE", "--format", "label-studio", "--out", "OUT"],
        ["check", "NONE"],
        ["split", "NONE"],
    ],
)
def test_missing_source_is_unusable_input(
    tmp_path: Path, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    placed = [word.replace("NONE", str(tmp_path / "none")) for word in words]
    placed = [word.replace("OUT", str(tmp_path / "out")) for word in placed]
    assert main(["dataset", *placed]) == 2
    assert str(tmp_path / "none") in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
