"""Manifests of trainings of bodies: begun, gone on with, repeated."""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from datasets.body_checkpoint import BodyCheckpoint
from datasets.body_training import BodyRun, plan_text
from datasets.machine import TRAINING, this_machine
from datasets.release import sha256_of
from datasets.run_manifest import (
    BODY,
    FORMAT,
    RunPlan,
    inventory,
    must_be_same,
    read_plan,
)
from datasets.shards import DataSetError
from datasets.whole_files import write_whole

if TYPE_CHECKING:
    from collections.abc import Callable

OPTIONS = ("epochs", "batch", "rate", "width", "seed", "threads")


def manifest_path(weights: Path) -> Path:
    """Manifest of the training that made some weights."""
    return weights.with_suffix(".run.json")


def start_path(weights: Path) -> Path:
    """Copy of the weights that a training began with."""
    return weights.with_suffix(".start.pt")


def body_plan(run: BodyRun, val: Path) -> RunPlan:
    """Say what a training is given; it begins with the copied weights, if any.

    Raises:
        DataSetError: a set is missing.
        FontsError: too few fonts.
    """
    start = start_path(run.weights)
    options = asdict(run)
    record: dict[str, Any] = {
        "format": FORMAT,
        "job": {"kind": BODY},
        "options": {name: options[name] for name in OPTIONS},
        "sets": {
            name: {"folder": str(folder.resolve()), **inventory(folder)}
            for name, folder in (("train", run.data), ("val", val))
        },
        "captured": None,
        "start": {"file": str(start.resolve()), "sha256": sha256_of(start)}
        if start.exists()
        else None,
        "machine": this_machine(TRAINING, ("datasets.body_training",)).record(),
    }
    return RunPlan(json.loads(json.dumps(record)))


def begin_bodies(run: BodyRun, val: Path, tell: Callable[[str], None]) -> str:
    """Write the manifest of a training, or see that the one that goes on is this.

    Args:
        run: what to do; nothing is begun without epochs.
        val: held-out set.
        tell: is told what differs now from when it was begun.

    Returns:
        Hex SHA-256 of the manifest that counts; empty if there is none.

    Raises:
        DataSetError: a set is missing, or another training was begun.
    """
    path = manifest_path(run.weights)
    if run.epochs < 1:
        return read_plan(path).digest if path.exists() else ""
    going = BodyCheckpoint(run.weights, plan_text(run)).path.exists()
    if going and path.exists():
        begun = read_plan(path)
        for text in must_be_same(begun, body_plan(run, val), sets=False):
            tell(text)
        return begun.digest
    run.weights.parent.mkdir(parents=True, exist_ok=True)
    start_path(run.weights).unlink(missing_ok=True)
    if run.weights.exists():
        shutil.copyfile(run.weights, start_path(run.weights))
    plan = body_plan(run, val)
    write_whole(path, plan.text)
    return plan.digest


def bodies_again(
    plan: RunPlan, into: Path, places: dict[str, Path], tell: Callable[[str], None]
) -> tuple[BodyRun, Path]:
    """Get a training ready that repeats another one.

    Args:
        plan: the manifest of a training of bodies.
        into: folder of the new one; made if missing.
        places: where files lie now: `train`, `val`, `start`.
        tell: is told what differs and may change the weights.

    Returns:
        What to do, and the held-out set.

    Raises:
        DataSetError: a set or the weights to begin with are missing or others, or a
            name is none of these.
    """
    if strange := sorted(set(places) - {"train", "val", "start"}):
        raise DataSetError(f"{strange[0]}: the manifest names train, val, start")
    record = plan.record
    data, val = (
        places.get(name, Path(record["sets"][name]["folder"]))
        for name in ("train", "val")
    )
    into.mkdir(parents=True, exist_ok=True)
    run = BodyRun(data, into / "body.pt", **record["options"])
    going = BodyCheckpoint(run.weights, plan_text(run)).path.exists()
    if record["start"] and not going and not run.weights.exists():
        start = places.get("start", Path(record["start"]["file"]))
        if not start.exists() or sha256_of(start) != record["start"]["sha256"]:
            raise DataSetError(f"{start}: not the weights that were begun with")
        shutil.copyfile(start, run.weights)
        shutil.copyfile(start, start_path(run.weights))
    for text in must_be_same(plan, body_plan(run, val), sets=True):
        tell(text)
    return run, val
