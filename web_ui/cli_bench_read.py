"""`tableside bench read`: how long reading a picture takes, stage by stage."""

from __future__ import annotations

import json
import os
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from vision.errors import VisionError
from vision.networks import RUNTIMES
from vision.parity import complaints
from vision.pictures import load_picture
from vision.reader import load_reader
from vision.sources import files_in, is_clip
from web_ui.bench_compare import (
    candidate_record,
    compare,
    comparison_text,
    readers_of,
)
from web_ui.dice_set_option import (
    DICE_SET_HELP,
    add_data_option,
    dice_set_of,
    own_reader_of,
)
from web_ui.threads_option import add_threads

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from scoring.dice_sets import DiceSet
    from vision.reader import RollReader

SAMPLES = Path(__file__).parent / "samples"
STAGES = ("load", "detect", "crop", "faces", "decode", "read", "cpu")
"""`read` is from the array of pixels to the reading, without loading the file; `cpu` is
the computing time of that in all threads together."""


@dataclass(frozen=True, slots=True)
class StageFigures:
    """One stage over all pictures, in milliseconds.

    Attributes:
        median_ms: half of the pictures took no longer.
        p90_ms: nine in ten took no longer.
    """

    median_ms: float
    p90_ms: float


def add_parser(
    subparsers: argparse._SubParsersAction[argparse.ArgumentParser],
) -> None:
    """Add the benchmark."""
    parser = subparsers.add_parser(
        "read",
        help="time per picture",
        description="Reads pictures and prints the median and the 90th percentile of "
        "each stage. Loading the models is given apart. With --compare every runtime "
        "and precision reads the same pictures by turns, and the readings are "
        "compared; the command fails if those in use differ from the reference.",
    )
    parser.add_argument(
        "paths",
        nargs="*",
        metavar="PATH",
        type=Path,
        help="pictures or folders (default: the bundled samples)",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--set", default="square-shooters", help=DICE_SET_HELP)
    add_data_option(parser)
    parser.add_argument("--models", type=Path, metavar="DIR")
    add_threads(parser)
    parser.add_argument("--turns", type=int, choices=(1, 2, 4), default=4)
    parser.add_argument(
        "--rounds", type=int, default=3, help="times each is read (default %(default)s)"
    )
    parser.add_argument(
        "--runtime",
        choices=RUNTIMES,
        default=RUNTIMES[0],
        help="what runs the models (default %(default)s)",
    )
    parser.add_argument(
        "--compare", action="store_true", help="run all runtimes and precisions"
    )
    parser.add_argument(
        "--also",
        type=Path,
        action="append",
        default=[],
        metavar="DIR",
        help="with --compare: a folder of other models (may be given again)",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Measure and print."""
    try:
        paths = _pictures(args.paths or [SAMPLES])
        if not paths or args.rounds < 1:
            print("tableside bench read: there is nothing to read", file=sys.stderr)
            return 2
        if args.also and not args.compare:
            print("tableside bench read: --also needs --compare", file=sys.stderr)
            return 2
        dice_set = dice_set_of(args.set, args.data)
        if args.compare:
            return _compare(args, paths, dice_set)
        reader = load_reader(
            dice_set,
            args.models,
            args.threads,
            args.turns,
            runtime=args.runtime,
            enrolled=own_reader_of(args.set, args.data),
        )
        figures = summarise(measure(reader, paths, args.rounds))
    except (VisionError, ValueError) as error:
        print(f"tableside bench read: {error}", file=sys.stderr)
        return 2 if isinstance(error, ValueError) else 1
    cpus = len(os.sched_getaffinity(0))
    if args.json:
        record = {
            "pictures": len(paths),
            "rounds": args.rounds,
            "runtime": args.runtime,
            "threads": args.threads,
            "cpus": cpus,
            "turns": args.turns,
            "model_load_ms": round(reader.load_ms, 1),
            "stages": {
                name: {key: round(value, 2) for key, value in asdict(stage).items()}
                for name, stage in figures.items()
            },
        }
        print(json.dumps(record))
        return 0
    print(_circumstances(args, len(paths)))
    print(f"run by {args.runtime}, {args.turns} turns of each crop")
    print(f"models loaded and warmed up in {reader.load_ms:.0f} ms")
    print(f"{'stage':8} {'median':>10} {'p90':>10}")
    for name, stage in figures.items():
        print(f"{name:8} {stage.median_ms:7.1f} ms {stage.p90_ms:7.1f} ms")
    return 0


def _circumstances(args: argparse.Namespace, pictures: int) -> str:
    cpus = len(os.sched_getaffinity(0))
    threads = f"{args.threads or 'automatic number of'} threads"
    return f"{pictures} pictures, {args.rounds} rounds, {cpus} CPUs, {threads}"


def _compare(args: argparse.Namespace, paths: list[Path], dice_set: DiceSet) -> int:
    """Compare the runtimes; 1 if the one in use does not read as the reference."""
    readers = readers_of(dice_set, args.models, args.also, args.threads)
    candidates = compare(readers, paths, args.rounds)
    if args.json:
        record = {
            "pictures": len(paths),
            "rounds": args.rounds,
            "threads": args.threads,
            "cpus": len(os.sched_getaffinity(0)),
            "candidates": [candidate_record(one) for one in candidates],
        }
        print(json.dumps(record))
    else:
        print(_circumstances(args, len(paths)))
        print(comparison_text(candidates))
    in_use = next(one for one in candidates if one.name == RUNTIMES[0])
    return 1 if complaints(in_use.parity) else 0


def _pictures(paths: list[Path]) -> list[Path]:
    files = [
        file
        for path in paths
        for file in (files_in(path) if path.is_dir() else (path,))
    ]
    return [file for file in files if not is_clip(file)]


def measure(
    reader: RollReader, paths: Sequence[Path], rounds: int
) -> list[tuple[float, ...]]:
    """Read every picture several times.

    Returns:
        One row of milliseconds for each reading, in the order of `STAGES`.

    Raises:
        PictureError: a picture cannot be read.
    """
    rows: list[tuple[float, ...]] = []
    for _ in range(rounds):
        for path in paths:
            began = time.perf_counter()
            image = load_picture(path).image
            load_ms = (time.perf_counter() - began) * 1000
            began = time.process_time()
            _, t = reader.timed_read(image)
            cpu_ms = (time.process_time() - began) * 1000
            stages = (load_ms, t.detect_ms, t.crop_ms, t.faces_ms, t.decode_ms)
            rows.append((*stages, t.total_ms, cpu_ms))
    return rows


def summarise(rows: Sequence[Sequence[float]]) -> dict[str, StageFigures]:
    """Median and 90th percentile of each stage.

    Args:
        rows: at least one row, columns in the order of `STAGES`.
    """
    table = np.array(rows, np.float64)
    return {
        name: StageFigures(
            float(np.median(table[:, k])), float(np.percentile(table[:, k], 90))
        )
        for k, name in enumerate(STAGES)
    }
