"""What a few labelled rolls of one design are worth to the reader, design by design.

Each design's pictures are dealt into folds; a reader tuned to the dice of the other
folds reads the dice of the fold that is left out. Faces that those others never showed
cannot have been learned, so they are counted apart: an enrolment shows all of them.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from datasets.enrolment.shots import LEAST_SIDE_PX, patch_of
from datasets.enrolment.tuned_set import publish_tuned
from datasets.enrolment.variations import varied_crops
from datasets.eval_labels import read_labels
from datasets.intervals import Share
from datasets.shards import DataSetError
from scoring.cards import ALL_FACES
from scoring.dice_sets import bundled_dice_set
from vision.model_files import read_card
from vision.pictures import load_picture
from vision.reader import load_reader
from vision.reading import DieState

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from datasets.enrolment.tuning import Lessons
    from datasets.enrolment.tuning_options import TuningOptions
    from datasets.eval_labels import LabelledDie, LabelledPicture
    from vision.reader import RollReader

ART = "art:"
NEAR = 0.4
"""A reading is of a die if their middles are nearer than this share of its side."""


@dataclass(frozen=True, slots=True)
class ArtResult:
    """One design.

    Attributes:
        art: its name.
        before: dice found, of faces that were shown, read right by the shipped reader.
        after: the same dice by the tuned one.
        new_before: likewise of faces that were not shown.
        new_after: likewise.
        shown: faces learned from, mean over the folds.
    """

    art: str
    before: Share
    after: Share
    new_before: Share
    new_after: Share
    shown: float

    def record(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "art": self.art,
            "before": self.before.record(),
            "after": self.after.record(),
            "new_before": self.new_before.record(),
            "new_after": self.new_after.record(),
            "shown": round(self.shown, 1),
        }


def enrol_by_art(
    folder: Path,
    work: Path,
    folds: int,
    options: TuningOptions,
    progress: Callable[[Iterable[int], int], Iterable[int]],
    threads: int = 0,
    rehearsed: Lessons | None = None,
) -> Iterator[ArtResult]:
    """Tune and measure, one design after the other.

    Args:
        folder: labelled pictures, each tagged `art:NAME`, with quads.
        work: where tuned readers are put.
        folds: into how many each design's pictures are dealt, from 2.
        options: of the tuning.
        progress: shows a bar.
        threads: CPU threads of reading; 0 leaves it to the runtime.
        rehearsed: lessons of what the reader knows already.

    Raises:
        DataSetError: no pictures with designs, or too few of one for the folds.
    """
    if folds < 2:
        raise DataSetError(f"folds must be 2 or more, not {folds}")
    by_art: dict[str, list[LabelledPicture]] = defaultdict(list)
    for picture in read_labels(folder):
        for tag in picture.groups:
            if tag.startswith(ART):
                by_art[tag.removeprefix(ART)].append(picture)
    if not by_art:
        raise DataSetError(f"{folder}: no picture says its art")
    for art, pictures in sorted(by_art.items()):
        if len(pictures) < folds:
            raise DataSetError(
                f"{art}: {len(pictures)} pictures cannot be dealt into {folds} folds"
            )
    plain = _reader(None, threads)
    for art, pictures in sorted(by_art.items()):
        counts, shown = np.zeros((4, 2), np.int64), []
        for fold in range(folds):
            taught = [p for k, p in enumerate(pictures) if k % folds != fold]
            left = pictures[fold::folds]
            place = work / f"{art}-{fold}"
            known = _tune(taught, place, options, progress, rehearsed)
            shown.append(len(known))
            own = _reader(place, threads)
            counts += _read_both(plain, own, left, known)
        shares = [Share(int(k), int(n)) for k, n in counts]
        yield ArtResult(
            art, shares[0], shares[1], shares[2], shares[3], float(np.mean(shown))
        )


def _reader(enrolled: Path | None, threads: int) -> RollReader:
    dice_set = bundled_dice_set("square-shooters")
    return load_reader(dice_set, threads=threads, enrolled=enrolled)


def _flat(picture: LabelledPicture) -> list[LabelledDie]:
    return [
        die
        for die in picture.dice
        if die.state is DieState.FLAT and die.face is not None and die.quad is not None
    ]


def _tune(
    pictures: Sequence[LabelledPicture],
    place: Path,
    options: TuningOptions,
    progress: Callable[[Iterable[int], int], Iterable[int]],
    rehearsed: Lessons | None,
) -> frozenset[str]:
    """Tune a reader to the dice of some pictures; which faces they show."""
    # torch: only where a model is made
    from datasets.enrolment.tuning import tune_faces

    patches, faces = [], []
    for picture in pictures:
        image = load_picture(picture.path).image
        for die in _flat(picture):
            quad = np.array(die.quad, np.float64) - 0.5
            side = _side(quad)
            if side >= LEAST_SIDE_PX / 2:
                patches.append(patch_of(image, quad, side))
                assert die.face is not None
                faces.append(ALL_FACES.index(die.face))
    card = read_card("faces")
    rng = np.random.default_rng(options.seed)
    count = options.lessons * len(set(faces))
    lessons = varied_crops(rng, patches, faces, count, card.input_px[0])
    steps = progress(range(options.steps), options.steps)
    network = tune_faces(card.path, lessons, options, steps, rehearsed)
    again = 0 if rehearsed is None else len(rehearsed[1])
    publish_tuned(network, place, card, place.name, len(patches), count, options, again)
    return frozenset(ALL_FACES[face].code for face in faces)


def _read_both(
    plain: RollReader,
    own: RollReader,
    pictures: Sequence[LabelledPicture],
    known: frozenset[str],
) -> np.ndarray:
    counts = np.zeros((4, 2), np.int64)
    for picture in pictures:
        image = load_picture(picture.path).image
        readings = [reader.read(image).dice for reader in (plain, own)]
        for die in _flat(picture):
            assert die.face is not None
            quad = np.array(die.quad, np.float64) - 0.5
            middle, side = quad.mean(axis=0), _side(quad)
            said = []
            for dice in readings:
                near = [
                    one.face
                    for one in dice
                    if one.face is not None
                    and np.linalg.norm(np.mean(one.quad, axis=0) - middle) < NEAR * side
                ]
                said.append(near[0] if near else None)
            if None in said:
                continue
            row = 0 if die.face.code in known else 2
            for k, face in enumerate(said):
                counts[row + k] += (face == die.face, 1)
    return counts


def _side(quad: np.ndarray) -> float:
    return float(np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1).mean())
