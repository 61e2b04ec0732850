"""Pictures for the detector, cut from captured ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from datasets.captured_sets import claim, corners, opened, side_of
from datasets.detector_labels import label_line
from datasets.picture_sets import jpeg
from datasets.render import run_jobs
from datasets.shards import DataSetError
from datasets.spread.processes import Processes

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from datasets.captured_teaching import Teaching
    from datasets.eval_labels import LabelledPicture
    from datasets.pinhole import Floats
    from datasets.render import Progress
    from datasets.shards import Files

WINDOW_PX = 480
"""Side of a window, as of the drawn pictures that teach the detector."""
SMALLEST_PX, LARGEST_PX = 16.0, 88.0
"""Width of the dice in a window, as in the drawn pictures."""
WINDOWS_A_PICTURE = 16
BLOCK = 32
TRIES = 12
GREY = (114, 114, 114)
GREY_COSTS = 4.0
"""A window wholly beyond the picture is as poor as one that cuts so many dice."""


@dataclass(frozen=True, slots=True)
class _WindowJob:
    pictures: tuple[LabelledPicture, ...]
    seed: int
    numbers: tuple[int, ...]


def _make_windows(job: _WindowJob) -> Files:
    files: list[tuple[str, bytes]] = []
    for number in job.numbers:
        rng = np.random.default_rng((job.seed, number))
        picture = job.pictures[int(rng.integers(len(job.pictures)))]
        image, shrunk = opened(picture)
        quads = [corners(die.quad, shrunk) for die in picture.dice]
        window, inside = cut_window(rng, image, quads)
        lines = [label_line(quad, WINDOW_PX, WINDOW_PX) + "\n" for quad in inside]
        files.append((f"images/{number:06d}.jpg", jpeg(window)))
        files.append((f"labels/{number:06d}.txt", "".join(lines).encode("ascii")))
    return tuple(files)


def cut_window(
    rng: np.random.Generator, image: NDArray[np.uint8], quads: list[Floats]
) -> tuple[NDArray[np.uint8], list[Floats]]:
    """Cut a square about one of the dice, turned and zoomed; never mirrored.

    Args:
        rng: source of every choice.
        image: (H, W, 3) uint8 BGR.
        quads: (4, 2) pixel corners of every die in it.

    Returns:
        The window, and the quads of the dice that are to be found in it.
    """
    views = [_view(rng, quads) for _ in range(TRIES)]
    height, width = image.shape[:2]

    def poor(view: Floats) -> float:
        return len(_cut(_moved(quads, view))) + GREY_COSTS * _beyond(
            view, width, height
        )

    matrix = min(views, key=poor)
    zoom = float(np.sqrt(np.linalg.det(matrix[:, :2])))
    if zoom < 0.9:  # a warp alone would skip pixels
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), 0.45 / zoom), np.uint8)
    size = (WINDOW_PX, WINDOW_PX)
    window = cv2.warpAffine(
        image, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101
    )
    # what a border would mirror is greyed: a mirrored die is none
    white = np.full(image.shape[:2], 255, np.uint8)
    window[cv2.warpAffine(white, matrix, size) == 0] = GREY
    moved = _moved(quads, matrix)
    for quad in _cut(moved):  # half a die is neither one nor none
        wider = quad.mean(axis=0) + 1.25 * (quad - quad.mean(axis=0))
        cv2.fillConvexPoly(window, np.rint(wider).astype(np.int32), GREY)
    return np.asarray(window, np.uint8), [quad for quad in moved if _whole(quad)]


def _view(rng: np.random.Generator, quads: list[Floats]) -> Floats:
    """A turn and a zoom about a place near one of the dice, (2, 3)."""
    chosen = quads[int(rng.integers(len(quads)))]
    low, high = np.log(SMALLEST_PX), np.log(LARGEST_PX)
    # no larger than it is seen: enlarging would teach blur
    high = max(low + 0.1, min(high, np.log(1.3 * side_of(chosen))))
    zoom = float(np.exp(rng.uniform(low, high))) / side_of(chosen)
    angle = rng.uniform(0, 2 * np.pi)
    c, s = np.cos(angle) * zoom, np.sin(angle) * zoom
    linear = np.array([[c, -s], [s, c]])
    middle = chosen.mean(axis=0) + rng.uniform(-0.35, 0.35, 2) * WINDOW_PX / zoom
    shift = (WINDOW_PX - 1) / 2 - linear @ middle
    return np.column_stack([linear, shift])


def _beyond(view: Floats, width: int, height: int) -> float:
    """Share of a window that lies beyond the picture, by a few points of it."""
    steps = (np.arange(8) + 0.5) * WINDOW_PX / 8
    spots = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    x, y = np.linalg.solve(view[:, :2], (spots - view[:, 2]).T)
    inside = (x >= 0) & (x < width) & (y >= 0) & (y < height)
    return 1 - float(inside.mean())


def _moved(quads: list[Floats], matrix: Floats) -> list[Floats]:
    return [np.asarray(q @ matrix[:, :2].T + matrix[:, 2], np.float64) for q in quads]


def _whole(quad: Floats) -> bool:
    """Whether a die is in the window with all that its label names."""
    values = np.array(label_line(quad, WINDOW_PX, WINDOW_PX).split(), float)
    inside = quad.min() >= 0 and quad.max() <= WINDOW_PX - 1
    return bool(inside and values.min() >= 0 and values.max() <= 1)


def _cut(quads: list[Floats]) -> list[Floats]:
    """Those of which the border leaves a part."""
    touching = [
        quad
        for quad in quads
        if (quad.min(axis=0) < WINDOW_PX - 1).all() and (quad.max(axis=0) > 0).all()
    ]
    return [quad for quad in touching if not _whole(quad)]


def captured_windows(
    folder: Path,
    teaching: Teaching,
    wanted: int,
    seed: int,
    progress: Progress,
    workers: int = 1,
) -> int:
    """Cut the windows for the detector that are not there yet.

    Only pictures whose dice all have a quad teach: an unlabelled die would teach that
    there is none.

    Args:
        folder: gets `images/`, `labels/` and a manifest.
        teaching: the pictures.
        wanted: how many windows there shall be; of few pictures fewer are cut.
        seed: of the cuts.
        progress: shows a bar.
        workers: processes.

    Returns:
        How many windows there are.

    Raises:
        DataSetError: no picture is wholly labelled, one cannot be used, or the folder
            holds another set.
    """
    whole = tuple(
        picture
        for picture in teaching.pictures
        if not picture.cards and all(die.quad is not None for die in picture.dice)
    )
    if not whole:
        raise DataSetError(f"{folder}: no captured picture has a quad for every die")
    count = min(wanted, WINDOWS_A_PICTURE * len(whole))
    claim(
        folder,
        {
            "kind": "windows from captured pictures",
            **teaching.record(),
            "wholly_labelled": len(whole),
            "seed": seed,
            "windows": count,
        },
    )
    for name in ("images", "labels"):
        (folder / name).mkdir(exist_ok=True)
    missing = [
        k for k in range(count) if not (folder / "labels" / f"{k:06d}.txt").exists()
    ]
    jobs = [
        _WindowJob(whole, seed, tuple(missing[k : k + BLOCK]))
        for k in range(0, len(missing), BLOCK)
    ]
    run_jobs(_make_windows, jobs, folder, Processes(workers), progress)
    return count
