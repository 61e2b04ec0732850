"""`tableside bench corrupt`: what is said of pictures that were corrupted at random."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from vision.errors import VisionError
from vision.reader import load_reader
from web_ui.dice_set_option import (
    DICE_SET_HELP,
    add_data_option,
    dice_set_of,
    own_reader_of,
)
from web_ui.seed_option import whole_seed
from web_ui.threads_option import add_threads

if TYPE_CHECKING:
    import argparse

    from datasets.corrupt_score import Counts

SAMPLES = Path(__file__).parent / "samples"
STATED_RATE = 0.005
"""Share of pictures that may be wrong while sure."""


def add_parser(
    subparsers: argparse._SubParsersAction[argparse.ArgumentParser],
) -> None:
    """Add the benchmark."""
    parser = subparsers.add_parser(
        "corrupt",
        help="crashes and wrong sure readings on corrupted pictures",
        description="Corrupts labelled pictures at random (noise, crops, mirrors, "
        "damaged files, ...), reads them and counts what was said. Ends with 1 if "
        "something crashed or more were wrong while sure than the stated rate.",
    )
    parser.add_argument(
        "folder",
        nargs="?",
        metavar="DIR",
        type=Path,
        default=SAMPLES,
        help="pictures with labels.json (default: the bundled samples)",
    )
    parser.add_argument("--count", type=int, default=500, help="default %(default)s")
    parser.add_argument("--seed", type=whole_seed, default=1)
    parser.add_argument(
        "--rate",
        type=float,
        default=STATED_RATE,
        help="stated share of pictures wrong while sure (default %(default)s)",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--set", default="square-shooters", help=DICE_SET_HELP)
    add_data_option(parser)
    parser.add_argument("--models", type=Path, metavar="DIR")
    add_threads(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Corrupt, read, count and print."""
    from datasets.corrupt_score import Counts, read_corrupted
    from datasets.eval_labels import LabelError, read_labels

    if args.count < 1:
        print("tableside bench corrupt: --count must be 1 or more", file=sys.stderr)
        return 2
    counts = Counts()
    try:
        pictures = [p for p in read_labels(args.folder) if p.fps is None]
        if not pictures:
            raise LabelError(f"{args.folder}: labels no pictures")
        reader = load_reader(
            dice_set_of(args.set, args.data),
            args.models,
            args.threads,
            enrolled=own_reader_of(args.set, args.data),
        )
        read = read_corrupted(reader.read, pictures, args.count, args.seed)
        for kind, outcome, note in read:
            counts.add(kind, outcome)
            if note:
                counts.notes.append(f"{outcome}: {note}")
    except (LabelError, ValueError) as error:
        print(f"tableside bench corrupt: {error}", file=sys.stderr)
        return 2
    except VisionError as error:
        print(f"tableside bench corrupt: {error}", file=sys.stderr)
        return 1
    _tell(counts, args)
    over = counts.total("wrong") > args.rate * args.count
    return 1 if counts.total("crash") or over else 0


def _tell(counts: Counts, args: argparse.Namespace) -> None:
    from datasets.corrupt_score import OUTCOMES
    from datasets.intervals import clopper_pearson

    totals = {outcome: counts.total(outcome) for outcome in OUTCOMES}
    low, high = clopper_pearson(totals["wrong"], args.count)
    if args.json:
        record = {
            "pictures": args.count,
            "seed": args.seed,
            **totals,
            "wrong_share": round(totals["wrong"] / args.count, 5),
            "wrong_interval": [round(low, 5), round(high, 5)],
            "stated_rate": args.rate,
            "by_kind": counts.by_kind,
            "notes": counts.notes,
        }
        print(json.dumps(record))
        return
    print(f"{'':12}" + "".join(f"{outcome:>11}" for outcome in OUTCOMES))
    for kind, row in counts.by_kind.items():
        print(f"{kind:12}" + "".join(f"{row[outcome]:11}" for outcome in OUTCOMES))
    print(f"{'all':12}" + "".join(f"{totals[outcome]:11}" for outcome in OUTCOMES))
    print(
        f"wrong while sure: {totals['wrong']} of {args.count} pictures, 95 % interval "
        f"{low:.2%} to {high:.2%}; stated: {args.rate:.2%}"
    )
    for note in counts.notes:
        print(f"  {note}")
