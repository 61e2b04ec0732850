"""From trained weights to the shipped model of bodies, measured on held-out dice."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from datasets.body_set import CUTS, read_bodies
from datasets.body_training import COVERED, FREE, export_bodies, train_bodies
from datasets.release import Release, publish
from datasets.training_runs import set_facts
from vision.body import OUTPUT_NAMES
from vision.reader import load_body_reader

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from datasets.body_set import BodyCrops
    from datasets.body_training import BodyRun

SMALL_PX, LARGE_PX = 30, 45
FALSE_ALARM = 0.01
"""Share of free, flat, real dice at which the shares of found ones are stated."""


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


def train_and_publish_bodies(
    run: BodyRun,
    val: Path,
    folder: Path,
    note: str,
    tell: Callable[[int, float], None],
) -> Path:
    """Train (or, with no epochs, take the weights), export, measure, publish.

    Returns:
        The model card.

    Raises:
        DataSetError: a set is missing.
    """
    facts = {"train": set_facts(run.data), "val": set_facts(val)}
    network = train_bodies(run, tell)
    onnx = run.weights.with_suffix(".onnx")
    held = read_bodies(val)
    export_bodies(network, onnx, held.images.shape[1])
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
        },
        metrics={},
    )
    publish(onnx, folder, release)
    reader = load_body_reader(folder)
    assert reader is not None  # just published
    metrics = measure_bodies(reader.raw(held.images), held)
    return publish(onnx, folder, replace(release, metrics=metrics))
