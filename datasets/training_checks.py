"""A trained model held against its weights and measured, before it is published."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from datasets.detector_metrics import measure_detector
from datasets.export_gate import ExportDiffersError, gate_detector, gate_faces
from datasets.face_metrics import measure_faces

if TYPE_CHECKING:
    from pathlib import Path

    from datasets.release import Release
    from datasets.training_job import TrainingJob


def gate(
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


def measure(job: TrainingJob, folder: Path) -> dict[str, Any]:
    """Measure the model of a folder on the held-out set of a job, for its card."""
    from vision.reader import load_detector, load_face_reader

    if job.kind == "faces":
        scores = measure_faces(load_face_reader(folder), job.measure or job.val)
        return {"held_out_crops": [asdict(score) for score in scores]}
    if job.measure is None:
        return {}
    score = measure_detector(load_detector(folder), job.measure)
    return {"held_out_rolls": asdict(score)}
