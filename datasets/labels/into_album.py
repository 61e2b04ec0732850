"""Labelled pictures brought into an album of captures."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import cv2

from datasets.captures.album import Outcome, StaleError
from datasets.captures.capture import (
    ID_SIGNS,
    Capture,
    CapturedDie,
    Kept,
    Origin,
    Review,
)
from datasets.captures.fields import CaptureError
from datasets.captures.labelled import labelled
from datasets.eval_labels import LabelError
from datasets.labels.export_marks import mark_of
from datasets.labels.outlines import box_quad, clipped_box, whole_box
from datasets.labels.picture_files import MOST_BYTES, upright_size
from datasets.labels.picture_tags import Labeller, labeller_of, recording_of
from datasets.labels.relabelling import Carried, difference, relabelled
from datasets.labels.text_lines import read_bytes
from vision.errors import PictureError
from vision.pictures import load_picture

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from datasets.captures.album import Album
    from datasets.eval_labels import LabelledPicture
    from datasets.labels.notes import NoteBook

QUALITY = 95
"""Of pictures that are no JPEG and must become one."""
BOXED = "a die has a box only: its corners wait for a person"
NOT_BY_PERSON = "other labels than those kept, by no person: left as they are"
INCOMPLETE = "other labels than those kept, but corners or faces lack: left as they are"
CHANGED_SINCE = "was changed in the album since the export: left as it is"
REPLACED = "its labels take the place of those kept in"
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
        states_known: whether the labels say how the dice lie.
        marks: what the export said that they are from, see `export_marks.marks_about`.
        over: whether labels changed in the album since that export are replaced, too.
    """

    recording: str
    dice_set: str
    taken_at: str
    turn_known: bool = True
    states_known: bool = True
    marks: Mapping[str, str] = field(default_factory=dict)
    over: bool = False


def enter_all(
    album: Album, pictures: Iterable[LabelledPicture], about: Entered, book: NoteBook
) -> dict[Outcome, int]:
    """Add labelled pictures to an album.

    Complete labels count as reviewed, except those by a model; all others wait. Of a
    picture that is there, a person's labels take the place of those kept, and the rest
    stays; not so if those kept were changed since the export that the labels are from.

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
        counted[_enter(album, picture, data, about, book)] += 1
    return dict(counted)


def _enter(
    album: Album, picture: LabelledPicture, data: bytes, about: Entered, book: NoteBook
) -> Outcome:
    kept = _kept(album, hashlib.sha256(data).hexdigest()[:ID_SIGNS])
    if kept is not None and not album.path(kept.id).exists():
        album.add(kept, data)  # the picture was lost: here it is again
    if kept is not None and labeller_of(picture) is Labeller.PERSON:
        return _bring_back(album, kept, picture, about, book)
    capture = _capture(picture, data, about, book)
    outcome = album.add(capture, data).outcome
    if outcome is Outcome.TWICE and kept and capture.dice != kept.dice:
        book.tell(NOT_BY_PERSON, picture.name)
    return outcome


def _kept(album: Album, name: str) -> Capture | None:
    """The capture of a picture that is there, if it can be used."""
    try:
        return album.get(name)
    except CaptureError:  # what comes mends it
        return None


def _bring_back(
    album: Album,
    kept: Capture,
    picture: LabelledPicture,
    about: Entered,
    book: NoteBook,
) -> Outcome:
    """A person's labels for a picture that is there: taken, or told why not."""
    carried = Carried(turns=about.turn_known, states=about.states_known)
    dice = relabelled(kept, picture, carried)
    if dice is None:
        book.tell(INCOMPLETE, picture.name)
        return Outcome.TWICE
    if dice == kept.dice and kept.review is Review.REVIEWED:
        return Outcome.TWICE
    mark = about.marks.get(kept.picture)
    if mark is not None and not about.over:
        now = mark_of(labelled(album, kept).dice)
        if now != mark or kept.review is Review.DROPPED:
            book.tell(CHANGED_SINCE, picture.name)
            return Outcome.TWICE

    def relabel(one: Capture) -> Capture:
        if one != kept:  # somebody else's change came between
            raise StaleError(kept.id)
        return replace(one, dice=dice, review=Review.REVIEWED)

    try:
        album.change(kept.id, relabel)
    except StaleError:
        book.tell(CHANGED_SINCE, picture.name)
        return Outcome.TWICE
    if dice != kept.dice:
        # each by itself: who did not mean it finds here what to put back
        told = f"{REPLACED} {kept.id}: {difference(kept.dice, dice)}"
        book.tell(told, picture.name)
    return Outcome.CHANGED


def _jpeg(path: Path, name: str, book: NoteBook) -> bytes:
    """The picture as JPEG: its own bytes wherever possible."""
    data = read_bytes(path, MOST_BYTES)
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
