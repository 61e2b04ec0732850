"""A capture: a picture of a roll, what was read from it and who decided what it is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import TYPE_CHECKING

from datasets.captures.fields import CaptureError, finite
from vision.reading import DieState

if TYPE_CHECKING:
    from scoring.cards import Face
    from vision.picture_quality import PictureLight
    from vision.reading import Quad, Reading

ID_SIGNS = 24
"""Hex digits of the picture's hash that name a capture: 96 bits."""
MOST_DICE = 64
LONGEST_NAME = 200

_HASH = re.compile(r"[0-9a-f]{64}")


class Kept(StrEnum):
    """Why a picture was kept."""

    ASKED = "asked"
    """The reader asked, and a person answered."""
    CORRECTED = "corrected"
    """The reader was sure, and a person said otherwise."""
    REFUSED = "refused"
    """The reader saw no roll that counts."""
    SURE = "sure"
    """The reader was sure, and nobody objected."""
    ENTERED = "entered"
    """Brought in from files by a person."""
    ENROLLED = "enrolled"
    """Shown on purpose while a set was learnt."""


class Review(StrEnum):
    """What became of looking at it again."""

    WAITING = "waiting"
    REVIEWED = "reviewed"
    DROPPED = "dropped"
    """A person said that it teaches nothing; the first to go when room is needed."""


class Origin(StrEnum):
    """Who says what a die shows."""

    MODEL = "model"
    PERSON = "person"
    DRAWN = "drawn"


@dataclass(frozen=True, slots=True)
class CapturedDie:
    """One die of a picture, as decided.

    Attributes:
        quad: corners, clockwise from the art's top left, in continuous coordinates of
            the stored picture ((0, 0) is the outer corner of the first pixel), as
            labels have them; a reading's own quads count from that pixel's centre.
        face: what it shows; None if nobody knows.
        state: how it lies.
        origin: who says so.
        role: of the person, as `operator` or `referee Ann`; empty for a model.
    """

    quad: Quad
    face: Face | None
    state: DieState = DieState.FLAT
    origin: Origin = Origin.MODEL
    role: str = ""

    def __post_init__(self) -> None:
        if not all(finite(value) for corner in self.quad for value in corner):
            raise CaptureError(f"quad must be finite numbers, not {self.quad!r:.80}")
        _check_name("role", self.role, empty=True)


@dataclass(frozen=True, slots=True)
class Capture:
    """One picture of the album.

    Attributes:
        picture: SHA-256 of the JPEG file, 64 lower-case hex digits.
        width_px: of that file, upright.
        height_px: likewise.
        taken_at: ISO 8601 in UTC, as `stamp` writes it.
        recording: one run of a table, or the name of an import: sets are split by it.
        dice_set: name of the dice set.
        kept: why.
        dice: what is in the picture, as decided now.
        reading: what the reader said, in pixels of the stored picture; None if none
            looked.
        models: identities of the models that read it.
        camera: name of the camera; empty if not known.
        light: how the picture is lit; None if not measured.
        review: whether a person looked at it again.
        doubt: 0..1; the queue of the review begins with the highest.
        likeness: 16 hex digits, see `datasets.captures.likeness`; empty before it is
            in an album.
    """

    picture: str
    width_px: int
    height_px: int
    taken_at: str
    recording: str
    dice_set: str
    kept: Kept
    dice: tuple[CapturedDie, ...] = ()
    reading: Reading | None = None
    models: tuple[str, ...] = ()
    camera: str = ""
    light: PictureLight | None = None
    review: Review = Review.WAITING
    doubt: float = 0.0
    likeness: str = ""

    def __post_init__(self) -> None:
        if not _HASH.fullmatch(self.picture):
            raise CaptureError(f"picture must be a SHA-256, not {self.picture!r:.80}")
        for name in ("width_px", "height_px"):
            if not 1 <= getattr(self, name) <= 65535:
                raise CaptureError(
                    f"{name} must be 1..65535, not {getattr(self, name)}"
                )
        if not is_stamp(self.taken_at):
            raise CaptureError(
                "taken_at must be like 2026-01-31T12:00:00.000000+00:00,"
                f" not {self.taken_at!r:.80}"
            )
        _check_name("recording", self.recording)
        _check_name("dice_set", self.dice_set)
        _check_name("camera", self.camera, empty=True)
        if len(self.dice) > MOST_DICE:
            raise CaptureError(f"dice must be at most {MOST_DICE}")
        if not finite(self.doubt) or not 0 <= self.doubt <= 1:
            raise CaptureError(f"doubt must be 0..1, not {self.doubt!r:.80}")
        if not re.fullmatch(r"|[0-9a-f]{16}", self.likeness):
            raise CaptureError(f"likeness must be 16 digits, not {self.likeness!r:.80}")

    @property
    def id(self) -> str:
        """Tells it from all others: the beginning of its picture's hash."""
        return self.picture[:ID_SIGNS]


def stamp(at: datetime) -> str:
    """Write a moment so that texts sort as moments do.

    Args:
        at: with its time zone.
    """
    return at.astimezone(UTC).isoformat(timespec="microseconds")


def is_stamp(text: str) -> bool:
    """Whether a text is a moment as `stamp` writes it."""
    try:
        return stamp(datetime.fromisoformat(text)) == text
    except (ValueError, OverflowError, TypeError):
        return False


def is_id(text: str) -> bool:
    """Whether a text can be the id of a capture, and so is no path."""
    return re.fullmatch(f"[0-9a-f]{{{ID_SIGNS}}}", text) is not None


def _check_name(key: str, text: str, *, empty: bool = False) -> None:
    if not (empty or text.strip()) or len(text) > LONGEST_NAME:
        raise CaptureError(f"{key} must be 1..{LONGEST_NAME} signs, not {text!r:.80}")
    if any(sign < " " or "\ud800" <= sign <= "\udfff" for sign in text):
        raise CaptureError(f"{key} holds signs that are no text: {text!r:.80}")
