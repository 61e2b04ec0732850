"""A training that is killed outright goes on where it was."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest
import torch

from datasets.body_scenes import BodyOptions
from datasets.body_set import render_bodies
from datasets.body_training import BodyRun, train_bodies
from datasets.crops import CropOptions
from datasets.picture_sets import render_pictures
from datasets.render import render_crops
from datasets.scene import SceneOptions
from datasets.shards import DataSetError
from web_ui.cli import main

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

pytestmark = [
    pytest.mark.train,
    pytest.mark.filterwarnings("ignore"),  # torch and ultralytics warn of themselves
]

LATE_S = 120.0
EPOCHS = 3


def quiet(items: Iterable[int], total: int) -> Iterable[int]:
    return items


def words_for(kind: str, folder: Path) -> list[str]:
    """What to say after `tableside` to train a tiny model; draws its sets."""
    for name, seed in (("data", 1), ("val", 2)):
        if kind == "faces":
            render_crops(folder / name, 1, seed, CropOptions(32), 1, quiet, 16)
        else:
            scenes = SceneOptions(64, 64, 14, 24, full_roll=False)
            render_pictures(folder / name, 4, seed, scenes, 1, quiet)
    sets = ["--data", str(folder / "data"), "--val", str(folder / "val")]
    size = ["--imgsz", "32" if kind == "faces" else "64", "--batch", "8"]
    run = ["--runs", str(folder / "runs"), "--name", "r", "--threads", "1"]
    more = ["--shards-an-epoch", "1"] if kind == "faces" else []
    return ["train", kind, *sets, *size, *run, *more, "--epochs", str(EPOCHS)]


@pytest.mark.parametrize("kind", ["faces", "detector"])
def test_a_killed_training_goes_on(tmp_path: Path, kind: str) -> None:
    words = words_for(kind, tmp_path)
    run = tmp_path / "runs" / "r"
    process = subprocess.Popen(
        [sys.executable, "-m", "web_ui.cli", *words],
        env={
            **os.environ,
            "OMP_NUM_THREADS": "1",
            "PYTHONPATH": os.pathsep.join(sys.path),
        },
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        late = time.monotonic() + LATE_S
        while not (run / "weights" / "last.pt").exists():
            assert process.poll() is None, "it ended by itself"
            assert time.monotonic() < late, "no checkpoint was written"
            time.sleep(0.01)
    finally:
        process.kill()
        process.wait()
    assert not (run / "published").exists()
    torn = run / "weights" / "last.part"
    torn.write_bytes(b"half a checkpoint")  # as if killed while it was written
    assert main(words) == 0
    card = json.loads((run / "published" / f"{kind}.json").read_text())
    assert card["training"]["gone_on"] == 1
    assert card["training"]["epochs"] == EPOCHS
    rows = (run / "results.csv").read_text().splitlines()[1:]
    numbers = [int(row.partition(",")[0]) for row in rows]
    assert sorted(set(numbers)) == list(range(1, EPOCHS + 1))


def body_run(folder: Path, name: str, epochs: int = 4) -> BodyRun:
    data = folder / "bodies"
    render_bodies(data, 1, 1, BodyOptions(), 1, quiet, 64, 4)
    return BodyRun(
        data, folder / f"{name}.pt", epochs=epochs, batch=8, width=4, threads=1
    )


def state_of(path: Path) -> dict[str, Any]:
    state: dict[str, Any] = torch.load(path, weights_only=True)
    return state


def test_bodies_that_were_stopped_become_what_they_would_have_been(
    tmp_path: Path,
) -> None:
    train_bodies(body_run(tmp_path, "whole"), lambda epoch, loss: None)
    stopped = body_run(tmp_path, "stopped")
    told = []

    def stopping(epoch: int, loss: float) -> None:
        told.append(epoch)
        if epoch == 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_bodies(stopped, stopping)
    assert not stopped.weights.exists()
    train_bodies(stopped, stopping)
    assert told == [0, 1, 2, 3]
    whole, again = state_of(tmp_path / "whole.pt"), state_of(stopped.weights)
    assert all(torch.equal(whole[name], again[name]) for name in whole)
    assert not stopped.weights.with_suffix(".going.pt").exists()


def test_bodies_go_on_only_as_they_were_begun(tmp_path: Path) -> None:
    run = body_run(tmp_path, "run")

    def stopping(epoch: int, loss: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_bodies(run, stopping)
    with pytest.raises(DataSetError, match=r"epochs 4, .* was begun, not one with ep"):
        train_bodies(body_run(tmp_path, "run", epochs=9), stopping)
    going = run.weights.with_suffix(".going.pt")
    going.write_bytes(going.read_bytes()[:100])
    with pytest.raises(DataSetError, match=r"run\.going\.pt: not a checkpoint"):
        train_bodies(run, stopping)
