"""The reading of a roll: what is on the table, how sure we are, and why not."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scoring.cards import Face

Point = tuple[float, float]
Quad = tuple[Point, Point, Point, Point]
"""Corners of a top face in OpenCV pixel coordinates (x right, y down), clockwise."""


class Status(StrEnum):
    """What may be done with a reading."""

    SURE = "sure"
    ASK = "ask"
    REFUSE = "refuse"


class DieState(StrEnum):
    """How a die lies."""

    FLAT = "flat"
    COCKED = "cocked"
    STACKED = "stacked"
    HIDDEN_PART = "hidden_part"


class ProblemCode(StrEnum):
    """Stable codes of what is wrong with a reading."""

    NO_DICE = "no_dice"
    TOO_FEW_DICE = "too_few_dice"
    TOO_MANY_DICE = "too_many_dice"
    UNREADABLE_DIE = "unreadable_die"
    DOUBTFUL_DIE = "doubtful_die"
    DUPLICATE_FACE = "duplicate_face"
    SAME_DIE_TWICE = "same_die_twice"
    DICE_TOO_SMALL = "dice_too_small"
    COCKED_DIE = "cocked_die"
    STACKED_DIE = "stacked_die"
    HIDDEN_DIE = "hidden_die"
    TOO_DARK = "too_dark"
    OVEREXPOSED = "overexposed"
    BLURRED = "blurred"
    UNSTEADY_DIE = "unsteady_die"
    BODY_IN_VIEW = "body_in_view"
    DIE_OUTSIDE_TRAY = "die_outside_tray"
    CAMERA_MOVED = "camera_moved"


@dataclass(frozen=True, slots=True)
class Sighting:
    """One top face found in one frame.

    Attributes:
        quad: corners, clockwise; which corner is the art's top left is not known yet.
        score: the detector's confidence, 0..1.
    """

    quad: Quad
    score: float


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another face a die may show.

    Attributes:
        face: the face.
        p: its probability, 0..1.
    """

    face: Face
    p: float


@dataclass(frozen=True, slots=True)
class DieReading:
    """One die of a reading.

    Attributes:
        face: the decided face; None if it cannot be read.
        confidence: probability of that face, 0..1.
        quad: corners, clockwise from the top left of the upright art.
        alternatives: other faces, most likely first.
        state: how the die lies.
    """

    face: Face | None
    confidence: float
    quad: Quad
    alternatives: tuple[Alternative, ...] = ()
    state: DieState = DieState.FLAT


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong with a reading.

    Attributes:
        code: stable code for machines.
        sentence: the same for people.
        dice: places in `Reading.dice` it is about; empty if about the whole roll.
    """

    code: ProblemCode
    sentence: str
    dice: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """A whole roll as decided.

    Attributes:
        dice_set: name of the dice set it was read as.
        status: sure, ask or refuse.
        confidence: of the roll as a whole, 0..1.
        dice: the dice, in reading order (top to bottom, then left to right).
        problems: what is wrong; empty if sure.
        model: name and hash of the face model.
        outside: dice seen outside the tray: no part of the roll.
    """

    dice_set: str
    status: Status
    confidence: float
    dice: tuple[DieReading, ...]
    problems: tuple[Problem, ...]
    model: str
    outside: tuple[DieReading, ...] = ()
