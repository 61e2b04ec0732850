"""What odds are asked of: any cards on any number of dice, and target cards."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from scoring.dice_sets import DiceSet, DiceSetError, bundled_names, parse_layout
from scoring.json_files import read_json
from scoring.target_deck import builtin_targets
from web_ui.dice_set_option import dice_set_of

if TYPE_CHECKING:
    from scoring.target_deck import Target


def odds_dice_of(text: str) -> DiceSet:
    """The dice set a user named.

    A file may tell fewer dice than a game needs, cut as nobody would cut them.

    Args:
        text: a bundled name; anything with a path separator or `.json` is a file.

    Raises:
        DiceSetError: no such set, or the file is not one.
        JsonFileError: the file cannot be read.
    """
    if text in bundled_names() or not (text.endswith(".json") or "/" in text):
        return dice_set_of(text)
    record = read_json(Path(text))
    if not isinstance(record, dict) or "dice" not in record:
        return dice_set_of(text)
    try:
        dice = parse_layout(record["dice"])
        faces = tuple(dict.fromkeys(face for die in dice for face in die))
        return DiceSet(str(record.get("name", text)), faces, len(dice), dice)
    except DiceSetError as error:
        raise DiceSetError(f"{text}: {error}") from error


def target_named(name: str) -> Target | None:
    """A target card of our own deck: `T05`, `t5`; None if there is no such card."""
    number = name[1:]
    if name[:1] in ("T", "t") and number.isascii() and number.isdigit():
        for target in builtin_targets():
            if target.id[1:].lstrip("0") == number.lstrip("0"):
                return target
    return None
