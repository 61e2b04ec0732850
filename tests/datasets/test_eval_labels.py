"""Labels: what they may leave out, and errors that name file and entry."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from datasets.eval_labels import (
    LabelError,
    colour_of,
    parse_picture,
    rank_of,
    read_labels,
    suit_of,
)
from datasets.eval_sets import labelled_set
from scoring.cards import ALL_FACES, parse_face
from vision.reading import DieState

if TYPE_CHECKING:
    from pathlib import Path

SQUARE = [[0, 0], [9, 0], [9, 9], [0, 9]]
PICTURE = {"image": "a.jpg", "width": 20, "height": 10, "dice": []}


def write(folder: Path, value: object) -> Path:
    (folder / "labels.json").write_text(json.dumps(value), "utf-8")
    return folder


def with_die(**fields: object) -> dict[str, Any]:
    return {**PICTURE, "dice": [fields]}


def test_label_of_a_roll_is_read(tmp_path: Path) -> None:
    entry = {
        **PICTURE,
        "dice": [{"face": "10h", "quad": SQUARE, "state": "cocked", "die": 3}],
        "tags": ["tray", "ordinary"],
        "art": "frame",
        "die_px": 41.5,
    }
    (picture,) = read_labels(write(tmp_path, [entry]))
    assert picture.path == tmp_path / "a.jpg"
    assert picture.groups == ("tray", "ordinary", "art:frame")
    assert (picture.die_px, picture.cards, picture.throws) == (41.5, False, ())
    (die,) = picture.dice
    assert (die.face, die.rank, die.state) == (parse_face("TH"), "T", DieState.COCKED)
    assert die.quad == ((0, 0), (9, 0), (9, 9), (0, 9))


def test_much_may_be_missing(tmp_path: Path) -> None:
    entry = {"image": "a.png", "cards": [{"face": None, "rank": "10", "quad": None}]}
    (picture,) = read_labels(write(tmp_path, [entry]))
    (card,) = picture.dice
    assert (card.face, card.rank, card.quad, card.box) == (None, "T", None, None)
    assert picture.cards
    assert picture.die_px is None


def test_pictures_may_lie_in_a_folder_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / "a.jpg").write_bytes(b"")
    (picture,) = read_labels(write(tmp_path, [PICTURE]))
    assert picture.path == tmp_path / "images" / "a.jpg"


def test_clip_has_its_throws(tmp_path: Path) -> None:
    die = {"face": "AS", "quad": SQUARE}
    one = {"clip": "a.mp4", "fps": 15, "rest_frame": 7, "dice": [die]}
    many = {
        "clip": "b.mp4",
        "fps": 12.5,
        "throws": [{"rest_frame": 3, "dice": [die]}, {"rest_frame": 9, "dice": []}],
    }
    first, second = read_labels(write(tmp_path, [one, many]))
    assert [throw.rest_frame for throw in first.throws] == [7]
    assert first.dice == first.throws[0].dice
    assert [len(throw.dice) for throw in second.throws] == [1, 0]
    assert (first.fps, second.fps) == (15, 12.5)


def test_a_single_clip_needs_no_list(tmp_path: Path) -> None:
    entry = {"clip": "a.mp4", "fps": 15, "rest_frame": 7, "dice": []}
    assert len(read_labels(write(tmp_path, entry))) == 1


@pytest.mark.parametrize("code", [face.code for face in ALL_FACES])
def test_every_face_has_a_rank(code: str) -> None:
    face = parse_face(code)
    jokers = {"RJ": ("JOKER", None, "red"), "BJ": ("JOKER", None, "black")}
    if code in jokers:
        assert (rank_of(face), suit_of(face), colour_of(face)) == jokers[code]
        return
    assert rank_of(face) == code[0]
    assert suit_of(face) == (code[1] if len(code) == 2 else None)
    colours = {"S": "black", "C": "black", "H": "red", "D": "red"}
    assert colour_of(face) == (colours[code[1]] if len(code) == 2 else None)


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        pytest.param([], "must be an object", id="no-object"),
        pytest.param({"dice": []}, '"image" or "clip"', id="no-name"),
        pytest.param({**PICTURE, "image": "a\0.jpg"}, "no name", id="nul-in-name"),
        pytest.param({"image": "a.jpg"}, '"dice" and "cards"', id="no-list"),
        pytest.param(
            {"image": "a.jpg", "dice": [], "cards": []}, "exactly one", id="two-lists"
        ),
        pytest.param({"image": "a.jpg", "dice": {}}, "must be a list", id="no-dice"),
        pytest.param({**PICTURE, "width": -1}, '"width"', id="negative"),
        pytest.param({**PICTURE, "width": "20"}, '"width"', id="text-for-number"),
        pytest.param({**PICTURE, "width": 10**400}, "finite", id="no-float"),
        pytest.param(with_die(box=[0, 0, 9, -(10**400)]), "finite", id="below-floats"),
        pytest.param({**PICTURE, "tags": "tray"}, '"tags"', id="tags-no-list"),
        pytest.param(with_die(face="JK"), "die 0: 'JK' is not a face", id="joker"),
        pytest.param(with_die(face=7), "die 0", id="face-no-text"),
        pytest.param(with_die(face=""), "die 0", id="face-empty"),
        pytest.param(with_die(rank="11"), '"rank"', id="rank"),
        pytest.param(with_die(face="AS", state="on edge"), '"state"', id="state"),
        pytest.param(with_die(face="AS", quad=SQUARE[:3]), '"quad"', id="triangle"),
        pytest.param(with_die(face="AS", quad=[[1]] * 4), '"quad"', id="bad-corner"),
        pytest.param(with_die(face="AS", box=[4, 0, 2, 9]), '"box"', id="turned-box"),
        pytest.param(
            {**PICTURE, "dice": [{"face": "AS"}, {"face": "2S"}]},
            "quad or a box",
            id="two-without-place",
        ),
        pytest.param(
            {"clip": "a.mp4", "fps": 0, "rest_frame": 1, "dice": []}, '"fps"', id="fps"
        ),
        pytest.param(
            {"clip": "a.mp4", "fps": 9, "dice": []}, '"rest_frame"', id="no-rest"
        ),
        pytest.param(
            {"clip": "a.mp4", "fps": 9, "throws": []}, '"throws"', id="no-throws"
        ),
        pytest.param(
            {
                "clip": "a.mp4",
                "fps": 9,
                "throws": [{"rest_frame": 4, "dice": []}] * 2,
            },
            "does not come after",
            id="throws-out-of-order",
        ),
    ],
)
def test_unusable_entry_is_named(tmp_path: Path, entry: object, words: str) -> None:
    write(tmp_path, [{**PICTURE, "image": "first.jpg"}, entry])
    with pytest.raises(LabelError) as caught:
        read_labels(tmp_path)
    assert str(caught.value).startswith(f"{tmp_path / 'labels.json'}: entry 1: ")
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("", "not JSON", id="empty-file"),
        pytest.param("[" * 100_000, "nested too deeply", id="nested-too-deeply"),
        pytest.param('[{"image": "\\ud800"}]', "half of a character", id="half-a-sign"),
        pytest.param('[\n{"width": NaN}]', "NaN is no number in line 2", id="nan"),
        pytest.param("[]", "no pictures", id="empty-list"),
        pytest.param('"x"', "must be an object", id="a-word"),
        pytest.param(json.dumps([PICTURE, PICTURE]), "labelled twice", id="twice"),
    ],
)
def test_unusable_file_is_named(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "labels.json").write_text(text)
    with pytest.raises(LabelError, match=words) as caught:
        read_labels(tmp_path)
    assert str(tmp_path / "labels.json") in str(caught.value)


def test_folder_without_labels_is_named(tmp_path: Path) -> None:
    with pytest.raises(LabelError, match=r"labels\.json: cannot be read"):
        read_labels(tmp_path)


def test_truth_values_are_no_numbers(tmp_path: Path) -> None:
    with pytest.raises(LabelError, match="finite"):
        parse_picture(with_die(face="AS", quad=[[True, 0]] * 4), tmp_path)


def test_tags_choose_pictures_that_have_all_of_them(tmp_path: Path) -> None:
    write(
        tmp_path,
        [
            {**PICTURE, "image": "a.jpg", "tags": ["dim", "tray"], "art": "x"},
            {**PICTURE, "image": "b.jpg", "tags": ["dim"]},
        ],
    )
    assert [p.name for p in labelled_set(tmp_path, ["dim"])] == ["a.jpg", "b.jpg"]
    assert [p.name for p in labelled_set(tmp_path, ["dim", "art:x"])] == ["a.jpg"]
    with pytest.raises(LabelError, match="tray"):
        labelled_set(tmp_path, ["bright"])
