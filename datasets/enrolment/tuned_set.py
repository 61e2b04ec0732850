"""What enrolment leaves behind: the set, its own face reader, how it was tested."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from datasets.captures.private_files import write_private
from datasets.enrolment.faces_shown import set_of
from datasets.enrolment.set_folder import SetFolder
from datasets.enrolment.shots import upright
from datasets.enrolment.variations import varied_crops
from datasets.release import Release, publish
from datasets.shards import DataSetError
from scoring.cards import ALL_FACES
from vision.classes import CLASS_NAMES
from vision.enrolled import TEMPERATURE
from vision.model_files import read_card

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from datasets.enrolment.faces_shown import ShownFace, Side
    from datasets.enrolment.shots import Shot
    from datasets.enrolment.tuning import FaceNetwork, Lessons
    from datasets.enrolment.tuning_options import TuningOptions
    from scoring.dice_sets import DiceSet
    from vision.model_files import ModelCard


@dataclass(frozen=True, slots=True)
class Enrolled:
    """An enrolled set.

    Attributes:
        dice_set: its dice.
        folder: where it lies.
        lessons: crops the reader was taught.
    """

    dice_set: DiceSet
    folder: Path
    lessons: int


def lessons_of(
    shots: Sequence[Shot],
    faces: Mapping[Side, ShownFace],
    crop_px: int,
    seed: int = 0,
    lessons_a_side: int = 200,
) -> Lessons:
    """Lessons from all shots.

    Args:
        shots: of every side at least one.
        faces: what each side carries.
        crop_px: side of the reader's crops.
        seed: of every choice.
        lessons_a_side: how many for each face.
    """
    patches, places = [], []
    for side, shown in faces.items():
        own = upright([shot for shot in shots if (shot.die, shot.side) == side])
        patches += own
        places += [ALL_FACES.index(shown.face)] * len(own)
    rng = np.random.default_rng(seed)
    return varied_crops(rng, patches, places, lessons_a_side * len(faces), crop_px)


def enrol_set(
    name: str,
    shots: Sequence[Shot],
    faces: Mapping[Side, ShownFace],
    sets: Path,
    options: TuningOptions,
    progress: Callable[[Iterable[int], int], Iterable[int]],
    models: Path | None = None,
    rehearsed: Lessons | None = None,
) -> Enrolled:
    """Tune a face reader to a set and keep both under the set's name.

    Reader and layout take the place of an older set of that name together.

    Args:
        name: of the set.
        shots: of every side at least one.
        faces: what each side carries, confirmed.
        sets: folder of the enrolled sets.
        options: of the tuning.
        progress: shows a bar.
        models: folder of the models it begins with; None for those of Tableside.
        rehearsed: lessons of what the reader knows already.

    Raises:
        DiceSetError: the faces make no set of card dice, or the name cannot be had.
        DataSetError: sides lack, or the model is another network.
        ModelError: there is no usable model to begin with.
    """
    # torch: only where a model is made
    from datasets.enrolment.tuning import tune_faces

    dice_set = set_of(name, faces)
    folder = SetFolder(sets)
    folder.place(name)
    card = read_card("faces", models)
    if card.classes != CLASS_NAMES:
        raise DataSetError(f"{card.path}: its classes are not those of this version")
    with folder.alone(name):
        lessons = lessons_of(
            shots, faces, card.input_px[0], options.seed, options.lessons
        )
        steps = progress(range(options.steps), options.steps)
        network = tune_faces(card.path, lessons, options, steps, rehearsed)
        count = len(lessons[1])
        again = 0 if rehearsed is None else len(rehearsed[1])
        place = folder.put(
            dice_set,
            lambda half: publish_tuned(
                network, half, card, name, len(shots), count, options, again
            ),
        )
    return Enrolled(dice_set, place, count)


def publish_tuned(
    network: FaceNetwork,
    place: Path,
    card: ModelCard,
    name: str,
    pictures: int,
    lessons: int,
    options: TuningOptions,
    rehearsed: int = 0,
) -> None:
    """Write a tuned face reader and its card, whole or not at all.

    Args:
        network: as it was tuned.
        place: folder it is put into; made if need be.
        card: of the model that it was tuned from.
        name: of the set.
        pictures: it was taught from.
        lessons: likewise.
        options: of the tuning.
        rehearsed: lessons that it was shown again.

    Raises:
        DataSetError: the model it was tuned from has other weights.
    """
    from datasets.enrolment.tuning import tuned_onnx

    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    half = place / "faces.tuned.part"
    try:
        half.write_bytes(tuned_onnx(card.path, network))
        publish(
            half,
            place,
            Release(
                kind="faces",
                input_px=card.input_px,
                classes=CLASS_NAMES,
                data={"enrolled": name, "pictures": pictures},
                training=_facts(options, card.identity, lessons, rehearsed),
                metrics={},
                precision=card.precision,
            ),
        )
    finally:
        half.unlink(missing_ok=True)


def _facts(
    options: TuningOptions, base: str, lessons: int, rehearsed: int
) -> dict[str, Any]:
    return {
        "based_on": base,
        "temperature": TEMPERATURE,
        "lessons": lessons,
        "rehearsed": rehearsed,
        "steps": options.steps,
        "batch": options.batch,
        "rate": options.rate,
        "share": options.share,
        "seed": options.seed,
    }


def write_report(folder: Path, report: dict[str, Any]) -> None:
    """Keep how a set was tested beside it."""
    text = json.dumps(report, indent=1) + "\n"
    write_private(folder / "report.json", text.encode())
