"""How well a face reader reads held-out crops, by width of the die."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from datasets.shards import DataSetError, read_shard, whole_shards
from vision.classes import CLASS_NAMES, NOT_A_FACE, TURNS

if TYPE_CHECKING:
    from pathlib import Path

    from vision.ports import FaceReader

EDGES_PX = (0, 24, 32, 40, 52, 1000)
"""Bounds of the groups of die widths, pixels."""
BATCH = 128
NONE_CLASS = CLASS_NAMES.index(NOT_A_FACE)


@dataclass(frozen=True, slots=True)
class FaceScore:
    """Share of crops read right.

    Attributes:
        group: die widths, as in `40-52`.
        crops: how many there were.
        face: share whose face is right (or rightly none).
        turn: share whose face and turn are right.
    """

    group: str
    crops: int
    face: float
    turn: float


def measure_faces(reader: FaceReader, folder: Path) -> tuple[FaceScore, ...]:
    """Read all crops of a folder of shards.

    Returns:
        One score a group of die widths, small to large, then `all`.

    Raises:
        DataSetError: the folder has no shard.
    """
    paths = whole_shards(folder)
    if not paths:
        raise DataSetError(f"{folder}: no crop shard (crops-00000.npy) found")
    said, truth, widths = [], [], []
    for path in paths:
        images, labels, die_px = read_shard(path)
        for first in range(0, len(labels), BATCH):
            batch = np.ascontiguousarray(images[first : first + BATCH])
            said.append(reader.read(batch).argmax(axis=1))
        truth.append(labels)
        widths.append(die_px)
    return _by_width(
        np.concatenate(said), np.concatenate(truth), np.concatenate(widths)
    )


def _face_of(classes: np.ndarray) -> np.ndarray:
    return np.where(classes == NONE_CLASS, -1, classes // TURNS)


def _by_width(
    said: np.ndarray, truth: np.ndarray, widths: np.ndarray
) -> tuple[FaceScore, ...]:
    turn_right = said == truth
    face_right = _face_of(said) == _face_of(truth)
    scores = []
    groups = [
        (f"{low}-{high}", (widths >= low) & (widths < high))
        for low, high in itertools.pairwise(EDGES_PX)
    ]
    for name, chosen in [*groups, ("all", np.ones(len(widths), bool))]:
        count = int(chosen.sum())
        if count:
            face, turn = face_right[chosen].mean(), turn_right[chosen].mean()
            scores.append(FaceScore(name, count, float(face), float(turn)))
    return tuple(scores)
