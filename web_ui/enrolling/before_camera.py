"""Showing the dice to a camera from a terminal: a line at a time."""

from __future__ import annotations

import select
import sys
from typing import TYPE_CHECKING

from datasets.enrolment.shots import ShotError, take_shot
from scoring.dice_sets import CARD_DICE_COUNT
from web_ui.enrolling.guide import EnrolmentGuide
from web_ui.enrolling.lookout import Lookout
from web_ui.enrolling.shown_dice import ShownDice, as_kept

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from vision.ports import Frame
    from vision.reader import RollReader

KEYS = (
    "Type and press Enter: n, the next picture is a new side; u, undo the last;"
    " 1 to 9, go to that die. Ctrl+C stops; what was taken stays."
)


def typed_lines() -> Iterator[str | None]:
    """Lines that a person has typed; None whenever nothing waits. Ends never."""
    while True:
        if not sys.stdin.isatty():
            yield None
            continue
        ready, _, _ = select.select([sys.stdin], [], [], 0)
        yield sys.stdin.readline() if ready else None


def show_to_camera(
    frames: Iterable[Frame],
    reader: RollReader,
    folder: Path,
    tell: Callable[[str], None],
    *,
    stills: bool = False,
    typed: Iterator[str | None] | None = None,
) -> EnrolmentGuide:
    """Lead through the sides of nine dice until all were shown, or the frames end.

    Args:
        frames: of the camera, or of a clip of it.
        reader: finds the dice.
        folder: of the enrolment; goes on with what lies there.
        tell: called with each sentence for the person.
        stills: whether each frame is a picture of its own, and looked at.
        typed: see `typed_lines`.

    Returns:
        The guide; its `is_done` says whether all sides were shown.

    Raises:
        DataSetError: what lies in the folder cannot be gone on with.
        SourceError: the camera was lost.
        OSError: a picture cannot be kept.
    """
    shown = ShownDice(folder)
    shown.load(reader)
    guide, lookout, told = EnrolmentGuide(shown), Lookout(), ""
    typed = typed_lines() if typed is None else typed

    def say(sentence: str) -> None:
        nonlocal told
        if sentence != told:
            tell(sentence)
        told = sentence

    tell(guide.ask())
    for frame in frames:
        if guide.is_done:
            break
        if _obey(guide, (next(typed) or "").strip().lower()):
            lookout.forget()
            say(guide.ask())
        if not (stills or lookout.worth(frame)):
            continue
        jpeg, image = as_kept(frame.image)
        try:
            shot = take_shot(reader, image, guide.die, "shown")
        except ShotError as error:
            say(f"Not taken: {error}.")
            lookout.refused(frame)
            continue
        verdict = guide.judge(jpeg, shot)
        lookout.took(frame)
        say(verdict.sentence)
        if verdict.side is not None:
            tell(guide.ask())
    return guide


def _obey(guide: EnrolmentGuide, word: str) -> bool:
    """Do what was typed; whether there was something to do."""
    if word == "n":
        guide.insists = guide.shown.free_side(guide.die) is not None
    elif word == "u":
        return guide.undo()
    elif word.isdecimal() and 1 <= int(word) <= CARD_DICE_COUNT:
        guide.go(int(word))
    else:
        return False
    return True
