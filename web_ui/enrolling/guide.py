"""What to show next, and what a picture that was shown is."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

from scoring.dice_sets import FACES_A_DIE
from web_ui.enrolling.shown_dice import DICE

if TYPE_CHECKING:
    from datasets.enrolment.faces_shown import Side
    from datasets.enrolment.shots import Shot
    from web_ui.enrolling.shown_dice import ShownDice

SHOTS_A_SIDE = 2
SURELY = 0.6
"""Two pictures that say so much the same of their face show one side."""
PERHAPS = 0.15
"""... and so do those, if the die was to be turned where it lies. Of designs that the
reader never learned, 2 in 100 pairs of different sides reach the first, and 9 in 10
pairs of one side the second."""


class Told(StrEnum):
    """What became of a picture."""

    TAKEN = "taken"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a picture that showed one die well.

    Attributes:
        told: taken or not.
        sentence: why, for people.
        side: that it shows, if it was taken.
    """

    told: Told
    sentence: str
    side: Side | None = None


class EnrolmentGuide:
    """Leads through nine dice of six sides; one thread at a time.

    Args:
        shown: what was shown so far.
        shots_a_side: pictures of each side.
    """

    def __init__(self, shown: ShownDice, shots_a_side: int = SHOTS_A_SIDE) -> None:
        self.shown = shown
        self._shots_a_side = shots_a_side
        self._last: Side | None = None
        self.insists = False
        """Whether a person said that the next picture shows a new side."""
        self.die = next((die for die in DICE if not self.is_whole(die)), DICE[0])
        """The die that is to be shown."""

    @property
    def wanted(self) -> int:
        """How many pictures there will be."""
        return len(DICE) * FACES_A_DIE * self._shots_a_side

    @property
    def taken(self) -> int:
        """How many there are, those beyond the wanted ones not counted."""
        sides = self.shown.sides
        return sum(min(len(self.shown.of(s)), self._shots_a_side) for s in sides)

    @property
    def is_done(self) -> bool:
        """Whether every side of every die was shown often enough."""
        return all(self.is_whole(die) for die in DICE)

    def is_whole(self, die: int) -> bool:
        """Whether every side of a die was shown often enough."""
        sides = self.shown.sides_of(die)
        return len(sides) == FACES_A_DIE and not self._once_more(die)

    def _once_more(self, die: int) -> list[Side]:
        sides = self.shown.sides_of(die)
        return [s for s in sides if len(self.shown.of(s)) < self._shots_a_side]

    @property
    def turned(self) -> Side | None:
        """The side that is to be turned where it lies; None if another is wanted."""
        last = self._last
        return last if last in self._once_more(self.die) else None

    def ask(self) -> str:
        """What to do next, for people."""
        die, sides = self.die, self.shown.sides_of(self.die)
        if self.is_done:
            return "All nine dice were shown."
        if not sides:
            return f"Lay die {die} alone on the table, any side up."
        if self.turned is not None:
            return f"Turn die {die} a little where it lies, the same side up."
        if len(sides) < FACES_A_DIE:
            number = len(sides) + 1
            return f"Tip die {die} to a side not yet shown: {number} of {FACES_A_DIE}."
        if left := self._once_more(die):
            names = ", ".join(name.removeprefix("side") for _, name in left)
            return f"Show these sides of die {die} once more, turned: {names}."
        return f"Die {die} is done. Choose another die."

    def judge(self, jpeg: bytes, shot: Shot) -> Verdict:
        """Say what a picture shows, and keep it if it is wanted.

        Args:
            jpeg: the whole picture, as it is kept.
            shot: the one die in it.

        Raises:
            OSError: the picture cannot be written.
        """
        if self.is_whole(self.die):
            return Verdict(Told.REFUSED, self.ask())
        free = self.shown.free_side(self.die)
        side, why = (free, "") if self.insists and free else self._side(shot)
        if side is None:
            return Verdict(Told.REFUSED, why)
        self.shown.add(side, jpeg, shot)
        self._last, self.insists = side, False
        number = len(self.shown.of(side))
        word = side[1].removeprefix("side")
        said = f"Die {side[0]}, side {word}: picture {number} of {self._shots_a_side}."
        self._go_on()
        return Verdict(Told.TAKEN, said, side)

    def _go_on(self) -> None:
        if self.is_whole(self.die):
            later = [die for die in DICE if die > self.die] + list(DICE)
            self.die = next((d for d in later if not self.is_whole(d)), self.die)

    def _side(self, shot: Shot) -> tuple[Side | None, str]:
        """Which side of the die is shown; None and why if it is not wanted."""
        sides = self.shown.sides_of(self.die)
        if not sides and (other := self._still_there(shot)):
            return None, (
                f"This looks like die {other}, which was shown: lay die {self.die}."
            )
        alike = {side: self.alike(side, shot) for side in sides}
        best = max(alike, key=alike.__getitem__, default=None)
        if best is not None:
            turned = best == self.turned
            free = self.shown.free_side(self.die)
            least = PERHAPS if turned or free is None else SURELY
            if alike[best] >= least:
                return self._known(best)
        free = self.shown.free_side(self.die)
        if free is None:
            return None, f"This is none of the six sides of die {self.die}."
        return free, ""

    def _known(self, side: Side) -> tuple[Side | None, str]:
        if len(self.shown.of(side)) < self._shots_a_side:
            return side, ""
        word = side[1].removeprefix("side")
        return None, f"Side {word} of die {self.die} was shown: tip it to another."

    def _still_there(self, shot: Shot) -> int | None:
        """The die shown last, if it still lies there."""
        before = None if self._last is None else self._last[0]
        if before is None or before == self.die:
            return None
        sides = self.shown.sides_of(before)
        sure = any(self.alike(side, shot) >= 1.3 * SURELY for side in sides)
        return before if sure else None

    def alike(self, side: Side, shot: Shot) -> float:
        """How much a picture says the same of its face as those of a side, 0..1."""
        return max(
            float(np.exp(0.5 * (other.log_p + shot.log_p)).sum())
            for other in self.shown.of(side)
        )

    def doubles(self) -> list[tuple[int, int]]:
        """Dice that seem to be one and the same, the lower number first."""
        found = []
        for die in DICE:
            for other in range(1, die):
                same = sum(
                    any(
                        self.alike(one, self.shown.of(side)[0]) >= SURELY
                        for one in self.shown.sides_of(other)
                    )
                    for side in self.shown.sides_of(die)
                )
                if same >= 4:
                    found.append((other, die))
        return found

    def go(self, die: int) -> None:
        """Go to a die; what was shown of it stays."""
        if die not in DICE:
            raise ValueError(f"die must be 1..{len(DICE)}, not {die}")
        self.die, self._last, self.insists = die, None, False

    def retake(self, side: Side) -> None:
        """Forget a side and go to its die, to show it again.

        Raises:
            OSError: a picture cannot be removed.
        """
        self.shown.drop((side,))
        self.go(side[0])

    def retake_die(self, die: int) -> None:
        """Forget a die and go to it.

        Raises:
            OSError: a picture cannot be removed.
        """
        self.shown.drop(self.shown.sides_of(die))
        self.go(die)

    def undo(self) -> bool:
        """Forget the picture taken last; whether it was taken just now.

        Raises:
            OSError: it cannot be removed.
        """
        if self._last is None or self._last not in self.shown.sides:
            return False
        self.shown.drop_last(self._last)
        self.go(self._last[0])
        return True
