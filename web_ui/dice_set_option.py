"""The option `--set` of several commands: a dice set, bundled, enrolled or a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from datasets.enrolment.set_folder import SETS, SetFolder, find_dice_set, has_reader
from scoring.dice_sets import bundled_names, load_dice_set

if TYPE_CHECKING:
    import argparse

    from scoring.dice_sets import DiceSet

DICE_SET_HELP = (
    f"dice on the table: {', '.join(bundled_names())}, an enrolled set or a JSON file "
    "(default %(default)s)"
)
DATA_FOLDER = Path("tableside-data")
"""Where a table keeps everything, unless another folder is named."""


def add_data_option(parser: argparse.ArgumentParser) -> None:
    """Add `--data`, in which enrolled sets are looked for."""
    parser.add_argument(
        "--data",
        type=Path,
        default=DATA_FOLDER,
        metavar="DIR",
        help="folder of the table, with its enrolled sets (default %(default)s)",
    )


def dice_set_of(text: str, data: Path = DATA_FOLDER) -> DiceSet:
    """The dice set a user named.

    Args:
        text: a name; anything with a path separator or `.json` is a file.
        data: folder of the table, for enrolled sets.

    Raises:
        DiceSetError: no such set, or the file is not one.
    """
    if text not in bundled_names() and (text.endswith(".json") or "/" in text):
        return load_dice_set(Path(text))
    return find_dice_set(text, data)


def own_reader_of(text: str, data: Path = DATA_FOLDER) -> Path | None:
    """Folder of the face reader that was tuned to an enrolled set; None without one."""
    if text not in SetFolder(data / SETS).names():
        return None
    folder = data / SETS / text
    return folder if has_reader(folder) else None
