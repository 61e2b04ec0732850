"""What a training run was given, in `run.json` of its folder, so it can be repeated."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from datasets.machine import TRAINING, differences, machine_of, this_machine
from datasets.release import sha256_of
from datasets.run_options import RunOptions
from datasets.shards import MANIFEST, DataSetError
from datasets.training_job import TrainingJob
from datasets.whole_files import write_whole
from scoring.json_files import JsonFileError, read_json

if TYPE_CHECKING:
    from datasets.machine import Machine

FORMAT = "tableside-run/1"
FILE_NAME = "run.json"
HISTORY = "history.json"
PIECES = ("crops-*.npy", "bodies-*.npz", "labels/*.txt", "labels/*.json")
"""Files that say how many pieces of a set there are; their pictures lie beside them."""

TRAINERS = (
    "datasets.training_runs",
    "datasets.face_training",
    "datasets.detector_training",
)
"""Modules whose source, with all that they import, decides what comes of a run."""
BODY = "body"
"""Kind of a training of bodies, which `datasets.body_runs` knows more of."""
JOB = ("kind", "hours", "shards_an_epoch", "captured_share", "captured_by_model")
"""What of a job decides the weights, besides its files."""
OPTIONS = ("model", "imgsz", "batch", "epochs", "lr", "threads", "device", "seed")


@dataclass(frozen=True, slots=True)
class RunPlan:
    """What a manifest says.

    Attributes:
        record: the manifest as JSON.
    """

    record: dict[str, Any]

    @property
    def text(self) -> str:
        """As it is written."""
        return json.dumps(self.record, indent=1, sort_keys=True) + "\n"

    @property
    def digest(self) -> str:
        """Hex SHA-256 of the file."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    @property
    def machine(self) -> Machine:
        """What was installed when the run began."""
        return machine_of(self.record["machine"])


def inventory(folder: Path) -> dict[str, Any]:
    """Which set lies in a folder, without reading all of it.

    A set is decided by its manifest and seed; what is counted here are the pieces that
    are there, by name and size.

    Raises:
        DataSetError: no manifest there.
    """
    digest = hashlib.sha256()
    try:
        digest.update((folder / MANIFEST).read_bytes())
    except OSError as error:
        raise DataSetError(
            f"{folder} is not a set drawn by `tableside dataset`: {error}"
        ) from error
    pieces = sorted(p for kind in PIECES for p in folder.glob(kind))
    pieces = [path for path in pieces if ".part" not in path.name]
    for path in pieces:
        line = f"{path.relative_to(folder).as_posix()} {path.stat().st_size}\n"
        digest.update(line.encode())
    return {"pieces": len(pieces), "digest": digest.hexdigest()}


def plan_of(
    job: TrainingJob, options: RunOptions, captured: dict[str, Any] | None
) -> RunPlan:
    """Say what a run is given.

    Args:
        job: what to train.
        options: measures of the run.
        captured: `Teaching.record` of the captured pictures; None without any.

    Raises:
        DataSetError: a set is missing.
        OSError: the weights to begin with cannot be read.
        FontsError: too few fonts.
    """
    folders = {"train": job.data, "val": job.val}
    folders |= {f"also_{k}": folder for k, folder in enumerate(job.also, start=1)}
    start = None
    if job.start is not None:
        start = {"file": str(job.start.resolve()), "sha256": sha256_of(job.start)}
    options_record, job_record = asdict(options), asdict(job)
    record = {
        "format": FORMAT,
        "job": {name: job_record[name] for name in JOB},
        "options": {name: options_record[name] for name in OPTIONS},
        "sets": {
            name: {"folder": str(folder.resolve()), **inventory(folder)}
            for name, folder in folders.items()
        },
        "captured": None
        if job.captured is None
        else {"folder": str(job.captured.resolve()), **(captured or {})},
        "start": start,
        "machine": this_machine(TRAINING, TRAINERS).record(),
    }
    return RunPlan(json.loads(json.dumps(record)))


def read_plan(path: Path) -> RunPlan:
    """Read a manifest.

    Raises:
        DataSetError: it cannot be read, or is none.
    """
    try:
        record = read_json(path)
        if not isinstance(record, dict) or record.get("format") != FORMAT:
            raise ValueError(f'its "format" is not {FORMAT}')
        plan = RunPlan(record)
        _ = plan.machine
        if record["job"]["kind"] != BODY:
            repeated(plan, Path(), "run")
    except JsonFileError as error:
        raise DataSetError(str(error)) from error
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise DataSetError(f"{path}: not the manifest of a run: {error}") from error
    return plan


def repeated(plan: RunPlan, runs: Path, name: str) -> tuple[TrainingJob, RunOptions]:
    """The job and the options that a manifest asks for, in another folder."""
    record = plan.record
    sets, captured, start = record["sets"], record["captured"], record["start"]
    also = [Path(sets[f"also_{k}"]["folder"]) for k in range(1, len(sets) - 1)]
    job = TrainingJob(
        **record["job"],
        data=Path(sets["train"]["folder"]),
        val=Path(sets["val"]["folder"]),
        measure=None,
        publish=None,
        export_only=False,
        start=Path(start["file"]) if start else None,
        also=tuple(also),
        captured=Path(captured["folder"]) if captured else None,
    )
    return job, RunOptions(name=name, runs=runs, **record["options"])


def moved(job: TrainingJob, places: dict[str, Path]) -> TrainingJob:
    """The same job where files lie elsewhere.

    Args:
        job: what to train.
        places: new folders of `train`, `val`, `also_1`, `captured`, or file of `start`.

    Raises:
        DataSetError: a name is none of these.
    """
    also = {f"also_{k}": folder for k, folder in enumerate(job.also, start=1)}
    known = ("train", "val", "captured", "start", *also)
    if strange := sorted(set(places) - set(known)):
        raise DataSetError(f"{strange[0]}: the manifest names {', '.join(known)}")
    return replace(
        job,
        data=places.get("train", job.data),
        val=places.get("val", job.val),
        captured=places.get("captured", job.captured),
        start=places.get("start", job.start),
        also=tuple(places.get(name, folder) for name, folder in also.items()),
    )


def must_be_same(told: RunPlan, here: RunPlan, *, sets: bool) -> tuple[str, ...]:
    """Hold what a run is given now against what a manifest says.

    Args:
        told: the manifest.
        here: as it is now.
        sets: whether the sets must have just the same pieces; while a run goes on,
            more may have been drawn.

    Returns:
        What differs and does not forbid it, one short sentence each.

    Raises:
        DataSetError: it would be another run; names what differs.
    """
    for part in ("job", "options"):
        for name, wanted in told.record[part].items():
            have = here.record[part].get(name)
            if have != wanted:
                raise DataSetError(
                    f"the run was begun with {name} {wanted!r}, not {have!r}: give it"
                    " another name, or begin it as it was"
                )
    told_start, start = told.record["start"], here.record["start"]
    if (told_start or {}).get("sha256") != (start or {}).get("sha256"):
        raise DataSetError("the run was begun with other weights to start from")
    told_captured, captured = told.record["captured"], here.record["captured"]
    if (told_captured or {}).get("digest") != (captured or {}).get("digest"):
        raise DataSetError("the run was begun with other captured pictures")
    found = []
    if told.record["sets"].keys() != here.record["sets"].keys():
        raise DataSetError("the run was begun with another number of sets")
    for name, facts in told.record["sets"].items():
        have = here.record["sets"][name]
        if have["digest"] != facts["digest"]:
            text = (
                f"the set {name} in {have['folder']} is another: {have['pieces']}"
                f" pieces, {facts['pieces']} in the manifest"
            )
            if sets:
                raise DataSetError(text)
            found.append(text)
    return (*found, *differences(told.machine, here.machine))


def open_run(folder: Path, plan: RunPlan) -> tuple[RunPlan, tuple[str, ...]]:
    """Begin a run in a folder, or go on with the one that is there.

    Returns:
        The manifest that counts, and what differs from it now.

    Raises:
        DataSetError: another run was begun there.
    """
    path = folder / FILE_NAME
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(path, plan.text)
        return plan, ()
    begun = read_plan(path)
    return begun, must_be_same(begun, plan, sets=False)


def note_going_on(folder: Path, epochs: int, differs: tuple[str, ...]) -> int:
    """Note that a run was taken up again: then its weights are not quite repeatable.

    Returns:
        How often that happened so far.
    """
    entries = _history(folder)
    entries.append({"after_epochs": epochs, "differs": list(differs)})
    write_whole(folder / HISTORY, json.dumps(entries, indent=1) + "\n")
    return len(entries)


def times_gone_on(folder: Path) -> int:
    """How often a run was taken up again."""
    return len(_history(folder))


def _history(folder: Path) -> list[dict[str, Any]]:
    path = folder / HISTORY
    entries: list[dict[str, Any]] = (
        json.loads(path.read_text()) if path.exists() else []
    )
    return entries
