"""Setting the limits of doubt from held-out rolls: temperature, then risk."""

from __future__ import annotations

import itertools
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from datasets.eval_matching import iou_table, pair_up
from datasets.eval_places import place_of
from datasets.eval_results import RollKind
from datasets.evaluation import EvalOptions, Evaluator
from datasets.intervals import clopper_pearson
from datasets.shards import DataSetError
from scoring.cards import ALL_FACES
from vision.decode import beliefs
from vision.errors import SourceError
from vision.pictures import load_picture
from vision.reading import Status
from vision.verdict import judge

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from datasets.eval_labels import LabelledPicture
    from datasets.render import Progress
    from scoring.dice_sets import DiceSet
    from vision.face_reading import Evidence
    from vision.limits import Limits
    from vision.picture_quality import PictureLight
    from vision.reader import RollReader

    Floats = NDArray[np.float64]

LEAST_IOU = 0.4
CHOICES: dict[str, tuple[float, ...]] = {
    "sure_score": (0.3, 0.45, 0.6),
    "most_spreads": (3.0, 4.0, 5.0),
    "covered": (0.3, 0.7),
}
"""Values of further limits among which the calibration chooses: of the detector's
score, of a foot out of place, and of a face that is covered."""

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


@dataclass(frozen=True, slots=True)
class Risk:
    """How often rolls of a part of the set were wrong while sure.

    Attributes:
        pictures: all that were judged.
        ordinary: of these, rolls that should be read.
        sure: how many were sure.
        wrong: how many of the sure ones were wrong.
    """

    pictures: int
    ordinary: int
    sure: int
    wrong: int

    @property
    def of_sure(self) -> float:
        """95 % upper bound of the share of wrong ones among the sure ones."""
        return clopper_pearson(self.wrong, self.sure, 0.9)[1]

    @property
    def of_all(self) -> float:
        """95 % upper bound of the share of wrong and sure ones among all pictures."""
        return clopper_pearson(self.wrong, self.pictures, 0.9)[1]

    def record(self) -> dict[str, float | int]:
        """Ready for JSON; the bounds are one-sided at 95 %."""
        bounds = {"bound_of_sure": self.of_sure, "bound_of_all": self.of_all}
        return {**asdict(self), **{k: round(v, 6) for k, v in bounds.items()}}


@dataclass(frozen=True, slots=True)
class Calibration:
    """Limits, and what they rest on.

    Attributes:
        limits: as chosen.
        rate: wanted rate of wrong-while-sure.
        chosen_on: the half on which they were chosen.
        checked_on: the other half, which had no say.
        loss_before: mean negative log-probability of the right face, untempered.
        loss_after: the same with the temperature.
    """

    limits: Limits
    rate: float
    chosen_on: Risk
    checked_on: Risk
    loss_before: float
    loss_after: float

    def record(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "rate": self.rate,
            "chosen_on": self.chosen_on.record(),
            "checked_on": self.checked_on.record(),
            "loss_before": round(self.loss_before, 5),
            "loss_after": round(self.loss_after, 5),
        }


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


def _continuous(quad: Floats) -> Any:
    from datasets.eval_matching import Place

    a, b, c, d = ((float(x) + 0.5, float(y) + 0.5) for x, y in quad)
    return Place((a, b, c, d))


def judged(
    reader: RollReader, observed: Sequence[Observed], limits: Limits
) -> list[tuple[bool, float, bool, bool]]:
    """Decide all pictures under some limits.

    Returns:
        For each: whether it was sure, the roll's confidence, whether being sure was
        wrong, and whether it was an ordinary roll.
    """
    evaluator = Evaluator(reader, EvalOptions(LEAST_IOU))
    out = []
    for one in observed:
        reading = judge(
            one.evidence, reader.dice_set, reader.faces.name, limits, one.light
        )
        verdict = evaluator.judged(one.label, reading, ()).verdict
        sure = reading.status is Status.SURE
        wrong = verdict.wrong_sure if sure else False
        ordinary = verdict.kind is RollKind.ORDINARY
        out.append((sure, reading.confidence, wrong, ordinary))
    return out


def calibrate(
    reader: RollReader, observed: Sequence[Observed], rate: float
) -> Calibration:
    """Choose temperature and limits on one half of the pictures, check on the other.

    The limit of the roll's confidence is lowered from 1 as long as the upper bound of
    wrong-while-sure stays under the rate; of the other limits (`CHOICES`) those are
    taken that leave most ordinary rolls sure.

    Args:
        reader: whose evidence it is; its own limits are the base.
        observed: held-out pictures, ordinary ones and others.
        rate: wanted share of pictures that are wrong while sure, above 0 to 1.

    Raises:
        DataSetError: there are too few pictures to promise the rate at all.
    """
    half, rest = observed[::2], observed[1::2]
    temperature, before, after = fit_temperature(half, reader.dice_set)
    base = replace(reader.limits, temperature=temperature, sure_die=0.0)
    best: tuple[int, Limits] | None = None
    for values in itertools.product(*CHOICES.values()):
        chosen = dict(zip(CHOICES, values, strict=True))
        free = replace(base, sure_roll=0.0, **chosen)
        told = judged(reader, half, free)
        level = _lowest_limit(told, rate)
        if level is not None:
            count = sum(sure and c >= level and plain for sure, c, _, plain in told)
            if best is None or count > best[0]:
                # a die less likely than the whole roll must be is doubtful by itself
                best = (
                    count,
                    replace(free, sure_roll=level, sure_die=min(level, 0.95)),
                )
    if best is None:
        raise DataSetError(
            f"{len(half)} pictures are too few, or too often read wrong, to promise a "
            f"rate of {rate:g}: no limit keeps the bound under it"
        )
    limits = best[1]
    return Calibration(
        limits,
        rate,
        _risk(judged(reader, half, limits)),
        _risk(judged(reader, rest, limits)),
        before,
        after,
    )


def _lowest_limit(
    told: Sequence[tuple[bool, float, bool, bool]], rate: float
) -> float | None:
    """Least confidence above which wrong-while-sure surely is rarer than the rate."""
    sure = sorted(
        ((c, wrong) for is_sure, c, wrong, _ in told if is_sure), reverse=True
    )
    found, wrong_ones = None, 0
    for count, (confidence, wrong) in enumerate(sure, start=1):
        wrong_ones += wrong
        last = count == len(sure) or sure[count][0] < confidence
        if last and clopper_pearson(wrong_ones, len(told), 0.9)[1] <= rate:
            found = confidence
    return found


def _risk(told: Sequence[tuple[bool, float, bool, bool]]) -> Risk:
    return Risk(
        pictures=len(told),
        ordinary=sum(ordinary for *_, ordinary in told),
        sure=sum(sure for sure, *_ in told),
        wrong=sum(wrong for _, _, wrong, _ in told),
    )
