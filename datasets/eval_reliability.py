"""Whether probabilities keep what they promise, and what a stricter limit would do."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from datasets.eval_counts import read_dice
from datasets.eval_results import RollKind, named_right
from datasets.intervals import Share
from vision.reading import ProblemCode, Status

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from datasets.eval_results import DieResult, FaceLook, PictureResult

BIN_EDGES = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999, 1.0)
"""Narrow at the top: there is where it is decided whether a roll is sure."""

STRICTNESS = (0.5, 0.8, 0.9, 0.95, 0.97, 0.98, 0.99, 0.995, 0.999, 0.9999)


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """Answers that claim to be about as sure.

    Attributes:
        low: least probability claimed.
        high: from which the next bin begins; the last one holds 1 too.
        claimed: mean probability claimed.
        right: how many were right.
    """

    low: float
    high: float
    claimed: float
    right: Share


@dataclass(frozen=True, slots=True)
class Reliability:
    """Whether probabilities keep what they promise.

    Attributes:
        bins: those that hold answers, from doubtful to sure.
        ece: expected calibration error: the mean gap between claim and truth over the
            bins, weighted by their answers; 0 is perfect, 1 the worst.
        brier: mean squared gap between each claim and 0 or 1; 0 is perfect.
        answers: how many there are.
    """

    bins: tuple[ReliabilityBin, ...]
    ece: float | None
    brier: float | None
    answers: int


def reliability(answers: Iterable[tuple[float, bool]]) -> Reliability:
    """Compare what was claimed with what was true.

    Args:
        answers: probability claimed, 0..1, and whether it was right.
    """
    pairs = list(answers)
    if not pairs:
        return Reliability((), None, None, 0)
    claimed = np.array([p for p, _ in pairs], np.float64)
    right = np.array([bool(hit) for _, hit in pairs])
    which = np.clip(
        np.searchsorted(BIN_EDGES, claimed, side="right") - 1, 0, len(BIN_EDGES) - 2
    )
    bins = []
    for place, (low, high) in enumerate(pairwise(BIN_EDGES)):
        inside = which == place
        if inside.any():
            hits = Share(int(right[inside].sum()), int(inside.sum()))
            bins.append(ReliabilityBin(low, high, float(claimed[inside].mean()), hits))
    gaps = [abs(b.claimed - (b.right.rate or 0.0)) * b.right.total for b in bins]
    return Reliability(
        tuple(bins),
        float(sum(gaps)) / len(pairs),
        float(((claimed - right) ** 2).mean()),
        len(pairs),
    )


def die_answers(results: Iterable[PictureResult]) -> list[tuple[float, bool]]:
    """Confidence of each decided flat die that is there, and whether it is right."""
    return [
        (die.said.confidence, right)
        for die in read_dice(results)
        if die.said is not None and die.said.face is not None
        if (right := die.read_right) is not None
    ]


def roll_answers(results: Iterable[PictureResult]) -> list[tuple[float, bool]]:
    """Confidence of each ordinary roll not refused, and whether it is right."""
    return [
        (r.reading.confidence, bool(r.verdict.right))
        for r in results
        if r.reading is not None and r.status is not Status.REFUSE
        if r.verdict.kind is RollKind.ORDINARY
    ]


def look_answers(
    dice: Iterable[DieResult], look_of: Callable[[DieResult], FaceLook | None]
) -> list[tuple[float, bool]]:
    """Probability of each look's best face of the set, and whether it is right."""
    answers = []
    for die in dice:
        look = look_of(die)
        if look is None or not die.flat:
            continue
        right = named_right(die.label, look.best)
        if right is not None:
            answers.append((look.p, right))
    return answers


@dataclass(frozen=True, slots=True)
class Strictness:
    """What would be if a roll had to be at least so sure.

    Of the pictures that are sure or asked about now.

    Attributes:
        least: confidence that a roll would need.
        sure: share of the judged pictures that would be sure.
        wrong: of these, wrong.
    """

    least: float
    sure: Share
    wrong: Share


def strictness(results: Iterable[PictureResult]) -> tuple[Strictness, ...]:
    """How the wrong ones grow with the share that is sure, by confidence alone.

    Problems that make a reading ask, whatever its confidence, stay in force: only
    pictures that are sure now, or asked about for a doubtful die alone, are moved.
    """
    judged = [
        r for r in results if r.verdict.kind in (RollKind.ORDINARY, RollKind.OTHER)
    ]
    steps = []
    for least in STRICTNESS:
        sure = [r for r in judged if _would_be_sure(r, least)]
        wrong = sum(not r.verdict.right for r in sure)
        steps.append(
            Strictness(least, Share(len(sure), len(judged)), Share(wrong, len(sure)))
        )
    return tuple(steps)


def _would_be_sure(result: PictureResult, least: float) -> bool:
    reading = result.reading
    if reading is None or reading.status is Status.REFUSE:
        return False
    codes = {problem.code for problem in reading.problems}
    return codes <= {ProblemCode.DOUBTFUL_DIE} and reading.confidence >= least
