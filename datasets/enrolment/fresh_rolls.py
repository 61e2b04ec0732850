"""Testing a reader on fresh rolls: faces right, rolls right, wrong while sure."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from datasets.intervals import Share
from datasets.shards import DataSetError
from vision.pictures import load_picture
from vision.reading import Status

if TYPE_CHECKING:
    from pathlib import Path

    from vision.reader import RollReader
    from vision.reading import Reading

READABLE = 0.4
"""Faces whose picture is less like their art than this cannot be read by anybody."""

_NEAR = 0.4
"""A reading is of a die if their middles are nearer than this share of its width."""


@dataclass(frozen=True, slots=True)
class FreshResult:
    """What became of the rolls.

    Attributes:
        faces: of the dice found, those read right.
        found: of the dice that can be read, those found.
        rolls: rolls of which every die can be read, entirely right.
        sure: of those rolls, the ones that the reader is sure of.
        wrong_sure: of all rolls that the reader is sure of, those with a wrong face.
        washed_out: of all dice, those left out because nobody could read them.
    """

    faces: Share
    found: Share
    rolls: Share
    sure: Share
    wrong_sure: Share
    washed_out: Share

    def record(self) -> dict[str, Any]:
        """Ready for JSON."""
        shares = {
            "faces": self.faces,
            "found": self.found,
            "rolls": self.rolls,
            "sure": self.sure,
            "wrong_sure": self.wrong_sure,
            "washed_out": self.washed_out,
        }
        return {name: share.record() for name, share in shares.items()}


def together(results: list[FreshResult]) -> FreshResult:
    """Sum up several results."""

    def sums(name: str) -> Share:
        shares: list[Share] = [getattr(result, name) for result in results]
        return Share(sum(s.hits for s in shares), sum(s.total for s in shares))

    return FreshResult(*(sums(field.name) for field in fields(FreshResult)))


def read_fresh_rolls(reader: RollReader, folder: Path) -> FreshResult:
    """Read the rolls of a folder and hold them against their labels.

    Args:
        reader: as it would be used.
        folder: pictures with `labels.json`; dice may say their `match`, see
            `datasets.enrolment.aside_sets`.

    Raises:
        DataSetError: there are no labels.
        SourceError: a picture cannot be read.
    """
    path = folder / "labels.json"
    try:
        records = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise DataSetError(f"{path}: no labels: {error}") from error
    counts = np.zeros((6, 2), np.int64)
    for record in records:
        reading = reader.read(load_picture(folder / record["image"]).image)
        dice = [die for die in record["dice"] if die["state"] == "flat"]
        said = [_said(reading, die) for die in dice]
        clear = [die.get("match", 1.0) >= READABLE for die in dice]
        right = [face == die["face"] for face, die in zip(said, dice, strict=True)]
        counts[5] += (clear.count(False), len(clear))
        for face, ok, good in zip(said, clear, right, strict=True):
            counts[0] += (ok and good, ok and face is not None)
            counts[1] += (ok and face is not None, ok)
        whole, sure = all(right), reading.status is Status.SURE
        if all(clear):
            counts[2] += (whole, 1)
            counts[3] += (sure, 1)
        counts[4] += (sure and not whole, sure)
    return FreshResult(*(Share(int(hits), int(total)) for hits, total in counts))


def _said(reading: Reading, die: dict[str, Any]) -> str | None:
    """The face read where a die lies; None if no die was found there."""
    corners = np.array(die["quad"], np.float64) - 0.5
    side = float(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).mean())
    for one in reading.dice:
        off = np.array(one.quad).mean(axis=0) - corners.mean(axis=0)
        if one.face is not None and float(np.linalg.norm(off)) < _NEAR * side:
            return one.face.code
    return None
