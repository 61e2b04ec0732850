"""Whole pictures: dice inside, labels for ultralytics, truth for the scorer."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from datasets.detector_labels import data_yaml, label_line
from datasets.fonts import font_book
from datasets.lens import Lens
from datasets.picture_sets import render_pictures
from datasets.placing import Spot, overlap, scatter
from datasets.scene import SceneOptions, make_scene
from datasets.shards import DataSetError
from vision.quads import decode_quads

if TYPE_CHECKING:
    from pathlib import Path

SMALL = SceneOptions(320, 320, 16, 40, full_roll=False)
ROLL = SceneOptions(640, 360, 16, 30, full_roll=True)


def quiet(items, total):  # type: ignore[no-untyped-def]  # the bar's wrapper, see Progress
    return items


@pytest.mark.parametrize("seed", range(6))
def test_a_roll_shows_nine_different_faces_inside_the_picture(seed: int) -> None:
    scene = make_scene(np.random.default_rng(seed), font_book(), ROLL)
    assert scene.image.shape == (360, 640, 3)
    assert len({die.face for die in scene.dice}) == 9
    for die in scene.dice:
        assert (die.quad >= 0).all()
        assert (die.quad <= (639, 359)).all()


def test_the_same_seed_makes_the_same_picture() -> None:
    one, other = (
        make_scene(np.random.default_rng(8), font_book(), SMALL) for _ in range(2)
    )
    assert (one.image == other.image).all()


@pytest.mark.parametrize("seed", range(20))
def test_scattered_dice_never_overlap(seed: int) -> None:
    rng = np.random.default_rng(seed)
    spots = scatter(rng, [18.0] * 9, 45.0, touching=0.5)
    assert len(spots) >= 7
    for k, spot in enumerate(spots):
        assert not any(overlap(spot, other) for other in spots[:k])


def test_overlap_knows_corner_cases() -> None:
    square = Spot(0.0, 0.0, 0.0, 18.0)
    assert not overlap(square, Spot(18.0, 0.0, 0.0, 18.0))
    assert overlap(square, Spot(17.5, 0.0, 0.0, 18.0))
    assert overlap(square, Spot(0.0, 0.0, 45.0, 5.0))
    assert not overlap(square, Spot(17.0, 17.0, 45.0, 18.0))


def test_label_line_gives_the_quad_back() -> None:
    quad = np.array([[100.0, 50.0], [131.0, 62.0], [118.0, 91.0], [88.0, 79.0]])
    numbers = [float(word) for word in label_line(quad, 400, 200).split()]
    assert numbers[0] == 0
    points = np.array(numbers[1:3] + numbers[5:]).reshape(3, 2) * (400, 200) - 0.5
    decoded = decode_quads(points[None])[0]
    off = [np.abs(np.roll(decoded, k, axis=0) - quad).max() for k in range(4)]
    assert min(off) < 0.6  # a trapezium comes back as its parallelogram
    assert numbers[3] * 400 == pytest.approx(numbers[4] * 200, abs=1e-3)


def test_lens_bends_points_as_it_bends_pictures() -> None:
    lens = Lens(0.12, 200, 120)
    image = np.zeros((120, 200, 3), np.float32)
    spot = np.array([[160.0, 95.0]])
    image[94:97, 159:162] = 255
    y, x = np.mgrid[:120, :200]
    weight = lens.bend_picture(image)[:, :, 0]
    middle = np.array([(x * weight).sum(), (y * weight).sum()]) / weight.sum()
    assert lens.bend(spot)[0] == pytest.approx(middle, abs=0.3)
    assert lens.source(lens.bend(spot)) == pytest.approx(spot, abs=1e-3)


def test_detector_sets_resume_and_have_valid_labels(tmp_path: Path) -> None:
    assert render_pictures(tmp_path, 5, 3, SMALL, 1, quiet) == 5
    (tmp_path / "labels" / "000003.txt").unlink()
    before = (tmp_path / "images" / "000003.jpg").read_bytes()
    assert render_pictures(tmp_path, 5, 3, SMALL, 1, quiet) == 1
    assert (tmp_path / "images" / "000003.jpg").read_bytes() == before
    for path in sorted((tmp_path / "labels").glob("*.txt")):
        for line in path.read_text().splitlines():
            values = np.array(line.split(), float)
            assert len(values) == 9
            assert ((values >= 0) & (values <= 1)).all()
    with pytest.raises(DataSetError, match="another set"):
        render_pictures(tmp_path, 5, 4, SMALL, 1, quiet)


def test_rolls_carry_truth_in_the_scorers_format(tmp_path: Path) -> None:
    render_pictures(tmp_path, 2, 3, ROLL, 1, quiet, rolls=True)
    records = json.loads((tmp_path / "labels.json").read_text())
    assert [record["image"] for record in records] == ["000000.jpg", "000001.jpg"]
    for record in records:
        picture = cv2.imread(str(tmp_path / "images" / record["image"]))
        assert picture is not None
        assert picture.shape[:2] == (record["height"], record["width"])
        for die in record["dice"]:
            quad = np.array(die["quad"])
            edges = np.roll(quad, -1, axis=0) - quad
            nexts = np.roll(edges, -1, axis=0)
            turning = edges[:, 0] * nexts[:, 1] - edges[:, 1] * nexts[:, 0]
            assert (turning > 0).all()  # clockwise on the screen


def test_data_yaml_names_absolute_folders_and_the_keypoints() -> None:
    text = data_yaml(["/a/images", "/c/images"], "/b/images")
    assert 'train: ["/a/images", "/c/images"]' in text
    assert 'val: "/b/images"' in text
    assert "kpt_shape: [2, 2]" in text
