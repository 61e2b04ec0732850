"""What calibration rests on: evidence of labelled rolls, and their temperature."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from datasets.eval_matching import Place, iou_table, pair_up
from datasets.eval_places import place_of
from datasets.shards import DataSetError
from scoring.cards import ALL_FACES
from vision.decode import beliefs
from vision.errors import SourceError
from vision.pictures import load_picture

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from datasets.eval_labels import LabelledPicture
    from datasets.render import Progress
    from scoring.dice_sets import DiceSet
    from vision.face_reading import Evidence
    from vision.picture_quality import PictureLight
    from vision.reader import RollReader

    Floats = NDArray[np.float64]

LEAST_IOU = 0.4
TEMPERATURES = np.geomspace(0.4, 4.0, 61)


@dataclass(frozen=True, slots=True, eq=False)
class Observed:
    """What a reader gathered of one labelled picture, before anything is decided.

    Attributes:
        label: what is there.
        evidence: the sightings.
        light: of the picture.
        size_px: width and height.
    """

    label: LabelledPicture
    evidence: tuple[Evidence, ...]
    light: PictureLight | None
    size_px: tuple[int, int]


def observe(
    reader: RollReader, labels: Sequence[LabelledPicture], progress: Progress
) -> tuple[Observed, ...]:
    """Gather evidence of labelled pictures.

    Args:
        reader: who looks.
        labels: what is there; clips are not taken.
        progress: shows a bar.

    Raises:
        DataSetError: a picture cannot be read or was too large to be read whole.
    """
    out = []
    for number in progress(range(len(labels)), len(labels)):
        label = labels[number]
        try:
            loaded = load_picture(label.path)
        except SourceError as error:
            raise DataSetError(str(error)) from error
        if loaded.shrunk != 1.0:
            raise DataSetError(f"{label.path}: too large to calibrate with")
        height, width = loaded.image.shape[:2]
        evidence = reader.evidence(loaded.image)
        sized = replace(label, width=float(width), height=float(height))
        out.append(Observed(sized, evidence, reader.light, (width, height)))
    return tuple(out)


def fit_temperature(
    observed: Sequence[Observed], dice_set: DiceSet
) -> tuple[float, float, float]:
    """The temperature under which the right faces are likeliest.

    Guo et al., "On Calibration of Modern Neural Networks" (2017): one number divides
    all log-probabilities; it changes how sure a reader is, never what it says first.

    Returns:
        Temperature, and the mean loss without and with it.

    Raises:
        DataSetError: no labelled face was found in the pictures.
    """
    rows: list[Floats] = []
    truth: list[int] = []
    for one in observed:
        held = beliefs(one.evidence, dice_set)
        for die, k in _pairs(one):
            face = one.label.dice[die].face
            if face in held.faces:
                columns = [ALL_FACES.index(f) for f in held.faces]
                rows.append(np.logaddexp.reduce(one.evidence[k].log_p, axis=1)[columns])
                truth.append(held.faces.index(face))
    if not rows:
        raise DataSetError("no die with a known face was found in these pictures")
    log_p, right = np.array(rows), np.array(truth)

    def loss(temperature: float) -> float:
        scaled = log_p / temperature
        whole = np.logaddexp.reduce(scaled, axis=1)
        return float((whole - scaled[np.arange(len(right)), right]).mean())

    losses = [loss(float(t)) for t in TEMPERATURES]
    best = int(np.argmin(losses))
    return float(TEMPERATURES[best]), loss(1.0), losses[best]


def _pairs(one: Observed) -> list[tuple[int, int]]:
    """Which sighting fits which labelled die."""
    truth = [place_of(die) for die in one.label.dice]
    quads = [_continuous(piece.quad) for piece in one.evidence]
    table = iou_table(truth, quads, *one.size_px)
    return [(pair.truth, pair.said) for pair in pair_up(table, LEAST_IOU)]


def _continuous(quad: Floats) -> Place:
    a, b, c, d = ((float(x) + 0.5, float(y) + 0.5) for x, y in quad)
    return Place((a, b, c, d))
