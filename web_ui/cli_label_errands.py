"""What `tableside dataset export`, `import`, `check` and `split` do."""

from __future__ import annotations

import json
import sys
import unicodedata
from collections import Counter
from datetime import UTC, datetime
from itertools import chain
from typing import TYPE_CHECKING, TypeVar

from datasets.captures.album import Album
from datasets.captures.capture import stamp
from datasets.eval_labels import LabelError
from datasets.labels.checking import CheckedPicture, check_set
from datasets.labels.class_names import ORDERS
from datasets.labels.export_marks import marks_about
from datasets.labels.exporting import Carries, ExportOptions, export_set
from datasets.labels.formats import FORMATS, READERS
from datasets.labels.importing import ImportOptions, import_sets, read_all
from datasets.labels.into_album import Entered, enter_all
from datasets.labels.notes import NoteBook
from datasets.labels.picture_tags import NO_RECORDING, Labeller, recording_of
from datasets.labels.sources import (
    each_picture,
    each_to_deal,
    is_album,
    why_none,
    with_files,
)
from datasets.labels.splits import Split, SplitError, deal, parse_shares
from datasets.labels.whole_folders import Placing
from datasets.labels.yolo_lines import FIRST_CORNER
from web_ui.dice_set_option import dice_set_of

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from datasets.eval_labels import LabelledPicture
    from datasets.labels.notes import Note

Thing = TypeVar("Thing")

MOST_SHOWN = 50
"""Findings shown without `--json`; the others are counted."""


def _export(args: argparse.Namespace) -> int:
    if not 16 <= args.crop_px <= 1024:
        raise LabelError(f"--crop-px must be 16..1024, not {args.crop_px}")
    options = ExportOptions(
        ORDERS[args.classes],
        Placing(args.pictures),
        _wanted_split(args),
        args.crop_px,
        marked=is_album(args.source),
    )
    target = FORMATS[args.format]
    book = NoteBook()
    pictures = _pictures(args.source, book, reviewed_only=not args.sure)
    if options.marked and options.placing is not Placing.NONE:
        pictures = with_files(pictures, book.leave_out)
    try:
        report = export_set(pictures, args.out, target, options, book)
    finally:  # where nothing was left, too, people must see what was wrong
        _tell(book.notes())
    sides = ", ".join(f"{side} {count}" for side, count in report.pictures)
    print(f"{args.out}: {args.format}, pictures: {sides}; dice: {report.dice}")
    print(f"classes: {args.classes}, order {options.order.digest[:12]}")
    return 1 if book.left else 0


def _pictures(
    source: Path, book: NoteBook, *, reviewed_only: bool = True
) -> Iterator[LabelledPicture]:
    pictures = each_to_deal(
        source, reviewed_only=reviewed_only, left_out=book.leave_out
    )
    return _some(source, pictures, lambda: bool(book.left))


def _import(args: argparse.Namespace) -> int:
    by = args.by or (None if args.format == "native" else "person")
    options = ImportOptions(
        pictures=args.pictures_in,
        order=ORDERS[args.classes] if args.classes else None,
        recording=args.recording or _first_folder(args.files),
        labeller=Labeller(by) if by else None,
    )
    if args.album:
        return _into_album(args, options)
    out = (args.out, FORMATS["native"], Placing(args.pictures))
    report = import_sets(args.files, READERS[args.format], out, options)
    _tell(report.notes)
    print(f"{args.out}: {report.pictures} pictures with {report.dice} dice")
    return 0


def _first_folder(files: list[Path]) -> str:
    first = files[0].resolve()
    return (first if first.is_dir() else first.parent).name or "import"


def _into_album(args: argparse.Namespace, options: ImportOptions) -> int:
    book = NoteBook()
    # all of it before the first is added: a bad line must leave the album as it was
    pictures = tuple(read_all(args.files, READERS[args.format], options, book))
    unknown = any(note.sentence == FIRST_CORNER for note in book.notes())
    about = Entered(
        options.recording or "import",
        args.set,
        stamp(datetime.now(UTC)),
        turn_known=args.first_corner or not unknown,
        states_known=Carries.STATE in FORMATS[args.format].carries,
        marks=marks_about(args.files, book),
        over=args.over,
    )
    outcomes = enter_all(Album(args.album), pictures, about, book)
    _tell(book.notes())
    counts = ", ".join(f"{what} {count}" for what, count in outcomes.items())
    print(f"{args.album}: {counts or 'nothing'}")
    return 0


def _check(args: argparse.Namespace) -> int:
    counted: Counter[str] = Counter()
    shown = bad = total = 0
    dice_set = None if args.set == "none" else dice_set_of(args.set, args.data)
    broken: list[CheckedPicture] = []

    def told(name: str, why: str) -> None:
        broken.append(CheckedPicture(name, f"{name}: {why}", ()))

    pictures = each_picture(args.source, left_out=told)
    checked = chain(check_set(pictures, dice_set), broken)
    for one in _some(args.source, checked):
        total += 1
        bad += not one.is_good
        lines = [one.problem] if one.problem else []
        lines += [f"{one.name}: {finding.sentence}" for finding in one.findings]
        counted.update(finding.code.value for finding in one.findings)
        counted.update(["file"] if one.problem else [])
        if args.json:
            codes = [
                {"code": f.code.value, "sentence": f.sentence, "dice": f.dice}
                for f in one.findings
            ]
            record = {"image": one.name, "problem": one.problem, "findings": codes}
            print(json.dumps(record, ensure_ascii=False))
            continue
        for line in lines:
            shown += 1
            if shown <= MOST_SHOWN:
                print(line)
    if not args.json:
        if shown > MOST_SHOWN:
            print(f"... and {shown - MOST_SHOWN} more (all of them: --json)")
        kinds = ", ".join(f"{code} {n}" for code, n in counted.most_common())
        print(
            f"{args.source}: {total} pictures, {bad} with findings: {kinds or 'none'}"
        )
    return 1 if bad else 0


def _split(args: argparse.Namespace) -> int:
    book, split = NoteBook(), _wanted_split(args)
    found: Iterable[LabelledPicture] = _pictures(args.source, book)
    if is_album(args.source):
        found = with_files(found, book.leave_out)
    pictures = tuple(found)
    if not pictures:
        _tell(book.notes())
        raise LabelError(f"{args.source}: every picture was left out")
    if split is None:
        raise LabelError("--shares must not be empty")
    counted: Counter[str] = Counter()
    for picture in pictures:
        recording = recording_of(picture)
        if recording is None:
            raise LabelError(f"{picture.name}: {NO_RECORDING}")
        counted[recording] += 1
    for recording, side in deal(counted, split).items():
        count = counted[recording]
        word = "picture " if count == 1 else "pictures"
        print(f"{side:5}  {count:6} {word}  {recording}")
    if args.out:
        options = ExportOptions(
            placing=Placing(args.pictures), split=split, marked=is_album(args.source)
        )
        report = export_set(pictures, args.out, FORMATS["native"], options, book)
        sides = ", ".join(f"{side} {count}" for side, count in report.pictures)
        print(f"{args.out}: {sides}")
    _tell(book.notes())
    return 1 if book.left else 0


def _some(
    source: Path, things: Iterable[Thing], explained: Callable[[], bool] = lambda: False
) -> Iterator[Thing]:
    """What a source gives.

    Args:
        source: to be named.
        things: of it.
        explained: whether people were told why there is nothing.

    Raises:
        LabelError: there is nothing; says why.
    """
    none = True
    for thing in things:
        none = False
        yield thing
    if none and not explained():
        raise LabelError(why_none(source))


def _wanted_split(args: argparse.Namespace) -> Split | None:
    if not args.shares:
        if args.pin or args.salt:
            raise SplitError("--pin and --salt go with --shares")
        return None
    pinned = []
    for text in args.pin:
        recording, sign, side = text.rpartition("=")
        if not sign or not recording:
            raise SplitError(f"--pin {text!r}: expected RECORDING=SIDE")
        pinned.append((unicodedata.normalize("NFC", recording), side))
    return Split(parse_shares(args.shares), args.salt, tuple(pinned))


def _tell(notes: Iterable[Note]) -> None:
    for note in notes:
        print(f"note: {note}", file=sys.stderr)


ERRANDS: dict[str, Callable[[argparse.Namespace], int]] = {
    "export": _export,
    "import": _import,
    "check": _check,
    "split": _split,
}
"""By the words after `tableside dataset`."""
