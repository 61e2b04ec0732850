"""YOLO label files as they come: what is clipped, told, left out or refused."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from label_makers import HEIGHT, WIDTH, draw_picture, near, read_back

from datasets.eval_labels import LabelError
from datasets.labels.class_names import ORDERS
from datasets.labels.importing import ImportOptions
from datasets.labels.yolo_lines import Rows
from datasets.labels.yolo_yaml import data_yaml
from scoring.cards import parse_face

MIDDLE = ((16, 12), (48, 12), (48, 36), (16, 36))
GOOD = "12 0.5 0.5 0.25 0.5"


def a_set(folder: Path, text: str | bytes = GOOD, picture: str = "a.jpg") -> Path:
    """A detect set of one picture with its label file beside `images`."""
    draw_picture(folder / "images" / picture)
    labels = folder / "labels" / Path(picture).with_suffix(".txt")
    labels.parent.mkdir(parents=True, exist_ok=True)
    labels.write_bytes(text if isinstance(text, bytes) else text.encode())
    yaml = data_yaml(folder, {"train"}, ORDERS["faces"], Rows.DETECT)
    (folder / "data.yaml").write_text(yaml.replace("images/train", "images"), "utf-8")
    return folder


def refusal(folder: Path, name: str = "yolo-detect") -> str:
    with pytest.raises(LabelError) as caught:
        read_back(name, folder)
    return str(caught.value)


def test_row_becomes_a_die(tmp_path: Path) -> None:
    (picture,), notes = read_back("yolo-detect", a_set(tmp_path))
    (die,) = picture.dice
    assert (die.face, die.rank, die.quad) == (parse_face("KS"), "K", None)
    assert die.box == pytest.approx((24, 12, 40, 36))
    assert (picture.name, picture.width, picture.height) == ("a.jpg", WIDTH, HEIGHT)
    assert notes == []


@pytest.mark.parametrize("stem", ["test", "train", "classes", "readme"])
def test_picture_called_like_a_list_keeps_its_labels(tmp_path: Path, stem: str) -> None:
    (picture,), notes = read_back("yolo-detect", a_set(tmp_path, GOOD, f"{stem}.jpg"))
    assert [die.face for die in picture.dice] == [parse_face("KS")]
    assert notes == []


def test_text_that_names_the_classes_labels_no_picture(tmp_path: Path) -> None:
    draw_picture(tmp_path / "classes.jpg")
    (tmp_path / "classes.txt").write_text("\n".join(ORDERS["faces"].names))
    pictures, notes = read_back("yolo-detect", tmp_path)
    assert (pictures, len(notes)) == ([], 1)


TEN_TIMES_EACH = "\n".join(
    [f"a0: &a0 [{', '.join('x' * 10)}]"]
    + [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 10)]
)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param(f"{TEN_TIMES_EACH}\nnames: [*a9]", ":2: *a0", id="bomb"),
        pytest.param("names: &a [*a]", ":1: *a stands", id="list-in-itself"),
        pytest.param("names: [0x" + 9000 * "f" + "]", "unknown class", id="class"),
        pytest.param("0x" + 9000 * "f", "must be a mapping", id="number"),
        pytest.param("names: [1-1-1]", "unknown class '1-1-1'", id="no-date"),
        pytest.param("names: !!timestamp x", "names must be", id="no-time"),
        pytest.param("names: [AS]\ntrain: " + 9000 * "f", "no such", id="long-name"),
    ],
)
def test_yaml_made_to_harm_is_refused(tmp_path: Path, text: str, said: str) -> None:
    (a_set(tmp_path) / "data.yaml").write_text(text)
    assert said in refusal(tmp_path)


def test_yaml_may_name_one_value_twice(tmp_path: Path) -> None:
    data = a_set(tmp_path) / "data.yaml"
    text = data.read_text("utf-8").replace("train: images", "train: &one images")
    data.write_text(text.replace("val: images", "val: *one"), "utf-8")
    pictures, _ = read_back("yolo-detect", tmp_path)
    assert len(pictures) == 1


def test_coordinate_of_1_0004_is_clipped_and_told_with_file_and_line(
    tmp_path: Path,
) -> None:
    text = f"{GOOD}\n\n0 1.0004 0.5 0.25 0.5\n"
    (picture,), notes = read_back("yolo-detect", a_set(tmp_path, text))
    assert picture.dice[1].box == pytest.approx((56, 12, 64, 36))
    assert any("a.txt:3 (1.0004): a coordinate slightly" in note for note in notes)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        pytest.param("0 1.2 0.5 0.1 0.1", "a.txt:2: coordinate 1.2", id="outside"),
        pytest.param("0 -0.2 0.5 0.1 0.1", "a.txt:2: coordinate -0.2", id="negative"),
        pytest.param("54 0.5 0.5 0.1 0.1", "a.txt:2: class 54 of 54", id="class-54"),
        pytest.param("-1 0.5 0.5 0.1 0.1", "a.txt:2: class -1 of 54", id="class-below"),
        pytest.param("1.5 0.5 0.5 0.1 0.1", "class 1.5 is not a whole", id="half"),
        pytest.param("QH 0.5 0.5 0.1 0.1", "a.txt:2: 'QH' is not a number", id="name"),
        pytest.param("0 nan 0.5 0.1 0.1", "a.txt:2: nan is not a finite", id="nan"),
        pytest.param("0 0.5 inf 0.1 0.1", "a.txt:2: inf is not a finite", id="inf"),
        pytest.param("0 0,5 0.5 0.1 0.1", "write a point", id="comma"),
        pytest.param("0 0.5 0.5 0.1", "a.txt:2: 4 columns, 5 expected", id="short"),
        pytest.param("0 .5 .5 .1 .1 .9", "is the last one a confidence", id="six"),
        pytest.param("0 .1 .1 .2 .1 .2 .2 .1 .2", "is this obb?", id="obb"),
        pytest.param("0 0.5 0.5 0 0.1", "width and a height above 0", id="no-width"),
        pytest.param("0 0.5 0.5 0.1 -0.005", "height above 0", id="below-0"),
    ],
)
def test_bad_row_is_refused_naming_file_and_line(
    tmp_path: Path, row: str, said: str
) -> None:
    message = refusal(a_set(tmp_path, f"{GOOD}\n{row}\n"))
    assert said in message
    assert "a.txt:2" in message


def test_empty_file_means_no_dice(tmp_path: Path) -> None:
    (picture,), notes = read_back("yolo-detect", a_set(tmp_path, "\n \r\n"))
    assert (picture.dice, notes) == ((), [])


def test_picture_without_labels_is_left_out_and_told(tmp_path: Path) -> None:
    draw_picture(a_set(tmp_path) / "images" / "b.jpg")
    pictures, notes = read_back("yolo-detect", tmp_path)
    assert [picture.name for picture in pictures] == ["a.jpg"]
    assert any(note.startswith("images/b.jpg: no label file") for note in notes)


def test_orphan_label_is_left_out_and_told(tmp_path: Path) -> None:
    (a_set(tmp_path) / "labels" / "gone.txt").write_text(GOOD)
    pictures, notes = read_back("yolo-detect", tmp_path)
    assert len(pictures) == 1
    assert any("gone.txt: labels a picture that is not there" in note for note in notes)


def test_two_pictures_of_one_label_file_are_refused(tmp_path: Path) -> None:
    draw_picture(a_set(tmp_path) / "images" / "a.png")
    message = refusal(tmp_path)
    assert "a.txt" in message
    assert "images/a.jpg or images/a.png" in message


def test_upper_case_suffixes_and_other_letters_are_found(tmp_path: Path) -> None:
    a_set(tmp_path, picture="Würfel 3 ♠.JPG")
    label = tmp_path / "labels" / "Würfel 3 ♠.txt"
    label.rename(label.with_suffix(".TXT"))
    (picture,), notes = read_back("yolo-detect", tmp_path)
    assert (picture.name, len(picture.dice)) == ("Würfel 3 ♠.JPG", 1)
    assert notes == []


def test_composed_and_decomposed_names_are_the_same(tmp_path: Path) -> None:
    a_set(tmp_path, picture="u\u0308.jpg")
    label = tmp_path / "labels" / "u\u0308.txt"
    label.rename(tmp_path / "labels" / "\u00fc.txt")
    pictures, notes = read_back("yolo-detect", tmp_path)
    assert (len(pictures), notes) == (1, [])


def test_name_that_is_not_utf_8_is_left_out_and_told(tmp_path: Path) -> None:
    a_set(tmp_path)
    strange = os.fsencode(tmp_path / "images") + b"/caf\xe9.jpg"
    Path(os.fsdecode(strange)).write_bytes((tmp_path / "images/a.jpg").read_bytes())
    pictures, notes = read_back("yolo-detect", tmp_path)
    assert len(pictures) == 1
    assert any("is not UTF-8: left out" in note for note in notes)


def test_link_out_of_the_folder_is_left_out_and_told(tmp_path: Path) -> None:
    outside = draw_picture(tmp_path / "private.jpg")
    inside = a_set(tmp_path / "set")
    (inside / "images" / "b.jpg").symlink_to(outside)
    (inside / "labels" / "b.txt").write_text(GOOD)
    pictures, notes = read_back("yolo-detect", inside)
    assert len(pictures) == 1
    assert any("link to a file outside" in note for note in notes)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param(b"\xef\xbb\xbf" + GOOD.encode() + b"\r\n", False, id="bom-crlf"),
        pytest.param(GOOD.encode() + b"\r", False, id="lone-cr"),
        pytest.param(f"{GOOD}\n{GOOD}\n".encode(), True, id="twice"),
        pytest.param(GOOD.replace(" ", "\xa0").encode("cp1252"), True, id="cp1252"),
    ],
)
def test_odd_texts_are_read(tmp_path: Path, text: bytes, told: bool) -> None:
    (picture,), notes = read_back("yolo-detect", a_set(tmp_path, text))
    assert len(picture.dice) == 1
    assert bool(notes) == told


def test_sizes_are_as_a_person_sees_the_picture(tmp_path: Path) -> None:
    a_set(tmp_path)
    (tmp_path / "images" / "a.jpg").unlink()
    draw_picture(tmp_path / "images" / "a.jpg", (WIDTH, HEIGHT), turn=6)
    (picture,), _ = read_back("yolo-detect", tmp_path)
    assert (picture.width, picture.height) == (HEIGHT, WIDTH)
    assert picture.dice[0].box == pytest.approx((18, 16, 30, 48))


def test_box_over_the_edge_is_cut_off_and_told(tmp_path: Path) -> None:
    folder = a_set(tmp_path, "0 0.05 0.5 0.2 0.5")
    (picture,), notes = read_back("yolo-detect", folder)
    assert picture.dice[0].box == pytest.approx((0, 12, 9.6, 36))
    assert any("a.txt:1: a box reached outside" in note for note in notes)


def test_corners_the_other_way_round_are_turned_and_told(tmp_path: Path) -> None:
    row = "0 .25 .25 .25 .75 .75 .75 .75 .25"
    (picture,), notes = read_back("yolo-obb", a_set(tmp_path, row))
    assert near(picture.dice[0].quad, MIDDLE)
    assert any("a.txt:1: corners went anticlockwise" in note for note in notes)
    assert any("the first corner is taken" in note for note in notes)


def test_obb_without_an_area_is_refused(tmp_path: Path) -> None:
    row = "0 .1 .1 .2 .2 .3 .3 .4 .4"
    assert "a.txt:1: the four corners" in refusal(a_set(tmp_path, row), "yolo-obb")


@pytest.mark.parametrize(
    ("corners", "kept"),
    [
        pytest.param(".25 .25 2 .75 .25 2 .75 .75 2 .25 .75 1", True, id="seen"),
        pytest.param(".25 .25 .75 .25 .75 .75 .25 .75", True, id="no-visibility"),
        pytest.param("0 0 0 .75 .25 2 .75 .75 2 .25 .75 2", False, id="three"),
        pytest.param("0 0 0 0 0 0 0 0 0 0 0 0", False, id="none"),
    ],
)
def test_pose_has_four_corners_or_a_box(
    tmp_path: Path, corners: str, kept: bool
) -> None:
    row = f"0 .5 .5 .5 .5 {corners}"
    (picture,), _ = read_back("yolo-pose", a_set(tmp_path, row))
    (die,) = picture.dice
    if kept:
        assert near(die.quad, MIDDLE)
    else:
        assert die.quad is None
        assert die.box == pytest.approx((16, 12, 48, 36))


def test_visibility_of_3_is_refused(tmp_path: Path) -> None:
    row = "0 .5 .5 .5 .5 .2 .2 3 .7 .2 2 .7 .7 2 .2 .7 2"
    assert "a.txt:1: visibility 3" in refusal(a_set(tmp_path, row), "yolo-pose")


def test_set_without_names_needs_its_order_said(tmp_path: Path) -> None:
    (a_set(tmp_path) / "data.yaml").unlink()
    assert "classes are not named" in refusal(tmp_path)
    options = ImportOptions(order=ORDERS["die"])
    (tmp_path / "labels" / "a.txt").write_text("0 .5 .5 .2 .2")
    (picture,), _ = read_back("yolo-detect", tmp_path, options)
    assert picture.dice[0].face is None


def test_classes_of_a_text_file_are_read_by_name(tmp_path: Path) -> None:
    (a_set(tmp_path, "1 .5 .5 .2 .2") / "data.yaml").unlink()
    (tmp_path / "classes.txt").write_bytes(b"\xef\xbb\xbfRJ\r\n10h\r\n")
    (picture,), _ = read_back("yolo-detect", tmp_path)
    assert picture.dice[0].face == parse_face("TH")


@pytest.mark.parametrize(
    ("yaml", "said"),
    [
        pytest.param("names: [QH", "data.yaml:1: not YAML", id="broken"),
        pytest.param("- 1", "must be a mapping", id="list"),
        pytest.param("train: images", "names must be a list", id="no-names"),
        pytest.param("names: {0: QH, 2: KH}", "without a gap", id="gap"),
        pytest.param("names: [QH, cat]", "unknown class 'cat'", id="unknown"),
        pytest.param("names: [QH]\ntrain: ../..", "no such folder", id="climbs"),
        pytest.param("names: [QH]\ntrain: /etc", "no such folder", id="absolute"),
        pytest.param("names: [QH]\nval: none", "no such folder", id="missing"),
        pytest.param("names: [QH]\ntrain: a.txt", "lists of pictures", id="list-file"),
        pytest.param("names: [QH]\ntrain: 3", "must be a folder", id="number"),
        pytest.param("names: !!python/name:os.system", "not YAML", id="python"),
        pytest.param("[" * 5000, "not YAML", id="deep"),
    ],
)
def test_unusable_data_yaml_is_refused(tmp_path: Path, yaml: str, said: str) -> None:
    (a_set(tmp_path) / "data.yaml").write_text(yaml, "utf-8")
    message = refusal(tmp_path)
    assert said in message
    assert "data.yaml" in message


def test_names_changed_after_the_export_are_refused(tmp_path: Path) -> None:
    path = a_set(tmp_path) / "data.yaml"
    text = path.read_text()
    path.write_text(text.replace('0: "AS"', '0: "2S"').replace('1: "2S"', '1: "AS"'))
    assert "states the class order" in refusal(tmp_path)


def test_set_that_was_moved_is_still_read(tmp_path: Path) -> None:
    a_set(tmp_path / "before").rename(tmp_path / "after")
    pictures, _ = read_back("yolo-detect", tmp_path / "after" / "data.yaml")
    assert len(pictures) == 1


def test_folder_of_side_by_side_files_is_read(tmp_path: Path) -> None:
    draw_picture(tmp_path / "b.png")
    (tmp_path / "b.txt").write_text("3 .5 .5 .2 .2")
    (tmp_path / "classes.txt").write_text("\n".join(ORDERS["faces"].names))
    (picture,), notes = read_back("yolo-detect", tmp_path)
    assert picture.dice[0].face == parse_face("4S")
    assert notes == []


def test_picture_that_is_none_is_refused_by_name(tmp_path: Path) -> None:
    (a_set(tmp_path) / "images" / "a.jpg").write_bytes(b"no picture")
    assert "a.jpg" in refusal(tmp_path)


def test_folders_of_classes_are_read_by_name(tmp_path: Path) -> None:
    draw_picture(tmp_path / "train" / "10h" / "1.png")
    draw_picture(tmp_path / "val" / "RJ" / "2.png")
    draw_picture(tmp_path / "3.png")
    pictures, notes = read_back("yolo-classify", tmp_path)
    faces = [picture.dice[0].face for picture in pictures]
    assert faces == [parse_face("TH"), parse_face("RJ")]
    assert any("3.png: lies in no folder of a class" in note for note in notes)


def test_folder_of_an_unknown_class_is_refused(tmp_path: Path) -> None:
    draw_picture(tmp_path / "train" / "cats" / "1.png")
    assert "unknown class 'cats'" in refusal(tmp_path, "yolo-classify")
