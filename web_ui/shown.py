"""A reading on the page: its dice in the turn's places, and what a person answered."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from vision.reading import Status

if TYPE_CHECKING:
    from scoring.cards import Face
    from vision.reading import DieReading, Reading


class Use(StrEnum):
    """What became of a reading."""

    TAKEN = "taken"
    WAITING = "waiting"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Shown:
    """A reading as the page shows it.

    Attributes:
        id: number of the reading in this run, from 1.
        reading: as the reader decided it; never changed.
        width_px: width of the picture it was read from.
        height_px: its height.
        order: place in `reading.dice` of the die in each place of the turn.
        answers: by place, the face a person named; None where nobody did.
        use: what became of it.
        rule: number of the rule that refused it, empty if none did.
        sentence: why it was refused, empty if it was not.
        elapsed_ms: how long the last look at the picture took.
    """

    id: int
    reading: Reading
    width_px: int
    height_px: int
    order: tuple[int, ...]
    answers: tuple[Face | None, ...]
    use: Use
    rule: str = ""
    sentence: str = ""
    elapsed_ms: float = 0.0

    @property
    def dice(self) -> tuple[DieReading, ...]:
        """The dice as read, by place."""
        return tuple(self.reading.dice[place] for place in self.order)

    @property
    def faces(self) -> tuple[Face | None, ...]:
        """The faces by place: the person's word where there is one."""
        pairs = zip(self.answers, self.dice, strict=True)
        return tuple(answer or die.face for answer, die in pairs)

    @property
    def doubtful(self) -> tuple[int, ...]:
        """Places that a problem is about and nobody has answered yet."""
        if self.reading.status is Status.SURE:
            return ()
        named = {die for problem in self.reading.problems for die in problem.dice}
        return tuple(
            place
            for place, die in enumerate(self.order)
            if self.answers[place] is None
            and (die in named or self.reading.dice[die].face is None)
        )


def lay_out(
    faces: tuple[Face | None, ...], kept: dict[int, Face], dice_count: int
) -> tuple[int, ...]:
    """Put the dice of a new reading into the places of the turn.

    A camera sees dice in any order. A die that was kept shows the face it showed before
    (rules CM-17), and no card face shows twice, so its face tells which it is; the
    other dice fill the free places in the order they were read.

    Args:
        faces: as read, in reading order; None where unreadable.
        kept: face by kept place.
        dice_count: dice of the set. With another number of dice read, or a kept face
            that is not among them, there is no telling: reading order is kept.

    Returns:
        Place in `faces` for each place of the turn.
    """
    plain = tuple(range(len(faces)))
    if len(faces) != dice_count or not all(face in faces for face in kept.values()):
        return plain
    at = {place: faces.index(face) for place, face in kept.items()}
    rest = iter([index for index in plain if index not in at.values()])
    return tuple(at[place] if place in at else next(rest) for place in plain)
