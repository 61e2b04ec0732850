"""One training from the set on disk to the published model."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from datasets.captured_crops import captured_crops
from datasets.captured_teaching import captured_pictures, teaching_of
from datasets.captured_windows import captured_windows
from datasets.detector_labels import CLASS_NAME, data_yaml
from datasets.half_weights import halve_weights
from datasets.labels.sources import why_none
from datasets.lessons import Lessons, write_lessons
from datasets.release import Release, export_onnx, publish, sha256_of
from datasets.run_manifest import (
    FILE_NAME,
    note_going_on,
    open_run,
    plan_of,
    read_plan,
    times_gone_on,
)
from datasets.run_options import epochs_done
from datasets.shards import (
    MANIFEST,
    DataSetError,
    read_manifest,
    read_shard,
    whole_shards,
)
from datasets.training_checks import gate, measure
from datasets.whole_files import write_whole
from vision.classes import CLASS_NAMES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from datasets.captured_teaching import Teaching
    from datasets.render import Progress
    from datasets.run_manifest import RunPlan
    from datasets.run_options import RunOptions
    from datasets.training_job import TrainingJob

RESULT = "result.json"
"""File of a run that says which weights came out."""

DETECTOR_INPUT_PX = (544, 960)
"""Height and width at which the detector is shipped: three quarters of 720p."""
DETECTOR_QUICK_PX = (384, 640)
"""For a first look: half of 720p. On 200 held-out rolls dice from 40 pixels on were
read as well as with the whole input, in 0.43 of its time."""


def train_and_publish(
    job: TrainingJob,
    options: RunOptions,
    progress: Progress | None = None,
    tell: Callable[[str], None] | None = None,
) -> Path:
    """Train or resume, export, hold against the trained network, measure, publish.

    What ships has float16 weights, half the size. All checks are made with that file,
    in a folder of the run; only a model that passes gets to the folder it is meant for.

    Args:
        job: what to train.
        options: measures of the run.
        progress: shows a bar while captured pictures are cut; None: shows none.
        tell: is told what differs from the manifest of a run that goes on.

    Returns:
        The model card.

    Raises:
        ExportDiffersError: the exported network does not read as the trained one.
        DataSetError: a set is missing or of another kind, crops are not as large as
            the input of the network, nothing was trained, or another run was begun in
            this folder.
    """
    data = {"train": set_facts(job.data), "val": set_facts(job.val)}
    data |= {f"also_{k}": set_facts(also) for k, also in enumerate(job.also, start=1)}
    if job.kind == "faces":
        _fit_crops(job, options)
    best = options.folder / "weights" / "best.pt"
    if not job.export_only:
        _train(job, options, progress or _silent, tell or _unheard)
    if (captured := captured_facts(options.folder)) is not None:
        data["captured"] = captured
    if not best.exists():
        raise DataSetError(f"{best}: no trained weights to export")
    digest = _note_result(options.folder, best)
    faces = job.kind == "faces"
    input_px = (options.imgsz, options.imgsz) if faces else DETECTOR_INPUT_PX
    onnx = export_onnx(best, input_px, one_picture=not faces)
    halve_weights(onnx, onnx)
    release = Release(
        kind=job.kind,
        input_px=input_px,
        classes=CLASS_NAMES if faces else (CLASS_NAME,),
        data=data,
        training={**_training(options, job.note), "weights_sha256": digest},
        metrics={},
        quick_px=None if faces else DETECTOR_QUICK_PX,
    )
    candidate = options.folder / "candidate"
    publish(onnx, candidate, release)
    passed = gate(job, best, candidate, release)
    # the last that passed is the fastest; what is measured is run as it will be
    precision = [name for name, facts in passed.items() if "refused" not in facts][-1]
    release = replace(release, precision=precision)
    publish(onnx, candidate, release)
    metrics = {"export_gate": passed, **measure(job, candidate)}
    folder = job.publish or options.folder / "published"
    return publish(onnx, folder, replace(release, metrics=metrics))


def set_facts(folder: Path) -> dict[str, Any]:
    """What the manifest of a set says, for the card of a model that learned from it.

    Raises:
        DataSetError: no set there.
    """
    path = folder / MANIFEST
    try:
        facts: dict[str, Any] = json.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise DataSetError(
            f"{folder} is not a set drawn by `tableside dataset`: {error}"
        ) from error
    if "photos" in facts and isinstance(facts["photos"], str):
        facts["photos"] = bool(facts["photos"])  # a path says nothing elsewhere
    return facts


def _fit_crops(job: TrainingJob, options: RunOptions) -> None:
    """Refuse crops that the network could train on, but the exported file not read.

    Crops of captured pictures are cut as large as those of the set to learn from.

    Raises:
        DataSetError: naming the set, the size of its crops and that of the input.
    """
    for folder in (job.data, job.val, *job.also, job.measure):
        shards = whole_shards(folder) if folder is not None else []
        if not shards:
            continue
        side = read_shard(shards[0])[0].shape[1]
        if side != options.imgsz:
            raise DataSetError(
                f"{folder} holds crops of {side} px, and --imgsz is {options.imgsz}:"
                f" crops are not scaled; give --imgsz {side} or a set drawn with"
                f" --crop-px {options.imgsz}"
            )


def _training(options: RunOptions, note: str) -> dict[str, Any]:
    manifest = options.folder / FILE_NAME
    return {
        "network": Path(options.model).name,
        "imgsz": options.imgsz,
        "batch": options.batch,
        "epochs": epochs_done(options),
        "rate": options.lr,
        "seed": options.seed,
        "note": note,
        "run_sha256": sha256_of(manifest) if manifest.exists() else None,
        "gone_on": times_gone_on(options.folder),
    }


def captured_facts(run: Path) -> dict[str, Any] | None:
    """Which captured pictures a run learned from; None: from none."""
    path = run / FILE_NAME
    captured = read_plan(path).record["captured"] if path.exists() else None
    if captured is None:
        return None
    return {name: fact for name, fact in captured.items() if name != "folder"}


def _silent(items: Iterable[int], total: int) -> Iterable[int]:
    return items


def _unheard(text: str) -> None:
    pass


def _train(
    job: TrainingJob,
    options: RunOptions,
    progress: Progress,
    tell: Callable[[str], None],
) -> None:
    """Begin or go on; nothing is done if the run is finished."""
    # torch and ultralytics take seconds to import and are not needed to publish
    from datasets.ultralytics_training import is_finished, run_trainer

    plan, teaching = plan_for(job, options)
    _, differs = open_run(options.folder, plan)
    for text in differs:
        tell(text)
    if is_finished(options):
        return
    if options.last.exists():
        note_going_on(options.folder, epochs_done(options), differs)
    extra: dict[str, Any] = {"time": job.hours} if job.hours else {}
    if job.kind == "faces":
        from datasets.face_training import FaceTrainer

        write_lessons(options.folder, _faces(job, options, teaching, progress))
        run_trainer(FaceTrainer, options, extra)
        return
    from datasets.detector_training import NO_AUGMENTATION, QuadTrainer

    lessons = _detector(job, options, teaching, progress)
    write_lessons(options.folder, lessons)
    yaml = options.folder / "data.yaml"
    train = [str(folder / "images") for folder in (lessons.train, *lessons.also)]
    write_whole(yaml, data_yaml(train, str(job.val / "images")))
    run_trainer(QuadTrainer, options, {**NO_AUGMENTATION, **extra, "data": str(yaml)})


def plan_for(job: TrainingJob, options: RunOptions) -> tuple[RunPlan, Teaching | None]:
    """What a run is given as things are now, and the captured pictures that teach.

    Raises:
        DataSetError: a set is missing, or no captured picture may teach.
    """
    teaching = None
    if job.captured is not None:
        pictures = captured_pictures(job.captured, by_model=job.captured_by_model)
        if not pictures:
            raise DataSetError(why_none(job.captured))
        teaching = teaching_of(pictures, job.captured.name, job.captured_by_model)
    return plan_of(job, options, teaching.record() if teaching else None), teaching


def _note_result(run: Path, weights: Path) -> str:
    """Write down which weights came out, for whoever repeats the run."""
    from datasets.trained_network import weights_digest

    digest = weights_digest(weights)
    text = json.dumps({"weights_sha256": digest}, indent=1)
    write_whole(run / RESULT, text + "\n")
    return digest


def _lessons(job: TrainingJob) -> Lessons:
    start = job.start.resolve() if job.start else None
    return Lessons(
        job.data.resolve(),
        job.val.resolve(),
        tuple(folder.resolve() for folder in job.also),
        job.shards_an_epoch,
        start,
    )


def _faces(
    job: TrainingJob, options: RunOptions, teaching: Teaching | None, progress: Progress
) -> Lessons:
    """The lessons of the face reader; crops of captured pictures are cut for it."""
    lessons = _lessons(job)
    if teaching is None:
        return lessons
    set_is = read_manifest(job.data)
    drawn = set_is.shard_crops * (job.shards_an_epoch + len(job.also))
    wanted = round(drawn * job.captured_share / (1 - job.captured_share))
    folder = options.folder / "captured"
    captured_crops(
        folder,
        teaching,
        set_is.crop_px,
        set_is.shard_crops,
        wanted,
        options.seed,
        progress,
    )
    return replace(lessons, captured=folder.resolve(), captured_an_epoch=wanted)


def _detector(
    job: TrainingJob, options: RunOptions, teaching: Teaching | None, progress: Progress
) -> Lessons:
    """The lessons of the detector; windows of captured pictures are cut for it."""
    lessons = _lessons(job)
    if teaching is None:
        return lessons
    folders = (job.data, *job.also)
    drawn = sum(1 for folder in folders for _ in folder.glob("labels/*.txt"))
    wanted = max(1, round(drawn * job.captured_share / (1 - job.captured_share)))
    folder = options.folder / "captured"
    captured_windows(folder, teaching, wanted, options.seed, progress)
    return replace(lessons, also=(*lessons.also, folder.resolve()))
