"""`tableside bench odds`: how long exact odds take, and how much memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

from web_ui.bench_odds import measure_odds
from web_ui.odds_dice import target_named

if TYPE_CHECKING:
    import argparse

    from web_ui.bench_odds import OddsFigures

TARGETS = "T10,T18,T30"
"""A straight, a full house, a straight flush: the slowest to look for."""

ANSWERS = 200
MOST_FIRST_MS = 1000.0
MOST_LATER_MS = 1.0
MOST_PEAK_MIB = 600 * 1e6 / 2**20
DICE = (5, 6, 7, 8, 9)


def add_parser(
    subparsers: argparse._SubParsersAction[argparse.ArgumentParser],
) -> None:
    """Add the benchmark."""
    parser = subparsers.add_parser(
        "odds",
        help="time and memory of exact odds",
        description="Asks for all keeps after the first roll, with 5 to 9 dice of the "
        "reference set, each target in a process of its own.",
    )
    parser.add_argument(
        "--targets",
        default=TARGETS,
        metavar="T1,T2",
        help="target cards (default %(default)s)",
    )
    parser.add_argument(
        "--rounds",
        type=int,
        default=3,
        help="processes for each target (default %(default)s)",
    )
    parser.add_argument(
        "--dice",
        type=int,
        choices=DICE,
        action="append",
        help="only so many dice (may be given again)",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Measure and print.

    Returns:
        0 done, 1 a process failed, 2 unusable input.
    """
    targets = args.targets.replace(",", " ").split()
    fault = "there is nothing to measure" if not targets or args.rounds < 1 else ""
    for name in targets:
        if target_named(name) is None:
            fault = f"{name!r} is no target: expected T1 to T34"
    if fault:
        print(f"tableside bench odds: {fault}", file=sys.stderr)
        return 2
    try:
        figures = [
            measure_odds(dice, targets, args.rounds, ANSWERS)
            for dice in args.dice or DICE
        ]
    except subprocess.CalledProcessError as error:
        print(f"tableside bench odds: {error.stderr}", file=sys.stderr)
        return 1
    if args.json:
        record = {
            "targets": targets,
            "rounds": args.rounds,
            "answers": ANSWERS,
            "cpus": len(os.sched_getaffinity(0)),
            "dice": [
                {key: round(value, 3) for key, value in asdict(each).items()}
                for each in figures
            ],
        }
        print(json.dumps(record))
    else:
        print("\n".join(_told(figures, targets, args.rounds)))
    return 0


def _told(figures: list[OddsFigures], targets: list[str], rounds: int) -> list[str]:
    cpus = len(os.sched_getaffinity(0))
    lines = [
        f"all keeps after the first roll; targets {' '.join(targets)}, {rounds} fresh"
        f" processes each, {ANSWERS} later answers in each, {cpus} CPUs",
        f"{'dice':>4} {'first':>10} {'slowest':>10} {'cpu':>10} {'from disk':>10}"
        f" {'later':>10} {'p99':>10} {'memory':>10}",
    ]
    for each in figures:
        times = (each.first_ms, each.first_most_ms, each.cpu_ms, each.stored_ms)
        lines.append(
            f"{each.dice:>4} "
            + " ".join(f"{ms:7.0f} ms" for ms in times)
            + f" {each.later_ms:7.3f} ms {each.later_p99_ms:7.3f} ms"
            f" {each.peak_mib:6.0f} MiB"
        )
    lines.append(
        f"wanted: first <= {MOST_FIRST_MS:.0f} ms, later <= {MOST_LATER_MS:.0f} ms,"
        f" memory <= {MOST_PEAK_MIB:.0f} MiB (600 MB)"
    )
    return lines
