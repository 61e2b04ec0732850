"""From trained weights to the shipped model of bodies, measured on held-out dice."""

from __future__ import annotations

import tempfile
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from datasets.body_runs import begin_bodies
from datasets.body_set import CUTS, read_bodies
from datasets.body_training import (
    COVERED,
    FREE,
    export_bodies,
    said_by,
    train_bodies,
)
from datasets.export_gate import ExportDiffersError
from datasets.half_weights import halve_weights
from datasets.release import Release, publish
from datasets.training_runs import set_facts
from vision.body import OUTPUT_NAMES
from vision.reader import load_body_reader

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from datasets.body_set import BodyCrops
    from datasets.body_training import BodyRun

    Said = NDArray[np.float32]

SMALL_PX, LARGE_PX = 30, 45
FALSE_ALARM = 0.01
"""Share of free, flat, real dice at which the shares of found ones are stated."""
MOST_APART = {"lengths_apart": 0.02, "log_spreads_apart": 0.05, "logits_apart": 0.1}
"""How far the exported network may be from the trained one: sides, logs, log-odds."""


@dataclass(frozen=True, slots=True)
class BodyScore:
    """How well bodies of held-out dice are seen; lengths in sides of the face.

    Attributes:
        crops: how many cut-outs of free faces.
        foot: root mean square error of a coordinate of the foot.
        foot_99: length of the error that one in a hundred exceeds.
        halves: root mean square error of a coordinate of the quad's half-diagonals ...
        stated_halves: ... and that of the quads given.
    """

    crops: int
    foot: float
    foot_99: float
    halves: float
    stated_halves: float


def measure_bodies(said: np.ndarray, held: BodyCrops) -> dict[str, Any]:
    """Compare a network's raw output with the truth.

    Args:
        said: (N, 13), see `vision.body.OUTPUT_NAMES`.
        held: the cut-outs.

    Returns:
        Scores by width of the dice, and which share of covered, stacked and printed
        faces is told where one in a hundred others is told wrongly.
    """
    free = (held.visible > FREE) & ~held.printed
    groups = {
        f"under {SMALL_PX} px": held.die_px < SMALL_PX,
        f"{SMALL_PX} to {LARGE_PX} px": (held.die_px >= SMALL_PX)
        & (held.die_px < LARGE_PX),
        f"over {LARGE_PX} px": held.die_px >= LARGE_PX,
    }
    scores = {}
    for name, group in groups.items():
        chosen = free & group
        if not chosen.any():
            continue
        off = said[chosen, :8] - held.shape[chosen]
        foot = np.hypot(off[:, 6], off[:, 7])
        scores[name] = asdict(
            BodyScore(
                int(chosen.sum()),
                round(float(np.sqrt((off[:, 6:8] ** 2).mean())), 4),
                round(float(np.quantile(foot, 0.99)), 4),
                round(float(np.sqrt((off[:, 2:6] ** 2).mean())), 4),
                round(float(np.sqrt((held.shape[chosen, 2:6] ** 2).mean())), 4),
            )
        )
    kinds = {
        "covered": (said[:, 10], held.visible < COVERED, held.visible > FREE),
        "stacked": (said[:, 11], held.stacked, ~held.stacked),
        "printed": (said[:, 12], held.printed, ~held.printed),
    }
    told = {}
    for name, (logit, yes, no) in kinds.items():
        if yes.any() and no.any():
            limit = float(np.quantile(logit[no], 1 - FALSE_ALARM))
            told[name] = {
                "told": round(float((logit[yes] > limit).mean()), 3),
                "limit": round(float(1 / (1 + np.exp(-limit))), 3),
                "of": int(yes.sum()),
            }
    return {"free_faces": scores, "at_1_percent_false_alarms": told}


def gate_bodies(trained: Said, exported: Said) -> dict[str, float]:
    """Hold what the exported network says of cut-outs against the trained one.

    Args:
        trained: (N, 13), see `vision.body.OUTPUT_NAMES`.
        exported: likewise.

    Returns:
        The greatest differences, for the card.

    Raises:
        ExportDiffersError: more differs than `MOST_APART` allows.
    """
    apart = np.abs(trained - exported).max(axis=0)
    found = {
        "lengths_apart": float(apart[:8].max()),
        "log_spreads_apart": float(apart[8:10].max()),
        "logits_apart": float(apart[10:].max()),
    }
    wrong = [
        f"{name} {found[name]:.3g} ({most:g} allowed)"
        for name, most in MOST_APART.items()
        if not found[name] <= most
    ]
    if wrong:
        raise ExportDiffersError(
            "the exported body network does not say what the trained one says: "
            + "; ".join(wrong)
        )
    return {name: round(value, 5) for name, value in found.items()}


def train_and_publish_bodies(
    run: BodyRun,
    val: Path,
    folder: Path,
    note: str,
    tell: Callable[[int, float], None],
    differs: Callable[[str], None] = lambda _: None,
) -> Path:
    """Train (or, with no epochs, take the weights), export, measure, publish.

    What ships has float16 weights; only a file that says of the held-out set what the
    trained network says of it gets to the folder.

    Args:
        run: what to train.
        val: held-out set.
        folder: gets model and card.
        note: for the card.
        tell: is given each epoch's number and mean loss.
        differs: is told what differs from the manifest of a training that goes on.

    Returns:
        The model card.

    Raises:
        DataSetError: a set is missing, or another training was begun.
        ExportDiffersError: the exported network does not say what the trained one says.
    """
    facts = {"train": set_facts(run.data), "val": set_facts(val)}
    manifest = begin_bodies(run, val, differs)
    network = train_bodies(run, tell)
    onnx = run.weights.with_suffix(".onnx")
    held = read_bodies(val)
    export_bodies(network, onnx, held.images.shape[1])
    halve_weights(onnx, onnx)
    release = Release(
        kind="body",
        input_px=(held.images.shape[1], held.images.shape[1]),
        classes=OUTPUT_NAMES,
        data={**facts, "cuts_a_face": CUTS},
        training={
            "epochs": run.epochs,
            "batch": run.batch,
            "rate": run.rate,
            "width": run.width,
            "seed": run.seed,
            "note": note,
            "run_sha256": manifest or None,
        },
        metrics={},
    )
    with tempfile.TemporaryDirectory() as candidate:
        publish(onnx, Path(candidate), release)
        reader = load_body_reader(Path(candidate))
        assert reader is not None  # just published
        said = reader.raw(held.images)
    gate = gate_bodies(said_by(network, held.images), said)
    metrics = {"export_gate": gate, **measure_bodies(said, held)}
    return publish(onnx, folder, replace(release, metrics=metrics))
