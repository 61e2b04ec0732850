"""What the network of bodies learns is what the runtime reads out of it again."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pytest

from datasets.body_scenes import BodyOptions, make_body_scene
from datasets.body_set import (
    cut_scene,
    read_bodies,
    render_bodies,
    shape_truth,
    stated_quad,
)
from datasets.cube import Die
from datasets.fonts import font_book
from datasets.lying import leaning
from datasets.odd_rolls import Oddity, OddOptions, make_odd_roll
from datasets.shards import DataSetError
from vision.body import OUTPUT_NAMES, BodyReader, decode_bodies
from vision.body_crops import SPAN, cut_bodies
from vision.errors import ModelError
from vision.overlap import iou
from vision.reading import DieState

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

SMALL = BodyOptions(size_px=200, smallest_px=20, largest_px=40, held_out=True)


def progress(items: object, _: int) -> object:
    return items


@pytest.mark.parametrize("seed", range(6))
def test_truth_is_decoded_to_the_quad_and_foot_it_came_from(seed: int) -> None:
    rng = np.random.default_rng(seed)
    middle, side = rng.uniform(100, 900, 2), rng.uniform(20, 90)
    first = side * 0.7 * np.exp(1j * rng.uniform(0, 2 * np.pi))
    second = first * 1j * rng.uniform(0.75, 1.3) * np.exp(1j * rng.normal(0, 0.2))
    corners = np.array([first, second, -first, -second])
    quad = middle + np.stack([corners.real, corners.imag], axis=1)
    foot = rng.normal(0, 0.4 * side, 2)
    stated = stated_quad(rng, quad)
    said = np.zeros((1, len(OUTPUT_NAMES)), np.float32)
    said[0, :8] = shape_truth(quad, foot, stated)
    (body,) = decode_bodies(said, stated[None])
    assert iou(body.quad, quad) > 0.999
    mean_side = np.linalg.norm(stated - np.roll(stated, 1, axis=0), axis=1).mean()
    assert body.foot * mean_side == pytest.approx(foot, abs=1e-3)
    assert (body.covered, body.stacked) == (0.5, 0.5)


def test_cut_out_shows_the_face_upright_in_its_middle() -> None:
    image = np.zeros((200, 200, 3), np.uint8)
    image[80:120, 80:120] = 255
    quad = np.array([[80, 80], [120, 80], [120, 120], [80, 120]]) - 0.5
    for first in range(4):
        (crop,) = cut_bodies(image, np.roll(quad, first, axis=0)[None], 65)
        white = (crop[..., 0] > 127).mean()
        assert white == pytest.approx(1 / SPAN**2, rel=0.06)
        assert crop[32, 32, 0] == 255
        assert crop[2, 2, 0] == 0


def test_tipped_die_stands_on_the_table() -> None:
    die = Die(0, 0, 33, 18, (np.zeros((1, 1, 3), np.uint8),) * 5, (0, 0, 0), 0.1)
    for axis, lean in ((0, 20), (37, 45), (90, 5)):
        tipped = leaning(die, axis, lean)
        corners, normals = tipped.sides()
        assert corners[..., 2].min() == pytest.approx(0, abs=1e-9)
        assert normals[0][2] == pytest.approx(np.cos(np.deg2rad(lean)))
        sizes = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2)
        assert sizes == pytest.approx(18)


def test_scene_is_the_same_for_the_same_seed_and_cut_out_whole() -> None:
    first, second = (
        make_body_scene(np.random.default_rng(4), font_book(), SMALL) for _ in range(2)
    )
    assert np.array_equal(first.image, second.image)
    cut = cut_scene(np.random.default_rng(4), first, 32)
    assert cut
    for crop, shape, face in cut:
        assert crop.shape == (32, 32, 3)
        assert np.isfinite(shape).all()
        assert 0.3 < face.visible <= 1
        assert not (face.printed and face.foot.any())


def test_set_is_drawn_once_and_read_whole(tmp_path: Path) -> None:
    def draw(shards: int) -> int:
        return render_bodies(tmp_path, shards, 1, SMALL, 1, progress, 32, 2)  # type: ignore[arg-type]  # a plain stand-in for the bar

    assert draw(1) == 1
    assert draw(2) == 1
    held = read_bodies(tmp_path)
    count = len(held.images)
    assert count > 0
    assert held.shape.shape == (count, 8)
    facts = json.loads((tmp_path / "manifest.json").read_text())
    facts["seed"] = 2
    (tmp_path / "manifest.json").write_text(json.dumps(facts))
    with pytest.raises(DataSetError, match="another set"):
        draw(3)
    (tmp_path / "bodies-00000.npz").write_bytes(b"no")
    with pytest.raises(DataSetError, match="bodies-00000"):
        read_bodies(tmp_path)
    with pytest.raises(DataSetError, match="no cut-outs"):
        read_bodies(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("oddity", "state", "count"),
    [
        (Oddity.NONE, DieState.FLAT, 9),
        (Oddity.COCKED, DieState.COCKED, 9),
        (Oddity.STACKED, DieState.STACKED, 9),
        (Oddity.HIDDEN, DieState.HIDDEN_PART, 9),
        (Oddity.CUT, DieState.HIDDEN_PART, 9),
        (Oddity.EIGHT, DieState.FLAT, 8),
        (Oddity.TEN, DieState.FLAT, 10),
    ],
)
def test_odd_roll_is_odd_in_one_thing(
    oddity: Oddity, state: DieState, count: int
) -> None:
    options = OddOptions(640, 360, 24, 30, most_tilt_deg=8)
    roll = make_odd_roll(np.random.default_rng(3), font_book(), oddity, options)
    assert len(roll.faces) == len(set(roll.faces)) == len(roll.quads) == count
    assert roll.states[0] is state
    if oddity is not Oddity.STACKED:  # there the die below is partly hidden
        assert set(roll.states[1:]) == {DieState.FLAT}


class Fixed:
    """A network that answers anything with the same row."""

    input_shape: tuple[int | None, ...] = (None, 3, 64, 64)

    def __init__(self, row: NDArray[np.float32]) -> None:
        self.row = row

    def run(self, pictures: NDArray[np.uint8]) -> NDArray[np.float32]:
        return np.tile(self.row, (len(pictures), 1))


def test_reader_takes_any_number_of_dice_and_refuses_nonsense() -> None:
    quad = np.array([[80, 80], [120, 80], [120, 120], [80, 120]], np.float64)
    image = np.zeros((200, 200, 3), np.uint8)
    reader = BodyReader(Fixed(np.zeros(13, np.float32)), 64, "m")
    for count in (0, 1, 9, 11):
        bodies = reader.read(image, np.tile(quad, (count, 1, 1)))
        assert len(bodies) == count
    with pytest.raises(ModelError, match="shape"):
        BodyReader(Fixed(np.zeros(4, np.float32)), 64, "m").read(image, quad[None])
    with pytest.raises(ModelError, match="not finite"):
        BodyReader(Fixed(np.full(13, np.nan, np.float32)), 64, "m").read(
            image, quad[None]
        )
