"""Dice shown to no camera: painted squares, and what stands for a reader."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

import cv2
import numpy as np
from table_makers import reading

from scoring.cards import ALL_FACES, CARD_DICE_FACES
from scoring.dice_sets import CARD_DICE_COUNT, reference_dice_set
from vision.classes import TURNS
from vision.face_reading import Evidence
from vision.limits import SHIPPED
from vision.ports import Frame
from web_ui.enrolling.session import Readers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from scoring.cards import Face
    from vision.look import Look
    from vision.ports import BgrImage
    from vision.reading import Reading
    from web_ui.enrolling.desk import EnrolmentDesk
    from web_ui.live_picture import LivePicture

DICE = reference_dice_set().dice or ()
SIDE_PX = 60
TABLE = 250
"""Its grey, unlike that of every square."""
WAIT_S = 20.0
ROLL = " ".join(die[0].code for die in DICE)
"""A roll that these dice can show."""
HIGH_PX, WIDE_PX = 240, 320

_LEARNER = """
import json, sys
from pathlib import Path
from datasets.enrolment.faces_shown import ShownFace, set_of
from datasets.enrolment.said_faces import read_said
from datasets.enrolment.set_folder import SetFolder
name, pictures, data, ends = sys.argv[1:]
for done in range(3):
    print(json.dumps({"what": "step", "done": done, "total": 2}), flush=True)
if ends != "0":
    sys.exit("tableside enrol: the pictures are of another set")
said = {s: ShownFace(f, 1.0, True) for s, f in read_said(Path(pictures)).items()}
sets = SetFolder(Path(data) / "sets")
sets.save(set_of(name, said))
(sets.place(name) / "faces.json").write_text("{}")
"""


def painted(*faces: Face) -> BgrImage:
    """A table with a square for each face, whose colour says which it is."""
    image = np.full((HIGH_PX, WIDE_PX, 3), TABLE, np.uint8)
    for place, face in enumerate(faces):
        x, y = 40 + 100 * place, 80
        image[y : y + SIDE_PX, x : x + SIDE_PX] = _colour(face)
    return image


def moved(image: BgrImage) -> BgrImage:
    """The same a little further: turned where it lies, as the lookout sees it."""
    return np.asarray(np.roll(image, (12, 12), (0, 1)), np.uint8)


def hand(number: int = 0) -> BgrImage:
    """Something that covers the table and never looks the same twice."""
    rough = np.random.default_rng(number).integers(0, 60, (3, 4, 3), np.uint8)
    return np.asarray(rough.repeat(80, axis=0).repeat(80, axis=1) * 4, np.uint8)


def _colour(face: Face) -> tuple[int, int, int]:
    number = CARD_DICE_FACES.index(face)
    return 30 + 60 * (number % 4), 30 + 60 * (number // 4 % 4), 30 + 60 * (number // 16)


class SquareReader:
    """Stands for `RollReader`: finds painted squares and knows their faces.

    Args:
        wrong: what it takes a face for.
        roll: what it says of pictures without squares.
    """

    light = None
    limits = SHIPPED
    dice_set = reference_dice_set()

    def __init__(self, wrong: dict[Face, Face] | None = None, roll: str = ROLL) -> None:
        self._wrong, self._roll = wrong or {}, roll
        self.look: Look | None = None

    def evidence(self, image: BgrImage) -> tuple[Evidence, ...]:
        """The squares of a picture."""
        off = np.abs(image.astype(int) - TABLE).max(axis=2) > 25
        count, _, stats, _ = cv2.connectedComponentsWithStats(off.astype(np.uint8))
        found = []
        for x, y, wide, high, size in stats[1:count]:
            if abs(wide - SIDE_PX) > 6 or abs(high - SIDE_PX) > 6 or size < 3000:
                continue
            colour = image[y + 20 : y + 40, x + 20 : x + 40].mean(axis=(0, 1))
            far = [np.abs(colour - _colour(face)).sum() for face in CARD_DICE_FACES]
            face = CARD_DICE_FACES[int(np.argmin(far))]
            face = self._wrong.get(face, face)
            log_p = np.full((len(ALL_FACES), TURNS), -9.0)
            log_p[ALL_FACES.index(face), 0] = -0.05
            quad = np.array([[0, 0], [wide, 0], [wide, high], [0, high]]) + (x, y) - 0.5
            found.append(Evidence(quad, 0.9, log_p, -5.0, self.look))
        return tuple(found)

    def read(self, image: BgrImage) -> Reading:
        """Nine dice where there are no squares, else those."""
        squares = len(self.evidence(image))
        return reading(" ".join(self._roll.split()[: squares or CARD_DICE_COUNT]))


def readers(plain: SquareReader | None = None, roll: str = ROLL) -> Readers:
    """What loads such readers."""
    chosen = plain or SquareReader()
    return Readers(
        lambda: chosen,  # type: ignore[arg-type,return-value]  # see SquareReader
        lambda place: SquareReader(roll=roll),  # type: ignore[arg-type,return-value]
        lambda: None,
    )


def learner(ends: int = 0) -> Callable[[str, Path, Path, Path | None], list[str]]:
    """A program that learns nothing but leaves a set, or ends with an error."""

    def command(
        name: str, pictures: Path, data: Path, models: Path | None
    ) -> list[str]:
        words = [name, str(pictures), str(data), str(ends)]
        return [sys.executable, "-c", _LEARNER, *words]

    return command


class Stage:
    """Shows things to the camera of an enrolment and waits until they were judged.

    Args:
        live: what the camera puts its frames to.
        desk: of the enrolment.
    """

    def __init__(self, live: LivePicture, desk: EnrolmentDesk) -> None:
        self._live, self._desk = live, desk
        self._time_s, self._number = 0.0, 0

    def _put(self, image: BgrImage) -> None:
        self._time_s += 0.1
        self._number += 1
        self._live.put(Frame(image, "test", self._number, self._time_s))

    def wait(
        self,
        done: Callable[[], bool],
        picture: Callable[[int], BgrImage] | None = None,
    ) -> None:
        """Go on showing something until something has happened."""
        end = time.monotonic() + WAIT_S
        while not done():
            assert time.monotonic() < end, "nothing happened"
            if picture is not None:
                self._put(picture(self._number))
            time.sleep(0.005)

    def show(self, image: BgrImage) -> str:
        """Lay something down after a hand came; returns what was told of it."""
        session = self._desk.session
        assert session is not None
        self.wait(lambda: session.moves, hand)
        with session.lock:
            session.say("", "")
        self.wait(lambda: bool(session.told), lambda number: image)
        return session.told

    def show_all(self, dice: Iterable[tuple[Face, ...]] = DICE) -> None:
        """Show every side of dice twice."""
        for die in dice:
            for face in die:
                for picture in (painted(face), moved(painted(face))):
                    told = self.show(picture)
                    assert told.startswith("Die "), told
