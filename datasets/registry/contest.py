"""Two readers look at the same pictures, turn by turn."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from datasets.eval_places import is_crop, with_size
from datasets.eval_results import RollKind
from datasets.evaluation import EvalOptions, Evaluator
from datasets.shards import DataSetError
from vision.errors import SourceError
from vision.pictures import load_picture
from vision.reading import Status

if TYPE_CHECKING:
    from collections.abc import Sequence

    from datasets.eval_labels import LabelledPicture
    from datasets.render import Progress
    from vision.ports import BgrImage
    from vision.reader import RollReader


PAIRS_A_PICTURE = 4
"""Of a race: opening a picture takes as long as reading it."""


class CandidateFailsError(RuntimeError):
    """The candidate cannot read a picture that the current models read."""


@dataclass(frozen=True, slots=True)
class Side:
    """What one reader made of a picture.

    Attributes:
        faces: of each flat die whose face is known, whether it was named rightly; one
            that was not found was not.
        roll: whether the whole roll is right; None unless it is an ordinary roll.
        wrong_sure: said to be sure, and should not have been; None if the label does
            not tell.
        asked: whether an ordinary roll was not sure; None for other pictures.
        elapsed_ms: from the decoded picture to the reading.
    """

    faces: tuple[bool, ...]
    roll: bool | None
    wrong_sure: bool | None
    asked: bool | None
    elapsed_ms: float


@dataclass(frozen=True, slots=True)
class Bout:
    """One picture, read by both.

    Attributes:
        name: of the picture.
        current: the models in use.
        candidate: those that shall replace them.
    """

    name: str
    current: Side
    candidate: Side


def contest(
    current: RollReader,
    candidate: RollReader,
    labels: Sequence[LabelledPicture],
    progress: Progress,
) -> tuple[Bout, ...]:
    """Show both readers labelled pictures; who looks first changes each time.

    Clips and pictures of a single face are passed over.

    Args:
        current: the models in use.
        candidate: those that shall replace them, with as many threads.
        labels: what is there.
        progress: shows a bar.

    Raises:
        CandidateFailsError: the candidate fails on a picture, or says what is no
            number.
        DataSetError: a picture cannot be read, or no picture is left.
        VisionError: the current models fail.
    """
    one, other = Evaluator(current, EvalOptions()), Evaluator(candidate, EvalOptions())
    bouts = []
    for number in progress(range(len(labels)), len(labels)):
        label = labels[number]
        if label.throws:
            continue
        try:
            loaded = load_picture(label.path)
        except SourceError as error:
            raise DataSetError(str(error)) from error
        sized = with_size(label, loaded.image, loaded.shrunk)
        if is_crop(sized):
            continue
        given = sized, loaded.image, loaded.shrunk
        if number % 2:
            second = _tried(other, *given)
            first = _side(one, *given)
        else:
            first = _side(one, *given)
            second = _tried(other, *given)
        bouts.append(Bout(label.name, first, second))
    if not bouts:
        raise DataSetError("there is no picture of a roll to compare the models on")
    return tuple(bouts)


def race(
    current: RollReader,
    candidate: RollReader,
    labels: Sequence[LabelledPicture],
    pairs: int,
) -> tuple[float, ...]:
    """Only time both readers, for where the pictures so far do not decide.

    Args:
        current: the models in use.
        candidate: those that shall replace them.
        labels: pictures that both have read before, taken again and again.
        pairs: readings of each.

    Returns:
        Time of the candidate by that of the current models, for each pair.
    """
    stills = [label for label in labels if not label.throws]
    ratios: list[float] = []
    while len(ratios) < pairs:
        image = load_picture(stills[len(ratios) // PAIRS_A_PICTURE % len(stills)].path)
        for _ in range(min(PAIRS_A_PICTURE, pairs - len(ratios))):
            first, second = current, candidate
            if len(ratios) % 2:
                first, second = candidate, current
            marks = [time.perf_counter()]
            for reader in (first, second):
                reader.read(image.image)
                marks.append(time.perf_counter())
            ratio = (marks[2] - marks[1]) / (marks[1] - marks[0])
            ratios.append(1 / ratio if len(ratios) % 2 else ratio)
    return tuple(ratios)


def _tried(
    evaluator: Evaluator, label: LabelledPicture, image: BgrImage, shrunk: float
) -> Side:
    try:
        return _side(evaluator, label, image, shrunk)
    # a network made wrongly can break in any way: what matters is that it does
    except Exception as error:
        raise CandidateFailsError(f"fails on {label.name}: {error}") from error


def _side(
    evaluator: Evaluator, label: LabelledPicture, image: BgrImage, shrunk: float
) -> Side:
    reader = evaluator.reader
    began = time.perf_counter()
    evidence = reader.evidence(image)
    reading = reader.decide(evidence)
    elapsed_ms = (time.perf_counter() - began) * 1000
    for piece in evidence:
        # minus infinity is the logarithm of nothing, and may be said
        if np.isnan(piece.log_p).any() or not np.isfinite(piece.quad).all():
            raise ValueError("the networks say what is no number")
    result = evaluator.judged(label, reading, (), shrunk=shrunk)
    kind = result.verdict.kind
    ordinary = kind is RollKind.ORDINARY
    return Side(
        faces=tuple(
            bool(die.read_right)
            for die in result.dice
            if die.flat and die.label.face is not None
        ),
        roll=result.verdict.right if ordinary else None,
        wrong_sure=(
            result.verdict.wrong_sure if ordinary or kind is RollKind.OTHER else None
        ),
        asked=reading.status is not Status.SURE if ordinary else None,
        elapsed_ms=elapsed_ms,
    )
