"""Dice of which odds are asked: any cards on any number of dice."""

from __future__ import annotations

from pathlib import Path

from scoring.dice_sets import DiceSet, DiceSetError, bundled_names, parse_layout
from web_ui.dice_set_option import dice_set_of
from web_ui.json_files import read_json


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
