"""What the labels of one picture must obey: the rules of the set, sane outlines."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from datasets.labels.outlines import clipped_box, quad_area, turning, whole_box

if TYPE_CHECKING:
    from collections.abc import Sequence

    from datasets.eval_labels import LabelledDie
    from scoring.cards import Face
    from scoring.dice_sets import DiceSet, Layout

SMALLEST_SIDE_PX = 8.0
"""No face can be told from art that is smaller."""
FURTHEST_OUT = 0.5
"""Share of a quad's size that a corner may be outside: more, and most of it is."""
SAME_PLACE = 0.5
"""Two dice whose centres are nearer than this share of their side are one."""


class FindingCode(StrEnum):
    """Stable codes of what is wrong with labels."""

    FACE_TWICE = "face_twice"
    TOO_MANY_DICE = "too_many_dice"
    SAME_DIE = "same_die"
    NOT_OF_THE_SET = "not_of_the_set"
    NOT_CONVEX = "not_convex"
    NOT_CLOCKWISE = "not_clockwise"
    OUTSIDE = "outside"
    TINY = "tiny"
    SAME_PLACE = "same_place"


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong with the labels of a picture.

    Attributes:
        code: stable code for machines.
        sentence: the same for people; dice are counted from 1 in it.
        dice: places of the dice it is about, from 0; empty if about all.
    """

    code: FindingCode
    sentence: str
    dice: tuple[int, ...] = ()


def check_labels(
    dice: Sequence[LabelledDie],
    width: float,
    height: float,
    dice_set: DiceSet | None = None,
) -> tuple[Finding, ...]:
    """Check the labels of one roll, complete or still being typed.

    Args:
        dice: what is labelled so far; unread ones are checked by their outlines only.
        width: of the picture, pixels; 0 if not known.
        height: likewise.
        dice_set: what is played with; None: only outlines are checked.

    Returns:
        Findings about outlines first, in the order of the dice; none if all is well.
    """
    findings: list[Finding] = []
    for number, die in enumerate(dice):
        findings += _outline_findings(number, die, width, height)
    findings += _same_places(dice, width, height)
    if dice_set is not None:
        findings += _set_findings([die.face for die in dice], dice_set)
    return tuple(findings)


def _outline_findings(
    number: int, die: LabelledDie, width: float, height: float
) -> list[Finding]:
    found, said, dice = [], f"die {number + 1}", (number,)
    if die.quad is not None:
        turns = turning(die.quad)
        if all(turn < 0 for turn in turns):
            sentence = f"the corners of {said} go anticlockwise"
            found.append(Finding(FindingCode.NOT_CLOCKWISE, sentence, dice))
        elif not all(turn > 0 for turn in turns):
            sentence = f"the corners of {said} cross or bend inwards"
            # its size means nothing
            return [Finding(FindingCode.NOT_CONVEX, sentence, dice)]
    x0, y0, x1, y1 = box = whole_box(die, width, height)
    unknown = 0 in (width, height)
    if unknown and die.quad is None and die.box is None:
        return found
    side = _side(die, width, height)
    if side < SMALLEST_SIDE_PX:
        sentence = f"{said} is {side:.1f} pixels wide: too small to be read"
        found.append(Finding(FindingCode.TINY, sentence, dice))
    if not unknown:
        over = max(-x0, -y0, x1 - width, y1 - height)
        if clipped_box(box, width, height) is None or over > FURTHEST_OUT * side:
            sentence = f"{said} reaches {over:.0f} pixels out of the picture"
            found.append(Finding(FindingCode.OUTSIDE, sentence, dice))
    return found


def _side(die: LabelledDie, width: float, height: float) -> float:
    """Side of a square as large as the die, pixels."""
    if die.quad is not None:
        return float(abs(quad_area(die.quad)) ** 0.5)
    x0, y0, x1, y1 = whole_box(die, width, height)
    return float(((x1 - x0) * (y1 - y0)) ** 0.5)


def _same_places(
    dice: Sequence[LabelledDie], width: float, height: float
) -> list[Finding]:
    found, boxes = [], [whole_box(die, width, height) for die in dice]
    sides = [_side(die, width, height) for die in dice]
    for second, (bx0, by0, bx1, by1) in enumerate(boxes):
        for first in range(second):
            ax0, ay0, ax1, ay1 = boxes[first]
            away = max(abs(ax0 + ax1 - bx0 - bx1), abs(ay0 + ay1 - by0 - by1)) / 2
            if away < SAME_PLACE * min(sides[first], sides[second]):
                sentence = f"die {first + 1} and die {second + 1} are in one place"
                pair = (first, second)
                found.append(Finding(FindingCode.SAME_PLACE, sentence, pair))
    return found


def _set_findings(faces: list[Face | None], dice_set: DiceSet) -> list[Finding]:
    found = []
    if len(faces) > dice_set.dice_count:
        sentence = f"{len(faces)} dice, but {dice_set.name} has {dice_set.dice_count}"
        found.append(Finding(FindingCode.TOO_MANY_DICE, sentence))
    for number, face in enumerate(faces):
        if face is not None and face not in dice_set.faces:
            sentence = f"die {number + 1} shows {face.code}, no face of {dice_set.name}"
            found.append(Finding(FindingCode.NOT_OF_THE_SET, sentence, (number,)))
    if dice_set.unique_faces:
        counted = Counter(face for face in faces if face is not None)
        for twice, count in counted.items():
            if count > 1:
                where = _places(faces, {twice})
                sentence = f"{twice.code} is shown by {_named(where)}"
                found.append(Finding(FindingCode.FACE_TWICE, sentence, where))
    if dice_set.dice is not None:
        found += _shared_dice(faces, dice_set.dice)
    return found


def _shared_dice(faces: list[Face | None], layout: Layout) -> list[Finding]:
    """Different faces that only one die has: it cannot show both."""
    homes: dict[Face, list[int]] = {}
    for number, sides in enumerate(layout):
        for face in set(sides):
            homes.setdefault(face, []).append(number)
    found = []
    for number in range(len(layout)):
        only = {f for f in faces if f is not None and homes.get(f) == [number]}
        if len(only) > 1:
            where = _places(faces, only)
            shown = " and ".join(sorted(face.code for face in only))
            sentence = f"{shown} are on one die, so {_named(where)} cannot show them"
            found.append(Finding(FindingCode.SAME_DIE, sentence, where))
    return found


def _places(faces: list[Face | None], wanted: set[Face]) -> tuple[int, ...]:
    return tuple(number for number, face in enumerate(faces) if face in wanted)


def _named(where: tuple[int, ...]) -> str:
    return " and ".join(f"die {number + 1}" for number in where)
