"""`tableside calibrate`: set the limits between sure and ask from held-out rolls."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from web_ui.dice_set_option import DICE_SET_HELP, dice_set_of
from web_ui.progress import bar
from web_ui.scheduler_option import add_scheduler, spread_of
from web_ui.threads_option import add_threads


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "calibrate",
        help="set the limits between sure and ask from held-out rolls",
        description="Chooses temperature and limits on one half of labelled pictures "
        "that no model was trained on, so that the 95 % upper bound of rolls wrong "
        "while sure stays under a rate, checks them on the other half, and writes them "
        "beside the models.",
    )
    parser.add_argument(
        "folders",
        nargs="+",
        type=Path,
        metavar="DIR",
        help="folder with pictures and labels.json",
    )
    parser.add_argument("--set", default="square-shooters", help=DICE_SET_HELP)
    parser.add_argument(
        "--rate",
        type=_rate,
        default=0.005,
        help="wanted share of rolls wrong while sure (default %(default)s)",
    )
    parser.add_argument(
        "--disturbed",
        type=_share,
        default=0.02,
        metavar="SHARE",
        help="how many rolls in play have a die that leans, stands on another or is "
        "partly hidden (default %(default)s)",
    )
    parser.add_argument(
        "--models", type=Path, metavar="DIR", help="use other models than the bundled"
    )
    parser.add_argument(
        "--out", type=Path, help="file to write (default: limits.json by the models)"
    )
    add_threads(parser)
    add_scheduler(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def _rate(text: str) -> float:
    value = float(text)
    if not 0 < value < 1:
        raise argparse.ArgumentTypeError(f"must be above 0 and below 1, not {text}")
    return value


def _share(text: str) -> float:
    value = float(text)
    if not 0 <= value < 1:
        raise argparse.ArgumentTypeError(f"must be 0 or more and below 1, not {text}")
    return value


def run(args: argparse.Namespace) -> int:
    """Calibrate, write, print."""
    from datasets.shards import DataSetError
    from datasets.spread.port import SpreadError
    from scoring.dice_sets import DiceSetError
    from vision.errors import VisionError

    try:
        record = _calibrate(args)
    except (DataSetError, DiceSetError, SpreadError, VisionError, OSError) as error:
        print(f"tableside calibrate: {error}", file=sys.stderr)
        return 2
    print(json.dumps(record) if args.json else _text(record))
    return 0


def _calibrate(args: argparse.Namespace) -> dict[str, object]:
    from datasets.calibration import observe
    from datasets.eval_sets import labelled_set
    from datasets.risk_control import calibrate
    from datasets.spread_reading import observe_far, recipe_of
    from datasets.whole_files import write_whole
    from vision.limits_file import FILE_NAME, limits_record
    from vision.model_files import BUNDLED
    from vision.reader import load_reader

    labels = [label for folder in args.folders for label in labelled_set(folder)]
    dice_set = dice_set_of(args.set)
    reader = load_reader(dice_set, args.models, args.threads, calibrated=False)
    with spread_of(args) as spread:
        if spread is None:
            observed = observe(reader, labels, bar("picture"))
        else:
            recipe = recipe_of(dice_set, args.models, reader.turns, calibrated=False)
            observed = observe_far(recipe, labels, spread, bar("picture"))
    done = calibrate(reader, observed, args.rate, args.disturbed)
    record = limits_record(
        done.limits,
        reader.models,
        {
            "set": reader.dice_set.name,
            "pictures": len(labels),
            "calibration": done.record(),
        },
    )
    path = args.out or (args.models or BUNDLED) / FILE_NAME
    write_whole(path, json.dumps(record, indent=1) + "\n")
    print(f"tableside calibrate: {path} is written", file=sys.stderr)
    return record


def _text(record: dict[str, object]) -> str:
    limits, facts = record["limits"], record["calibration"]
    assert isinstance(limits, dict)
    assert isinstance(facts, dict)
    lines = [f"{name:12} {value:.4f}" for name, value in limits.items()]
    for half in ("chosen_on", "checked_on", "together"):
        risk = facts[half]
        counts = ", ".join(
            f"{risk[kind]['sure']} of {risk[kind]['pictures']} {kind} rolls sure, "
            f"{risk[kind]['wrong']} of them wrong"
            for kind in ("ordinary", "disturbed")
        )
        lines.append(
            f"{half.replace('_', ' ')}: {counts}; in play, with "
            f"{100 * risk['disturbed_share']:g} % disturbed, at most "
            f"{100 * risk['bound']:.2f} % are wrong while sure (95 % bound)"
        )
    lines.append(
        f"loss a die {facts['loss_before']:.4f}, with the temperature "
        f"{facts['loss_after']:.4f}"
    )
    return "\n".join(lines)
