"""Sets are written whole, with names that work, telling what is lost."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from label_makers import (
    HEIGHT,
    WIDTH,
    a_die,
    a_format,
    a_picture,
    draw_picture,
    pixels,
    read_back,
    square,
)

from datasets.eval_labels import LabelError, LabelledThrow, read_labels
from datasets.labels.class_names import ORDERS
from datasets.labels.exporting import Carries, ExportOptions, export_set
from datasets.labels.formats import FORMATS, READERS
from datasets.labels.splits import Split, SplitError
from datasets.labels.whole_folders import Placing
from vision.reading import DieState
from web_ui.cli_labels import CLASSES
from web_ui.cli_labels import FORMATS as NAMED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from datasets.eval_labels import LabelledPicture


def test_every_format_can_be_written_and_read() -> None:
    assert set(FORMATS) == set(READERS) == set(NAMED)
    assert set(CLASSES) == set(ORDERS)


@pytest.mark.parametrize("name", FORMATS)
def test_export_says_what_it_is(tmp_path: Path, name: str) -> None:
    die = a_die("QH", square(5, 5), state=DieState.COCKED)
    picture = a_picture(tmp_path / "a.jpg", die, tags=("tray",))
    report = export_set([picture], tmp_path / "out", FORMATS[name], ExportOptions())
    record = json.loads((tmp_path / "out" / "export.json").read_text("utf-8"))
    assert record["class_order"] == ORDERS["faces"].digest
    assert (record["format"], record["dice"]) == (name, 1)
    told = {note.sentence for note in report.notes}
    states = any("state cocked is not carried" in sentence for sentence in told)
    assert states == ("state" not in FORMATS[name].carries)
    assert (f"tags are not carried by {name}" in told) == (name != "native")
    assert {note["sentence"] for note in record["notes"]} == told


@pytest.mark.parametrize("name", FORMATS)
def test_failed_export_leaves_nothing(tmp_path: Path, name: str) -> None:
    def broken() -> Iterator[LabelledPicture]:
        yield a_picture(tmp_path / "in" / "a.jpg", a_die("QH", square(5, 5)))
        raise LabelError("the source ends here")

    with pytest.raises(LabelError, match="ends here"):
        export_set(broken(), tmp_path / "out", FORMATS[name], ExportOptions())
    assert [path.name for path in tmp_path.iterdir()] == ["in"]


def test_nothing_to_export_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LabelError, match="no picture"):
        export_set([], tmp_path / "out", a_format("coco"), ExportOptions())
    assert list(tmp_path.iterdir()) == []


def test_full_folder_is_never_written_into(tmp_path: Path) -> None:
    picture = a_picture(tmp_path / "a.jpg")
    with pytest.raises(LabelError, match="is there already"):
        export_set([picture], tmp_path, a_format("coco"), ExportOptions())
    out = tmp_path / "empty"
    out.mkdir()
    export_set([picture], out, a_format("coco"), ExportOptions())
    assert (out.stat().st_mode & 0o777, (out / "export.json").exists()) == (0o700, True)


def test_picture_that_is_missing_is_refused_by_name(tmp_path: Path) -> None:
    picture = replace(a_picture(tmp_path / "a.jpg"), path=tmp_path / "none.jpg")
    with pytest.raises(LabelError, match=r"none\.jpg"):
        export_set([picture], tmp_path / "out", a_format("coco"), ExportOptions())


def test_labels_of_a_turned_picture_must_be_for_what_a_person_sees(
    tmp_path: Path,
) -> None:
    path = draw_picture(tmp_path / "a.jpg", turn=8)
    stored = a_picture(path, a_die("QH", square(5, 5)))
    with pytest.raises(LabelError, match=r"48x64 as a person sees it \(EXIF\)"):
        export_set([stored], tmp_path / "out", a_format("coco"), ExportOptions())
    seen = replace(stored, width=float(HEIGHT), height=float(WIDTH))
    export_set([seen], tmp_path / "out", a_format("coco"), ExportOptions())
    ((picture,), _) = read_back("coco", tmp_path / "out")
    assert (picture.width, picture.height) == (HEIGHT, WIDTH)


@pytest.mark.parametrize(
    "name", ["../a.jpg", "/etc/a.jpg", "C:\\a.jpg", "b\\..\\..\\a.jpg", "a\n.jpg", " "]
)
def test_name_that_leads_elsewhere_is_refused(tmp_path: Path, name: str) -> None:
    picture = a_picture(tmp_path / "a.jpg", name=name)
    with pytest.raises(LabelError):
        export_set([picture], tmp_path / "out", a_format("native"), ExportOptions())
    assert [path.name for path in tmp_path.iterdir()] == ["a.jpg"]


def test_equal_stems_get_other_names_and_are_told(tmp_path: Path) -> None:
    names = ["a.jpg", "a.png", "A.JPG", "images/b.jpg", "c/a.jpg"]
    pictures = [
        a_picture(tmp_path / f"{number}.jpg", name=name)
        for number, name in enumerate(names)
    ]
    out = tmp_path / "out"
    report = export_set(pictures, out, a_format("yolo-detect"), ExportOptions())
    labels = sorted(p.relative_to(out / "labels/train") for p in out.rglob("*.txt"))
    assert [str(label) for label in labels] == [
        "A-JPG.txt",
        "a-png.txt",
        "a.txt",
        "c/a.txt",
        "images-/b.txt",
    ]
    (note,) = [n for n in report.notes if "another name" in n.sentence]
    assert note.count == 3
    pictures_back, _ = read_back("yolo-detect", out)
    assert len(pictures_back) == len(names)


@pytest.mark.parametrize("placing", list(Placing))
def test_pictures_are_linked_copied_or_left(tmp_path: Path, placing: Placing) -> None:
    picture = a_picture(tmp_path / "a.jpg")
    options = ExportOptions(placing=placing)
    export_set([picture], tmp_path / "out", a_format("coco"), options)
    there = tmp_path / "out" / "images" / "train" / "a.jpg"
    assert there.exists() == (placing is not Placing.NONE)
    if there.exists():
        same = there.samefile(picture.path)
        assert same == (placing is Placing.LINK)
        assert there.read_bytes() == picture.path.read_bytes()


def test_page_of_formats_says_what_each_carries() -> None:
    page = (Path(__file__).parents[3] / "docs" / "labels.md").read_text("utf-8")
    told = {
        cells[1].strip(" `"): [cell.strip() for cell in cells[2:-1]]
        for cells in (line.split("|") for line in page.splitlines())
        if len(cells) == len(Carries) + 3
    }
    assert told.pop("format") == [carried.value for carried in Carries]
    told.pop("---")
    assert set(told) == set(FORMATS)
    for name, cells in told.items():
        carried = [one in FORMATS[name].carries for one in Carries]
        assert [cell == "yes" for cell in cells] == carried, name


def test_picture_with_an_unread_die_is_not_taught_as_background(
    tmp_path: Path,
) -> None:
    known, unread = a_die("QH", square(5, 5)), a_die(None, square(30, 5), rank="K")
    pictures = [
        a_picture(tmp_path / "a.jpg", known, unread),
        a_picture(tmp_path / "b.jpg", known),
    ]
    out = tmp_path / "out"
    report = export_set(pictures, out, a_format("yolo-obb"), ExportOptions())
    assert report.pictures == (("train", 1),)
    assert any("face is not known" in note.sentence for note in report.notes)
    crops = export_set(
        pictures, tmp_path / "c", a_format("yolo-classify"), ExportOptions()
    )
    assert crops.dice == 2
    dice = export_set(
        pictures,
        tmp_path / "d",
        a_format("yolo-obb"),
        ExportOptions(order=ORDERS["die"]),
    )
    assert dice.dice == 3


def test_face_of_another_kind_of_die_is_refused_by_name(tmp_path: Path) -> None:
    picture = a_picture(tmp_path / "a.jpg", a_die("9", square(5, 5)))
    with pytest.raises(LabelError, match=r"a\.jpg die 0: 9 is no class"):
        export_set([picture], tmp_path / "out", a_format("coco"), ExportOptions())
    options = ExportOptions(order=ORDERS["all-faces"])
    export_set([picture], tmp_path / "out", a_format("coco"), options)


def test_clip_is_carried_by_our_own_format_only(tmp_path: Path) -> None:
    die = a_die("QH", square(5, 5))
    clip = replace(
        a_picture(tmp_path / "a.jpg", die),
        fps=15.0,
        throws=(LabelledThrow(3, (die,)), LabelledThrow(9, ())),
    )
    other = a_picture(tmp_path / "b.jpg", die)
    report = export_set(
        [clip, other], tmp_path / "c", a_format("coco"), ExportOptions()
    )
    assert any("is a clip" in note.sentence for note in report.notes)
    export_set([clip, other], tmp_path / "n", a_format("native"), ExportOptions())
    back, _ = read_labels(tmp_path / "n")
    assert replace(back, path=clip.path) == clip


def test_corners_outside_are_told_or_hidden(tmp_path: Path) -> None:
    picture = a_picture(tmp_path / "a.jpg", a_die("QH", square(-3, 20)))
    gone = a_picture(tmp_path / "b.jpg", a_die("QH", square(-30, 20)))
    for name in ("yolo-obb", "yolo-pose", "cvat", "label-studio"):
        out = tmp_path / name
        report = export_set([picture, gone], out, a_format(name), ExportOptions())
        told = " ".join(note.sentence for note in report.notes)
        assert "a corner outside the picture" in told
        assert "nothing of the die is in the picture" in told
        found, _ = read_back(name, out)
        assert [len(one.dice) for one in found] == [1, 0]
    export_set([picture], tmp_path / "coco", a_format("coco"), ExportOptions())
    ((back,), _) = read_back("coco", tmp_path / "coco")
    assert back.dice[0].quad == picture.dice[0].quad


def test_crop_has_its_art_upright(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    draw_picture(path)
    a, b, c, d = square(10, 10, 20)
    upright = a_picture(path, a_die("QH", (a, b, c, d)))
    turned = a_picture(path, a_die("QH", (b, c, d, a)), name="b.png")
    export_set(
        [upright, turned],
        tmp_path / "out",
        a_format("yolo-classify"),
        ExportOptions(crop_px=32),
    )
    first = pixels(tmp_path / "out/train/QH/a-0.jpg").astype(int)
    second = pixels(tmp_path / "out/train/QH/b-0.jpg").astype(int)
    assert first.shape == (32, 32, 3)
    # a quarter turn of the quad is a quarter turn of the crop, up to JPEG
    assert abs(first[:, ::-1].transpose(1, 0, 2) - second).mean() < 6
    assert abs(first - second).mean() > 12
    folders = {path.name for path in (tmp_path / "out/train").iterdir()}
    assert folders == set(ORDERS["faces"].names)


def test_crops_of_two_pictures_never_meet(tmp_path: Path) -> None:
    die = a_die("QH", square(5, 5))
    pictures = [
        a_picture(tmp_path / "in" / f"{number}.jpg", die, name=name)
        for number, name in enumerate(["a/b.jpg", "a__b.jpg", "a__b.png"])
    ]
    out = tmp_path / "out"
    export_set(pictures, out, a_format("yolo-classify"), ExportOptions(crop_px=16))
    assert len(list((out / "train" / "QH").iterdir())) == 3


def test_pipe_in_the_place_of_a_picture_is_not_waited_for(tmp_path: Path) -> None:
    picture = a_picture(tmp_path / "a.jpg")
    picture.path.unlink()
    os.mkfifo(picture.path)
    with pytest.raises(LabelError, match=r"a\.jpg: is not an ordinary file"):
        export_set([picture], tmp_path / "out", a_format("coco"), ExportOptions())


def test_split_export_keeps_recordings_together(tmp_path: Path) -> None:
    die = a_die("QH", square(5, 5))
    pictures = [
        a_picture(
            tmp_path / f"{number}.jpg", die, tags=(f"recording:evening {number % 12}",)
        )
        for number in range(48)
    ]
    split = Split((0.6, 0.2, 0.2), salt="2")
    options = ExportOptions(split=split)
    report = export_set(pictures, tmp_path / "out", a_format("native"), options)
    assert {side for side, _ in report.pictures} == {"train", "val", "test"}
    seen: dict[str, set[str]] = {}
    for side, count in report.pictures:
        labels = read_labels(tmp_path / "out" / side)
        assert len(labels) == count
        for label in labels:
            assert label.path.exists()
            seen.setdefault(label.groups[0], set()).add(side)
    assert len(seen) == 12
    assert all(len(sides) == 1 for sides in seen.values())


def test_split_without_known_recordings_is_refused(tmp_path: Path) -> None:
    picture = a_picture(tmp_path / "a.jpg")
    options = ExportOptions(split=Split())
    with pytest.raises(LabelError, match=r"a\.jpg: .* recording is not known"):
        export_set([picture], tmp_path / "out", a_format("coco"), options)
    tagged = replace(picture, groups=("recording:one",))
    with pytest.raises(SplitError, match="1 recording cannot be dealt"):
        export_set([tagged], tmp_path / "out", a_format("coco"), options)
    assert not (tmp_path / "out").exists()


def test_pictures_are_asked_for_one_by_one(tmp_path: Path) -> None:
    alive = most = 0

    class Counted:
        def __init__(self) -> None:
            nonlocal alive, most
            alive += 1
            most = max(most, alive)

        def __del__(self) -> None:
            nonlocal alive
            alive -= 1

    def stream() -> Iterator[LabelledPicture]:
        picture = a_picture(tmp_path / "a.jpg", a_die("QH", square(5, 5)))
        for number in range(300):
            counted = Counted()
            yield replace(picture, name=f"{number}.jpg", die_px=counted)  # type: ignore[arg-type]  # rides along
            del counted

    for name in ("coco", "cvat", "label-studio", "yolo-pose"):
        export_set(stream(), tmp_path / name, a_format(name), ExportOptions())
    assert most <= 3
