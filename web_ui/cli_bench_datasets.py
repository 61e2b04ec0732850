"""`tableside bench datasets`: how an album of many captures behaves, and grows."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

COUNTS = (500, 5_000, 50_000)
MOST = 1_000_000


def add_parser(
    subparsers: argparse._SubParsersAction[argparse.ArgumentParser],
) -> None:
    """Add the benchmark."""
    parser = subparsers.add_parser(
        "datasets",
        help="albums of many captures: opening, lists, review, check, export",
        description="Fills albums with made-up rolls, each a real but tiny JPEG (128 x"
        " 72) with a whole sidecar, and times what people wait for. Each stage runs in"
        " a process of its own, whose most memory is told (about 75 MB of it are the"
        " interpreter and its libraries). All but `fill` wait for the disk as play"
        " does.",
    )
    parser.add_argument(
        "--captures",
        type=_counts,
        default=COUNTS,
        metavar="N,N,…",
        help="how many each album has (default 500,5000,50000)",
    )
    parser.add_argument(
        "--folder",
        type=Path,
        metavar="DIR",
        help="keep the albums there, to be measured again (default: thrown away)",
    )
    parser.add_argument("--json", action="store_true", help="print a line a stage")
    parser.set_defaults(run=run)


def _counts(text: str) -> tuple[int, ...]:
    counts = tuple(int(part) for part in text.split(","))
    if any(not 1 <= count <= MOST for count in counts):
        raise argparse.ArgumentTypeError(f"each must be 1..{MOST}, not {text!r:.80}")
    return counts


def run(args: argparse.Namespace) -> int:
    """Fill, measure, print."""
    from datasets.shards import DataSetError

    try:
        if args.folder is not None:
            args.folder.mkdir(parents=True, exist_ok=True)
            _measure(args, args.folder)
        else:
            with tempfile.TemporaryDirectory(prefix="tableside-bench-") as folder:
                _measure(args, Path(folder))
    except (DataSetError, OSError) as error:
        print(f"tableside bench: {error}", file=sys.stderr)
        return 2
    return 0


def _measure(args: argparse.Namespace, folder: Path) -> None:
    from web_ui.bench_datasets import STAGES, measure

    if not args.json:
        print(
            f"{'stage':<12} {'captures':>8} {'steps':>6} {'median':>11} {'worst':>11}"
            f" {'together':>10} {'peak':>8}"
        )
    for count in args.captures:
        for stage in STAGES:
            record = measure(stage, folder / f"album-{count}", count).record()
            if args.json:
                print(json.dumps(record), flush=True)
                continue
            print(
                f"{stage:<12} {count:>8} {record['steps']:>6}"
                f" {record['median_ms']:>8.2f} ms {record['worst_ms']:>8.2f} ms"
                f" {record['total_s']:>8.2f} s {record['peak_mb']:>5.0f} MB",
                flush=True,
            )
