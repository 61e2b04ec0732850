"""Rendering sets on several cores: seeded piece by piece, so it can stop and go on."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import cv2
import numpy as np

from datasets.crops import CropOptions, crops
from datasets.fonts import font_book
from datasets.shards import CropManifest, shard_path, write_manifest, write_shard
from vision.classes import CLASS_NAMES

if TYPE_CHECKING:
    from collections.abc import Iterator

Job = TypeVar("Job")
Progress = Callable[[Iterable[int], int], Iterable[int]]
"""Wraps an iterable of finished pieces and their number, to show a bar."""


@dataclass(frozen=True, slots=True)
class _ShardJob:
    folder: Path
    seed: int
    number: int
    count: int
    options: CropOptions


def _render_shard(job: _ShardJob) -> int:
    cv2.setNumThreads(1)  # the processes are the parallelism
    source = crops(
        np.random.default_rng((job.seed, job.number)), font_book(), job.options
    )
    made = list(islice(source, job.count))
    order = np.random.default_rng((job.seed, job.number, 1)).permutation(job.count)
    write_shard(
        job.folder,
        job.number,
        np.stack([made[k].image for k in order]),
        np.array([made[k].label for k in order], np.int16),
        np.array([made[k].die_px for k in order], np.float32),
    )
    return job.number


def run_jobs(
    work: Callable[[Job], int], jobs: list[Job], workers: int, progress: Progress
) -> None:
    """Do jobs on several processes; the first error ends all."""
    if workers <= 1:
        for _ in progress(map(work, jobs), len(jobs)):
            pass
        return
    # spawn: OpenCV's and torch's threads do not survive a fork
    with multiprocessing.get_context("spawn").Pool(workers) as pool:
        done: Iterator[int] = pool.imap_unordered(work, jobs)
        for _ in progress(done, len(jobs)):
            pass


def render_crops(
    folder: Path,
    shards: int,
    seed: int,
    options: CropOptions,
    workers: int,
    progress: Progress,
    shard_crops: int = 2048,
) -> int:
    """Render crop shards that are not there yet.

    Args:
        folder: where; made if missing.
        shards: how many there shall be in all.
        seed: of the set.
        options: what to draw.
        workers: processes.
        progress: shows a bar.
        shard_crops: crops a shard.

    Returns:
        How many shards were rendered now.

    Raises:
        DataSetError: the folder holds a set of other options.
        FontsError: too few fonts.
    """
    photos = len(list(Path(options.photos).glob("*.jpg"))) if options.photos else 0
    manifest = CropManifest(
        seed=seed,
        crop_px=options.crop_px,
        shard_crops=shard_crops,
        held_out=options.held_out,
        fonts=font_book().digest,
        photos=photos,
        classes=len(CLASS_NAMES),
    )
    write_manifest(folder, manifest)
    jobs = [
        _ShardJob(folder, seed, k, shard_crops, options)
        for k in range(shards)
        if not shard_path(folder, k).exists()
    ]
    run_jobs(_render_shard, jobs, workers, progress)
    return len(jobs)
