"""`tableside doctor`: check what playing needs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from web_ui.doctor import Health, examine, playable
from web_ui.settings import StoreSettings

if TYPE_CHECKING:
    import argparse

MARKS = {Health.GOOD: "ok", Health.NOTE: "note", Health.BAD: "BAD"}


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command and its options."""
    parser = subparsers.add_parser(
        "doctor",
        help="check Python, models, camera and disk",
        epilog="Exit: 0 playable, 1 not.",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument(
        "--camera", type=int, default=0, metavar="N", help="camera to look for (0)"
    )
    parser.add_argument(
        "--data",
        type=Path,
        default=Path(StoreSettings().folder),
        metavar="DIR",
        help="data folder of the table (default %(default)s)",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Examine and print."""
    findings = examine(args.camera, args.data)
    good = playable(findings)
    if args.json:
        lines = [
            {"what": item.what, "health": item.health, "sentence": item.sentence}
            for item in findings
        ]
        print(json.dumps({"playable": good, "findings": lines}, ensure_ascii=False))
        return 0 if good else 1
    for item in findings:
        print(f"{MARKS[item.health]:<4}  {item.what:<14}  {item.sentence}")
    print("Ready to play." if good else "Not ready to play: see the lines marked BAD.")
    return 0 if good else 1
