"""`tableside bench`: measures speed; each benchmark is a module of its own."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

BENCHMARKS: tuple[str, ...] = (
    "read",
    "watch",
    "corrupt",
    "odds",
    "games",
    "scoring",
    "web",
    "enrolment",
    "datasets",
)
"""Each is a module `web_ui.cli_bench_<name>` with `add_parser(subparsers)`."""


def add_parser(
    subparsers: argparse._SubParsersAction[argparse.ArgumentParser],
    names: Sequence[str] = BENCHMARKS,
) -> None:
    """Add the command with its benchmarks."""
    words = "measure speed, false rolls, spoiled files, odds, games, viewers"
    parser = subparsers.add_parser("bench", help=words)
    inner = parser.add_subparsers(dest="benchmark", required=True, metavar="BENCHMARK")
    for name in names:
        importlib.import_module(f"web_ui.cli_bench_{name}").add_parser(inner)
