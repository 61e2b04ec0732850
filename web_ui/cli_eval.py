"""`tableside eval`: how good the reader is on labelled pictures, stage by stage."""

from __future__ import annotations

import argparse
import io
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from web_ui.dice_set_option import (
    DICE_SET_HELP,
    add_data_option,
    dice_set_of,
    own_reader_of,
)
from web_ui.models_in_use import MODELS_HELP, chosen_models
from web_ui.progress import bar
from web_ui.scheduler_option import add_scheduler, spread_of
from web_ui.threads_option import add_threads

if TYPE_CHECKING:
    from datasets.eval_record import RunFacts
    from datasets.eval_results import PictureResult

DONE, FAILED, UNUSABLE = 0, 1, 2


def add_parser(
    subparsers: argparse._SubParsersAction[argparse.ArgumentParser],
) -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "eval",
        help="measure the reader on labelled pictures and clips",
        description="Reads the pictures and clips of a folder with labels.json and "
        "says how good each stage is: found, read, decided, status. A poor figure is "
        "no error: ends with 1 only if files could not be read.",
    )
    parser.add_argument("folder", metavar="DIR", type=Path, help="has labels.json")
    parser.add_argument("--set", default="square-shooters", help=DICE_SET_HELP)
    add_data_option(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument(
        "--report",
        type=Path,
        metavar="OUT_DIR",
        help="write a page with curves and pictures of every miss there",
    )
    parser.add_argument(
        "--tag",
        action="append",
        default=[],
        metavar="T",
        help="only pictures with this tag, or art:NAME (repeat: with all of them)",
    )
    parser.add_argument(
        "--iou",
        type=_overlap,
        default=0.4,
        help="least overlap of a place that counts as found (default %(default)s)",
    )
    parser.add_argument(
        "--count",
        type=_count,
        default="set",
        metavar="N|any",
        help="dice of an ordinary roll (default: as many as the dice set has, and any "
        "number of cards)",
    )
    parser.add_argument("--models", type=Path, metavar="DIR", help=MODELS_HELP)
    parser.add_argument(
        "--turns",
        type=int,
        choices=(1, 2, 4),
        default=4,
        help="looks at each die (default %(default)s)",
    )
    add_threads(parser)
    add_scheduler(parser)
    parser.set_defaults(run=run)


def _overlap(text: str) -> float:
    value = float(text)
    if not 0 < value <= 1:
        raise argparse.ArgumentTypeError(f"must be above 0 and at most 1, not {text}")
    return value


def _count(text: str) -> str:
    if text in ("any", "set") or (text.isdecimal() and int(text) > 0):
        return text
    raise argparse.ArgumentTypeError(f"must be a number from 1 or 'any', not {text!r}")


def run(args: argparse.Namespace) -> int:
    """Measure and print."""
    # the measuring parts, SciPy among them, are loaded only when they are needed
    from datasets.eval_record import evaluation_record
    from datasets.eval_report import check_report_folder, write_report
    from datasets.shards import DataSetError
    from datasets.spread.port import SpreadError
    from vision.errors import VisionError
    from web_ui.eval_text import evaluation_text

    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal need not know all signs
            stream.reconfigure(errors="backslashreplace")
    try:
        if args.report is not None:
            check_report_folder(args.report)
        results, facts = measure(args)
        record = evaluation_record(results, facts)
        if args.report is not None:
            page = write_report(args.report, results, record)
            print(f"tableside eval: {page} is written", file=sys.stderr)
    except (
        DataSetError,
        SpreadError,
        VisionError,
        ValueError,
        OSError,
    ) as error:
        print(f"tableside eval: {error}", file=sys.stderr)
        return FAILED if isinstance(error, VisionError) else UNUSABLE
    print(json.dumps(record) if args.json else evaluation_text(record))
    unreadable = [result for result in results if result.error]
    for one in unreadable:
        print(f"tableside eval: {one.picture.path}: {one.error}", file=sys.stderr)
    if len(unreadable) == len(results):
        return UNUSABLE
    return FAILED if unreadable else DONE


def measure(
    args: argparse.Namespace,
) -> tuple[tuple[PictureResult, ...], RunFacts]:
    """Read the set that a user named, with what was asked for.

    Raises:
        DiceSetError: no such dice set.
        DataSetError: the labels cannot be used.
        ModelError: a model cannot be loaded.
        SpreadError: the scheduler that was named cannot be used.
    """
    from datasets.eval_record import RunFacts
    from datasets.eval_sets import evaluate_set, labelled_set
    from datasets.evaluation import AS_SET, EvalOptions
    from datasets.spread_reading import evaluate_far, recipe_of
    from vision.reader import load_reader

    dice_set = dice_set_of(args.set, args.data)
    labels = labelled_set(args.folder, args.tag)
    own = own_reader_of(args.set, args.data)
    chosen = chosen_models(args.models, args.data)
    args.models = chosen.folder
    if chosen.problem:
        print(f"tableside eval: {chosen.problem}", file=sys.stderr)
    reader = load_reader(dice_set, args.models, args.threads, args.turns, enrolled=own)
    facts = RunFacts(
        folder=str(args.folder),
        dice_set=dice_set.name,
        layout_known=dice_set.dice is not None,
        detector=reader.detector.name,
        faces=reader.faces.name,
        turns=args.turns,
        least_iou=args.iou,
        count=args.count,
        tags=tuple(args.tag),
    )
    counts: dict[str, int | None] = {"any": None, "set": AS_SET}
    count = counts[args.count] if args.count in counts else int(args.count)
    options = EvalOptions(args.iou, count)
    with spread_of(args) as spread:
        if spread is None:
            return evaluate_set(reader, labels, options, bar("picture")), facts
        recipe = recipe_of(dice_set, args.models, args.turns, enrolled=own)
        return evaluate_far(recipe, labels, options, spread, bar("picture")), facts
