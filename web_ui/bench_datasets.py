"""Measuring an album of many captures: stages in processes of their own."""

from __future__ import annotations

import hashlib
import multiprocessing
import shutil
import time
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from statistics import median
from typing import TYPE_CHECKING

import cv2
import numpy as np

from datasets.captures.album import Album
from datasets.captures.capture import (
    Capture,
    CapturedDie,
    Kept,
    Origin,
    Review,
    stamp,
)
from datasets.captures.checking import verify
from datasets.captures.labelled import each_labelled
from datasets.captures.listing import Filter, Order
from datasets.labels.class_names import ORDERS
from datasets.labels.exporting import ExportOptions, export_set
from datasets.labels.formats import FORMATS
from scoring.cards import CARD_DICE_FACES
from vision.picture_quality import PictureLight
from vision.reading import Alternative, DieReading, Reading, Status
from web_ui.peak_memory import peak_bytes

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from vision.reading import Quad

WIDTH_PX, HEIGHT_PX = 128, 72
DICE = 9
STEPS = 200
"""Review steps and labels that are timed."""
PAGES = 200
RECORDINGS = 40
EXPORTED = "yolo-detect"
BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
EVERY_KEPT = (Kept.SURE, Kept.ASKED, Kept.REFUSED, Kept.CORRECTED)


@dataclass(frozen=True, slots=True)
class StageFigures:
    """What a stage cost.

    Attributes:
        stage: its name.
        captures: how many the album has.
        times_s: how long each of its steps took.
        peak_mb: most memory of its process, the interpreter and its libraries included.
    """

    stage: str
    captures: int
    times_s: tuple[float, ...]
    peak_mb: float

    def record(self) -> dict[str, object]:
        """As JSON can hold it."""
        return {
            "stage": self.stage,
            "captures": self.captures,
            "steps": len(self.times_s),
            "median_ms": round(median(self.times_s) * 1000, 3),
            "worst_ms": round(max(self.times_s) * 1000, 3),
            "total_s": round(sum(self.times_s), 3),
            "peak_mb": round(self.peak_mb, 1),
        }


def tiny_picture(seed: int) -> bytes:
    """A real JPEG, but a tiny one: 128 x 72 pixels of random patches."""
    chance = np.random.default_rng(seed)
    patches = chance.integers(0, 255, (18, 32, 3)).astype(np.uint8)
    image = cv2.resize(patches, (WIDTH_PX, HEIGHT_PX))
    return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 80])[1].tobytes()


def made_up(seed: int, picture: bytes) -> Capture:
    """A capture with nine dice and a reading of theirs, as play makes it.

    Args:
        seed: decides faces and places.
        picture: the JPEG.
    """
    chance = np.random.default_rng((seed, 1))
    faces = [CARD_DICE_FACES[k] for k in chance.permutation(54)[: 2 * DICE]]
    kept = EVERY_KEPT[0 if chance.random() < 0.7 else int(chance.integers(1, 4))]
    quads = [_square(place, chance.uniform(0, 4)) for place in range(DICE)]
    sure = float(chance.uniform(0.5, 1.0))
    named = Origin.PERSON if kept is Kept.CORRECTED else Origin.MODEL
    return Capture(
        picture=hashlib.sha256(picture).hexdigest(),
        width_px=WIDTH_PX,
        height_px=HEIGHT_PX,
        taken_at=stamp(BEGAN + timedelta(seconds=20 * seed)),
        recording=f"evening {seed % RECORDINGS}",
        dice_set="square-shooters",
        kept=kept,
        dice=tuple(
            CapturedDie(quad, face, origin=named)
            for quad, face in zip(quads, faces[:DICE], strict=True)
        ),
        reading=Reading(
            "square-shooters",
            Status.SURE if kept is Kept.SURE else Status.ASK,
            sure,
            tuple(
                DieReading(face, sure, quad, (Alternative(other, 1 - sure),))
                for face, other, quad in zip(
                    faces[:DICE], faces[DICE:], quads, strict=True
                )
            ),
            (),
            "made-up",
        ),
        camera="bench",
        light=PictureLight(10.0, 230.0),
        review=Review.REVIEWED if chance.random() < 0.5 else Review.WAITING,
        doubt=1 - sure,
    )


def _square(place: int, shift: float) -> Quad:
    x, y, side = 4.0 + 13 * place + shift, 20.0 + shift, 9.0
    return (x, y), (x + side, y), (x + side, y + side), (x, y + side)


def _fill(folder: Path, captures: int) -> list[float]:
    """Add until there are so many; what is there already is kept."""
    album, times = Album(folder, durable=False), []
    for seed in range(len(album), captures):
        picture = tiny_picture(seed)
        capture = made_up(seed, picture)
        began = time.perf_counter()
        album.add(capture, picture)
        times.append(time.perf_counter() - began)
    if len(album) != captures:
        raise AssertionError(f"{len(album)} captures instead of {captures}")
    return times or [0.0]


def _timed(what: Callable[[], object]) -> float:
    began = time.perf_counter()
    what()
    return time.perf_counter() - began


def _open(folder: Path, captures: int) -> list[float]:
    return [_timed(lambda: len(Album(folder))) for _ in range(3)]


def _list(folder: Path, captures: int) -> list[float]:
    """The first page of every filter and order: nothing is sorted yet."""
    album = Album(folder)
    filters = [
        Filter(),
        Filter(review=Review.WAITING),
        Filter(kept=Kept.ASKED),
        Filter(recording="evening 3"),
        Filter(face="QH"),
    ]
    return [
        _timed(lambda w=which, o=order: album.page(w, o, 0, 50))  # type: ignore[misc]
        for which in filters
        for order in Order
    ]


def _turn_pages(folder: Path, captures: int) -> list[float]:
    album = Album(folder)
    which = Filter(review=Review.WAITING)
    album.page(which, Order.DOUBT)
    starts = np.linspace(0, captures, PAGES).astype(int)
    return [_timed(lambda s=int(k): album.page(which, Order.DOUBT, s)) for k in starts]  # type: ignore[misc]


def _add_one(folder: Path, captures: int) -> list[float]:
    """One more, safe on the disk, as play adds it; removed again."""
    album, times = Album(folder), []
    for seed in range(captures, captures + 50):
        picture = tiny_picture(10**6 + seed)
        capture = made_up(10**6 + seed, picture)
        times.append(_timed(lambda c=capture, p=picture: album.add(c, p)))  # type: ignore[misc]
        album.drop(capture.id)
    return times


def _review(folder: Path, captures: int) -> list[float]:
    """The most doubtful one, with its picture, labelled; and so on."""
    album, times = Album(folder), []
    which = Filter(review=Review.WAITING)

    def step() -> None:
        (entry,) = album.page(which, Order.DOUBT, 0, 1).entries
        capture = album.get(entry.id)
        album.picture(entry.id)
        named = tuple(
            replace(die, origin=Origin.PERSON, role="bench") for die in capture.dice
        )
        album.label(entry.id, named)

    waiting = album.page(which).total
    times += [_timed(step) for _ in range(min(STEPS, waiting))]
    return times or [0.0]


def _verify(folder: Path, captures: int) -> list[float]:
    def check() -> None:
        found = verify(Album(folder))
        if not found.ok:
            raise AssertionError(found.faults[:3] + found.orphans[:3])

    return [_timed(check)]


def _export(folder: Path, captures: int) -> list[float]:
    out = folder.parent / f"{folder.name}-export"
    shutil.rmtree(out, ignore_errors=True)
    options = ExportOptions(ORDERS["faces"])
    pictures = each_labelled(Album(folder))
    took = _timed(lambda: export_set(pictures, out, FORMATS[EXPORTED], options))
    shutil.rmtree(out)
    return [took]


STAGES: dict[str, Callable[[Path, int], list[float]]] = {
    "fill": _fill,
    "open": _open,
    "list anew": _list,
    "turn pages": _turn_pages,
    "add one": _add_one,
    "review step": _review,
    "verify": _verify,
    "export": _export,
}
"""In the order in which they are measured; each leaves as many captures."""


def measure(stage: str, folder: Path, captures: int) -> StageFigures:
    """Run a stage in a process of its own, so that its memory is its own.

    Args:
        stage: a key of `STAGES`.
        folder: of the album.
        captures: how many it has, or gets.
    """
    context = multiprocessing.get_context("spawn")
    with context.Pool(1) as pool:
        times, peak_mb = pool.apply(_stage, (stage, folder, captures))
    return StageFigures(stage, captures, tuple(times), peak_mb)


def _stage(stage: str, folder: Path, captures: int) -> tuple[list[float], float]:
    cv2.setNumThreads(1)
    times = STAGES[stage](folder, captures)
    return times, peak_bytes() / 1024**2
