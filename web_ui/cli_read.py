"""`tableside read`: pictures, folders and clips to readings."""

from __future__ import annotations

import io
import json
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import cv2

from vision.errors import ModelError, SourceError, VisionError
from vision.overlay import draw_overlay
from vision.places import ANY_DICE, PlaceReader
from vision.reader import load_detector, load_reader
from vision.reading_json import reading_record
from vision.sources import files_in, is_clip, open_file
from vision.tray_watch import Calibration, TrayWatcher
from vision.watch import Watcher
from web_ui.dice_set_option import (
    DICE_SET_HELP,
    add_data_option,
    dice_set_of,
    own_reader_of,
)
from web_ui.models_in_use import MODELS_HELP, chosen_models
from web_ui.reading_table import reading_table
from web_ui.threads_option import add_threads
from web_ui.tray_store import load_tray

if TYPE_CHECKING:
    import argparse

    from scoring.dice_sets import DiceSet
    from vision.ports import Frame
    from vision.reader import RollReader
    from vision.reading import Reading

DONE, FAILED, UNUSABLE = 0, 1, 2


@dataclass(slots=True)
class Tally:
    """What became of the files so far.

    Attributes:
        usable: how many could be opened and read, with dice or without.
        failed: how many could not, or gave nothing.
        overlays: names of the overlay pictures written.
    """

    usable: int = 0
    failed: int = 0
    overlays: set[str] = field(default_factory=set)

    def complain(self, error: Exception | str) -> None:
        """Count a failure and say it on stderr."""
        self.failed += 1
        print(f"tableside read: {error}", file=sys.stderr, flush=True)


def add_parser(
    subparsers: argparse._SubParsersAction[argparse.ArgumentParser],
) -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "read",
        help="read rolls from pictures, folders and clips",
        description="Reads every picture, and every settled roll of every clip. "
        "Ends with 1 if some file failed, with 2 if none could be used.",
    )
    parser.add_argument("paths", nargs="+", metavar="PATH", type=Path)
    parser.add_argument("--json", action="store_true", help="one JSON line a roll")
    parser.add_argument(
        "--set",
        default="square-shooters",
        help=f"{DICE_SET_HELP}; {ANY_DICE} tells the places of dice of any kind and "
        "reads none",
    )
    add_data_option(parser)
    parser.add_argument(
        "--tray",
        metavar="FILE",
        help="dice count only in the tray that `tableside tray find --out` wrote",
    )
    parser.add_argument(
        "--save-overlay", type=Path, metavar="DIR", help="write marked pictures there"
    )
    parser.add_argument("--models", type=Path, metavar="DIR", help=MODELS_HELP)
    parser.add_argument(
        "--turns",
        type=int,
        choices=(1, 2, 4),
        default=4,
        help="looks at each die; fewer are faster (default %(default)s)",
    )
    add_threads(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Read all files, going on past those that fail."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # file names need not be text
            stream.reconfigure(errors="backslashreplace")
    tally = Tally()
    files = _expand(args.paths, tally)
    if not files:
        return UNUSABLE
    try:
        dice_set = None if args.set == ANY_DICE else dice_set_of(args.set, args.data)
        args.tray = None if args.tray is None else load_tray(Path(args.tray))
        if args.save_overlay is not None:
            args.save_overlay.mkdir(parents=True, exist_ok=True)
    except (ValueError, OSError) as error:
        tally.complain(error)
        return UNUSABLE
    try:
        chosen = chosen_models(args.models, args.data)
        args.models = chosen.folder
        if chosen.problem:
            print(f"tableside read: {chosen.problem}", file=sys.stderr)
        reader = _open_reader(dice_set, args)
    except ModelError as error:
        tally.complain(error)
        return FAILED
    for path in files:
        try:
            if not is_clip(path):
                _read_picture(reader, path, args, tally)
            elif isinstance(reader, PlaceReader):
                raise SourceError(str(path), f"is a clip; {ANY_DICE} takes pictures")
            else:
                _read_clip(reader, path, args, tally)
        except VisionError as error:
            tally.complain(error)
    if not tally.usable:
        return UNUSABLE
    return FAILED if tally.failed else DONE


def _open_reader(
    dice_set: DiceSet | None, args: argparse.Namespace
) -> RollReader | PlaceReader:
    """Load what reads rolls of a set, or tells places if there is none."""
    if dice_set is None:
        places = PlaceReader(load_detector(args.models, args.threads))
        places.tray = args.tray
        return places
    reader = load_reader(
        dice_set,
        args.models,
        args.threads,
        args.turns,
        enrolled=own_reader_of(args.set, args.data),
    )
    reader.tray = args.tray
    return reader


def _expand(paths: list[Path], tally: Tally) -> list[Path]:
    """Put the pictures and clips of folders in the place of the folders."""
    files: list[Path] = []
    for path in paths:
        try:
            if path.is_dir():
                inside = files_in(path)
                if not inside:
                    raise SourceError(str(path), "holds no pictures and no clips")
                files.extend(inside)
            elif path.exists():
                files.append(path)
            else:
                raise SourceError(str(path), "there is no such file or folder")
        except (SourceError, OSError) as error:
            tally.complain(error)
    return files


def _read_picture(
    reader: RollReader | PlaceReader, path: Path, args: argparse.Namespace, tally: Tally
) -> None:
    source = open_file(path)
    try:
        for frame in source.frames():
            began = time.perf_counter()
            reading = reader.read(frame.image)
            elapsed_ms = (time.perf_counter() - began) * 1000
            tally.usable += 1
            _tell(reading, frame, str(path), elapsed_ms, None, args, tally)
    finally:
        source.close()


def _read_clip(
    reader: RollReader, path: Path, args: argparse.Namespace, tally: Tally
) -> None:
    """Tell every settled roll, those before a break in a damaged clip too."""
    source = open_file(path)
    watcher = TrayWatcher(reader, lambda: Watcher(reader))
    watcher.calibrate(None if args.tray is None else Calibration(args.tray))
    last: Frame | None = None
    broken: SourceError | None = None
    rolls = 0
    try:
        for frame in source.frames():
            tally.usable += last is None
            last = frame
            rolls += _tell_if_settled(watcher, frame, False, args, tally)
    except SourceError as error:
        broken = error
    finally:
        source.close()
    if last is not None:
        rolls += _tell_if_settled(watcher, last, True, args, tally)
    if broken is not None:
        raise broken
    if not rolls:
        raise SourceError(str(path), "no roll settles in this clip")


def _tell_if_settled(
    watcher: TrayWatcher,
    frame: Frame,
    ended: bool,
    args: argparse.Namespace,
    tally: Tally,
) -> bool:
    """Show the watcher a frame, or the end after it; tell the roll if one settled."""
    began = time.perf_counter()
    seen = watcher.finish() if ended else watcher.see(frame)
    elapsed_ms = (time.perf_counter() - began) * 1000
    if seen is None or seen.reading is None:
        return False
    clip = frame.name.rpartition("#")[0]
    _tell(seen.reading, frame, clip, elapsed_ms, frame.index, args, tally)
    return True


def _tell(
    reading: Reading,
    frame: Frame,
    name: str,
    elapsed_ms: float,
    number: int | None,
    args: argparse.Namespace,
    tally: Tally,
) -> None:
    """Print one reading and write its overlay."""
    if args.json:
        record = reading_record(reading, name, elapsed_ms, frame.shrunk, number)
        print(json.dumps(record), flush=True)
    else:
        title = name if number is None else f"{name}, frame {number}"
        print(reading_table(reading, title, elapsed_ms), flush=True)
    if args.save_overlay is not None:
        _save_overlay(args.save_overlay, reading, frame, Path(name), number, tally)


def _save_overlay(
    folder: Path,
    reading: Reading,
    frame: Frame,
    path: Path,
    number: int | None,
    tally: Tally,
) -> None:
    stem = path.stem if number is None else f"{path.stem}-{number:05d}"
    # a name of its own: `--save-overlay .` must not write over the pictures themselves
    name, count = f"{stem}.marked.jpg", 1
    while name in tally.overlays:  # pictures of one name from several folders
        count += 1
        name = f"{stem}-{count}.marked.jpg"
    tally.overlays.add(name)
    try:
        good, data = cv2.imencode(".jpg", draw_overlay(frame.image, reading))
        if not good:
            raise OSError("the picture cannot be encoded")
        (folder / name).write_bytes(data.tobytes())
    except cv2.error as error:
        tally.complain(f"{folder / name}: {error.err}")
    except OSError as error:
        tally.complain(f"{folder / name}: {error.strerror or error}")
