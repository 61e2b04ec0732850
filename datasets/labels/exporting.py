"""Labelled pictures written as the set of another tool, one after the other."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from datasets.eval_labels import LabelError
from datasets.labels.class_names import ORDERS, ClassOrder
from datasets.labels.export_marks import EXPORT_FILE, KEY, captured_picture, mark_of
from datasets.labels.file_names import FreshNames, safe_name
from datasets.labels.notes import Note, NoteBook
from datasets.labels.outlines import clipped_box, whole_box
from datasets.labels.picture_files import check_size
from datasets.labels.picture_tags import NO_RECORDING, recording_of
from datasets.labels.splits import Split, check_sides
from datasets.labels.whole_folders import Placing, place_picture, whole_folder
from vision.reading import DieState

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from datasets.eval_labels import LabelledDie, LabelledPicture


class Carries(StrEnum):
    """What a format may be able to hold besides boxes and classes."""

    QUAD = "quad"
    STATE = "state"
    UNREAD = "unread dice"
    RANK = "rank of unread dice"
    TAGS = "tags"
    CLIPS = "clips"


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """How a set is written.

    Attributes:
        order: the classes.
        placing: how pictures come into the set.
        split: how recordings are dealt; None: all pictures are `train`.
        crop_px: side of the crops of a classification set.
        marked: whether an album gives the pictures: then the set says what it said of
            each, so that an import knows what was changed in the album since.
    """

    order: ClassOrder = ORDERS["faces"]
    placing: Placing = Placing.LINK
    split: Split | None = None
    crop_px: int = 96
    marked: bool = False


@dataclass(frozen=True, slots=True)
class ExportedDie:
    """A die on its way into a set.

    Attributes:
        die: as labelled.
        number: its class; None if its face is not known.
        place: picture and die, for notes.
    """

    die: LabelledDie
    number: int | None
    place: str


@dataclass(frozen=True, slots=True)
class ExportedPicture:
    """A picture on its way into a set.

    Attributes:
        label: with its upright size filled in.
        file: its name in the set.
        side: `train`, `val` or `test`.
        dice: those that are written.
    """

    label: LabelledPicture
    file: str
    side: str
    dice: tuple[ExportedDie, ...]


@dataclass(frozen=True, slots=True)
class ExportContext:
    """Where a set is written.

    Attributes:
        folder: to write into.
        final: where it will be.
        options: how.
        book: is told what is lost.
    """

    folder: Path
    final: Path
    options: ExportOptions
    book: NoteBook


class SetWriter(Protocol):
    """Writes the pictures of a set in one format."""

    def add(self, picture: ExportedPicture) -> str | None:
        """Write the labels of one picture.

        Returns:
            Where in the set the picture belongs; None if it is not needed there.
        """

    def finish(self) -> None:
        """Write what comes last and close all files."""

    def abandon(self) -> None:
        """Close all files: the set will be thrown away."""


@dataclass(frozen=True, slots=True)
class ExportFormat:
    """A format that sets can be written in.

    Attributes:
        name: as commands name it.
        carries: what it holds besides boxes and classes.
        begin: makes the writer of one set.
        by_die: whether a die stands alone; else a picture with an unread die that the
            format cannot hold is left out, lest training takes the die for background.
    """

    name: str
    carries: frozenset[Carries]
    begin: Callable[[ExportContext], SetWriter]
    by_die: bool = False


@dataclass(frozen=True, slots=True)
class ExportReport:
    """What was exported.

    Attributes:
        pictures: how many, of each side.
        dice: how many.
        notes: what was lost, changed or left out.
    """

    pictures: tuple[tuple[str, int], ...]
    dice: int
    notes: tuple[Note, ...]


@dataclass(slots=True)
class _Tally:
    pictures: Counter[str] = field(default_factory=Counter)
    dice: int = 0
    sides: dict[str, str] = field(default_factory=dict)
    marks: dict[str, str] = field(default_factory=dict)


def export_set(
    pictures: Iterable[LabelledPicture],
    out: Path,
    target: ExportFormat,
    options: ExportOptions,
    book: NoteBook | None = None,
) -> ExportReport:
    """Write a set, whole or not at all; pictures are looked at one by one.

    Args:
        pictures: what to write.
        out: folder of the set; must not be there, or be empty.
        target: the format.
        options: how.
        book: with what is to be told besides, also of what the pictures still bring.

    Raises:
        LabelError: the folder cannot be written, a picture is missing or of another
            size than its labels say, a recording is not known or a side stays empty.
    """
    book, tally, names = book or NoteBook(), _Tally(), FreshNames()
    with whole_folder(out) as folder:
        context = ExportContext(folder, out.resolve(), options, book)
        writer = target.begin(context)
        try:
            for picture in pictures:
                one = _prepare(picture, target, context, tally, names)
                if one is None:
                    continue
                place = writer.add(one)
                if place is not None:
                    placing = options.placing
                    place_picture(one.label.path, folder / place, placing, book)
                tally.pictures[one.side] += 1
                tally.dice += len(one.dice)
                captured = captured_picture(picture.name)
                if options.marked and captured is not None:
                    tally.marks[captured] = mark_of(picture.dice)
            if not tally.pictures:
                raise LabelError(f"{out}: there is no picture to write")
            if options.split:
                check_sides(tally.sides, options.split)
            writer.finish()
        except BaseException:
            writer.abandon()
            raise
        report = ExportReport(
            tuple(sorted(tally.pictures.items())), tally.dice, book.notes()
        )
        _write_report(folder / EXPORT_FILE, target, options, report, tally)
    return report


def _prepare(
    picture: LabelledPicture,
    target: ExportFormat,
    context: ExportContext,
    tally: _Tally,
    names: FreshNames,
) -> ExportedPicture | None:
    """Check a picture and tell what of it will be lost; None if it is left out."""
    book, options = context.book, context.options
    name = safe_name(picture.name, picture.name)
    if picture.throws and Carries.CLIPS not in target.carries:
        book.tell("is a clip, not a picture: left out", name)
        return None
    if not picture.throws and (options.placing is not Placing.NONE or target.by_die):
        size = check_size(picture.path, (picture.width, picture.height), name)
        picture = replace(picture, width=size[0], height=size[1])
    if 0 in (picture.width, picture.height) and not picture.throws:
        raise LabelError(f"{name}: the labels do not state the picture's size")
    dice = _exported_dice(picture, name, target, context)
    if dice is None:
        return None
    file = names.give(name)
    if file != name:
        book.tell("was given another name, since stems must differ", f"{name} = {file}")
    if picture.groups and Carries.TAGS not in target.carries:
        book.tell(f"tags are not carried by {target.name}", name)
    side = "train"
    if options.split:
        recording = recording_of(picture)
        if recording is None:
            raise LabelError(f"{name}: {NO_RECORDING}")
        side = tally.sides.setdefault(recording, options.split.side_of(recording))
    return ExportedPicture(picture, file, side, dice)


def _exported_dice(
    picture: LabelledPicture, name: str, target: ExportFormat, context: ExportContext
) -> tuple[ExportedDie, ...] | None:
    """The dice that can be written; None if the whole picture must be left out."""
    order, book, dice = context.options.order, context.book, []
    lossless = Carries.CLIPS in target.carries  # our own format: nothing is judged
    for number, die in enumerate(picture.dice):
        place = f"{name} die {number}"
        kind = order.number_of(die.face)
        if not lossless:
            if die.face is not None and kind is None:
                raise LabelError(
                    f"{place}: {die.face.code} is no class of the order {order.name}"
                )
            if kind is None and Carries.UNREAD not in target.carries:
                if not target.by_die:
                    book.tell("has a die whose face is not known: left out", name)
                    return None
                book.tell("its face is not known: left out", place)
                continue
            outline = whole_box(die, picture.width, picture.height)
            if clipped_box(outline, picture.width, picture.height) is None:
                book.tell("nothing of the die is in the picture: left out", place)
                continue
            _tell_losses(die, place, target, context)
        dice.append(ExportedDie(die, kind, place))
    return tuple(dice)


def _tell_losses(
    die: LabelledDie, place: str, target: ExportFormat, context: ExportContext
) -> None:
    carries, book = target.carries, context.book
    if die.face is not None and context.options.order.faces == (None,):
        book.tell("the face is not written: the only class is die", place)
    if die.state is not DieState.FLAT and Carries.STATE not in carries:
        book.tell(f"the state {die.state} is not carried by {target.name}", place)
    if die.face is None and die.rank is not None and Carries.RANK not in carries:
        book.tell(f"the rank of an unread die is not carried by {target.name}", place)
    if die.quad is not None and Carries.QUAD not in carries and not target.by_die:
        book.tell(f"only the box about the quad is carried by {target.name}", place)
    if die.quad is not None and die.box is not None:
        book.tell("the box beside the quad is not written", place)
    if target.by_die:
        book.tell("where in the picture the die is, is not carried", place)


def _write_report(
    path: Path,
    target: ExportFormat,
    options: ExportOptions,
    report: ExportReport,
    tally: _Tally,
) -> None:
    record = {
        "format": target.name,
        "classes": options.order.names,
        "class_order": options.order.digest,
        "pictures": dict(report.pictures),
        "dice": report.dice,
        "split": options.split
        and {
            "shares": options.split.shares,
            "salt": options.split.salt,
            "recordings": dict(sorted(tally.sides.items())),
        },
        "notes": [
            {"sentence": n.sentence, "count": n.count, "places": n.places}
            for n in report.notes
        ],
        KEY: tally.marks,
    }
    path.write_text(json.dumps(record, ensure_ascii=False, indent=1) + "\n", "utf-8")
