"""`tableside bench watch`: what the watcher tells of minutes in which much happens."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vision.errors import VisionError
from vision.ports import Frame
from vision.reader import load_reader
from vision.sources import open_file
from vision.watch import Watcher
from web_ui.dice_set_option import (
    DICE_SET_HELP,
    add_data_option,
    dice_set_of,
    own_reader_of,
)
from web_ui.seed_option import whole_seed
from web_ui.threads_option import add_threads

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from datasets.hostile_score import Tally, Told
    from datasets.hostile_stage import Stage
    from vision.reader import RollReader
    from vision.watch import Observation

MOST_NOTES = 40


def add_parser(
    subparsers: argparse._SubParsersAction[argparse.ArgumentParser],
) -> None:
    """Add the benchmark."""
    parser = subparsers.add_parser(
        "watch",
        help="false, wrong and missed rolls in hostile clips",
        description="Watches clips of `tableside dataset hostile` with their truth "
        "(NAME.json beside NAME.mp4), or draws such clips as it goes (--seed), and "
        "counts what was told. Ends with 1 if a roll was told that nobody threw.",
    )
    parser.add_argument("clips", nargs="*", metavar="CLIP", type=Path)
    parser.add_argument("--seed", type=whole_seed, nargs="+", default=[], metavar="N")
    parser.add_argument(
        "--minutes", type=_minutes, default=5.0, help="of each drawn clip (%(default)s)"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--set", default="square-shooters", help=DICE_SET_HELP)
    add_data_option(parser)
    parser.add_argument("--models", type=Path, metavar="DIR")
    add_threads(parser)
    parser.set_defaults(run=run)


def _minutes(text: str) -> float:
    value = float(text)
    if not 0 < value <= 600:
        raise argparse.ArgumentTypeError(f"must be above 0, at most 600, not {text}")
    return value


def run(args: argparse.Namespace) -> int:
    """Watch, count and print."""
    from datasets.fonts import FontsError
    from datasets.hostile_score import Tally, score_watch

    if not args.clips and not args.seed:
        print("tableside bench watch: name clips or seeds", file=sys.stderr)
        return 2
    tally = Tally()
    try:
        reader = load_reader(
            dice_set_of(args.set, args.data),
            args.models,
            args.threads,
            enrolled=own_reader_of(args.set, args.data),
        )
        for path in args.clips:
            truth = _truth_beside(path)
            score_watch(truth, _watch_file(path, reader), tally)
        for seed in args.seed:
            score_watch(*_watch_drawn(seed, args.minutes, reader), tally)
    except (ValueError, FontsError) as error:
        print(f"tableside bench watch: {error}", file=sys.stderr)
        return 2
    except VisionError as error:
        print(f"tableside bench watch: {error}", file=sys.stderr)
        return 1
    if args.json:
        print(json.dumps(_record(tally)))
    else:
        _print(tally)
    return 1 if tally.false_rolls else 0


def _truth_beside(path: Path) -> dict[str, Any]:
    """The truth of a clip.

    Raises:
        ValueError: there is none, or it is none of ours.
    """
    from datasets.hostile import FORMAT
    from scoring.json_files import JsonFileError, read_json

    beside = path.with_suffix(".json")
    try:
        truth = read_json(beside)
    except JsonFileError as error:
        raise ValueError(str(error)) from error
    if not isinstance(truth, dict) or truth.get("format") != FORMAT:
        raise ValueError(f"{beside}: format must be {FORMAT!r}")
    return truth


def _watch_file(path: Path, reader: RollReader) -> list[Told]:
    source = open_file(path)
    try:
        return watch(source.frames(), reader)
    finally:
        source.close()


def _watch_drawn(
    seed: int, minutes: float, reader: RollReader
) -> tuple[dict[str, Any], list[Told]]:
    from datasets.fonts import font_book
    from datasets.hostile import hostile_stage, truth_record
    from datasets.hostile_stage import HostileOptions

    stage = hostile_stage(seed, font_book(), HostileOptions())
    told = watch(_drawn(stage, minutes * 60), reader)
    return truth_record(stage), told


def _drawn(stage: Stage, seconds: float) -> Iterator[Frame]:
    from datasets.hostile import hostile_frames

    for number, image in enumerate(hostile_frames(stage, seconds)):
        yield Frame(image, f"drawn#{number}", number, number / stage.options.fps)


def watch(frames: Iterable[Frame], reader: RollReader) -> list[Told]:
    """Watch frames and gather what is told, at the end too."""
    watcher, told, last = Watcher(reader), list["Told"](), 0
    for frame in frames:
        last = frame.index
        told += _told(watcher.see(frame), last)
    return told + _told(watcher.finish(), last)


def _told(seen: Observation, frame: int) -> list[Told]:
    from datasets.hostile_score import Told

    reading = seen.reading
    if reading is None:
        return []
    faces = tuple(die.face.code if die.face else "" for die in reading.dice)
    problems = tuple(problem.code.value for problem in reading.problems)
    return [Told(frame, reading.status.value, faces, problems)]


def _record(tally: Tally) -> dict[str, Any]:
    waits = sorted(tally.waits_s)
    middle = waits[len(waits) // 2] if waits else None
    return {
        "frames": tally.frames,
        "minutes": round(tally.seconds / 60, 2),
        "rolls": tally.rolls,
        "rolls_to_read": tally.must,
        "sure": tally.sure,
        "asked": tally.asked,
        "refused": tally.refused,
        "false_rolls": tally.false_rolls,
        "wrong_while_sure": tally.wrong_sure,
        "missed": tally.missed,
        "only_refused": tally.only_refused,
        "wait_median_s": None if middle is None else round(middle, 3),
        "wait_most_s": round(waits[-1], 3) if waits else None,
        "notes": tally.notes,
    }


def _print(tally: Tally) -> None:
    record = _record(tally)
    notes = record.pop("notes")
    for name, value in record.items():
        print(f"{name.replace('_', ' '):18} {value}")
    for note in notes[:MOST_NOTES]:
        print(f"  {note}")
    if len(notes) > MOST_NOTES:
        print(f"  ... and {len(notes) - MOST_NOTES} more")
