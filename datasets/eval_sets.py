"""Measuring a reader over a whole folder of labelled pictures and clips."""

from __future__ import annotations

from typing import TYPE_CHECKING

from datasets.eval_clips import evaluate_clip
from datasets.eval_labels import LabelError, read_labels
from datasets.evaluation import Evaluator

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from datasets.eval_labels import LabelledPicture
    from datasets.eval_results import PictureResult
    from datasets.evaluation import EvalOptions
    from datasets.render import Progress
    from vision.reader import RollReader


def labelled_set(folder: Path, tags: Iterable[str] = ()) -> tuple[LabelledPicture, ...]:
    """The labelled pictures of a folder that have all of some tags.

    Args:
        folder: see `read_labels`.
        tags: as the labels have them; `art:NAME` for an art.

    Raises:
        LabelError: no labels, an unusable entry, or no picture has these tags.
    """
    wanted = frozenset(tags)
    labels = read_labels(folder)
    chosen = tuple(label for label in labels if wanted <= set(label.groups))
    if not chosen:
        known = ", ".join(sorted({g for label in labels for g in label.groups}))
        raise LabelError(
            f"{folder}: no picture has the tags {' and '.join(sorted(wanted))};"
            f" there are: {known or 'none'}"
        )
    return chosen


def evaluate_set(
    reader: RollReader,
    labels: tuple[LabelledPicture, ...],
    options: EvalOptions,
    progress: Progress,
) -> tuple[PictureResult, ...]:
    """Show a reader labelled pictures and clips.

    Args:
        reader: who reads; its detector is listened to from now on.
        labels: what is there.
        options: how to count.
        progress: shows a bar.
    """
    evaluator = Evaluator(reader, options)
    results = []
    for number in progress(range(len(labels)), len(labels)):
        label = labels[number]
        watched = evaluate_clip if label.throws else Evaluator.picture
        results.append(watched(evaluator, label))
    return tuple(results)
