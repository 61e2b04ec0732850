"""`tableside bench enrolment`: what enrolling is worth, on unknown designs."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from datasets.enrolment.tuning_options import TuningOptions
from web_ui.cli_enrol import USUAL, result_lines
from web_ui.progress import bar
from web_ui.seed_option import whole_seed
from web_ui.threads_option import add_threads

if TYPE_CHECKING:
    import argparse

    from datasets.enrolment.fresh_rolls import FreshResult
    from datasets.enrolment.tuning import Lessons


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the benchmark."""
    parser = subparsers.add_parser(
        "enrolment",
        help="faces right before and after enrolling sets of unknown designs",
        description="Draws sets of six designs that no lesson shows, reads fresh "
        "rolls of each with the shipped reader, enrols it from two pictures a face, "
        "and reads the rolls again. What is in the folder already is used again.",
    )
    parser.add_argument("--sets", type=Path, required=True, help="folder for the sets")
    parser.add_argument(
        "--arts",
        type=Path,
        metavar="DIR",
        help="instead: labelled rolls tagged art:NAME; each design's pictures in turn "
        "are read by a reader tuned to its other ones, which is put into --sets",
    )
    parser.add_argument("--folds", type=int, default=3, help="of --arts (%(default)s)")
    parser.add_argument("--rounds", type=int, default=2, help="sets a design")
    parser.add_argument("--rolls", type=int, default=40, help="fresh rolls a set")
    parser.add_argument("--steps", type=int, default=USUAL.steps, help="of tuning")
    parser.add_argument(
        "--lessons",
        type=int,
        default=USUAL.lessons,
        help="crops made of each face (%(default)s)",
    )
    parser.add_argument("--seed", type=whole_seed, default=1)
    add_threads(parser)
    parser.add_argument("--json", action="store_true", help="print one line a set")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Draw, enrol, measure, print."""
    from datasets.enrolment.aside_sets import AsideOptions, draw_aside_sets
    from datasets.fonts import FontsError
    from datasets.shards import DataSetError
    from vision.errors import VisionError

    if min(args.rounds, args.rolls, args.steps, args.lessons) < 1:
        print("tableside bench: counts must be 1 or more", file=sys.stderr)
        return 2
    try:
        if args.arts is not None:
            _measure_arts(args)
            return 0
        options = AsideOptions(rolls=args.rolls)
        draw_aside_sets(args.sets, args.rounds, args.seed, options, bar("set"))
        _measure(args)
    except (DataSetError, FontsError, VisionError, OSError) as error:
        print(f"tableside bench: {error}", file=sys.stderr)
        return 2
    return 0


def _tuning(args: argparse.Namespace) -> TuningOptions:
    return TuningOptions(args.lessons, args.steps, threads=args.threads)


def _rehearsed(args: argparse.Namespace) -> Lessons:
    from datasets.enrolment.rehearsal import rehearsed_lessons
    from vision.model_files import read_card

    return rehearsed_lessons(
        read_card("faces").input_px[0], _tuning(args), bar("lesson")
    )


def _measure_arts(args: argparse.Namespace) -> None:
    from datasets.enrolment.by_art import enrol_by_art

    found = enrol_by_art(
        args.arts,
        args.sets,
        args.folds,
        _tuning(args),
        bar("step"),
        args.threads,
        _rehearsed(args),
    )
    head = "art           faces learned: before        after      others: before after"
    for number, one in enumerate(found):
        if not (number or args.json):
            print(head)
        if args.json:
            print(json.dumps(one.record()), flush=True)
            continue
        print(
            f"{one.art:<14}{one.shown:4.1f}  "
            f"{one.before.hits:>4} of {one.before.total:<4} -> {one.after.hits:<4}  "
            f"{one.new_before.hits:>3} of {one.new_before.total:<3} -> "
            f"{one.new_after.hits}",
            flush=True,
        )


def _measure(args: argparse.Namespace) -> None:
    from datasets.enrolment.fresh_rolls import together

    results: dict[str, dict[str, list[FreshResult]]] = {}
    rehearsed = _rehearsed(args)
    for folder in sorted(args.sets.glob("[0-9][0-9]-*"))[: 6 * args.rounds]:
        design = folder.name.partition("-")[2]
        one, facts = _one(args, folder, rehearsed)
        if args.json:
            records = {name: result.record() for name, result in one.items()}
            print(json.dumps({"set": folder.name, **facts, **records}), flush=True)
        for name, result in one.items():
            results.setdefault(name, {}).setdefault(design, []).append(result)
    if args.json:
        return
    for name, by_design in results.items():
        print(name)
        rows = {design: together(found) for design, found in by_design.items()}
        rows["all"] = together([one for found in by_design.values() for one in found])
        print(result_lines(rows))


def _one(
    args: argparse.Namespace, folder: Path, rehearsed: Lessons
) -> tuple[dict[str, FreshResult], dict[str, float]]:
    from datasets.enrolment.aside_sets import ROLLS, SHOWN
    from datasets.enrolment.faces_shown import propose_faces
    from datasets.enrolment.fresh_rolls import read_fresh_rolls
    from datasets.enrolment.shown_pictures import shots_of_folder
    from datasets.enrolment.tuned_set import enrol_set
    from scoring.dice_sets import bundled_dice_set, load_dice_set
    from vision.reader import load_reader

    plain = load_reader(bundled_dice_set("square-shooters"), threads=args.threads)
    shown = shots_of_folder(plain, folder / SHOWN, bar("picture"), most_a_side=2)
    guessed = propose_faces(shown.shots)
    right = sum(shown.said[side] == one.face for side, one in guessed.items())
    facts: dict[str, float] = {
        "shots": len(shown.shots),
        "refused": len(shown.refused),
        "proposed_right": right,
    }
    name = folder.name.partition("-")[2]
    place = folder / "enrolled" / name
    if not (place / "set.json").exists():  # otherwise tuned by an earlier run
        began = time.perf_counter()
        enrol_set(
            name,
            shown.shots,
            propose_faces(shown.shots, shown.said),
            folder / "enrolled",
            _tuning(args),
            bar("step"),
            rehearsed=rehearsed,
        )
        facts["tuning_s"] = round(time.perf_counter() - began, 1)
    dice_set = load_dice_set(place / "set.json")
    rolls = folder / ROLLS
    layout = load_reader(dice_set, threads=args.threads)
    own = load_reader(dice_set, threads=args.threads, enrolled=place)
    return {
        "before": read_fresh_rolls(plain, rolls),
        "layout only": read_fresh_rolls(layout, rolls),
        "enrolled": read_fresh_rolls(own, rolls),
    }, facts
