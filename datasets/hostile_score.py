"""Judging what was read from a hostile clip against what was thrown in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

LEAST_CLEAR_S = 1.0
"""A roll that lies to be read undisturbed for so long must be read."""


@dataclass(frozen=True, slots=True)
class Told:
    """One reading of a watched clip.

    Attributes:
        frame: in which it was told.
        status: `sure`, `ask` or `refuse`.
        faces: codes of the dice; empty text for one that cannot be read.
        problems: codes of the problems.
    """

    frame: int
    status: str
    faces: tuple[str, ...]
    problems: tuple[str, ...] = ()


@dataclass(slots=True)
class Tally:
    """Counts over one clip or several.

    Attributes:
        frames: frames watched.
        seconds: time that they take.
        rolls: rolls thrown.
        must: rolls that lay undisturbed for long enough to be read.
        sure: readings told as sure.
        asked: readings told as to be asked about.
        refused: readings told as no roll: they cannot be scored.
        false_rolls: sure or asked readings for which no roll was thrown, or that tell
            a roll once more.
        wrong_sure: sure readings whose faces are not those that lie there.
        missed: rolls that must be read and were not, not even as refused.
        only_refused: rolls that must be read and were told as no roll.
        waits_s: from the first clear frame at rest to the reading, of each roll read.
        notes: what went wrong, for people.
    """

    frames: int = 0
    seconds: float = 0.0
    rolls: int = 0
    must: int = 0
    sure: int = 0
    asked: int = 0
    refused: int = 0
    false_rolls: int = 0
    wrong_sure: int = 0
    missed: int = 0
    only_refused: int = 0
    waits_s: list[float] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def score_watch(truth: dict[str, Any], told: Sequence[Told], tally: Tally) -> None:
    """Count what was told of one clip.

    Args:
        truth: as `datasets.hostile.truth_record` gives it.
        told: the readings, in order.
        tally: the counts are added to.
    """
    fps = float(truth["fps"])
    rolls = truth["rolls"]
    tally.frames += truth["frames"]
    tally.seconds += truth["frames"] / fps
    tally.rolls += len(rolls)
    read: dict[int, Told] = {}
    refused: set[int] = set()
    for one in told:
        number = _roll_at(rolls, one.frame)
        if one.status == "refuse":
            tally.refused += 1
            if number is not None:
                refused.add(number)
            continue
        tally.sure += one.status == "sure"
        tally.asked += one.status == "ask"
        if number is None or number in read:
            tally.false_rolls += 1
            why = "no roll was thrown" if number is None else "told before"
            tally.notes.append(_note(truth, one, f"false roll: {why}"))
            continue
        read[number] = one
        if one.status == "sure" and sorted(one.faces) != _lying(truth, one.frame):
            tally.wrong_sure += 1
            tally.notes.append(_note(truth, one, "wrong while sure"))
    for number, roll in enumerate(rolls):
        end = rolls[number + 1]["start_frame"] if number + 1 < len(rolls) else None
        clear = _clear_from(truth, roll, end, fps)
        if number in read:
            if clear is not None:
                wait = read[number].frame - clear
                tally.waits_s.append(wait / fps)
            tally.must += clear is not None
        elif clear is not None:
            tally.must += 1
            tally.only_refused += number in refused
            tally.missed += number not in refused
            what = "told as no roll" if number in refused else "missed"
            where = f"frame {roll['rest_frame']}, {_event(truth, roll['rest_frame'])}"
            tally.notes.append(f"roll {number + 1} {what} ({where})")


def _roll_at(rolls: Sequence[dict[str, Any]], frame: int) -> int | None:
    """Which roll lies there; None before the first and while dice fly."""
    found = None
    for number, roll in enumerate(rolls):
        if roll["start_frame"] <= frame < roll["rest_frame"]:
            return None
        if roll["rest_frame"] <= frame:
            found = number
    return found


def _clear_from(
    truth: dict[str, Any], roll: dict[str, Any], end: int | None, fps: float
) -> int | None:
    """First frame from which a roll lies there to be read for long enough.

    Whatever is taken or turned by hand ends that time.
    """
    stop = truth["frames"] if end is None else end
    changes = [frame for frame, _ in truth["lying"] if frame > roll["rest_frame"]]
    stop = min([stop, *changes])
    for first, after in truth["clear"]:
        begin, finish = max(first, roll["rest_frame"]), min(after, stop)
        if finish - begin >= LEAST_CLEAR_S * fps:
            return int(begin)
    return None


def _lying(truth: dict[str, Any], frame: int) -> list[str]:
    codes: list[str] = []
    for first, faces in truth["lying"]:
        if first <= frame:
            codes = faces
    return sorted(codes)


def _event(truth: dict[str, Any], frame: int) -> str:
    for kind, first, after in truth["events"]:
        if first <= frame < after:
            return str(kind)
    return "end"


def _note(truth: dict[str, Any], one: Told, what: str) -> str:
    where = f"frame {one.frame}, {_event(truth, one.frame)}"
    faces = " ".join(code or "--" for code in one.faces)
    problems = f" [{', '.join(one.problems)}]" if one.problems else ""
    return f"{what} ({where}): {one.status} {faces}{problems}"
