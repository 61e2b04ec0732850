"""The option `--set` of several commands: a bundled dice set or a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from scoring.dice_sets import bundled_dice_set, bundled_names, load_dice_set

if TYPE_CHECKING:
    from scoring.dice_sets import DiceSet

DICE_SET_HELP = (
    f"dice on the table: {', '.join(bundled_names())} or a JSON file "
    "(default %(default)s)"
)


def dice_set_of(text: str) -> DiceSet:
    """The dice set a user named.

    Args:
        text: a bundled name; anything with a path separator or `.json` is a file.

    Raises:
        DiceSetError: no such set, or the file is not one.
    """
    if text not in bundled_names() and (text.endswith(".json") or "/" in text):
        return load_dice_set(Path(text))
    return bundled_dice_set(text)
