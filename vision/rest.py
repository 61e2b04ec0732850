"""What lies on the table, from rest to rest: which dice stayed, and what is a roll."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from vision.reading import DieState, Status
from vision.unmoved import LEAST_TOGETHER, Change, Stay, change_of, follow

if TYPE_CHECKING:
    from vision.reading import DieReading, Reading
    from vision.unmoved import Followed


@dataclass(frozen=True, slots=True)
class Lying:
    """What became of the dice since the rest before; places are those of the reading.

    Attributes:
        change: what happened.
        kept: dice that lie where they lay and show what they showed.
        moved: dice that lie elsewhere but show what a die showed that left its place:
            pushed, or thrown to the same face.
        changed: dice that lie where they lay and show something else: turned by hand,
            or misread once.
        roll: number of the roll, from 1, if it is told now.
    """

    change: Change
    kept: tuple[int, ...] = ()
    moved: tuple[int, ...] = ()
    changed: tuple[int, ...] = ()
    roll: int | None = None

    @property
    def told(self) -> bool:
        """Whether the reading is told: it is a new roll, or one that was mended."""
        return self.roll is not None


class Rest:
    """Remembers the dice of the rests of one table and numbers the rolls."""

    def __init__(self) -> None:
        self.dice: tuple[DieReading, ...] = ()
        """All dice as they were seen last, those that are gone included."""
        self.empty = False
        """Whether the table was empty when it was judged last."""
        self._gone: frozenset[int] = frozenset()
        self._refused = self._leaning = False
        self._rolls = 0

    def clear(self) -> None:
        """Note that no dice are to be seen."""
        self.empty, self._gone = True, frozenset(range(len(self.dice)))

    def settle(self, reading: Reading, thrown: bool) -> Lying:
        """Judge dice that rest.

        Args:
            reading: of at least one die.
            thrown: whether something moved by itself since the rest before.
        """
        before, cleared = self.dice, self.empty
        self.empty = False
        followed = follow(before, reading.dice, self._gone)
        change = change_of(before, reading.dice, thrown, self._gone)
        if cleared and change is not Change.ROLLED and before:
            # a table that was cleared holds a new roll, unless all lies as it lay: then
            # it was covered, or not to be seen; a few dice may fall so by chance
            alike = change in (Change.NOTHING, Change.PICKED_UP)
            chance = thrown and len(followed) < LEAST_TOGETHER
            change = change if alike and not chance else Change.ROLLED
        if reading.status is Status.REFUSE and self._whole(before, followed):
            return Lying(Change.NOTHING)
        places = {
            stay: tuple(k for k, one in enumerate(followed) if one.stay is stay)
            for stay in Stay
        }
        roll = self._number(change, reading)
        self.dice = _seen_last(before, reading, followed, change)
        lying = {die.quad for die in reading.dice}
        lying |= {before[k].quad for one in followed if (k := one.before) is not None}
        self._gone = frozenset(
            k for k, die in enumerate(self.dice) if die.quad not in lying
        )
        return Lying(
            change, places[Stay.KEPT], places[Stay.MOVED], places[Stay.CHANGED], roll
        )

    def _whole(
        self, before: tuple[DieReading, ...], followed: tuple[Followed, ...]
    ) -> bool:
        """Whether a whole roll lies as it lay, whatever else is taken for dice now.

        A shadow or something laid beside the dice makes no roll of a refused reading.
        """
        staying = (Stay.KEPT, Stay.CHANGED)
        still = sum(one.stay in staying for one in followed)
        return not self._refused and 0 < len(before) == still

    def _number(self, change: Change, reading: Reading) -> int | None:
        """Number of the roll to tell; None if there is nothing to tell."""
        if change is Change.ROLLED:
            self._rolls += 1
        elif not self._mended(change, reading):
            return None
        self._refused = reading.status is Status.REFUSE
        self._leaning = not _all_flat(reading)
        return self._rolls

    def _mended(self, change: Change, reading: Reading) -> bool:
        """Whether hands put right what was wrong with the roll that was told."""
        sound = reading.status is not Status.REFUSE and _all_flat(reading)
        touched = change is not Change.NOTHING
        return sound and (self._refused or (self._leaning and touched))


def _all_flat(reading: Reading) -> bool:
    return all(die.state is DieState.FLAT for die in reading.dice)


def _seen_last(
    before: tuple[DieReading, ...],
    reading: Reading,
    followed: tuple[Followed, ...],
    change: Change,
) -> tuple[DieReading, ...]:
    """All dice of the roll where they were seen last.

    Dice that lie still keep their first reading: else one that is pushed little by
    little would become another by degrees.
    """
    if change is Change.ROLLED:
        return reading.dice
    seen = dict(enumerate(before))
    for die, one in zip(reading.dice, followed, strict=True):
        if one.before is not None and one.stay in (Stay.MOVED, Stay.CHANGED):
            seen[one.before] = die
    found = {one.before for one in followed}
    lost = [place for place in seen if place not in found]
    new = [
        die
        for die, one in zip(reading.dice, followed, strict=True)
        if one.before is None
    ]
    for place, _ in zip(lost, new, strict=False):  # a die that was turned is the same
        del seen[place]
    return (*seen.values(), *new)
