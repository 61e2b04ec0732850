"""Captured pictures teach: who may, what is cut from them, how it is mixed in."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest
from capture_makers import capture, dice, picture

from datasets.captured_crops import captured_crops
from datasets.captured_teaching import captured_pictures, teaching_of
from datasets.captured_windows import captured_windows, cut_window
from datasets.captures.album import Album
from datasets.captures.capture import Kept, Origin
from datasets.crops import NONE_CLASS, CropOptions
from datasets.eval_labels import LabelledDie, LabelledPicture, rank_of
from datasets.labels.splits import Split
from datasets.picture_sets import render_pictures
from datasets.render import render_crops
from datasets.run_options import RunOptions
from datasets.scene import SceneOptions
from datasets.shards import DataSetError, read_shard, whole_shards
from datasets.training_job import TrainingJob
from datasets.training_runs import plan_for, train_and_publish
from scoring.cards import ALL_FACES, parse_face
from vision.classes import TURNS
from vision.reading import DieState

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

ALL_TEACH = Split((1.0, 0.0, 0.0))
SIDE = 60
CODES = ("AS", "KH", "2D")
SHADES = (60, 120, 180)


def quiet(items: Iterable[int], total: int) -> Iterable[int]:
    return items


def captured(
    folder: Path, name: str, *tags: str, state: DieState = DieState.FLAT
) -> LabelledPicture:
    """Three grey dice with a white mark at the top left of their art."""
    folder.mkdir(exist_ok=True)
    image = np.full((240, 320, 3), 20, np.uint8)
    dice = []
    for k, (code, shade) in enumerate(zip(CODES, SHADES, strict=True)):
        x, y = 30 + 95 * k, 80
        image[y : y + SIDE, x : x + SIDE] = shade
        image[y : y + SIDE // 3, x : x + SIDE // 3] = 255
        face = parse_face(code)
        corners = ((x, y), (x + SIDE, y), (x + SIDE, y + SIDE), (x, y + SIDE))
        a, b, c, d = ((float(u), float(v)) for u, v in corners)
        dice.append(LabelledDie(face, rank_of(face), (a, b, c, d), None, state))
    cv2.imwrite(str(folder / name), image)
    return LabelledPicture(name, folder / name, 320, 240, tuple(dice), tags)


def test_only_what_persons_labelled_teaches_unless_asked_for(tmp_path: Path) -> None:
    pictures = [
        captured(tmp_path, "a.png", "labels:person", "recording:one"),
        captured(tmp_path, "b.png", "labels:model", "recording:one"),
        captured(tmp_path, "c.png", "labels:mixed", "recording:two"),
        captured(tmp_path, "d.png", "recording:three"),
    ]
    chosen = teaching_of(pictures, "x", split=ALL_TEACH)
    assert [p.name for p in chosen.pictures] == ["a.png", "d.png"]
    assert (chosen.taught, chosen.unsure) == (("one", "three"), 2)
    all_of_them = teaching_of(pictures, "x", by_model=True, split=ALL_TEACH)
    assert len(all_of_them.pictures) == 4
    with pytest.raises(DataSetError, match="1 were not labelled by a person"):
        teaching_of([pictures[1]], "x", split=ALL_TEACH)


def test_imports_that_wait_for_a_person_teach_nobody(tmp_path: Path) -> None:
    data = picture(1)
    album = Album(tmp_path / "album")
    album.add(capture(data, Kept.ENTERED, dice=dice(by=Origin.MODEL)), data)
    assert captured_pictures(album.folder) == ()
    assert captured_pictures(album.folder, by_model=True) == ()
    nothing = (tmp_path, tmp_path, None, None, False, None, 1)
    job = TrainingJob("faces", *nothing, captured=album.folder)
    options = RunOptions("f", tmp_path / "runs", "yolov8n-cls.yaml", 32, 8, 1, 1e-3)
    with pytest.raises(DataSetError, match="no picture was reviewed yet: 1 wait"):
        plan_for(job, options)


def test_held_out_recordings_and_measuring_tags_never_teach(tmp_path: Path) -> None:
    pictures = [
        captured(tmp_path, f"{k}.png", f"recording:{k // 3}") for k in range(60)
    ]
    pictures.append(captured(tmp_path, "v.png", "recording:v", "val"))
    split = Split((0.6, 0.2, 0.2), pinned=(("v", "train"),))
    chosen = teaching_of(pictures, "x", split=split)
    taught, held = set(chosen.taught), set(chosen.held_out)
    assert taught
    assert len(held) > 1
    assert not taught & held
    assert {split.side_of(name) for name in taught} == {"train"}
    assert {split.side_of(name) for name in held - {"v"}} <= {"val", "test"}
    assert "v" in held
    assert len(chosen.pictures) == 3 * len(taught)


def test_crops_show_the_face_and_the_turn_that_their_class_says(tmp_path: Path) -> None:
    teaching = teaching_of([captured(tmp_path, "a.png")], "x", split=ALL_TEACH)
    made = captured_crops(tmp_path / "set", teaching, 48, 64, 100, 7, quiet)
    assert made == 2
    (path, _) = whole_shards(tmp_path / "set")
    images, labels, die_px = read_shard(path)
    seen = set()
    for image, label in zip(images, labels, strict=True):
        if label == NONE_CLASS:
            continue
        face, turn = divmod(int(label), TURNS)
        shade = SHADES[CODES.index(ALL_FACES[face].code)]
        assert abs(float(np.median(image[8:40, 8:40])) - shade) < 40
        upright = np.rot90(image, turn)[8:40, 8:40].mean(axis=2)
        corners = [upright[:8, :8], upright[:8, -8:], upright[-8:, -8:]]
        assert np.argmax([corner.mean() for corner in corners]) == 0
        seen.add(turn)
    assert seen == {0, 1, 2, 3}
    assert (labels == NONE_CLASS).sum() > 0
    assert die_px == pytest.approx(SIDE)
    # crops of another seed are others; the same again are the same
    captured_crops(tmp_path / "same", teaching, 48, 64, 100, 7, quiet)
    assert (tmp_path / "same" / path.name).read_bytes() == path.read_bytes()
    with pytest.raises(DataSetError, match="other captured pictures"):
        captured_crops(tmp_path / "set", teaching, 48, 64, 100, 8, quiet)


def test_dice_that_do_not_lie_flat_teach_no_face(tmp_path: Path) -> None:
    leaning = captured(tmp_path, "a.png", state=DieState.COCKED)
    with pytest.raises(DataSetError, match="no captured picture may teach"):
        teaching_of([leaning], "x", split=ALL_TEACH)


def test_windows_name_the_dice_that_are_whole_in_them(tmp_path: Path) -> None:
    picture = captured(tmp_path, "a.png")
    image = cv2.imread(str(picture.path))
    assert image is not None
    quads = [np.array(die.quad) - 0.5 for die in picture.dice if die.quad]
    rng, found = np.random.default_rng(3), 0
    for _ in range(40):
        window, inside = cut_window(rng, np.asarray(image, np.uint8), quads)
        assert window.shape == (480, 480, 3)
        for quad in inside:
            assert quad.min() >= 0
            assert quad.max() <= 479
            x, y = (int(v) for v in quad.mean(axis=0).round())
            # turned and zoomed, never mirrored: the bright mark is by the first corner
            nearer = (quad + quad.mean(axis=0) * 1.5) / 2.5
            marks = [int(window[int(v), int(u), 0]) for u, v in nearer]
            assert np.argmax(marks) == 0
            assert min(abs(int(window[y, x, 0]) - shade) for shade in SHADES) < 30
            found += 1
    assert found > 40


def test_windows_are_only_cut_from_wholly_labelled_pictures(tmp_path: Path) -> None:
    picture = captured(tmp_path, "a.png")
    teaching = teaching_of([picture], "x", split=ALL_TEACH)
    assert captured_windows(tmp_path / "set", teaching, 5, 1, quiet) == 5
    assert len(list((tmp_path / "set" / "labels").glob("*.txt"))) == 5
    for path in (tmp_path / "set" / "labels").glob("*.txt"):
        for line in path.read_text().splitlines():
            values = np.array(line.split(), float)
            assert len(values) == 9
            assert ((values >= 0) & (values <= 1)).all()
    loose = replace(picture.dice[0], quad=None, box=(0.0, 0.0, 9.0, 9.0))
    half = replace(picture, dice=(loose, *picture.dice[1:]))
    teaching = teaching_of([half], "x", split=ALL_TEACH)
    with pytest.raises(DataSetError, match="a quad for every die"):
        captured_windows(tmp_path / "other", teaching, 5, 1, quiet)


def test_a_picture_that_is_not_as_its_label_says_is_named(tmp_path: Path) -> None:
    picture = replace(captured(tmp_path, "a.png"), width=100.0)
    teaching = teaching_of([picture], "x", split=ALL_TEACH)
    with pytest.raises(DataSetError, match=r"a\.png: has 320 x 240 pixels"):
        captured_crops(tmp_path / "set", teaching, 48, 8, 8, 7, quiet)


@pytest.mark.parametrize("text", ["nothing", "a file"])
def test_what_holds_no_captured_pictures_is_told(tmp_path: Path, text: str) -> None:
    with pytest.raises(DataSetError):
        captured_pictures(tmp_path / "labels" if text == "nothing" else tmp_path)


@pytest.mark.train
@pytest.mark.filterwarnings("ignore")  # torch and ultralytics warn of themselves
def test_an_epoch_sees_the_share_of_captured_crops_that_was_asked_for(
    tmp_path: Path,
) -> None:
    from datasets.face_training import ShardCrops

    render_crops(tmp_path / "drawn", 3, 1, CropOptions(32), 1, quiet, 16)
    teaching = teaching_of([captured(tmp_path, "a.png")], "x", split=ALL_TEACH)
    captured_crops(tmp_path / "real", teaching, 32, 16, 20, 7, quiet)
    mixed = ShardCrops(
        tmp_path / "drawn",
        2,
        augment=False,
        captured=tmp_path / "real",
        captured_an_epoch=11,
    )
    alone = ShardCrops(tmp_path / "drawn", 2, augment=False)
    assert (len(alone), len(mixed)) == (32, 43)
    assert all((alone[k]["img"] == mixed[k]["img"]).all() for k in range(32))
    first = [mixed[k]["img"] for k in range(32, 43)]
    mixed.open_epoch(1)
    second = [mixed[k]["img"] for k in range(32, 43)]
    assert not any((a == b).all() for a, b in zip(first, second, strict=True))


@pytest.mark.train
@pytest.mark.filterwarnings("ignore")  # torch and ultralytics warn of themselves
def test_the_card_names_the_recordings_that_taught(tmp_path: Path) -> None:
    options = SceneOptions(320, 240, 30, 50, full_roll=True, clutter=0.0)
    render_pictures(tmp_path / "play", 12, 4, options, 1, quiet, rolls=True)
    path = tmp_path / "play" / "labels.json"
    records = json.loads(path.read_text())
    for k, record in enumerate(records):
        record["tags"] += [f"recording:evening {k // 2}", "labels:person"]
    path.write_text(json.dumps(records))
    render_crops(tmp_path / "crops", 1, 1, CropOptions(32), 1, quiet, 16)
    render_crops(tmp_path / "held", 1, 2, CropOptions(32), 1, quiet, 16)
    job = TrainingJob(
        "faces",
        tmp_path / "crops",
        tmp_path / "held",
        None,
        None,
        export_only=False,
        hours=None,
        shards_an_epoch=1,
        captured=tmp_path / "play",
        captured_share=0.5,
    )
    run = RunOptions(
        "f", tmp_path / "runs", "yolov8n-cls.yaml", 32, 8, 1, 1e-3, threads=1
    )
    card = json.loads(train_and_publish(job, run).read_text())
    facts = card["data"]["captured"]
    everyone = {f"evening {k}" for k in range(6)}
    assert set(facts["recordings"]) | set(facts["held_out"]) == everyone
    assert not set(facts["recordings"]) & set(facts["held_out"])
    assert str(tmp_path) not in json.dumps(card["data"])
    lessons = json.loads((run.folder / "lessons.json").read_text())
    assert lessons["captured_an_epoch"] == 16
