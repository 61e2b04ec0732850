"""Trying a reader on fresh rolls that a person confirms, die by die if need be."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from datasets.captures.private_files import PART, make_private, write_private
from datasets.eval_labels import LABELS
from web_ui.enrolling.refusals import RefusedError

if TYPE_CHECKING:
    from pathlib import Path

    from scoring.cards import Face
    from scoring.dice_sets import DiceSet
    from vision.ports import BgrImage
    from vision.reading import Quad, Reading

ROLLS_WANTED = 10
ROLLS = "rolls"
QUALITY = 92


@dataclass(frozen=True, slots=True)
class TriedDie:
    """One die of a roll that waits for a person.

    Attributes:
        quad: corners in pixels of the picture.
        read: what the reader said; None if it could not.
        face: what it shows, by the reader or by the person.
    """

    quad: Quad
    read: Face | None
    face: Face | None


@dataclass(frozen=True, slots=True)
class TriedRoll:
    """A roll that waits for a person.

    Attributes:
        number: counts the rolls that were shown, from 1.
        dice: in reading order.
        width_px: of its picture.
        height_px: of its picture.
    """

    number: int
    dice: tuple[TriedDie, ...]
    width_px: int
    height_px: int


class Trial:
    """Rolls of an enrolled set, each confirmed by a person; one thread at a time.

    The pictures lie with `labels.json`, as `tableside enrol --test` takes them.

    Args:
        folder: of the enrolment.
        dice_set: that is tried.
        wanted: how many rolls are asked for.
    """

    def __init__(
        self, folder: Path, dice_set: DiceSet, wanted: int = ROLLS_WANTED
    ) -> None:
        self.folder = folder / ROLLS
        self.wanted = wanted
        self._dice_set = dice_set
        self._records: list[dict[str, Any]] = []
        self.right, self.faces, self.unread = 0, 0, 0
        self.roll: TriedRoll | None = None
        """What waits for a person; None while a roll is waited for."""
        self.picture: BgrImage | None = None
        self._count = 0

    @property
    def rolls(self) -> int:
        """How many rolls were confirmed."""
        return len(self._records)

    @property
    def is_done(self) -> bool:
        """Whether there are as many as were wanted."""
        return self.rolls >= self.wanted

    def offer(self, image: BgrImage, reading: Reading) -> str:
        """Take a roll that lies still.

        Args:
            image: (H, W, 3) uint8 BGR.
            reading: of it.

        Returns:
            Why it is not taken; empty if it is.
        """
        expected = self._dice_set.dice_count
        if len(reading.dice) != expected:
            self.unread += len(reading.dice) > expected // 2
            return f"{len(reading.dice)} dice are to be seen: roll all {expected}."
        self._count += 1
        dice = tuple(TriedDie(die.quad, die.face, die.face) for die in reading.dice)
        height, width = image.shape[:2]
        self.roll = TriedRoll(self._count, dice, width, height)
        self.picture = image
        return ""

    def _waiting(self, number: int) -> TriedRoll:
        roll = self.roll
        if roll is None or roll.number != number:
            raise RefusedError("That roll is not asked about any more.")
        return roll

    def correct(self, number: int, place: int, face: Face) -> None:
        """Take what a person says of one die.

        Raises:
            RefusedError: another roll waits, or it has no such die or face.
        """
        roll = self._waiting(number)
        if not 0 <= place < len(roll.dice):
            raise RefusedError(f"There is no die {place}.")
        if face not in self._dice_set.faces:
            raise RefusedError(f"{face.code} is not on these dice.")
        dice = list(roll.dice)
        dice[place] = TriedDie(dice[place].quad, dice[place].read, face)
        self.roll = TriedRoll(number, tuple(dice), roll.width_px, roll.height_px)

    def faults(self) -> list[str]:
        """Why the roll that waits cannot have been rolled; empty if it can."""
        roll = self.roll
        if roll is None:
            return []
        unread = sum(die.face is None for die in roll.dice)
        found = [f"{unread} dice are not read: choose their faces."] if unread else []
        faces = [die.face for die in roll.dice if die.face is not None]
        for face in dict.fromkeys(f for f in faces if faces.count(f) > 1):
            found.append(f"{face.code} is there twice; the set has it once.")
        for number, die in enumerate(self._dice_set.dice or (), start=1):
            own = [face.code for face in dict.fromkeys(faces) if face in die]
            if len(own) > 1:
                found.append(
                    f"{' and '.join(own)} are faces of one die (die {number})."
                )
        return found

    def confirm(self, number: int) -> None:
        """Keep the roll as it is shown: a person says that it is right.

        Raises:
            RefusedError: another roll waits, or no dice can have shown this.
            OSError: it cannot be written; it still waits.
        """
        roll = self._waiting(number)
        if faults := self.faults():
            raise RefusedError(faults[0])
        assert self.picture is not None
        name = f"{self.rolls + 1:03d}.jpg"
        done, data = cv2.imencode(
            ".jpg", self.picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY]
        )
        if not done:
            raise OSError("the picture cannot be encoded")
        records = [*self._records, _record(name, roll)]
        make_private(self.folder)
        if not self._records:
            # labels of an earlier trial must not be found beside new pictures
            forget_rolls(self.folder)
        write_private(self.folder / name, np.asarray(data).tobytes(), sync=False)
        write_private(self.folder / LABELS, (json.dumps(records) + "\n").encode())
        self._records = records
        self.faces += len(roll.dice)
        self.right += sum(die.read == die.face for die in roll.dice)
        self.roll = self.picture = None

    def pass_over(self, number: int) -> None:
        """Forget the roll that waits.

        Raises:
            RefusedError: another roll waits.
        """
        self._waiting(number)
        self.roll = self.picture = None


def forget_rolls(folder: Path) -> None:
    """Remove the rolls of an earlier trial, and nothing else that lies there.

    Args:
        folder: `Trial.folder`.

    Raises:
        OSError: one cannot be removed.
    """
    (folder / LABELS).unlink(missing_ok=True)
    for pattern in (f"{LABELS}{PART}", "[0-9][0-9][0-9].jpg", f"*.jpg{PART}"):
        for path in folder.glob(pattern):
            path.unlink(missing_ok=True)


def _record(name: str, roll: TriedRoll) -> dict[str, Any]:
    return {
        "image": name,
        "width": roll.width_px,
        "height": roll.height_px,
        "dice": [
            {
                "face": None if die.face is None else die.face.code,
                # continuous corners: (0, 0) is the outer corner of a pixel
                "quad": [[round(v + 0.5, 2) for v in point] for point in die.quad],
                "state": "flat",
            }
            for die in roll.dice
        ],
    }
