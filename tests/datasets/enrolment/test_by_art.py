"""Enrolling design by design from labelled rolls."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pytest

from datasets.enrolment.by_art import enrol_by_art
from datasets.fonts import font_book
from datasets.picture_sets import roll_record, write_picture
from datasets.scene import SceneOptions, Thrown, make_scene
from datasets.shards import DataSetError
from datasets.style import random_style
from scoring.dice_sets import reference_dice_set

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

pytestmark = pytest.mark.train

DICE = reference_dice_set().dice or ()
OPTIONS = SceneOptions(960, 540, 55, 70, True, clutter=0.0, hand=0.0, held_out=True)


def quiet(items: Iterable[int], total: int) -> Iterable[int]:
    return items


@pytest.fixture(scope="module")
def rolls(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three rolls of one design: the first side twice, then the second."""
    folder = tmp_path_factory.mktemp("arts")
    rng = np.random.default_rng(11)
    style = random_style(rng, font_book(), held_out=True)
    records = []
    for number, place in enumerate((0, 1, 0)):
        faces = tuple(die[place] for die in DICE)
        scene = make_scene(rng, font_book(), OPTIONS, Thrown(style, faces))
        name = f"{number}.jpg"
        write_picture(folder / name, scene.image, 92)
        records.append({**roll_record(name, scene), "art": "mine"})
    (folder / "labels.json").write_text(json.dumps(records))
    return folder


def test_shown_faces_are_counted_apart_from_others(rolls: Path, tmp_path: Path) -> None:
    from datasets.enrolment.tuning_options import TuningOptions

    tuning = TuningOptions(lessons=9, steps=1, threads=1)
    (found,) = enrol_by_art(rolls, tmp_path, 3, tuning, quiet, 1)
    assert found.art == "mine"
    assert found.before.total == found.after.total
    assert 15 <= found.before.total <= 18  # the first sides, by those of the other
    assert 7 <= found.new_before.total == found.new_after.total <= 9  # the second
    assert found.shown == pytest.approx((18 + 9 + 18) / 3)
    # a step of next to no length leaves the reader as good as it was
    assert abs(found.after.hits - found.before.hits) <= 1
    assert found.before.hits >= 12


def test_pictures_without_designs_or_too_few_are_named(
    rolls: Path, tmp_path: Path
) -> None:
    from datasets.enrolment.tuning_options import TuningOptions

    tuning = TuningOptions(steps=1)
    for folds, words in (
        (1, "folds must be 2 or more, not 1"),
        (4, "mine: 3 pictures cannot be dealt into 4 folds"),
    ):
        with pytest.raises(DataSetError, match=words):
            next(iter(enrol_by_art(rolls, tmp_path, folds, tuning, quiet)))
    records = json.loads((rolls / "labels.json").read_text())
    for record in records:
        del record["art"]
    (tmp_path / "labels.json").write_text(json.dumps(records))
    with pytest.raises(DataSetError, match="no picture says its art"):
        next(iter(enrol_by_art(tmp_path, tmp_path, 2, tuning, quiet)))
