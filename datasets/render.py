"""Rendering sets by many: seeded piece by piece, so it can stop and go on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np

from datasets.crops import CropOptions, crops
from datasets.fonts import font_book
from datasets.machine import DRAWING, Machine, differences, photos_digest, this_machine
from datasets.shards import (
    CropManifest,
    Files,
    shard_files,
    shard_path,
    write_files,
    write_manifest,
)
from datasets.spread.port import SpreadError
from datasets.spread.processes import Processes
from vision.classes import CLASS_NAMES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from datasets.spread.port import Job, Spread

Progress = Callable[[Iterable[int], int], Iterable[int]]
"""Wraps an iterable of finished pieces and their number, to show a bar."""


@dataclass(frozen=True, slots=True)
class _ShardJob:
    seed: int
    number: int
    count: int
    options: CropOptions


def _render_shard(job: _ShardJob) -> Files:
    source = crops(
        np.random.default_rng((job.seed, job.number)), font_book(), job.options
    )
    made = list(islice(source, job.count))
    order = np.random.default_rng((job.seed, job.number, 1)).permutation(job.count)
    return shard_files(
        job.number,
        np.stack([made[k].image for k in order]),
        np.array([made[k].label for k in order], np.int16),
        np.array([made[k].die_px for k in order], np.float32),
    )


@dataclass(frozen=True, slots=True)
class _Drawing:
    """What all pieces of a set share.

    Attributes:
        draw: makes the files of one piece; a function of a module.
        machine: what must be installed where a piece is drawn; None: it is drawn here.
        photos: folder of background photos; empty for none.
        photos_are: which must lie there, see `photos_digest`.
    """

    draw: Callable[..., Files]
    machine: Machine | None
    photos: str
    photos_are: str


def _draw(drawing: _Drawing, job: object) -> Files:
    """Draw a piece, here or on another machine.

    Raises:
        SpreadError: the machine would draw it differently.
    """
    if drawing.machine is not None:
        here = _machine(drawing.draw)
        if other := "; ".join(differences(drawing.machine, here)):
            raise SpreadError(
                f"a worker would draw other pictures than this machine: {other}"
            )
    if photos_digest(drawing.photos) != drawing.photos_are:
        raise SpreadError(f"a worker has other photos in {drawing.photos}")
    cv2.setNumThreads(1)  # the processes are the parallelism
    return drawing.draw(job)


def _machine(draw: Callable[..., Files]) -> Machine:
    return this_machine(DRAWING, (draw.__module__,))


def run_jobs(
    draw: Callable[[Job], Files],
    jobs: list[Job],
    folder: Path,
    spread: Spread,
    progress: Progress,
    photos: str = "",
) -> None:
    """Have pieces of a set drawn, and write them; the first error ends all.

    What was drawn comes back here to be written, so workers need no folder in common
    with us, and whoever draws, a set is the same byte for byte.

    Args:
        draw: makes the files of one piece; a function of a module, given to workers.
        jobs: the pieces.
        folder: gets the files.
        spread: who works.
        progress: shows a bar.
        photos: folder of background photos, the same wherever it is drawn.

    Raises:
        SpreadError: the workers are gone, or would draw other pictures.
    """

    def written() -> Iterator[int]:
        machine = _machine(draw) if spread.elsewhere else None
        drawing = _Drawing(draw, machine, photos, photos_digest(photos))
        for place, files in spread.each(_draw, drawing, jobs):
            write_files(folder, files)
            yield place

    if jobs:
        for _ in progress(written(), len(jobs)):
            pass


def render_crops(
    folder: Path,
    shards: int,
    seed: int,
    options: CropOptions,
    workers: int,
    progress: Progress,
    shard_crops: int = 2048,
    spread: Spread | None = None,
) -> int:
    """Render crop shards that are not there yet.

    Args:
        folder: where; made if missing.
        shards: how many there shall be in all.
        seed: of the set.
        options: what to draw.
        workers: processes of this machine.
        progress: shows a bar.
        shard_crops: crops a shard.
        spread: who works; None: those processes.

    Returns:
        How many shards were rendered now.

    Raises:
        DataSetError: the folder holds a set of other options.
        FontsError: too few fonts.
        SpreadError: the workers are gone, or would draw other pictures.
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
        _ShardJob(seed, k, shard_crops, options)
        for k in range(shards)
        if not shard_path(folder, k).exists()
    ]
    by = spread or Processes(workers)
    run_jobs(_render_shard, jobs, folder, by, progress, options.photos)
    return len(jobs)
