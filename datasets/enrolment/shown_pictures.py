"""A folder of pictures of single dice, as shots of the sides of a set."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from datasets.enrolment.shots import Shot, ShotError, take_shot
from datasets.shards import DataSetError
from scoring.cards import CARD_DICE_FACES, Face, FaceCodeError, parse_face
from scoring.dice_sets import CARD_DICE_COUNT
from vision.errors import SourceError
from vision.pictures import PICTURE_SUFFIXES, load_picture

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from datasets.enrolment.faces_shown import Side
    from vision.reader import RollReader

MOST_A_SIDE = 6
"""More pictures of one side bring nothing more; they are left out, and told."""


@dataclass(frozen=True, slots=True, eq=False)
class ShownPictures:
    """What a folder of pictures shows.

    Attributes:
        shots: one of each picture that can be learned from.
        said: the face of each side whose file names say it.
        refused: pictures that were left out, with the reason.
        spare: sides of which more pictures were shown than are taken, and how many.
    """

    shots: tuple[Shot, ...]
    said: dict[Side, Face]
    refused: tuple[str, ...]
    spare: tuple[str, ...] = ()


def shots_of_folder(
    reader: RollReader,
    folder: Path,
    progress: Callable[[Iterable[int], int], Iterable[int]],
    most_a_side: int = MOST_A_SIDE,
) -> ShownPictures:
    """Take the shots of a folder with one folder a die, `1` to `9`.

    Args:
        reader: finds the dice.
        folder: see `tableside enrol --help`.
        progress: shows a bar.
        most_a_side: pictures of one side that are taken; those that are refused do
            not count.

    Raises:
        DataSetError: there is no such folder, or none of a die.
    """
    if not folder.is_dir():
        raise DataSetError(f"{folder}: there is no such folder")
    pictures = [
        (die, path)
        for die in range(1, CARD_DICE_COUNT + 1)
        for path in _pictures(folder / str(die))
    ]
    if not pictures:
        raise DataSetError(
            f"{folder}: no pictures in folders 1 to {CARD_DICE_COUNT}, one for each die"
        )
    shots: list[Shot] = []
    said: dict[Side, Face] = {}
    refused = []
    spare: Counter[Side] = Counter()
    for number in progress(range(len(pictures)), len(pictures)):
        die, path = pictures[number]
        word = path.stem.partition("-")[0]
        face = _card_face(word)
        side = (die, face.code if face else word)
        if sum((shot.die, shot.side) == side for shot in shots) >= most_a_side:
            spare[side] += 1
            continue
        try:
            image = load_picture(path).image
            shots.append(take_shot(reader, image, *side))
        except SourceError as error:
            refused.append(str(error))  # it begins with the path
            continue
        except ShotError as error:
            refused.append(f"{path}: {error}")
            continue
        if face is not None:
            said[side] = face
    told = (
        f"{count} more of die {die}, {name}: {most_a_side} are enough"
        for (die, name), count in spare.items()
    )
    return ShownPictures(tuple(shots), said, tuple(refused), tuple(told))


def _pictures(folder: Path) -> list[Path]:
    if not folder.is_dir():
        return []
    return sorted(
        path for path in folder.iterdir() if path.suffix.lower() in PICTURE_SUFFIXES
    )


def _card_face(word: str) -> Face | None:
    try:
        face = parse_face(word)
    except FaceCodeError:
        return None
    return face if face in CARD_DICE_FACES else None
