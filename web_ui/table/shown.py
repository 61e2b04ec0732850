"""A reading on the page: its dice in the game's places, and what a person answered."""

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
    HELD = "held"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Shown:
    """A reading as the page shows it.

    Attributes:
        id: number of the reading at this table, from 1.
        reading: as the reader decided it; never changed.
        picture: SHA-256 of its picture, hex; empty if it was typed in.
        width_px: width of the picture it was read from; 0 without one.
        height_px: its height.
        order: place in `reading.dice` of the die in each place of the game.
        answers: by place, the face a person named; None where nobody did.
        use: what became of it.
        rule: number of the rule that refused it, empty if none did.
        sentence: why it was refused, empty if it was not.
        elapsed_ms: how long the last look at the picture took.
        first_roll: number of the first roll of the game it was taken for; None if not.
        parts: for each of these rolls, the places it is about: one toss of War is one
            place, any other roll all of them.
    """

    id: int
    reading: Reading
    picture: str
    width_px: int
    height_px: int
    order: tuple[int, ...]
    answers: tuple[Face | None, ...]
    use: Use
    rule: str = ""
    sentence: str = ""
    elapsed_ms: float = 0.0
    first_roll: int | None = None
    parts: tuple[tuple[int, ...], ...] = ()

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
    def known(self) -> tuple[Face, ...]:
        """The faces that are known, by place."""
        return tuple(face for face in self.faces if face is not None)

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
