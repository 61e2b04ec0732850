"""`tableside dataset export`, `import`, `check` and `split`: labels in and out."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from web_ui.dice_set_option import add_data_option

if TYPE_CHECKING:
    import argparse

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
SOURCE = "with labels.json, or an album of captures"


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
    check.add_argument("source", type=Path, metavar="DIR", help=SOURCE)
    check.add_argument(
        "--set",
        default="square-shooters",
        metavar="NAME",
        help="dice set: a name, also of an enrolled set, a FILE.json, or none "
        "(default %(default)s)",
    )
    add_data_option(check)
    check.add_argument("--json", action="store_true", help="a JSON line a picture")
    check.set_defaults(run=run)
    split = kinds.add_parser(
        "split",
        help="deal recordings to training, validation and test",
        description="A recording is on one side only, whatever its pictures. Without "
        "--out it is only shown what would become of it.",
    )
    split.add_argument("source", type=Path, metavar="DIR", help=SOURCE)
    split.add_argument("--out", type=Path, help="gets train/, val/ and test/")
    _add_placing(split)
    _add_split(split, DEFAULT_SHARES)
    split.set_defaults(run=run)


def _add_export(
    kinds: argparse._SubParsersAction[argparse.ArgumentParser],
) -> None:
    export = kinds.add_parser(
        "export",
        help="write labelled pictures for another tool",
        description="What a format cannot hold is told, and written to export.json.",
    )
    export.add_argument("source", type=Path, metavar="DIR", help=SOURCE)
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
    export.add_argument(
        "--sure",
        action="store_true",
        help="of an album, also what only the reader was sure of",
    )
    _add_split(export, None)
    export.set_defaults(run=run)


def _add_import(
    kinds: argparse._SubParsersAction[argparse.ArgumentParser],
) -> None:
    taken = kinds.add_parser(
        "import",
        help="read labels of another tool into a folder with labels.json",
        description="Coordinates up to 1 % outside the picture are clipped and told;"
        " what is worse is refused, naming file and line.",
    )
    taken.add_argument(
        "files", type=Path, nargs="+", metavar="FILE", help="label file or folder"
    )
    taken.add_argument("--format", choices=FORMATS, required=True)
    target = taken.add_mutually_exclusive_group(required=True)
    target.add_argument("--out", type=Path, help="folder of the new set")
    target.add_argument("--album", type=Path, help="album of captures to add to")
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
        help="recording that the pictures are of (default: the first FILE's folder)",
    )
    taken.add_argument(
        "--by",
        choices=("person", "model", "drawn"),
        help="who gave the labels (default person; native: nobody is named)",
    )
    taken.add_argument(
        "--first-corner",
        action="store_true",
        help="outlines begin at the art's top left, though the format cannot say it",
    )
    taken.add_argument(
        "--over",
        action="store_true",
        help="in an album, also replace labels that were changed since the export",
    )
    taken.add_argument(
        "--set",
        default="square-shooters",
        metavar="NAME",
        help="dice set of what goes into an album (default %(default)s)",
    )
    taken.set_defaults(run=run)


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
    from web_ui.cli_label_errands import ERRANDS

    try:
        return ERRANDS[args.kind](args)
    except (DataSetError, ScoringError, OSError) as error:
        print(f"tableside dataset {args.kind}: {error}", file=sys.stderr)
        return 2
