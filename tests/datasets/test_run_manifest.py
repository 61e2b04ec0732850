"""A run says what it was given, goes on only as it was begun, and can be repeated."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from datasets import run_manifest
from datasets.crops import CropOptions
from datasets.machine import TRAINING, this_machine
from datasets.render import render_crops
from datasets.run_again import run_again
from datasets.run_manifest import (
    moved,
    must_be_same,
    open_run,
    plan_of,
    read_plan,
    repeated,
)
from datasets.run_options import RunOptions
from datasets.shards import DataSetError
from datasets.training_job import TrainingJob
from datasets.training_runs import RESULT, train_and_publish
from web_ui.cli import main

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

pytestmark = pytest.mark.filterwarnings("ignore")  # torch warns of itself


def quiet(items: Iterable[int], total: int) -> Iterable[int]:
    return items


def tiny_run(folder: Path, epochs: int = 2) -> tuple[TrainingJob, RunOptions]:
    data, val = folder / "crops", folder / "held"
    render_crops(data, 2, 1, CropOptions(32), 1, quiet, 16)
    render_crops(val, 1, 2, CropOptions(32), 1, quiet, 16)
    job = TrainingJob("faces", data, val, None, None, False, None, 1)
    options = RunOptions(
        "first", folder / "runs", "yolov8n-cls.yaml", 32, 8, epochs, 1e-3, threads=1
    )
    return job, options


@pytest.mark.train
def test_a_run_repeated_from_its_manifest_gives_the_same_weights(
    tmp_path: Path,
) -> None:
    job, options = tiny_run(tmp_path)
    card = json.loads(train_and_publish(job, options).read_text())
    first = options.folder / "run.json"
    assert card["training"]["run_sha256"] == read_plan(first).digest
    told: list[str] = []
    again = tmp_path / "again"
    second, same = run_again(first, again, {}, quiet, told.append)
    assert (same, told) == (True, [])
    assert json.loads(second.read_text())["sha256"] == card["sha256"]
    assert (again / "run.json").read_bytes() == first.read_bytes()
    # with another seed the weights are others: what is compared can tell
    other = replace(options, name="other", seed=1)
    train_and_publish(job, other)
    results = [f / RESULT for f in (options.folder, other.folder)]
    assert results[0].read_text() != results[1].read_text()
    # started again, a finished run is published again and nothing is trained
    before = (again / "weights" / "best.pt").read_bytes()
    run_again(first, again, {}, quiet, told.append)
    assert (again / "weights" / "best.pt").read_bytes() == before


def test_a_manifest_says_all_that_a_run_needs(tmp_path: Path) -> None:
    job, options = tiny_run(tmp_path)
    plan = plan_of(job, options, None)
    _, differs = open_run(options.folder, plan)
    assert differs == ()
    held = read_plan(options.folder / "run.json")
    assert held == plan
    job_again, options_again = repeated(held, options.runs, options.name)
    assert (job_again, options_again) == (job, options)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        pytest.param({"epochs": 9}, "epochs 2, not 9", id="epochs"),
        pytest.param({"seed": 4}, "seed 0, not 4", id="seed"),
        pytest.param({"lr": 0.5}, "lr 0.001, not 0.5", id="rate"),
        pytest.param({"device": "0,1"}, "device 'cpu', not '0,1'", id="device"),
    ],
)
def test_a_run_goes_on_only_as_it_was_begun(
    tmp_path: Path, change: dict[str, object], named: str
) -> None:
    job, options = tiny_run(tmp_path)
    open_run(options.folder, plan_of(job, options, None))
    other = replace(options, **change)  # type: ignore[arg-type]  # some field or other
    with pytest.raises(DataSetError, match=named):
        open_run(options.folder, plan_of(job, other, None))


def test_sets_may_grow_while_a_run_goes_on_but_not_for_a_repetition(
    tmp_path: Path,
) -> None:
    job, options = tiny_run(tmp_path)
    plan = plan_of(job, options, None)
    render_crops(job.data, 3, 1, CropOptions(32), 1, quiet, 16)
    grown = plan_of(job, options, None)
    (told,) = must_be_same(plan, grown, sets=False)
    assert "the set train" in told
    assert "3 pieces, 2 in the manifest" in told
    with pytest.raises(DataSetError, match="3 pieces, 2 in the manifest"):
        must_be_same(plan, grown, sets=True)


def test_another_machine_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job, options = tiny_run(tmp_path)
    plan = plan_of(job, options, None)
    here = this_machine(TRAINING, run_manifest.TRAINERS)
    versions = tuple((n, "1" if n == "torch" else v) for n, v in here.packages)
    other = replace(here, fonts="others", packages=versions, python="3.99.1")
    monkeypatch.setattr(run_manifest, "this_machine", lambda *_: other)
    told = must_be_same(plan, plan_of(job, options, None), sets=True)
    assert told[0].startswith("Python is 3.99.1, not 3.")
    assert told[1].startswith("torch is 1, not 2.")
    assert told[2:] == ("the fonts are others",)


def test_sets_that_moved_are_found_by_name(tmp_path: Path) -> None:
    job, _ = tiny_run(tmp_path)
    job = replace(job, also=(tmp_path / "real",))
    elsewhere = moved(job, {"train": tmp_path / "a", "also_1": tmp_path / "b"})
    assert (elsewhere.data, elsewhere.val) == (tmp_path / "a", job.val)
    assert elsewhere.also == (tmp_path / "b",)
    with pytest.raises(DataSetError, match="also_2: the manifest names train, val"):
        moved(job, {"also_2": tmp_path})


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"format": "tableside-run/1"}',
        '{"format": "tableside-run/2", "job": {}}',
        '{"format": "tableside-run/1", "machine": {"python": 3}}',
    ],
)
def test_what_is_no_manifest_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "run.json"
    path.write_text(text)
    with pytest.raises(DataSetError, match=r"run\.json: not (JSON|the manifest)"):
        read_plan(path)


@pytest.mark.train
def test_the_command_names_what_it_cannot_repeat(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", "--from-manifest", str(tmp_path / "none.json")]) == 2
    assert "none.json: cannot be read" in capsys.readouterr().err
    assert main(["train"]) == 2
    assert "either a KIND" in capsys.readouterr().err
