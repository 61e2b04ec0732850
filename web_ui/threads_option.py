"""The option that says how many CPU threads the models may use."""

from __future__ import annotations

import argparse

MOST_THREADS = 1024


def add_threads(parser: argparse.ArgumentParser, auto: str = "auto") -> None:
    """Add `--threads` to a command.

    Args:
        parser: of the command.
        auto: what 0, the default, means.
    """
    parser.add_argument(
        "--threads",
        type=_threads,
        default=0,
        metavar="N",
        help=f"CPU threads (default 0: {auto})",
    )


def _threads(text: str) -> int:
    if text.isascii() and text.isdecimal() and int(text) <= MOST_THREADS:
        return int(text)
    raise argparse.ArgumentTypeError(
        f"must be a whole number from 0 to {MOST_THREADS}, not {text!r}"
    )
