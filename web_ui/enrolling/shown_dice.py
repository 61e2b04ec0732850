"""The sides shown so far, in memory and as pictures on disk."""

from __future__ import annotations

import shutil
from dataclasses import replace
from typing import TYPE_CHECKING

import cv2
import numpy as np

from datasets.captures.private_files import PART, make_private, write_private
from datasets.enrolment.said_faces import read_said, write_said
from datasets.enrolment.shots import ShotError, take_shot
from scoring.dice_sets import CARD_DICE_COUNT, FACES_A_DIE
from vision.errors import SourceError
from vision.pictures import load_picture
from web_ui.enrolling.trial import ROLLS, forget_rolls

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from datasets.enrolment.faces_shown import Side
    from datasets.enrolment.shots import Shot
    from scoring.cards import Face
    from vision.ports import BgrImage
    from vision.reader import RollReader

QUALITY = 94
"""Of the JPEGs: little must be lost beside what the camera loses itself."""
SUFFIX = ".jpg"
DICE = range(1, CARD_DICE_COUNT + 1)
SIDES = tuple(f"side{number}" for number in range(1, FACES_A_DIE + 1))
"""What sides are called until a person names their faces."""


class ShownDice:
    """What was shown of one set; one thread at a time.

    Pictures lie as `tableside enrol --pictures` takes them: `DIE/side1-1.jpg`.

    Args:
        folder: of these pictures; made when the first is added.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._shots: dict[Side, list[tuple[Path, Shot]]] = {}
        self._said: dict[Side, Face] = {}

    def load(
        self, reader: RollReader, told: Callable[[int, int], None] = lambda k, n: None
    ) -> None:
        """Take what lies in the folder; what cannot be used is left there.

        Args:
            reader: finds the dice.
            told: called with the number of pictures looked at, and of all.

        Raises:
            DataSetError: the file of what was said cannot be read.
        """
        said = read_said(self.folder)
        files = [
            (die, path)
            for die in DICE
            for path in sorted((self.folder / str(die)).glob(f"side*{SUFFIX}"))
        ]
        for number, (die, path) in enumerate(files):
            told(number, len(files))
            side = path.stem.partition("-")[0]
            if side in SIDES:
                self._take(reader, die, side, path)
        self._said = {side: face for side, face in said.items() if side in self._shots}

    def _take(self, reader: RollReader, die: int, side: str, path: Path) -> None:
        try:
            shot = take_shot(reader, load_picture(path).image, die, side)
        except (ShotError, SourceError):
            return
        self._shots.setdefault((die, side), []).append((path, shot))

    @property
    def said(self) -> dict[Side, Face]:
        """Faces that a person said."""
        return dict(self._said)

    @property
    def sides(self) -> tuple[Side, ...]:
        """All sides that were shown, in order."""
        return tuple(sorted(self._shots))

    @property
    def shots(self) -> tuple[Shot, ...]:
        """All pictures taken."""
        return tuple(shot for side in self.sides for shot in self.of(side))

    def of(self, side: Side) -> tuple[Shot, ...]:
        """The pictures of one side."""
        return tuple(shot for _, shot in self._shots.get(side, ()))

    def sides_of(self, die: int) -> tuple[Side, ...]:
        """The sides of a die that were shown."""
        return tuple(side for side in self.sides if side[0] == die)

    def free_side(self, die: int) -> Side | None:
        """A name for a further side of a die; None if it has all six."""
        taken = {name for number, name in self._shots if number == die}
        return next(((die, name) for name in SIDES if name not in taken), None)

    def add(self, side: Side, jpeg: bytes, shot: Shot) -> None:
        """Keep a picture.

        Args:
            side: that it shows.
            jpeg: the whole picture, see `as_kept`.
            shot: taken from it, whatever side it was asked for.

        Raises:
            OSError: it cannot be written; nothing is kept of it.
        """
        die, name = side
        taken = {path for path, _ in self._shots.get(side, ())}
        number = 1
        while (path := self._path(die, f"{name}-{number}")) in taken:
            number += 1
        make_private(path.parent)
        write_private(path, jpeg, sync=False)
        named = replace(shot, die=die, side=name)
        self._shots.setdefault(side, []).append((path, named))

    def _path(self, die: int, name: str) -> Path:
        return self.folder / str(die) / f"{name}{SUFFIX}"

    def say(self, side: Side, face: Face | None) -> None:
        """Keep what a person says of a side; None takes it back.

        Raises:
            OSError: it cannot be written; nothing changed.
        """
        said = {key: value for key, value in self._said.items() if key != side}
        if face is not None:
            said[side] = face
        self._write(said)

    def say_all(self, faces: dict[Side, Face]) -> None:
        """Keep what a person says of all sides.

        Raises:
            OSError: it cannot be written; nothing changed.
        """
        self._write(dict(faces))

    def _write(self, said: dict[Side, Face]) -> None:
        make_private(self.folder)
        write_said(self.folder, said)
        self._said = said

    def drop(self, sides: tuple[Side, ...]) -> None:
        """Forget sides and their pictures.

        Raises:
            OSError: a picture cannot be removed.
        """
        gone = [side for side in sides if side in self._shots]
        if any(side in self._said for side in gone):
            self._write({k: v for k, v in self._said.items() if k not in gone})
        for side in gone:
            for path, _ in self._shots.pop(side):
                path.unlink(missing_ok=True)

    def drop_last(self, side: Side) -> None:
        """Forget the newest picture of a side.

        Raises:
            OSError: it cannot be removed.
        """
        if len(self._shots.get(side, ())) < 2:
            self.drop((side,))
            return
        path, _ = self._shots[side].pop()
        path.unlink(missing_ok=True)


def as_kept(image: BgrImage) -> tuple[bytes, BgrImage]:
    """A picture as it is kept: what is judged now is what is learned from later.

    Args:
        image: (H, W, 3) uint8 BGR.

    Returns:
        The JPEG file, and what it shows.
    """
    done, data = cv2.imencode(SUFFIX, image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    shown = cv2.imdecode(data, cv2.IMREAD_COLOR) if done else None
    if shown is None:
        raise RuntimeError(f"a picture of {image.shape} could not be encoded")
    return data.tobytes(), np.asarray(shown, np.uint8)


def unfinished(folder: Path) -> tuple[str, ...]:
    """Names of the sets whose pictures lie there.

    Args:
        folder: of all enrolments.
    """
    if not folder.is_dir():
        return ()
    return tuple(
        sorted(
            place.name
            for place in folder.iterdir()
            if any((place / str(die)).is_dir() for die in DICE)
        )
    )


def forget(folder: Path) -> None:
    """Remove the pictures of one enrolment, and nothing else that lies there.

    Those of rolls that were tried go as well.

    Raises:
        OSError: one cannot be removed.
    """
    for die in DICE:
        place = folder / str(die)
        for name in SIDES:
            for path in [*place.glob(f"{name}-*{SUFFIX}"), *place.glob(f"*{PART}")]:
                path.unlink(missing_ok=True)
        if place.is_dir() and not any(place.iterdir()):
            place.rmdir()
    rolls = folder / ROLLS
    forget_rolls(rolls)
    if rolls.is_dir() and not any(rolls.iterdir()):
        rolls.rmdir()
    for path in (folder / "faces.json", folder / f"faces.json{PART}"):
        path.unlink(missing_ok=True)
    if folder.is_dir() and not any(folder.iterdir()):
        shutil.rmtree(folder)
