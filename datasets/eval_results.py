"""What measuring finds out about each picture; all figures are counted from these."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from datasets.eval_labels import rank_of
from vision.reading import DieState, Status

if TYPE_CHECKING:
    from datasets.eval_labels import LabelledDie, LabelledPicture
    from scoring.cards import Face
    from vision.reading import Alternative, DieReading, Reading


@dataclass(frozen=True, slots=True)
class FaceLook:
    """What the face reader alone says of one crop, before anything is decided.

    Attributes:
        top: the most likely of all faces; None if "not a face" is more likely.
        best: the most likely face of the dice set.
        p: its probability, given that the die shows a face of the set.
        none: probability of showing no face of the set.
        turn: clockwise quarters by which the art of `best` is turned in the crop.
        likely: the most likely faces of the set, most likely first.
    """

    top: Face | None
    best: Face
    p: float
    none: float
    turn: int
    likely: tuple[Alternative, ...]


@dataclass(frozen=True, slots=True)
class DieResult:
    """One labelled die and what each stage made of it.

    Attributes:
        label: what is there.
        side_px: mean side of its labelled place, in pixels.
        seen_iou: overlap with the sighting that fits it; None if there is none.
        seen_score: the detector's confidence in that sighting.
        seen: the face reader on that sighting.
        own: the face reader on the label's own place.
        said: the die of the reading that fits it; None if there is none.
        said_iou: overlap with that.
        corner_right: whether the reading's quad begins at the label's first corner;
            None if one of them has no quad.
    """

    label: LabelledDie
    side_px: float
    seen_iou: float | None = None
    seen_score: float | None = None
    seen: FaceLook | None = None
    own: FaceLook | None = None
    said: DieReading | None = None
    said_iou: float | None = None
    corner_right: bool | None = None

    @property
    def flat(self) -> bool:
        """Whether it lies flat: only then must it be read."""
        return self.label.state is DieState.FLAT

    @property
    def read_right(self) -> bool | None:
        """Whether the reading names it rightly; None if the label does not know."""
        return named_right(self.label, self.said.face if self.said else None)


def named_right(label: LabelledDie, face: Face | None) -> bool | None:
    """Whether a face is what the label says.

    Args:
        label: its face is asked for, or its rank if that alone is known.
        face: what was said; None if nothing was.

    Returns:
        None if the label knows neither face nor rank.
    """
    if label.face is not None:
        return face == label.face
    if label.rank is not None:
        return face is not None and rank_of(face) == label.rank
    return None


class RollKind(StrEnum):
    """What a picture asks of the reader."""

    ORDINARY = "ordinary"
    """All dice lie flat and are as many as belong to a roll: it shall be read."""
    OTHER = "other"
    """Cocked, stacked, hidden dice or a wrong number: it must not be sure."""
    UNKNOWN = "unknown"
    """The label does not know what all of the dice show: only places count."""
    CROP = "crop"
    """One face fills the picture: only the face reader is asked."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a reading of a picture is right.

    Attributes:
        kind: what was asked.
        right: of an ordinary picture: every die found and read rightly and nothing
            more said. None for other kinds.
        wrong_sure: said to be sure, and should not have been.
    """

    kind: RollKind
    right: bool | None
    wrong_sure: bool


def judge_roll(
    dice: tuple[DieResult, ...], more: int, status: Status, count: int | None
) -> Verdict:
    """Judge a whole reading.

    Args:
        dice: the labelled dice.
        more: how many dice were said that are not there.
        status: what the reader said of itself.
        count: dice of a roll; None if any number is one.
    """
    sure = status is Status.SURE
    flat = all(die.flat for die in dice)
    if not flat or count not in (None, len(dice)):
        return Verdict(RollKind.OTHER, None, sure)
    verdicts = [die.read_right for die in dice]
    if None in verdicts:
        return Verdict(RollKind.UNKNOWN, None, False)
    right = all(verdicts) and not more
    return Verdict(RollKind.ORDINARY, right, sure and not right)


@dataclass(frozen=True, slots=True)
class FoundAt:
    """How many places fit at one limit.

    Attributes:
        limit: least IoU, or least score of a sighting.
        labelled: places labelled.
        sightings: of the detector, at least as certain as asked.
        matched: of these, fitting.
        said: dice in the reading.
        said_matched: of these, fitting.
    """

    limit: float
    labelled: int
    sightings: int
    matched: int
    said: int
    said_matched: int


@dataclass(frozen=True, slots=True)
class ToldReading:
    """A reading that a clip gave.

    Attributes:
        frame: number of the frame, from 0, after which it was told.
        throw: place of the throw it is about; None if told before the first rested.
        delay_ms: from the rest frame to that frame, by the frame rate.
        elapsed_ms: time spent on that last frame.
        at_end: told only because the clip ended.
        status: as told.
        verdict: whether it was right.
    """

    frame: int
    throw: int | None
    delay_ms: float | None
    elapsed_ms: float
    at_end: bool
    status: Status
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class PictureResult:
    """One labelled picture, or one clip, and what was said about it.

    Attributes:
        picture: the label.
        status: of the reading; refuse if the file could not be read.
        reading: the reading; of a clip the first one; None without one.
        verdict: whether it is right.
        dice: the labelled dice.
        more: places in the reading of dice that are not there.
        by_iou: what was found at several limits of IoU.
        by_score: what was found at several limits of the detector's score.
        size_px: width of the dice: as labelled, else the mean side of their places;
            None without dice.
        elapsed_ms: from the decoded picture to the reading.
        shrunk: pixels of the file per pixel that was read.
        told: of a clip: all that it gave.
        error: why the file could not be read.
    """

    picture: LabelledPicture
    status: Status
    reading: Reading | None
    verdict: Verdict
    dice: tuple[DieResult, ...]
    more: tuple[int, ...] = ()
    by_iou: tuple[FoundAt, ...] = ()
    by_score: tuple[FoundAt, ...] = ()
    size_px: float | None = None
    elapsed_ms: float | None = None
    shrunk: float = 1.0
    told: tuple[ToldReading, ...] = ()
    error: str | None = None

    @property
    def is_crop(self) -> bool:
        """Whether one face fills the picture."""
        return self.verdict.kind is RollKind.CROP
