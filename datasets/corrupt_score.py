"""Reading corrupted pictures: what was said of them, and whether that was true."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from datasets.corrupt import CORRUPTIONS, Corrupted, corrupt
from vision.errors import PictureError
from vision.pictures import load_picture
from vision.reading import Reading, Status

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from datasets.eval_labels import LabelledDie, LabelledPicture
    from datasets.pinhole import Floats
    from vision.ports import BgrImage

NEAR = 0.5
"""A die read lies on a true one if their centres are closer, in sides of the latter."""
OUTCOMES = ("sure", "wrong", "ask", "refuse", "unreadable", "crash")


@dataclass(slots=True)
class Counts:
    """Outcomes by corruption.

    Attributes:
        by_kind: of each corruption, how often each of `OUTCOMES` came. A wrong reading
            is one that was sure; it counts as sure too.
        notes: the wrong ones and the crashes, for people.
    """

    by_kind: dict[str, dict[str, int]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def add(self, kind: str, outcome: str) -> None:
        """Count one."""
        row = self.by_kind.setdefault(kind, dict.fromkeys(OUTCOMES, 0))
        row[outcome] += 1
        if outcome == "wrong":
            row["sure"] += 1

    def total(self, outcome: str) -> int:
        """Count over all corruptions."""
        return sum(row[outcome] for row in self.by_kind.values())


def is_right(
    reading: Reading, corrupted: Corrupted, dice: Sequence[LabelledDie]
) -> bool:
    """Whether a sure reading tells what can be seen.

    Every die it names must lie on a true one that shows that face, and no die that is
    wholly in the picture may be left out. So a mirrored picture has no right reading
    but for faces that look alike in a mirror, and a picture cut down to eight dice has
    none at all while the roll has nine.

    Args:
        reading: of the corrupted picture.
        corrupted: which picture that was.
        dice: as they were labelled before, with quads in continuous coordinates.
    """
    known = [die for die in dice if die.quad is not None and die.face is not None]
    quads = np.array([die.quad for die in known], np.float64).reshape(-1, 4, 2) - 0.5
    now = corrupted.moved(quads)
    free = [k for k in range(len(known)) if bool(np.isfinite(now[k]).all())]
    for die in reading.dice:
        centre = np.array(die.quad).mean(axis=0)
        near = [k for k in free if known[k].face == die.face and _on(now[k], centre)]
        if not near:
            return False
        free.remove(near[0])
    return not any(_inside(now[k], corrupted.image) for k in free)


def _on(quad: Floats, centre: Floats) -> bool:
    sides = np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1)
    away = float(np.linalg.norm(quad.mean(axis=0) - centre))
    return away < NEAR * float(sides.mean())


def _inside(quad: Floats, image: BgrImage | None) -> bool:
    if image is None:  # a damaged file: no telling what of it was left
        return False
    height, width = image.shape[:2]
    low, high = quad.min(axis=0), quad.max(axis=0)
    return bool((low >= -0.5).all() and (high <= (width - 0.5, height - 0.5)).all())


def read_corrupted(
    read: Callable[[BgrImage], Reading],
    pictures: Sequence[LabelledPicture],
    count: int,
    seed: int,
) -> Iterator[tuple[str, str, str]]:
    """Corrupt pictures in turn, each in its own way, and read them.

    Args:
        read: reads a picture.
        pictures: labelled; at least one.
        count: how many corrupted pictures to make.
        seed: of every choice; picture `k` is made from `(seed, k)`.

    Yields:
        Name of the corruption, outcome (one of `OUTCOMES`), and a note for people if
        it is a wrong one or a crash.

    Raises:
        PictureError: one of the pictures cannot be read before it is corrupted.
    """
    for number in range(count):
        picture = pictures[number % len(pictures)]
        first = CORRUPTIONS[number % len(CORRUPTIONS)]
        rng = np.random.default_rng((seed, number))
        kind, corrupted = corrupt(rng, load_picture(picture.path).image, first)
        name = f"{number} {kind} {picture.name}"
        try:
            image = _opened(corrupted)
            if image is None:
                yield kind, "unreadable", ""
                continue
            reading = read(image)
        except Exception as error:  # noqa: BLE001 counting crashes is the purpose
            yield kind, "crash", f"{name}: {type(error).__name__}: {error}"
            continue
        if reading.status is not Status.SURE:
            yield kind, reading.status.value, ""
        elif is_right(reading, corrupted, picture.dice):
            yield kind, "sure", ""
        else:
            faces = " ".join(
                die.face.code if die.face else "--" for die in reading.dice
            )
            yield kind, "wrong", f"{name}: {faces} ({reading.confidence:.3f})"


def _opened(corrupted: Corrupted) -> BgrImage | None:
    """The picture as the reader gets it; None if its file is told to be broken."""
    if corrupted.image is not None:
        return corrupted.image
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"damaged{corrupted.suffix}"
        path.write_bytes(corrupted.data)
        try:
            return load_picture(path).image
        except PictureError:
            return None
