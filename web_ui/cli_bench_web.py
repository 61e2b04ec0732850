"""`tableside bench web`: how late viewers see events, and what viewers cost."""

from __future__ import annotations

import argparse
import json
import os
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

from web_ui.bench_web import BenchError, WebFigures, faults_of, measure_web

if TYPE_CHECKING:
    from collections.abc import Callable

MOST_VIEWERS = 390
MOST_VIDEOS = 60


def add_parser(
    subparsers: argparse._SubParsersAction[argparse.ArgumentParser],
) -> None:
    """Add the benchmark."""
    parser = subparsers.add_parser(
        "web",
        help="delay and cost of many viewers",
        description="Plays the demo in a process of its own, posts five events a "
        "second and looks on as many viewers do. Ends with 1 if a bar is missed: "
        "95 of 100 arrivals within 250 ms, reading kept up, nothing left behind.",
    )
    parser.add_argument(
        "--viewers",
        type=_number(1, MOST_VIEWERS),
        default=200,
        metavar="N",
        help="event streams (%(default)s)",
    )
    parser.add_argument(
        "--videos",
        type=_number(0, MOST_VIDEOS),
        default=5,
        metavar="N",
        help="live pictures (%(default)s)",
    )
    parser.add_argument(
        "--seconds",
        type=_number(2, 600),
        default=20,
        metavar="S",
        help="how long all look on (%(default)s)",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def _number(low: int, high: int) -> Callable[[str], int]:
    def parse(text: str) -> int:
        value = int(text)
        if not low <= value <= high:
            raise argparse.ArgumentTypeError(f"must be {low}..{high}, not {value}")
        return value

    return parse


def run(args: argparse.Namespace) -> int:
    """Measure and print.

    Returns:
        0 all bars met, 1 one missed or the table failed.
    """
    try:
        figures = measure_web(args.viewers, args.videos, args.seconds)
    except BenchError as error:
        print(f"tableside bench web: {error}", file=sys.stderr)
        return 1
    faults = faults_of(figures, args.viewers, args.videos)
    if args.json:
        cores = os.cpu_count()
        print(json.dumps({**asdict(figures), "cores": cores, "faults": faults}))
    else:
        _print(figures)
    for fault in faults:
        print(f"tableside bench web: {fault}", file=sys.stderr)
    return 1 if faults else 0


def _print(figures: WebFigures) -> None:
    print(
        f"{figures.viewers} streams, {figures.videos} live pictures, "
        f"{figures.events} events on {os.cpu_count()} cores "
        f"(load {figures.load_average})\n"
        f"event to viewer    {figures.p50_ms} ms median, {figures.p95_ms} ms 95th "
        f"percentile, {figures.most_ms} ms at most; {figures.missed} missed\n"
        f"frames read        {figures.rate_with} a second, {figures.rate_alone} alone; "
        f"{figures.read_ms_with} ms each, {figures.read_ms_alone} alone\n"
        f"cores kept busy    {figures.cpu_with}, {figures.cpu_alone} alone\n"
        f"with all viewers   {figures.busy.threads} threads, {figures.busy.fds} files, "
        f"{figures.busy.rss_mib} MiB (before {figures.alone.rss_mib})\n"
        f"opens and closes   threads {figures.before.threads} -> "
        f"{figures.after.threads}, files {figures.before.fds} -> {figures.after.fds}, "
        f"MiB {figures.before.rss_mib} -> {figures.after.rss_mib}\n"
        f"with stalled ones  {figures.stalled_p95_ms} ms 95th percentile, "
        f"{figures.stalled_rss_mib} MiB more, {figures.stalled_dropped} hung up on"
    )
