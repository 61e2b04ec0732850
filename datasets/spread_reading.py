"""Measuring and calibrating by many: pictures and models go to where readers work."""

from __future__ import annotations

import contextlib
import tempfile
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from datasets.calibration import Observed, observe
from datasets.eval_clips import evaluate_clip
from datasets.evaluation import Evaluator
from datasets.machine import READING, Machine, differences, this_machine
from datasets.shards import DataSetError, write_files
from datasets.spread.port import SpreadError
from vision.model_files import BUNDLED
from vision.reader import load_reader

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from datasets.eval_labels import LabelledPicture
    from datasets.eval_results import PictureResult
    from datasets.evaluation import EvalOptions
    from datasets.render import Progress
    from datasets.shards import Files
    from datasets.spread.port import Spread
    from scoring.dice_sets import DiceSet
    from vision.reader import RollReader

Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a worker makes itself the reader that is to be measured.

    Attributes:
        dice_set: which dice are expected.
        models: files of the models' folder.
        enrolled: files of an enrolled set's folder; None for none.
        turns: looks at each die.
        calibrated: whether the limits beside the models are taken.
        machine: what must be installed where it reads.
    """

    dice_set: DiceSet
    models: Files
    enrolled: Files | None
    turns: int
    calibrated: bool
    machine: Machine


def recipe_of(
    dice_set: DiceSet,
    models: Path | None,
    turns: int,
    *,
    calibrated: bool = True,
    enrolled: Path | None = None,
) -> Recipe:
    """The recipe of a reader; see `vision.reader.load_reader` for what it takes.

    Raises:
        OSError: a file of the models cannot be read.
    """
    return Recipe(
        dice_set,
        _files(BUNDLED if models is None else models),
        None if enrolled is None else _files(enrolled),
        turns,
        calibrated,
        this_machine(READING, (__name__,), fonts=False),
    )


def _files(folder: Path) -> Files:
    paths = sorted(p for p in folder.iterdir() if p.suffix in (".json", ".onnx"))
    return tuple((path.name, path.read_bytes()) for path in paths)


@lru_cache(maxsize=2)
def _reader(recipe: Recipe) -> RollReader:
    """The reader of a recipe, with one thread: the workers are the parallelism.

    Raises:
        SpreadError: this machine would read differently.
        ModelError: see `load_reader`.
    """
    other = differences(recipe.machine, this_machine(READING, (__name__,), fonts=False))
    if other:
        raise SpreadError(
            f"a worker may read otherwise than this machine: {'; '.join(other)}"
        )
    with tempfile.TemporaryDirectory() as place:
        folders = {"models": recipe.models, "enrolled": recipe.enrolled}
        for name, files in folders.items():
            if files is not None:
                (Path(place) / name).mkdir()
                write_files(Path(place) / name, files)
        return load_reader(
            recipe.dice_set,
            Path(place) / "models",
            1,
            recipe.turns,
            recipe.calibrated,
            enrolled=Path(place) / "enrolled" if recipe.enrolled is not None else None,
        )


@dataclass(frozen=True, slots=True)
class _Sent:
    """A labelled picture with its file; None if there is none that can be read."""

    label: LabelledPicture
    data: bytes | None


def _sent(labels: Sequence[LabelledPicture]) -> Iterator[_Sent]:
    for label in labels:
        data = None
        with contextlib.suppress(OSError):
            data = label.path.read_bytes()
        yield _Sent(label, data)


def _at_hand(sent: _Sent, look: Callable[[LabelledPicture], Found]) -> Found:
    """Let somebody look at a picture that was sent, under its own name."""
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / sent.label.path.name
        if sent.data is not None:
            path.write_bytes(sent.data)
        try:
            return look(replace(sent.label, path=path))
        except DataSetError as error:
            text = str(error).replace(str(path), str(sent.label.path))
            raise type(error)(text) from None


@lru_cache(maxsize=2)
def _evaluator(recipe: Recipe, options: EvalOptions) -> Evaluator:
    return Evaluator(_reader(recipe), options)


def _evaluate(common: tuple[Recipe, EvalOptions], sent: _Sent) -> PictureResult:
    evaluator = _evaluator(*common)

    def look(label: LabelledPicture) -> PictureResult:
        watched = evaluate_clip if label.throws else Evaluator.picture
        result = watched(evaluator, label)
        error = result.error
        if error is not None:
            error = error.replace(str(label.path), str(sent.label.path))
        picture = replace(result.picture, path=sent.label.path)
        return replace(result, picture=picture, error=error)

    return _at_hand(sent, look)


def _observe(recipe: Recipe, sent: _Sent) -> Observed:
    def look(label: LabelledPicture) -> Observed:
        (seen,) = observe(_reader(recipe), [label], lambda items, _: items)
        return replace(seen, label=replace(seen.label, path=sent.label.path))

    return _at_hand(sent, look)


def evaluate_far(
    recipe: Recipe,
    labels: Sequence[LabelledPicture],
    options: EvalOptions,
    spread: Spread,
    progress: Progress,
) -> tuple[PictureResult, ...]:
    """As `datasets.eval_sets.evaluate_set`, by many; in the order of the labels.

    Raises:
        SpreadError: the workers are gone, or would read differently.
        LabelError: a picture is not as large as its label says.
    """
    done: dict[int, PictureResult] = {}

    def coming() -> Iterator[int]:
        for place, result in spread.each(_evaluate, (recipe, options), _sent(labels)):
            done[place] = result
            yield place

    for _ in progress(coming(), len(labels)):
        pass
    return tuple(done[k] for k in range(len(labels)))


def observe_far(
    recipe: Recipe,
    labels: Sequence[LabelledPicture],
    spread: Spread,
    progress: Progress,
) -> tuple[Observed, ...]:
    """As `datasets.calibration.observe`, by many; in the order of the labels.

    Raises:
        SpreadError: the workers are gone, or would read differently.
        DataSetError: a picture cannot be read or was too large to be read whole.
    """
    done: dict[int, Observed] = {}

    def coming() -> Iterator[int]:
        for place, seen in spread.each(_observe, recipe, _sent(labels)):
            done[place] = seen
            yield place

    for _ in progress(coming(), len(labels)):
        pass
    return tuple(done[k] for k in range(len(labels)))
