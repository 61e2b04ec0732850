"""Crops for the face reader: labels that turn with the picture, seeds that repeat."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from datasets.art import draw_face
from datasets.crops import CropOptions, crops
from datasets.fonts import font_book, is_held_out
from datasets.render import render_crops
from datasets.shards import DataSetError, read_shard, whole_shards
from datasets.style import random_style
from scoring.cards import ALL_FACES
from vision.classes import CLASS_NAMES, NOT_A_FACE, TURNS

if TYPE_CHECKING:
    from pathlib import Path


def quiet(items, total):  # type: ignore[no-untyped-def]  # the bar's wrapper, see Progress
    return items


def some(count: int, seed: int = 1):  # type: ignore[no-untyped-def]  # list of Crop
    options = CropOptions(48)
    return list(islice(crops(np.random.default_rng(seed), font_book(), options), count))


def test_crops_are_squares_with_labels_in_range() -> None:
    for crop in some(40):
        assert crop.image.shape == (48, 48, 3)
        assert crop.image.dtype == np.uint8
        assert 0 <= crop.label < len(CLASS_NAMES)
        assert (crop.layout == "none") == (CLASS_NAMES[crop.label] == NOT_A_FACE)


def test_the_same_seed_makes_the_same_crops() -> None:
    for first, second in zip(some(12), some(12), strict=True):
        assert first.label == second.label
        assert (first.image == second.image).all()


def test_other_seeds_make_other_crops() -> None:
    assert not (some(1, 1)[0].image == some(1, 2)[0].image).all()


def test_label_names_the_face_and_its_clockwise_turn() -> None:
    # large, sharp crops: turned back by the label they look most like the upright art
    options = CropOptions(112, none_share=0.0, other_share=0.0)
    rng, book = np.random.default_rng(17), font_book()
    agreed = 0
    made = list(islice(crops(rng, book, options), 60))
    style_rng = np.random.default_rng(17)
    style = random_style(style_rng, book)
    for crop in made[:4]:  # the first four are drawn in the first style
        face, turn = divmod(crop.label, TURNS)
        art = cv2.resize(draw_face(style, ALL_FACES[face]), (90, 90))
        inner = crop.image[11:101, 11:101].astype(float)
        scores = [
            np.corrcoef(np.rot90(art, -k).ravel().astype(float), inner.ravel())[0, 1]
            for k in range(TURNS)
        ]
        agreed += int(np.argmax(scores)) == turn
    assert agreed >= 3


def test_held_out_fonts_are_never_used_for_training() -> None:
    rng, book = np.random.default_rng(3), font_book()
    for _ in range(200):
        assert not is_held_out(random_style(rng, book).rank_font)
    held = [f for f in book.ranks if is_held_out(f)]
    if not held:
        pytest.skip("this machine has no font on the held-out side")
    for _ in range(50):
        assert is_held_out(random_style(rng, book, held_out=True).rank_font)


def test_rendering_goes_on_where_it_stopped(tmp_path: Path) -> None:
    options = CropOptions(32)
    assert render_crops(tmp_path / "a", 2, 5, options, 1, quiet, 8) == 2
    (tmp_path / "a" / "crops-00001.npy").unlink()
    before = read_shard(whole_shards(tmp_path / "a")[0])[0].copy()
    assert render_crops(tmp_path / "a", 2, 5, options, 1, quiet, 8) == 1
    assert render_crops(tmp_path / "a", 2, 5, options, 1, quiet, 8) == 0
    assert (read_shard(whole_shards(tmp_path / "a")[0])[0] == before).all()
    render_crops(tmp_path / "b", 2, 5, options, 2, quiet, 8)
    for one, other in zip(
        whole_shards(tmp_path / "a"), whole_shards(tmp_path / "b"), strict=True
    ):
        assert (read_shard(one)[0] == read_shard(other)[0]).all()
        assert (read_shard(one)[1] == read_shard(other)[1]).all()


def test_a_folder_with_another_set_is_refused(tmp_path: Path) -> None:
    render_crops(tmp_path, 1, 5, CropOptions(32), 1, quiet, 4)
    with pytest.raises(DataSetError, match="another set"):
        render_crops(tmp_path, 1, 6, CropOptions(32), 1, quiet, 4)
