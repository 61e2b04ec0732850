"""Runtimes, precisions and model files side by side: their speed, their readings."""

from __future__ import annotations

import importlib.util
import time
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from vision.networks import RUNTIMES
from vision.parity import Parity, compare_readings, complaints, summarise
from vision.pictures import load_picture
from vision.reader import load_reader

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from scoring.dice_sets import DiceSet
    from vision.parity import Compared
    from vision.reader import RollReader

SECOND = "onnxruntime-f32"
"""The reference, where it is installed: nothing that is compared shares its code."""
COLUMNS = ("detect", "crop", "faces", "decode", "total", "p90", "cpu")


@dataclass(frozen=True, slots=True)
class Speed:
    """Milliseconds a picture: medians, but for `p90_ms`.

    Attributes:
        detect_ms: finding the top faces.
        crop_ms: cutting them out.
        faces_ms: reading them, and how the dice lie.
        decode_ms: deciding the roll.
        total_ms: all of it, from the array of pixels to the reading.
        p90_ms: nine pictures in ten took no longer.
        cpu_ms: computing time of all threads together; hardly changes when the machine
            has other work, while the others do.
    """

    detect_ms: float
    crop_ms: float
    faces_ms: float
    decode_ms: float
    total_ms: float
    p90_ms: float
    cpu_ms: float


@dataclass(frozen=True, slots=True)
class Candidate:
    """One way to run the models, measured.

    Attributes:
        name: runtime and precision, or the folder of other models.
        load_ms: loading the models and warming them up.
        speed: see `Speed`.
        parity: its readings against those of the reference.
    """

    name: str
    load_ms: float
    speed: Speed
    parity: Parity


def readers_of(
    dice_set: DiceSet, models: Path | None, also: Sequence[Path], threads: int
) -> dict[str, RollReader]:
    """One reader for each candidate; the first is the reference.

    Args:
        dice_set: which dice are expected.
        models: folder of the models; None for those that come with Tableside.
        also: folders of other models, run on the runtime in use.
        threads: CPU threads; 0 lets the runtimes choose.

    Raises:
        ModelError: a model cannot be used.
    """
    runtimes = sorted(RUNTIMES, key=lambda name: name != SECOND)
    if importlib.util.find_spec("onnxruntime") is None:
        runtimes.remove(SECOND)
    readers = {
        name: load_reader(dice_set, models, threads, runtime=name) for name in runtimes
    }
    for folder in also:
        # limits that belong to other models would compare the limits
        reader = load_reader(dice_set, folder, threads, calibrated=False)
        reader.limits = readers[RUNTIMES[0]].limits
        readers[str(folder)] = reader
    return readers


def compare(
    readers: Mapping[str, RollReader], paths: Sequence[Path], rounds: int
) -> tuple[Candidate, ...]:
    """Read every picture with every reader in turn, so that all meet the same load.

    Args:
        readers: the first is the reference.
        paths: pictures.
        rounds: times each is read, at least once.

    Raises:
        PictureError: a picture cannot be read.
    """
    rows: dict[str, list[tuple[float, ...]]] = {name: [] for name in readers}
    compared: dict[str, list[Compared]] = {name: [] for name in readers}
    for number in range(rounds):
        for path in paths:
            image = load_picture(path).image
            readings = {}
            for name, reader in readers.items():
                began = time.process_time()
                readings[name], t = reader.timed_read(image)
                cpu_ms = (time.process_time() - began) * 1000
                stages = (t.detect_ms, t.crop_ms, t.faces_ms, t.decode_ms)
                rows[name].append((*stages, t.total_ms, cpu_ms))
            if number == 0:
                reference = next(iter(readings.values()))
                for name, reading in readings.items():
                    compared[name].append(
                        compare_readings(path.name, reference, reading)
                    )
    return tuple(
        Candidate(name, reader.load_ms, _speed(rows[name]), summarise(compared[name]))
        for name, reader in readers.items()
    )


def _speed(rows: Sequence[Sequence[float]]) -> Speed:
    table = np.array(rows, np.float64)
    detect, crop, faces, decode, total, cpu = np.median(table, axis=0).tolist()
    p90 = float(np.percentile(table[:, 4], 90))
    return Speed(detect, crop, faces, decode, total, p90, cpu)


def candidate_record(candidate: Candidate) -> dict[str, Any]:
    """A candidate as JSON."""
    return {
        "name": candidate.name,
        "model_load_ms": round(candidate.load_ms, 1),
        **{key: round(value, 2) for key, value in asdict(candidate.speed).items()},
        "parity": asdict(candidate.parity),
        "complaints": list(complaints(candidate.parity)),
    }


def comparison_text(candidates: Sequence[Candidate]) -> str:
    """A table of speeds, then what differs from the first candidate."""
    wide = max(len(candidate.name) for candidate in candidates)
    head = " ".join(f"{name:>7}" for name in (*COLUMNS, "load"))
    lines = [f"{'milliseconds':{wide}} {head}"]
    for one in candidates:
        values = " ".join(f"{value:7.1f}" for value in asdict(one.speed).values())
        lines.append(f"{one.name:{wide}} {values} {one.load_ms:7.0f}")
    reference = candidates[0]
    lines += [
        "",
        f"Readings of {reference.parity.pictures} pictures with "
        f"{reference.parity.dice} dice, against {reference.name}:",
    ]
    for one in candidates[1:]:
        p = one.parity
        lines.append(
            f"{one.name:{wide}} {p.differing} faces differ, quads move by "
            f"{p.shift_p50_px:.2f} px (half) and {p.shift_p99_px:.2f} px (99 in 100), "
            f"{len(p.statuses_in)} statuses differ, {len(p.sure_in)} sure rolls differ"
        )
        found = complaints(p)
        lines += [f"{'':{wide}}   not equal: {text}" for text in found] or [
            f"{'':{wide}}   equal within the tolerance"
        ]
    return "\n".join(lines)
