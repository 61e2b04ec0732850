"""Which face each shown side carries: all sides of a set decided together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from datasets.shards import DataSetError
from scoring.cards import ALL_FACES, CARD_DICE_FACES, Face
from scoring.dice_sets import CARD_DICE_COUNT, FACES_A_DIE, DiceSet, check_card_layout
from vision.assignment import assign

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from datasets.enrolment.shots import Shot

Side = tuple[int, str]
"""Number of a die, from 1, and the name of one of its sides."""

_CERTAIN = 60.0
"""Log-odds of what a person has said."""


@dataclass(frozen=True, slots=True)
class ShownFace:
    """What a side carries, as proposed or as said by a person.

    Attributes:
        face: the face.
        p: how likely the pictures of this side make it, 0..1; 1 if a person said it.
        by_person: whether a person said it.
    """

    face: Face
    p: float
    by_person: bool = False


def sides_of(shots: Sequence[Shot]) -> tuple[Side, ...]:
    """The sides that were shown, by die and name.

    Raises:
        DataSetError: not nine dice of six sides each; says which lack or are too many.
    """
    sides = sorted({(shot.die, shot.side) for shot in shots})
    for die in range(1, CARD_DICE_COUNT + 1):
        count = sum(1 for number, _ in sides if number == die)
        if count != FACES_A_DIE:
            raise DataSetError(
                f"die {die}: {count} sides were shown, {FACES_A_DIE} are needed"
            )
    if len(sides) != CARD_DICE_COUNT * FACES_A_DIE:
        strange = sorted({die for die, _ in sides if not 1 <= die <= CARD_DICE_COUNT})
        raise DataSetError(
            f"dice are numbered 1 to {CARD_DICE_COUNT}, not {strange[0]}"
        )
    return tuple(sides)


def propose_faces(
    shots: Sequence[Shot], said: Mapping[Side, Face] | None = None
) -> dict[Side, ShownFace]:
    """Give each side the face that makes all pictures together most likely.

    Each of the 54 faces is on the set once, so the sides are matched with the faces at
    the least cost; what a person has said holds.

    Args:
        shots: at least one of each side.
        said: faces that a person has said.

    Raises:
        DataSetError: sides lack, a side is named that was not shown, or one face is
            said of two sides.
    """
    return match_faces(sides_of(shots), shots, said)


def match_faces(
    sides: Sequence[Side],
    shots: Sequence[Shot],
    said: Mapping[Side, Face] | None = None,
) -> dict[Side, ShownFace]:
    """Give each of some sides a face of its own, as `propose_faces` does for all.

    Args:
        sides: different ones, 54 at most.
        shots: of these sides, at least one of each.
        said: faces that a person has said.

    Raises:
        DataSetError: a side is named that was not shown, or one face is said of two
            sides.
    """
    said = said or {}
    for side in said:
        if side not in sides:
            raise DataSetError(f"die {side[0]}, side {side[1]}: was not shown")
    twice = [face for face in said.values() if list(said.values()).count(face) > 1]
    if twice:
        raise DataSetError(f"{twice[0].code} is said of two sides; it is there once")
    log_p = np.zeros((len(sides), len(CARD_DICE_FACES)))
    for shot in shots:
        log_p[sides.index((shot.die, shot.side))] += shot.log_p
    log_p -= np.logaddexp.reduce(log_p, axis=1, keepdims=True)
    cost = -log_p
    for side, face in said.items():
        column = ALL_FACES.index(face)
        row = sides.index(side)
        cost[:, column] = np.maximum(cost[:, column], 0.0) + _CERTAIN
        cost[row, column] = -_CERTAIN
    chosen, _ = assign(cost)
    return {
        side: ShownFace(
            ALL_FACES[int(column)],
            1.0 if side in said else float(np.exp(log_p[row, column])),
            side in said,
        )
        for row, (side, column) in enumerate(zip(sides, chosen, strict=True))
    }


def set_of(name: str, faces: Mapping[Side, ShownFace]) -> DiceSet:
    """The dice set that the sides make, checked as far as anything is published.

    Raises:
        DiceSetError: it cannot be a set of card dice; names the faces at fault.
    """
    dice = tuple(
        tuple(faces[side].face for side in sorted(faces) if side[0] == die)
        for die in range(1, CARD_DICE_COUNT + 1)
    )
    check_card_layout(dice)
    return DiceSet(name, CARD_DICE_FACES, CARD_DICE_COUNT, dice)
