"""The `tableside` command: one thin front over the packages."""

from __future__ import annotations

import argparse
import importlib
import io
import logging
import os
import sys

COMMANDS = (
    "play",
    "read",
    "score",
    "review",
    "fairness",
    "conform",
    "odds",
    "dataset",
    "enrol",
    "train",
    "eval",
    "calibrate",
    "promote",
    "tray",
    "buttons",
    "store",
    "access",
    "doctor",
    "bench",
)
"""Each is a module `web_ui.cli_<name>` with `add_parser`, imported when asked for."""


def build_parser(names: tuple[str, ...] = COMMANDS) -> argparse.ArgumentParser:
    """Make the parser for the named commands."""
    parser = argparse.ArgumentParser(
        prog="tableside",
        description="Watches a table of card dice, reads the rolls, scores the game.",
    )
    parser.add_argument(
        "--verbose", action="store_true", help="log what happens to stderr"
    )
    subparsers = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name in names:
        importlib.import_module(f"web_ui.cli_{name}").add_parser(subparsers)
    return parser


def main(argv: list[str] | None = None) -> int:
    """Run one command.

    Args:
        argv: the words after `tableside`; those of the process if None.

    Returns:
        0 done, 1 failed, 2 unusable input.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # names need not suit the terminal
            stream.reconfigure(errors="backslashreplace")
    words = sys.argv[1:] if argv is None else argv
    asked = next((word for word in words if not word.startswith("-")), None)
    # only the module of the command asked for: `tableside score` must not load OpenVINO
    names = (asked,) if asked in COMMANDS else COMMANDS
    args = build_parser(names).parse_args(words)
    logging.basicConfig(
        level=logging.INFO if args.verbose else logging.WARNING,
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
    )
    try:
        status: int = args.run(args)
        sys.stdout.flush()  # what cannot be written shall show here, not at the end
    except BrokenPipeError:  # the reader of our output has gone (`... | head`)
        # what is still buffered must not fail once more when Python ends
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130
    return status


if __name__ == "__main__":
    raise SystemExit(main())
