"""`tableside dataset export`, `import`, `check` and `split`: labels in and out."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable

    from datasets.labels.notes import Note
    from datasets.labels.splits import Split
    from scoring.dice_sets import DiceSet

FORMATS = (
    "native",
    "yolo-detect",
    "yolo-obb",
    "yolo-pose",
    "yolo-classify",
    "coco",
    "cvat",
    "label-studio",
)
CLASSES = ("faces", "die", "all-faces")
DEFAULT_SHARES = "train=0.8,val=0.1,test=0.1"
MOST_SHOWN = 50
"""Findings shown without `--json`; the others are counted."""


def add_label_parsers(
    kinds: argparse._SubParsersAction[argparse.ArgumentParser],
) -> None:
    """Add the commands to `tableside dataset`."""
    _add_export(kinds)
    _add_import(kinds)
    check = kinds.add_parser(
        "check",
        help="check labels by the rules of the set",
        description="Exit: 0 all is well, 1 something was found, 2 unusable input.",
    )
    check.add_argument("source", type=Path, metavar="DIR", help="with labels.json")
    check.add_argument(
        "--set",
        default="square-shooters",
        metavar="NAME",
        help="dice set: a name, a FILE.json, or none (default %(default)s)",
    )
    check.add_argument("--json", action="store_true", help="a JSON line a picture")
    check.set_defaults(run=run, work=_check)
    split = kinds.add_parser(
        "split",
        help="deal recordings to training, validation and test",
        description="A recording is on one side only, whatever its pictures. Without "
        "--out it is only shown what would become of it.",
    )
    split.add_argument("source", type=Path, metavar="DIR", help="with labels.json")
    split.add_argument("--out", type=Path, help="gets train/, val/ and test/")
    _add_placing(split)
    _add_split(split, DEFAULT_SHARES)
    split.set_defaults(run=run, work=_split)


def _add_export(
    kinds: argparse._SubParsersAction[argparse.ArgumentParser],
) -> None:
    export = kinds.add_parser(
        "export",
        help="write labelled pictures for another tool",
        description="What a format cannot hold is told, and written to export.json.",
    )
    export.add_argument("source", type=Path, metavar="DIR", help="with labels.json")
    export.add_argument("--format", choices=FORMATS, required=True)
    export.add_argument("--out", type=Path, required=True, help="folder of the set")
    export.add_argument(
        "--classes",
        choices=CLASSES,
        default="faces",
        help="54 faces, the die alone, or the faces of all dice (default %(default)s)",
    )
    _add_placing(export)
    export.add_argument(
        "--crop-px", type=int, default=96, help="side of crops (default %(default)s)"
    )
    _add_split(export, None)
    export.set_defaults(run=run, work=_export)


def _add_import(
    kinds: argparse._SubParsersAction[argparse.ArgumentParser],
) -> None:
    taken = kinds.add_parser(
        "import",
        help="read labels of another tool into a folder with labels.json",
        description="Coordinates up to 1 %% outside the picture are clipped and told;"
        " what is worse is refused, naming file and line.",
    )
    taken.add_argument(
        "files", type=Path, nargs="+", metavar="FILE", help="label file or folder"
    )
    taken.add_argument("--format", choices=FORMATS, required=True)
    taken.add_argument("--out", type=Path, required=True, help="folder of the set")
    taken.add_argument(
        "--pictures-in",
        type=Path,
        metavar="DIR",
        help="where the pictures are (default: beside the labels)",
    )
    _add_placing(taken)
    taken.add_argument(
        "--classes",
        choices=CLASSES,
        help="order of the class numbers, where the files do not name the classes",
    )
    taken.add_argument(
        "--recording",
        metavar="NAME",
        help="which recording the pictures are of (default: the name of --out)",
    )
    taken.add_argument(
        "--by",
        choices=("person", "model", "drawn"),
        default="person",
        help="who gave the labels (default %(default)s)",
    )
    taken.set_defaults(run=run, work=_import)


def _add_placing(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--pictures",
        choices=("link", "copy", "none"),
        default="link",
        help="hard links, copies or no pictures (default %(default)s)",
    )


def _add_split(parser: argparse.ArgumentParser, shares: str | None) -> None:
    parser.add_argument(
        "--shares",
        default=shares,
        metavar="SHARES",
        help=f"as in {DEFAULT_SHARES}"
        + (" (default)" if shares else "; without it all pictures are train"),
    )
    parser.add_argument("--salt", default="", help="another text deals otherwise")
    parser.add_argument(
        "--pin",
        action="append",
        default=[],
        metavar="RECORDING=SIDE",
        help="give a recording its side; may be repeated",
    )


def run(args: argparse.Namespace) -> int:
    """Do what was asked for."""
    from datasets.shards import DataSetError
    from scoring.cards import ScoringError

    try:
        status: int = args.work(args)
    except (DataSetError, ScoringError, OSError) as error:
        print(f"tableside dataset {args.kind}: {error}", file=sys.stderr)
        return 2
    return status


def _export(args: argparse.Namespace) -> int:
    from datasets.eval_labels import LabelError, read_labels
    from datasets.labels.class_names import ORDERS
    from datasets.labels.exporting import ExportOptions, export_set
    from datasets.labels.formats import FORMATS as KNOWN
    from datasets.labels.whole_folders import Placing

    if not 16 <= args.crop_px <= 1024:
        raise LabelError(f"--crop-px must be 16..1024, not {args.crop_px}")
    options = ExportOptions(
        ORDERS[args.classes], Placing(args.pictures), _wanted_split(args), args.crop_px
    )
    target = KNOWN[args.format]
    report = export_set(read_labels(args.source), args.out, target, options)
    _tell(report.notes)
    sides = ", ".join(f"{side} {count}" for side, count in report.pictures)
    print(f"{args.out}: {args.format}, pictures: {sides}; dice: {report.dice}")
    print(f"classes: {args.classes}, order {options.order.digest[:12]}")
    return 0


def _import(args: argparse.Namespace) -> int:
    from datasets.labels.class_names import ORDERS
    from datasets.labels.formats import FORMATS as KNOWN
    from datasets.labels.formats import READERS
    from datasets.labels.importing import ImportOptions, import_sets
    from datasets.labels.picture_tags import Labeller
    from datasets.labels.whole_folders import Placing

    options = ImportOptions(
        pictures=args.pictures_in,
        order=ORDERS[args.classes] if args.classes else None,
        recording=args.recording or args.out.resolve().name,
        labeller=Labeller(args.by),
    )
    out = (args.out, KNOWN["native"], Placing(args.pictures))
    report = import_sets(args.files, READERS[args.format], out, options)
    _tell(report.notes)
    print(f"{args.out}: {report.pictures} pictures with {report.dice} dice")
    return 0


def _check(args: argparse.Namespace) -> int:
    from collections import Counter

    from datasets.eval_labels import read_labels
    from datasets.labels.checking import check_set

    counted: Counter[str] = Counter()
    shown = bad = total = 0
    for one in check_set(read_labels(args.source), _dice_set(args.set)):
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


def _dice_set(name: str) -> DiceSet | None:
    from scoring.dice_sets import bundled_dice_set, load_dice_set

    if name == "none":
        return None
    return (
        load_dice_set(Path(name)) if name.endswith(".json") else bundled_dice_set(name)
    )


def _split(args: argparse.Namespace) -> int:
    from collections import Counter

    from datasets.eval_labels import LabelError, read_labels
    from datasets.labels.exporting import ExportOptions, export_set
    from datasets.labels.formats import FORMATS as KNOWN
    from datasets.labels.picture_tags import recording_of
    from datasets.labels.splits import deal
    from datasets.labels.whole_folders import Placing

    pictures, split = read_labels(args.source), _wanted_split(args)
    if split is None:
        raise LabelError("--shares must not be empty")
    counted: Counter[str] = Counter()
    for picture in pictures:
        recording = recording_of(picture)
        if recording is None:
            raise LabelError(
                f"{picture.name}: the recording is not known"
                " (a tag recording:NAME, or a folder in the name)"
            )
        counted[recording] += 1
    for recording, side in deal(counted, split).items():
        print(f"{side:5}  {counted[recording]:6} pictures  {recording}")
    if args.out:
        options = ExportOptions(placing=Placing(args.pictures), split=split)
        report = export_set(pictures, args.out, KNOWN["native"], options)
        _tell(report.notes)
        sides = ", ".join(f"{side} {count}" for side, count in report.pictures)
        print(f"{args.out}: {sides}")
    return 0


def _wanted_split(args: argparse.Namespace) -> Split | None:
    import unicodedata

    from datasets.labels.splits import Split, SplitError, parse_shares

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
