"""Crops for the face reader from captured pictures."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from datasets.captured_sets import claim, corners, opened, side_of
from datasets.captured_teaching import known_dice
from datasets.crops import NONE_CLASS, jittered
from datasets.render import run_jobs
from datasets.shards import shard_files, shard_path
from datasets.spread.processes import Processes
from scoring.cards import ALL_FACES
from vision.classes import CLASS_NAMES, TURNS, class_index
from vision.rectify import rectify

if TYPE_CHECKING:
    from pathlib import Path

    from datasets.captured_teaching import Teaching
    from datasets.eval_labels import LabelledPicture
    from datasets.pinhole import Floats
    from datasets.render import Progress
    from datasets.shards import Files

LOOKS_A_DIE = 8
"""Times each die is cut out, stated a little differently each time."""
MOST_SHARDS = 64
NONE_SHARE = 0.06
"""Share of crops beside a die, that show no face; as in the drawn sets."""
TRIES = 8


@dataclass(frozen=True, slots=True)
class _CropJob:
    pictures: tuple[LabelledPicture, ...]
    seed: int
    number: int
    count: int
    crop_px: int


def _make_crops(job: _CropJob) -> Files:
    rng = np.random.default_rng((job.seed, job.number))
    by_face: dict[int, list[tuple[int, int]]] = {}
    for place, picture in enumerate(job.pictures):
        for k, die in enumerate(known_dice(picture)):
            assert die.face is not None
            by_face.setdefault(ALL_FACES.index(die.face), []).append((place, k))
    faces = sorted(by_face)
    wanted: dict[int, list[tuple[int, int]]] = {}
    for slot in range(job.count):  # all faces that there are equally often
        dice = by_face[faces[int(rng.integers(len(faces)))]]
        place, k = dice[int(rng.integers(len(dice)))]
        wanted.setdefault(place, []).append((slot, k))
    images = np.zeros((job.count, job.crop_px, job.crop_px, 3), np.uint8)
    labels = np.zeros(job.count, np.int16)
    die_px = np.zeros(job.count, np.float32)
    for place, cuts in sorted(wanted.items()):  # each picture is opened once
        image, shrunk = opened(job.pictures[place])
        known = known_dice(job.pictures[place])
        quads = [corners(d.quad, shrunk) for d in job.pictures[place].dice if d.quad]
        for slot, k in cuts:
            face = known[k].face
            assert face is not None
            quad, turn = corners(known[k].quad, shrunk), int(rng.integers(TURNS))
            beside = _beside(rng, quad, quads) if rng.random() < NONE_SHARE else None
            stated = jittered(rng, quad if beside is None else beside, side_of(quad))
            images[slot] = rectify(image, np.roll(stated, turn, axis=0), job.crop_px)
            label = class_index(ALL_FACES.index(face), turn)
            labels[slot] = label if beside is None else NONE_CLASS
            die_px[slot] = side_of(quad)
    return shard_files(job.number, images, labels, die_px)


def _beside(rng: np.random.Generator, quad: Floats, all_quads: list[Floats]) -> Floats:
    """A quad next to a die that is on none; the die's own if there is no room."""
    side = side_of(quad)
    middles = np.stack([other.mean(axis=0) for other in all_quads])
    for _ in range(TRIES):
        angle, far = rng.uniform(0, 2 * np.pi), rng.uniform(0.6, 1.1) * side
        moved: Floats = quad + far * np.array([np.cos(angle), np.sin(angle)])
        gaps = np.linalg.norm(middles - moved.mean(axis=0), axis=1)
        if gaps.min() > 0.55 * side:
            return moved
    return quad + np.array([3.0, 0.0]) * side


def captured_crops(
    folder: Path,
    teaching: Teaching,
    crop_px: int,
    shard_crops: int,
    least: int,
    seed: int,
    progress: Progress,
    workers: int = 1,
) -> int:
    """Cut the shards that are not there yet.

    Args:
        folder: where; made if missing.
        teaching: the pictures.
        crop_px: side of the crops.
        shard_crops: crops a shard; as in the drawn set that these are mixed into.
        least: crops wanted at least.
        seed: of the cuts.
        progress: shows a bar.
        workers: processes.

    Returns:
        How many shards were cut now.

    Raises:
        DataSetError: a picture cannot be used, or the folder holds another set.
    """
    dice = sum(len(known_dice(picture)) for picture in teaching.pictures)
    shards = math.ceil(max(least, dice * LOOKS_A_DIE) / shard_crops)
    shards = max(1, min(shards, MOST_SHARDS))
    claim(
        folder,
        {
            "kind": "crops from captured pictures",
            **teaching.record(),
            "seed": seed,
            "crop_px": crop_px,
            "shard_crops": shard_crops,
            "shards": shards,
            "classes": len(CLASS_NAMES),
        },
    )
    jobs = [
        _CropJob(teaching.pictures, seed, k, shard_crops, crop_px)
        for k in range(shards)
        if not shard_path(folder, k).exists()
    ]
    run_jobs(_make_crops, jobs, folder, Processes(workers), progress)
    return len(jobs)
