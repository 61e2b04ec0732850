"""Sets made from real photos, to be mixed with drawn ones."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from datasets.detector_labels import label_line
from datasets.fonts import font_book
from datasets.picture_sets import jpeg
from datasets.real_crops import RealCropOptions, real_crops
from datasets.real_dice import SIDE_PX, dice_photos, make_lesson
from datasets.real_indices import IndexPicture, index_pictures
from datasets.render import run_jobs
from datasets.shards import MANIFEST, DataSetError, Files, shard_files, shard_path
from datasets.spread.processes import Processes
from datasets.whole_files import write_whole
from vision.classes import CLASS_NAMES

if TYPE_CHECKING:
    from pathlib import Path

    from datasets.render import Progress

SHARD_CROPS = 2048
"""As in the drawn sets: an epoch takes shards of one size only."""

BLOCK = 32
"""Pictures made by one job."""


@dataclass(frozen=True, slots=True)
class IndexSource:
    """Where corner indices come from.

    Attributes:
        indices: folder of cut-out indices; None for none.
        cards: folder of photos of cards with outlines; None for none.
        tag: which part of the photos; those kept for measuring must not teach.
    """

    indices: Path | None
    cards: Path | None
    tag: str = "train"


@dataclass(frozen=True, slots=True)
class _ShardJob:
    source: IndexSource
    seed: int
    number: int
    count: int
    options: RealCropOptions


@lru_cache(maxsize=2)
def _pictures(source: IndexSource) -> tuple[IndexPicture, ...]:
    return tuple(index_pictures(source.indices, source.cards, source.tag))


def _make_shard(job: _ShardJob) -> Files:
    rng = np.random.default_rng((job.seed, job.number))
    source = real_crops(rng, font_book(), _pictures(job.source), job.options)
    made = list(islice(source, job.count))
    order = np.random.default_rng((job.seed, job.number, 1)).permutation(job.count)
    return shard_files(
        job.number,
        np.stack([made[k].image for k in order]),
        np.array([made[k].label for k in order], np.int16),
        np.array([made[k].die_px for k in order], np.float32),
    )


def make_real_shards(
    folder: Path,
    source: IndexSource,
    shards: int,
    seed: int,
    options: RealCropOptions,
    workers: int,
    progress: Progress,
    shard_crops: int = SHARD_CROPS,
) -> int:
    """Make the shards that are not there yet.

    Args:
        folder: where; made if missing.
        source: of the corner indices.
        shards: how many there shall be in all.
        seed: of the set; shard `k` is drawn from `(seed, k)`.
        options: what to make.
        workers: processes.
        progress: shows a bar.
        shard_crops: crops a shard.

    Returns:
        How many shards were made now.

    Raises:
        DataSetError: no index to be found, a label or picture is unreadable, or the
            folder holds another set.
        FontsError: too few fonts.
    """
    pictures = _pictures(source)
    facts = {
        "kind": "corner indices of real cards",
        "tag": source.tag,
        "indices": len(pictures),
        "faces": len({picture.face for picture in pictures}),
        "seed": seed,
        "crop_px": options.crop_px,
        "shard_crops": shard_crops,
        "photos": bool(options.photos),
        "fonts": font_book().digest,
        "classes": len(CLASS_NAMES),
    }
    _claim(folder, facts)
    jobs = [
        _ShardJob(source, seed, k, shard_crops, options)
        for k in range(shards)
        if not shard_path(folder, k).exists()
    ]
    run_jobs(_make_shard, jobs, folder, Processes(workers), progress)
    return len(jobs)


@dataclass(frozen=True, slots=True)
class _PictureJob:
    photos: Path
    backgrounds: str
    seed: int
    numbers: tuple[int, ...]


def _make_pictures(block: _PictureJob) -> Files:
    photos = dice_photos(block.photos)
    files: list[tuple[str, bytes]] = []
    for number in block.numbers:
        rng = np.random.default_rng((block.seed, number))
        lesson = make_lesson(rng, photos, block.backgrounds)
        stem = f"{number:06d}"
        files.append((f"images/{stem}.jpg", jpeg(lesson.image)))
        lines = [label_line(quad, SIDE_PX, SIDE_PX) + "\n" for quad in lesson.quads]
        files.append((f"labels/{stem}.txt", "".join(lines).encode("ascii")))
    return tuple(files)


def make_dice_lessons(
    folder: Path,
    photos: Path,
    pictures: int,
    seed: int,
    backgrounds: str,
    workers: int,
    progress: Progress,
) -> int:
    """Make the pictures of a set that are not there yet.

    Args:
        folder: gets `images/`, `labels/` and a manifest.
        photos: folder of photos of pip dice.
        pictures: how many there shall be in all.
        seed: of the set; picture `k` is drawn from `(seed, k)`.
        backgrounds: folder of photos for what lies beyond the edges; empty for none.
        workers: processes.
        progress: shows a bar.

    Returns:
        How many pictures were made now.

    Raises:
        DataSetError: see `dice_photos`; or the folder holds another set.
    """
    found = dice_photos(photos)
    facts = {
        "kind": "photos of real pip dice",
        "tag": "train",
        "photographs": len(found),
        "dice": sum(len(photo.quads) for photo in found),
        "seed": seed,
        "side_px": SIDE_PX,
        "photos": bool(backgrounds),
    }
    _claim(folder, facts)
    for name in ("images", "labels"):
        (folder / name).mkdir(exist_ok=True)
    missing = [
        k for k in range(pictures) if not (folder / "labels" / f"{k:06d}.txt").exists()
    ]
    blocks = [
        _PictureJob(photos, backgrounds, seed, tuple(missing[k : k + BLOCK]))
        for k in range(0, len(missing), BLOCK)
    ]
    run_jobs(_make_pictures, blocks, folder, Processes(workers), progress)
    return len(missing)


def _claim(folder: Path, facts: dict[str, object]) -> None:
    """Write the manifest of a set, or check that the one there says the same.

    Raises:
        DataSetError: the folder holds another set.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / MANIFEST
    if path.exists() and json.loads(path.read_text("utf-8")) != facts:
        raise DataSetError(
            f"{path} describes another set; give another folder or the same options"
        )
    write_whole(path, json.dumps(facts, indent=1) + "\n")
