"""Faces of poker dice and of the Squint die are drawn, and thrown, as sets."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from datasets.art import draw_face
from datasets.canvas import ART_PX
from datasets.fonts import font_book
from datasets.other_faces import draw_other, draw_pips
from datasets.picture_sets import render_pictures
from datasets.scene import SceneOptions, make_scene
from datasets.style import random_style
from datasets.throws import random_roll
from scoring.cards import POKER_DICE_FACES, SQUINT_FACES
from scoring.dice_sets import DiceSetError, bundled_dice_set

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from datasets.canvas import Art

SEEDS = range(40)


def quiet(items: Iterable[int], total: int) -> Iterable[int]:
    return items


def drawn(seed: int) -> list[Art]:
    style = random_style(np.random.default_rng((3, seed)), font_book())
    return [draw_face(style, face) for face in (*POKER_DICE_FACES, *SQUINT_FACES)]


@pytest.mark.parametrize("seed", SEEDS)
def test_faces_of_a_style_differ_and_come_out_the_same_again(seed: int) -> None:
    arts = drawn(seed)
    for k, art in enumerate(arts):
        assert art.shape == (ART_PX, ART_PX, 3)
        assert art.std() > 3  # something is printed
        for other in arts[:k]:
            assert np.abs(art.astype(int) - other).max() > 40
    for first, second in zip(arts, drawn(seed), strict=True):
        assert (first == second).all()


@pytest.mark.parametrize("name", ["poker-dice", "squint-die", "square-shooters"])
def test_rolls_are_legal_and_every_face_comes(name: str) -> None:
    dice_set = bundled_dice_set(name)
    rng = np.random.default_rng(8)
    seen: Counter[str] = Counter()
    for _ in range(120):
        roll = random_roll(rng, name)
        assert len(roll) == dice_set.dice_count
        assert set(roll) <= set(dice_set.faces)
        assert not dice_set.unique_faces or len(set(roll)) == len(roll)
        seen.update(face.code for face in roll)
    assert set(seen) == {face.code for face in dice_set.faces}


def test_unknown_sets_cannot_be_thrown() -> None:
    with pytest.raises(DiceSetError, match="'dominoes'"):
        random_roll(np.random.default_rng(1), "dominoes")


@pytest.mark.parametrize(("name", "count"), [("poker-dice", 5), ("squint-die", 1)])
def test_pictures_of_a_set_show_its_dice_only(name: str, count: int) -> None:
    options = SceneOptions(320, 180, 20, 24, True, hand=0.0, dice_set=name)
    scene = make_scene(np.random.default_rng(4), font_book(), options)
    assert len(scene.dice) == count
    assert {die.face for die in scene.dice} <= set(bundled_dice_set(name).faces)


def test_manifest_names_the_set_only_where_it_is_not_the_usual_one(
    tmp_path: Path,
) -> None:
    for name in ("poker-dice", "square-shooters"):
        options = SceneOptions(160, 90, 14, 15, True, clutter=0.0, dice_set=name)
        render_pictures(tmp_path / name, 1, 1, options, 1, quiet, rolls=True)
        manifest = (tmp_path / name / "manifest.json").read_text()
        assert ('"dice_set": "poker-dice"' in manifest) == (name == "poker-dice")
        assert ("dice_set" in manifest) == (name == "poker-dice")


@pytest.mark.parametrize("value", range(1, 7))
def test_pips_can_be_counted(value: int) -> None:
    art = draw_pips(value, (250, 250, 250), (10, 10, 10), 0.14)
    dark = (art.max(axis=2) < 128).astype(np.uint8)
    assert cv2.connectedComponents(dark)[0] - 1 == value


def test_other_faces_are_many_and_of_one_size() -> None:
    rng = np.random.default_rng(6)
    arts = [draw_other(rng, random_style(rng, font_book())) for _ in range(40)]
    assert {art.shape for art in arts} == {(ART_PX, ART_PX, 3)}
    assert all(art.dtype == np.uint8 for art in arts)
    assert len({art.tobytes() for art in arts}) == 40
