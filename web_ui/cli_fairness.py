"""`tableside fairness`: are the dice fair, as far as their rolls can tell."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from scoring.cards import ScoringError
from scoring.dice_sets import bundled_dice_set
from scoring.fairness import ALPHA, FairnessError, fairness
from scoring.json_files import JsonFileError
from web_ui.dice_set_option import dice_set_of
from web_ui.fairness_page import fairness_page
from web_ui.fairness_words import notes, number, p_value, verdict
from web_ui.printable import printable
from web_ui.roll_logs import read_roll_log

if TYPE_CHECKING:
    import argparse

    from scoring.dice_sets import DiceSet
    from scoring.fairness import FairnessReport
    from web_ui.roll_logs import RollLog


def add_parser(
    subparsers: argparse._SubParsersAction[argparse.ArgumentParser],
) -> None:
    """Add the command to the `tableside` parser."""
    parser = subparsers.add_parser(
        "fairness",
        help="are the dice fair, as far as their rolls can tell",
        description="Counts the faces of every die in the rolls in which it was really "
        "rolled. The evidence may be looked at after every roll.",
    )
    parser.add_argument(
        "files",
        type=Path,
        nargs="+",
        metavar="FILE",
        help="game scripts, and readings as `tableside read --json` prints them",
    )
    parser.add_argument(
        "--set",
        metavar="NAME",
        help="the dice: a dice set or a file (default: as the files tell)",
    )
    parser.add_argument(
        "--alpha",
        type=float,
        default=ALPHA,
        help="how often fair dice may be called unfair (default %(default)s)",
    )
    parser.add_argument("--report", type=Path, metavar="OUT.html", help="write a page")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run the command.

    Returns:
        0 no evidence against the dice, 1 evidence or a page that cannot be written,
        2 unusable input.
    """
    try:
        logs = [read_roll_log(path) for path in args.files]
        given = None if args.set is None else dice_set_of(args.set)
        dice_set = _common_dice(logs, given)
        throws = [throw for log in logs for throw in log.throws]
        report = fairness(dice_set, throws, args.alpha)
    except (JsonFileError, ScoringError) as error:
        print(f"tableside fairness: {printable(str(error))}", file=sys.stderr)
        return 2
    remarks = notes(report, logs)
    if args.report is not None:
        try:
            args.report.write_text(fairness_page(report, remarks), "utf-8")
        except OSError as error:
            print(
                f"{args.report}: cannot be written: {error.strerror}", file=sys.stderr
            )
            return 1
    if args.json:
        summary = {
            "unfair": report.unfair,
            "verdict": verdict(report),
            "enough": report.enough,
            "enough_each": report.enough_each,
            "suspects": [die.name for die in report.suspects],
            "notes": remarks,
        }
        print(json.dumps({**asdict(report), **summary}))
    else:
        print("\n".join(_table(report)))
        print(verdict(report))
        for remark in remarks:
            print(f"- {printable(remark)}")
    return 1 if report.unfair else 0


def _common_dice(logs: list[RollLog], given: DiceSet | None) -> DiceSet:
    """The dice of all files.

    Raises:
        FairnessError: different dice, and none was given.
        DiceSetError: readings of dice that are not bundled, and none were given.
    """
    if given is not None:
        return given
    found: DiceSet | None = None
    for log in logs:
        dice = log.dice or bundled_dice_set(log.set_name)
        if found is not None and found != dice:
            raise FairnessError(
                f"{log.path}: other dice than before: name them by --set"
            )
        found = dice
    assert found is not None
    return found


def _table(report: FairnessReport) -> list[str]:
    by_face = report.by == "face"
    faces = "came up / fair" if by_face else "faces and how often they came up"
    lines = [f"{'':<9} rolls   exact p  evidence  most so far  {faces}"]
    for die in report.dice:
        if by_face:
            face = die.faces[0]
            shown = f"{face.count} / {die.rolls / 6:.1f}"
        else:
            shown = "  ".join(f"{face.code} {face.count}" for face in die.faces)
        lines.append(
            f"{die.name:<9} {die.rolls:>5}  {p_value(die.exact_p):>8}"
            f"  {number(die.evidence):>8}  {number(die.most):>11}  {shown}"
        )
    return lines
