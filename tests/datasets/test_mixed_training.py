"""Sets made from real photos are mixed into the drawn ones."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from datasets.crops import CropOptions
from datasets.picture_sets import render_pictures
from datasets.render import render_crops
from datasets.run_options import RunOptions
from datasets.scene import SceneOptions
from datasets.shards import DataSetError
from datasets.training_job import TrainingJob
from datasets.training_runs import train_and_publish

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

pytestmark = [
    pytest.mark.train,
    pytest.mark.filterwarnings("ignore"),  # torch and ultralytics warn of themselves
]


def quiet(items: Iterable[int], total: int) -> Iterable[int]:
    return items


def test_an_epoch_sees_a_shard_of_every_set_that_is_mixed_in(tmp_path: Path) -> None:
    from datasets.face_training import ShardCrops

    render_crops(tmp_path / "drawn", 2, 1, CropOptions(32), 1, quiet, 8)
    render_crops(tmp_path / "real", 3, 2, CropOptions(32), 1, quiet, 8)
    alone = ShardCrops(tmp_path / "drawn", 2, augment=False)
    mixed = ShardCrops(tmp_path / "drawn", 2, False, (tmp_path / "real",))
    assert (len(alone), len(mixed)) == (16, 24)
    for place in range(16):
        assert (alone[place]["img"] == mixed[place]["img"]).all()
    seen = []
    for epoch in range(4):
        mixed.open_epoch(epoch)
        seen.append(mixed[16]["img"])
    assert (seen[0] == seen[3]).all()  # three shards take turns
    assert not (seen[0] == seen[1]).all()


def test_sets_of_other_crops_cannot_be_mixed(tmp_path: Path) -> None:
    from datasets.face_training import ShardCrops

    render_crops(tmp_path / "drawn", 1, 1, CropOptions(32), 1, quiet, 8)
    render_crops(tmp_path / "real", 1, 2, CropOptions(24), 1, quiet, 8)
    with pytest.raises(DataSetError, match="mixed only if these are equal"):
        ShardCrops(tmp_path / "drawn", 1, False, (tmp_path / "real",))
    (tmp_path / "none").mkdir()
    with pytest.raises(DataSetError, match=r"none: no crop shard"):
        ShardCrops(tmp_path / "drawn", 1, False, (tmp_path / "none",))


def test_a_detector_learns_from_two_sets_and_its_card_names_both(
    tmp_path: Path,
) -> None:
    options = SceneOptions(64, 64, 14, 24, full_roll=False)
    for name, seed in (("train", 1), ("also", 2), ("val", 3)):
        render_pictures(tmp_path / name, 4, seed, options, 1, quiet)
    job = TrainingJob(
        "detector",
        tmp_path / "train",
        tmp_path / "val",
        None,
        tmp_path / "models",
        export_only=False,
        hours=None,
        shards_an_epoch=0,
        also=(tmp_path / "also",),
    )
    run = RunOptions("d", tmp_path / "runs", "yolov5n.yaml", 64, 8, 1, 1e-3, threads=1)
    card = json.loads(train_and_publish(job, run).read_text())
    assert [card["data"][k]["seed"] for k in ("train", "also_1", "val")] == [1, 2, 3]
    assert str(tmp_path / "also" / "images") in (run.folder / "data.yaml").read_text()
    # one step of eight pictures: both sets were read
    assert (tmp_path / "also" / "labels.cache").exists()
