"""Misses: everything a report shows a picture of, sorted by kind."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from datasets.eval_results import RollKind
from vision.reading import DieState, Status

if TYPE_CHECKING:
    from datasets.eval_results import PictureResult


class MissKind(StrEnum):
    """What went wrong, the worst first."""

    WRONG_SURE = "wrong_while_sure"
    WRONG_FACE = "wrong_face"
    NOT_READ = "not_read"
    NOT_FOUND = "not_found"
    NOTHING_THERE = "nothing_there"
    NOT_NOTICED = "not_flat_unnoticed"
    RIGHT_ASKED = "right_but_asked"
    REFUSED = "roll_refused"

    @property
    def whole_picture(self) -> bool:
        """Whether it is about a roll and not about one die."""
        return self in (
            MissKind.WRONG_SURE,
            MissKind.RIGHT_ASKED,
            MissKind.REFUSED,
        )


@dataclass(frozen=True, slots=True)
class Miss:
    """One miss.

    Attributes:
        kind: what went wrong.
        die: place of the labelled die; None if it is about none.
        said: place of the die in the reading; None if it is about none.
    """

    kind: MissKind
    die: int | None = None
    said: int | None = None


def misses_of(result: PictureResult) -> tuple[Miss, ...]:
    """All misses of one picture, of the whole roll first."""
    misses = [Miss(kind) for kind in _roll_misses(result)]
    answers = result.reading.dice if result.reading else ()
    for place, die in enumerate(result.dice):
        said = answers.index(die.said) if die.said in answers else None
        if die.said is None:
            if not result.is_crop:
                misses.append(Miss(MissKind.NOT_FOUND, place))
        elif not die.flat:
            if die.said.state is DieState.FLAT:
                misses.append(Miss(MissKind.NOT_NOTICED, place, said))
        elif die.read_right is False:
            read = die.said.face is not None
            kind = MissKind.WRONG_FACE if read else MissKind.NOT_READ
            misses.append(Miss(kind, place, said))
    misses += [Miss(MissKind.NOTHING_THERE, said=place) for place in result.more]
    return tuple(misses)


def _roll_misses(result: PictureResult) -> list[MissKind]:
    verdict = result.verdict
    if verdict.wrong_sure:
        return [MissKind.WRONG_SURE]
    if verdict.kind is not RollKind.ORDINARY or result.error is not None:
        return []
    if result.status is Status.REFUSE:
        return [MissKind.REFUSED]
    asked = result.status is Status.ASK and verdict.right
    return [MissKind.RIGHT_ASKED] if asked else []
