"""Labelled pictures brought into an album of captures."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2

from datasets.captures.capture import (
    Capture,
    CapturedDie,
    Kept,
    Origin,
    Review,
)
from datasets.eval_labels import LabelError
from datasets.labels.outlines import box_quad, clipped_box, whole_box
from datasets.labels.picture_files import picture_bytes, upright_size
from datasets.labels.picture_tags import Labeller, labeller_of, recording_of
from vision.errors import PictureError
from vision.pictures import load_picture

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from datasets.captures.album import Album, Outcome
    from datasets.eval_labels import LabelledPicture
    from datasets.labels.notes import NoteBook

QUALITY = 95
"""Of pictures that are no JPEG and must become one."""
BOXED = "a die has a box only: its corners wait for a person"
RECODED = "is no JPEG: stored as one"

_JPEG = b"\xff\xd8\xff"


@dataclass(frozen=True, slots=True)
class Entered:
    """What a picture that comes in has in common with the others.

    Attributes:
        recording: of pictures that do not name theirs.
        dice_set: name of the dice set.
        taken_at: as `datasets.captures.capture.stamp` writes it.
        turn_known: whether the first corner of each quad is the art's top left.
    """

    recording: str
    dice_set: str
    taken_at: str
    turn_known: bool = True


def enter_all(
    album: Album, pictures: Iterable[LabelledPicture], about: Entered, book: NoteBook
) -> dict[Outcome, int]:
    """Add labelled pictures to an album.

    Complete labels count as reviewed, except those by a model; all others wait.

    Args:
        album: gets them, one after the other; those added before an error stay.
        pictures: clips are left out.
        about: what they have in common.
        book: is told what was changed or left out.

    Returns:
        How many pictures had each outcome.

    Raises:
        LabelError: a picture cannot be read.
        CaptureError: it cannot be kept.
    """
    counted: Counter[Outcome] = Counter()
    for picture in pictures:
        if picture.throws:
            book.tell("is a clip, not a picture: left out", picture.name)
            continue
        data = _jpeg(picture.path, picture.name, book)
        capture = _capture(picture, data, about, book)
        counted[album.add(capture, data).outcome] += 1
    return dict(counted)


def _jpeg(path: Path, name: str, book: NoteBook) -> bytes:
    """The picture as JPEG: its own bytes wherever possible."""
    data = picture_bytes(path)
    if data.startswith(_JPEG):
        return data
    book.tell(RECODED, name)
    try:
        image = load_picture(path).image
    except PictureError as error:
        raise LabelError(str(error)) from error
    good, made = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    if not good:
        raise LabelError(f"{path}: cannot be stored as JPEG")
    return bytes(made.tobytes())


def _capture(
    picture: LabelledPicture, data: bytes, about: Entered, book: NoteBook
) -> Capture:
    width, height = upright_size(picture.path)
    labeller = labeller_of(picture)
    origin = {Labeller.PERSON: Origin.PERSON, Labeller.DRAWN: Origin.DRAWN}.get(
        labeller or Labeller.MODEL, Origin.MODEL
    )
    whole = about.turn_known and labeller in (Labeller.PERSON, Labeller.DRAWN)
    dice = []
    for number, die in enumerate(picture.dice):
        quad = die.quad
        if quad is None:
            book.tell(BOXED, f"{picture.name} die {number}")
            box = clipped_box(whole_box(die, width, height), width, height)
            quad = box_quad(box or (0.0, 0.0, width, height))
        whole = whole and die.quad is not None and die.face is not None
        dice.append(CapturedDie(quad, die.face, die.state, origin))
    return Capture(
        picture=hashlib.sha256(data).hexdigest(),
        width_px=width,
        height_px=height,
        taken_at=about.taken_at,
        recording=recording_of(picture) or about.recording,
        dice_set=about.dice_set,
        kept=Kept.ENTERED,
        dice=tuple(dice),
        review=Review.REVIEWED if whole else Review.WAITING,
    )
