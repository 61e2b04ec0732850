"""The gate before a model ships: does the exported network read as the trained one?

Export, folding of norms, smaller weights and the runtime each may go wrong quietly. So
the network that PyTorch trained and the file that would ship look at the same pictures,
and a file that says something else is refused.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from datasets.shards import DataSetError, read_shard, whole_shards
from vision.classes import CLASS_NAMES, NOT_A_FACE, TURNS
from vision.detect import YoloDetector
from vision.face_reading import YoloFaceReader
from vision.overlap import iou
from vision.parity import (
    SAME_PLACE_IOU,
    TOLERANCE,
    Compared,
    Parity,
    Tolerance,
    complaints,
    shift_px,
    summarise,
)
from vision.pictures import load_picture
from vision.sources import files_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from vision.ports import Network
    from vision.reading import Sighting

MOST_PICTURES = 100
"""Pictures of a set that are looked at, the first by name: always the same."""
MOST_CROPS = 2048
BATCH = 9
LEAST_SCORE = 0.5
"""Sightings of a lower score may be seen by one of both only."""
SURE_FACE = 0.97
MOST_SCORE_APART = 0.05
"""How far any score of the raw output may be off; also says something of pictures
in which nothing is found."""


class ExportDiffersError(DataSetError):
    """The exported network does not read as the trained one; names the pictures."""


def gate_detector(
    trained: Network,
    exported: Network,
    input_px: tuple[int, int],
    folder: Path,
    tolerance: Tolerance = TOLERANCE,
) -> dict[str, Any]:
    """Let both networks find the dice of the same pictures.

    Args:
        trained: as it left the training.
        exported: the file that would ship, on the runtime.
        input_px: height and width of the network's input.
        folder: pictures, or a set with its pictures in `images/`.
        tolerance: how much may differ.

    Returns:
        The figures, for the card.

    Raises:
        ExportDiffersError: more differs than the tolerance allows.
        DataSetError: there is no picture.
    """
    place = folder / "images" if (folder / "images").is_dir() else folder
    paths = files_in(place)[:MOST_PICTURES] if place.is_dir() else ()
    if not paths:
        raise DataSetError(f"{place}: no pictures to compare the networks on")
    one, other = _Scores(trained), _Scores(exported)
    reference = YoloDetector(one, input_px, "trained")
    candidate = YoloDetector(other, input_px, "exported")
    compared, apart = [], []
    for path in paths:
        image = load_picture(path).image
        said = _compare_sightings(
            path.name, reference.detect(image), candidate.detect(image)
        )
        compared.append(said)
        apart.append((one.apart_from(other), path.name))
    furthest, name = max(apart)
    extra = []
    if not furthest <= MOST_SCORE_APART:
        extra.append(
            f"a score of {name} is off by {furthest:.3f} ({MOST_SCORE_APART} allowed)"
        )
    facts = _pass_or_raise("detector", summarise(compared), tolerance, extra)
    return {**facts, "score_apart": round(furthest, 5)}


def gate_faces(
    trained: Network,
    exported: Network,
    crop_px: int,
    folder: Path,
    tolerance: Tolerance = TOLERANCE,
) -> dict[str, Any]:
    """Let both networks read the same crops.

    Args:
        trained: as it left the training.
        exported: the file that would ship, on the runtime.
        crop_px: side of the network's input.
        folder: crop shards.
        tolerance: how much may differ.

    Returns:
        The figures, for the card.

    Raises:
        ExportDiffersError: more differs than the tolerance allows.
        DataSetError: there is no shard.
    """
    reference = YoloFaceReader(trained, crop_px, "trained")
    candidate = YoloFaceReader(exported, crop_px, "exported")
    compared = [
        one
        for name, crops in _crops(folder)
        for one in _compare_faces(name, reference.read(crops), candidate.read(crops))
    ]
    return _pass_or_raise("faces", summarise(compared), tolerance, [])


class _Scores:
    """A detector's network that remembers the scores of its last run."""

    def __init__(self, network: Network) -> None:
        self._network = network
        self.input_shape = network.input_shape
        self._scores = np.zeros(0, np.float32)

    def run(self, pictures: NDArray[np.uint8]) -> NDArray[np.float32]:
        output = self._network.run(pictures)
        self._scores = output[:, 4]
        return output

    def apart_from(self, other: _Scores) -> float:
        """Greatest difference of two scores, cell by cell."""
        if self._scores.shape != other._scores.shape:
            return float("inf")
        apart = float(np.abs(self._scores - other._scores).max(initial=0.0))
        return apart if np.isfinite(apart) else float("inf")


def _crops(folder: Path) -> Iterator[tuple[str, NDArray[np.uint8]]]:
    """Parts of the first shards with the name of their first crop."""
    paths = whole_shards(folder)
    if not paths:
        raise DataSetError(f"{folder}: no crop shard (crops-00000.npy) found")
    left = MOST_CROPS
    for path in paths:
        images = read_shard(path)[0][:left]
        left -= len(images)
        for first in range(0, len(images), BATCH):
            part = np.ascontiguousarray(images[first : first + BATCH])
            yield f"{path.name}#{first}", part


def _compare_sightings(
    name: str, reference: Sequence[Sighting], candidate: Sequence[Sighting]
) -> Compared:
    shifts, unpaired = [], 0
    for some, others in ((reference, candidate), (candidate, reference)):
        for one in some:
            if one.score < LEAST_SCORE:
                continue
            quad = np.array(one.quad)
            near = [
                (iou(quad, np.array(other.quad)), shift_px(one.quad, other.quad))
                for other in others
            ]
            share, shift = max(near, default=(0.0, 0.0))
            unpaired += share < SAME_PLACE_IOU
            if share >= SAME_PLACE_IOU and some is reference:
                shifts.append(shift)
    dice = sum(one.score >= LEAST_SCORE for one in reference)
    return Compared(name, dice, unpaired, tuple(shifts), False, False)


def _compare_faces(
    name: str, reference: NDArray[np.float32], candidate: NDArray[np.float32]
) -> list[Compared]:
    said, other = _face_chances(reference), _face_chances(candidate)
    differ = said.argmax(axis=1) != other.argmax(axis=1)
    sure = np.maximum(said.max(axis=1), other.max(axis=1)) >= SURE_FACE
    first = int(name.rpartition("#")[2])
    shard = name.rpartition("#")[0]
    return [
        Compared(f"{shard}#{first + k}", 1, int(d), (), False, bool(d and s))
        for k, (d, s) in enumerate(zip(differ, sure, strict=True))
    ]


def _face_chances(p: NDArray[np.float32]) -> NDArray[np.float32]:
    """Probability of each face in any turn, and of none: (N, classes) to (N, F + 1)."""
    none = CLASS_NAMES.index(NOT_A_FACE)
    faces = p[:, :none].reshape(len(p), -1, TURNS).sum(axis=2)
    return np.concatenate([faces, p[:, none:]], axis=1)


def _pass_or_raise(
    kind: str, parity: Parity, tolerance: Tolerance, extra: Sequence[str]
) -> dict[str, Any]:
    found = [*complaints(parity, tolerance), *extra]
    if found:
        raise ExportDiffersError(
            f"the exported {kind} does not read as the trained one: " + "; ".join(found)
        )
    return {
        "pictures": parity.pictures,
        "dice": parity.dice,
        "differing": parity.differing,
        "shift_p99_px": round(parity.shift_p99_px, 4),
        "tolerance": asdict(tolerance),
    }
