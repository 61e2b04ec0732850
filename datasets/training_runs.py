"""One training from the set on disk to the published model."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from datasets.detector_labels import CLASS_NAME, data_yaml
from datasets.detector_metrics import measure_detector
from datasets.export_gate import ExportDiffersError, gate_detector, gate_faces
from datasets.face_metrics import measure_faces
from datasets.half_weights import halve_weights
from datasets.release import Release, export_onnx, publish
from datasets.shards import MANIFEST, DataSetError
from vision.classes import CLASS_NAMES

if TYPE_CHECKING:
    from datasets.run_options import RunOptions

DETECTOR_INPUT_PX = (544, 960)
"""Height and width at which the detector is shipped: three quarters of 720p."""
DETECTOR_QUICK_PX = (384, 640)
"""For a first look: half of 720p. On 200 held-out rolls dice from 40 pixels on were
read as well as with the whole input, in 0.43 of its time."""


@dataclass(frozen=True, slots=True)
class TrainingJob:
    """What to train and where to put it.

    Attributes:
        kind: `detector` or `faces`.
        data: set to learn from.
        val: set by which the best weights are chosen.
        measure: held-out set for the card; None: `val` for faces, nothing for the
            detector.
        publish: folder for model and card; None: beside the weights.
        export_only: do not train, publish the best weights of the run.
        hours: train this long instead of the number of epochs.
        shards_an_epoch: of crops; for faces only.
        start: weights to begin with: a published ONNX file or a state dict.
        also: sets mixed into `data`, as those made from real photos; for faces one
            shard of each in every epoch.
        note: for the card, what the settings do not say, as runs that went before.
    """

    kind: str
    data: Path
    val: Path
    measure: Path | None
    publish: Path | None
    export_only: bool
    hours: float | None
    shards_an_epoch: int
    start: Path | None = None
    note: str = ""
    also: tuple[Path, ...] = ()


def train_and_publish(job: TrainingJob, options: RunOptions) -> Path:
    """Train or resume, export, hold against the trained network, measure, publish.

    What ships has float16 weights, half the size. All checks are made with that file,
    in a folder of the run; only a model that passes gets to the folder it is meant for.

    Returns:
        The model card.

    Raises:
        ExportDiffersError: the exported network does not read as the trained one.
        DataSetError: a set is missing or of another kind, or nothing was trained.
    """
    data = {"train": set_facts(job.data), "val": set_facts(job.val)}
    data |= {f"also_{k}": set_facts(also) for k, also in enumerate(job.also, start=1)}
    best = options.folder / "weights" / "best.pt"
    if not job.export_only:
        best = _train(job, options)
    if not best.exists():
        raise DataSetError(f"{best}: no trained weights to export")
    faces = job.kind == "faces"
    input_px = (options.imgsz, options.imgsz) if faces else DETECTOR_INPUT_PX
    onnx = export_onnx(best, input_px, one_picture=not faces)
    halve_weights(onnx, onnx)
    release = Release(
        kind=job.kind,
        input_px=input_px,
        classes=CLASS_NAMES if faces else (CLASS_NAME,),
        data=data,
        training=_training(options, job.note),
        metrics={},
        quick_px=None if faces else DETECTOR_QUICK_PX,
    )
    candidate = options.folder / "candidate"
    publish(onnx, candidate, release)
    passed = _gate(job, best, candidate, release)
    # the last that passed is the fastest; what is measured is run as it will be
    precision = [name for name, facts in passed.items() if "refused" not in facts][-1]
    release = replace(release, precision=precision)
    publish(onnx, candidate, release)
    metrics = {"export_gate": passed, **_measure(job, candidate)}
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


def _training(options: RunOptions, note: str) -> dict[str, Any]:
    done = 0
    results = options.folder / "results.csv"
    if results.exists():
        done = len(results.read_text().splitlines()) - 1
    return {
        "network": Path(options.model).name,
        "imgsz": options.imgsz,
        "batch": options.batch,
        "epochs": done,
        "rate": options.lr,
        "seed": options.seed,
        "note": note,
    }


def _train(job: TrainingJob, options: RunOptions) -> Path:
    # torch and ultralytics take seconds to import and are not needed to publish
    from datasets.ultralytics_training import run_trainer

    extra: dict[str, Any] = {"time": job.hours} if job.hours else {}
    if job.kind == "faces":
        from datasets.face_training import FaceTrainer

        FaceTrainer.train_folder = job.data
        FaceTrainer.val_folder = job.val
        FaceTrainer.also_folders = job.also
        FaceTrainer.shards_an_epoch = job.shards_an_epoch
        FaceTrainer.start = job.start
        return run_trainer(FaceTrainer, options, extra)
    from datasets.detector_training import NO_AUGMENTATION, QuadTrainer

    QuadTrainer.start = job.start
    options.folder.mkdir(parents=True, exist_ok=True)
    yaml = options.folder / "data.yaml"
    train = [str(folder / "images") for folder in (job.data, *job.also)]
    yaml.write_text(data_yaml(train, str(job.val / "images")))
    return run_trainer(
        QuadTrainer, options, {**NO_AUGMENTATION, **extra, "data": str(yaml)}
    )


def _gate(
    job: TrainingJob, weights: Path, folder: Path, release: Release
) -> dict[str, Any]:
    """Hold the model of a folder against the weights it was exported from.

    A detector is held against them at each of its inputs.

    Returns:
        What was found for each precision that this processor computes in, slowest
        first. Only `f32` must pass; another is not used if it does not.
    """
    from datasets.trained_network import TrainedNetwork
    from vision.openvino_runtime import OpenVinoNetwork, computes_in_bf16

    trained = TrainedNetwork(weights)
    fixed = job.measure or job.val

    def held_against(precision: str) -> dict[str, Any]:
        def exported(size_px: tuple[int, int]) -> OpenVinoNetwork:
            return OpenVinoNetwork(
                folder / f"{job.kind}.onnx", 0, precision, size_px=size_px
            )

        whole, quick = release.input_px, release.quick_px
        if job.kind == "faces":
            return gate_faces(trained, exported(whole), whole[0], fixed)
        facts = gate_detector(trained, exported(whole), whole, fixed)
        if quick is not None:
            facts["quick"] = gate_detector(trained, exported(quick), quick, fixed)
        return facts

    passed = {"f32": held_against("f32")}
    if computes_in_bf16():
        try:
            passed["bf16"] = held_against("bf16")
        except ExportDiffersError as error:
            passed["bf16"] = {"refused": str(error)}
    return passed


def _measure(job: TrainingJob, folder: Path) -> dict[str, Any]:
    from vision.reader import load_detector, load_face_reader

    if job.kind == "faces":
        scores = measure_faces(load_face_reader(folder), job.measure or job.val)
        return {"held_out_crops": [asdict(score) for score in scores]}
    if job.measure is None:
        return {}
    score = measure_detector(load_detector(folder), job.measure)
    return {"held_out_rolls": asdict(score)}
