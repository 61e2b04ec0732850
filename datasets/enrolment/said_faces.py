"""What a person said of shown sides, kept in `faces.json` beside their pictures."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from datasets.captures.private_files import write_private
from datasets.shards import DataSetError
from scoring.cards import CARD_DICE_FACES, FaceCodeError, parse_face
from scoring.dice_sets import CARD_DICE_COUNT
from scoring.json_files import JsonFileError, read_json

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from datasets.enrolment.faces_shown import Side
    from scoring.cards import Face

SAID = "faces.json"
"""An object: `DIE/SIDE`, as folder and file names have them, to the code of a face."""


def read_said(folder: Path) -> dict[Side, Face]:
    """The faces that a person said; none without the file.

    Args:
        folder: of the pictures, with one folder a die.

    Raises:
        DataSetError: the file is not what `write_said` writes.
    """
    path = folder / SAID
    if not path.exists():
        return {}
    try:
        record = read_json(path)
    except JsonFileError as error:
        raise DataSetError(str(error)) from error
    if not isinstance(record, dict):
        raise DataSetError(f"{path}: an object of faces was expected")
    return dict(_said(path, key, code) for key, code in record.items())


def _said(path: Path, key: str, code: object) -> tuple[Side, Face]:
    die, _, side = key.partition("/")
    try:
        face = parse_face(str(code))
    except FaceCodeError as error:
        raise DataSetError(f"{path}: {key}: {error}") from error
    numbers = {str(number): number for number in range(1, CARD_DICE_COUNT + 1)}
    if die not in numbers or not side or face not in CARD_DICE_FACES:
        raise DataSetError(
            f"{path}: {key:.80}: {code}: expected DIE/SIDE, the die 1 to"
            f" {CARD_DICE_COUNT}, and a card face"
        )
    return (numbers[die], side), face


def write_said(folder: Path, said: Mapping[Side, Face]) -> None:
    """Keep what a person said, whole or not at all.

    Raises:
        OSError: the folder cannot be written to.
    """
    record = {f"{die}/{side}": face.code for (die, side), face in sorted(said.items())}
    write_private(folder / SAID, (json.dumps(record, indent=1) + "\n").encode())
