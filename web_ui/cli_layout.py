"""`tableside dataset layout` and `layout-curve`: a layout told from rolls."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from web_ui.progress import bar

if TYPE_CHECKING:
    import argparse

    from web_ui.layout_text import ToldLayout


def add_layout_parsers(
    kinds: argparse._SubParsersAction[argparse.ArgumentParser],
) -> None:
    """Add both commands."""
    layout = kinds.add_parser(
        "layout",
        help="tell from recorded rolls which faces share a die",
        description="Faces of one die never show together. Says the most likely layout "
        "and how certain it is; with --save a certain one becomes a dice set. Without "
        "files, the games of the table's own store are looked at.",
    )
    layout.add_argument(
        "files",
        type=Path,
        nargs="*",
        metavar="FILE",
        help="game scripts, and readings as `tableside read --json` prints them",
    )
    layout.add_argument(
        "--save", metavar="NAME", help="confirm it: keep it as the set of that name"
    )
    layout.add_argument(
        "--data",
        type=Path,
        default=Path("tableside-data"),
        metavar="DIR",
        help="folder of the table (default %(default)s)",
    )
    layout.add_argument("--json", action="store_true", help="print one JSON object")
    layout.set_defaults(run=run_layout)
    curve = kinds.add_parser(
        "layout-curve", help="simulate how many rolls it takes to tell a layout"
    )
    curve.add_argument("--sets", type=int, default=200, help="simulated sets")
    curve.add_argument("--errors", type=float, default=0.01, help="chance a die")
    curve.add_argument(
        "--alike",
        action="store_true",
        help="half of the errors are faces that look alike",
    )
    curve.add_argument("--seed", type=int, default=1)
    curve.set_defaults(run=run_curve)


def run_layout(args: argparse.Namespace) -> int:
    """Tell the layout; 0 certain, 1 not (yet), 2 unusable input."""
    from dataclasses import replace

    from datasets.enrolment.set_folder import SETS, SetFolder
    from scoring.cards import ScoringError
    from scoring.dice_sets import reference_dice_set
    from scoring.json_files import JsonFileError
    from web_ui.layout_text import layout_record, layout_text
    from web_ui.printable import printable
    from web_ui.store.errors import StoreError

    try:
        told = _of_files(args.files) if args.files else _of_store(args.data)
        seen = told.seen
        if args.save is not None:
            sets = SetFolder(args.data / SETS)
            sets.place(args.save)
            if seen.certain:
                own = replace(reference_dice_set(), name=args.save, dice=seen.dice)
                print(f"kept as {sets.save(own)}", file=sys.stderr)
            else:
                print("tableside dataset: nothing is kept yet", file=sys.stderr)
    except (JsonFileError, ScoringError, StoreError, OSError) as error:
        print(f"tableside dataset: {printable(str(error))}", file=sys.stderr)
        return 2
    print(json.dumps(layout_record(told)) if args.json else layout_text(told))
    return 0 if seen.certain else 1


def _of_files(paths: list[Path]) -> ToldLayout:
    """The layout that the rolls of some files tell."""
    from collections import Counter

    from datasets.enrolment.seen_layout import seen_layout, whole_rolls
    from web_ui.layout_text import ToldLayout
    from web_ui.layouts.game_throws import LEAST_FACES, LeftOut
    from web_ui.roll_logs import read_roll_log

    throws, left_out = [], Counter[str]()
    for log in map(read_roll_log, paths):
        counted = [faces for faces in log.newly_shown if len(faces) >= LEAST_FACES]
        left_out[LeftOut.NOT_SURE.value] += log.unsure
        left_out[LeftOut.FEW.value] += len(log.newly_shown) - len(counted)
        throws += counted
    why = tuple((word, count) for word, count in left_out.items() if count)
    return ToldLayout(seen_layout(throws), whole_rolls(throws), why)


def _of_store(data: Path) -> ToldLayout:
    """The layout that the games of a table tell."""
    from datasets.enrolment.seen_layout import SeenLayout, seen_layout
    from scoring.dice_sets import parse_layout
    from web_ui.layout_text import ToldLayout
    from web_ui.layouts.notes import FOLDER, REAL, read_notes, virtual_games
    from web_ui.layouts.question import Question, answer
    from web_ui.store.errors import StoreError, Trouble
    from web_ui.table.books import STORE_FILE

    path = data / STORE_FILE
    if not path.is_file():  # opening it would make one
        raise StoreError(
            Trouble.GONE, f"{path}: there is no store: name files or --data"
        )
    since = read_notes(data / FOLDER / REAL).since
    found = answer(Question(str(path), since, virtual_games(data)))
    if not found.throws:
        return ToldLayout(seen_layout(()), 0.0, found.left_out)
    dice = parse_layout([[*die] for die in found.dice])
    seen = SeenLayout(
        dice, found.confidence, found.throws, found.conflicts, found.reason
    )
    return ToldLayout(seen, found.worth, found.left_out)


def run_curve(args: argparse.Namespace) -> int:
    """Simulate and print the curve."""
    from datasets.enrolment.layout_curve import layout_curve
    from datasets.intervals import clopper_pearson

    if args.sets < 1 or not 0 <= args.errors < 1:
        print(
            "tableside dataset: --sets must be 1 or more, --errors 0 to below 1",
            file=sys.stderr,
        )
        return 2
    points = layout_curve(
        args.sets, args.errors, args.seed, bar("set"), alike=args.alike
    )
    print("rolls  proposed  wrong (95 % interval)   most likely one is right")
    for point in points:
        low, high = clopper_pearson(point.wrong, point.proposed)
        print(
            f"{point.rolls:>5}  {point.proposed:>8}  {point.wrong:>5}"
            f" ({100 * low:.1f}-{100 * high:.1f} %)"
            f"{point.right:>16} of {point.sets}"
        )
    return 0
