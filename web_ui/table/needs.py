"""What a game waits for from the dice, and which of them a reading tells."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from vision.reading import DieReading

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scoring.cards import Face
    from scoring.dice_sets import DiceSet
    from vision.reading import Reading

NOWHERE = ((0.0, 0.0),) * 4
"""The quad of a die that no picture shows."""


@dataclass(frozen=True, slots=True)
class Need:
    """The dice that a game reads next.

    Attributes:
        dice_set: which dice; its `dice_count` is the number of places.
        kept: the face in each place that is not rolled (CM-17).
        places: how people call the places: `Ann`, `Bob` in War; empty for plain dice.
    """

    dice_set: DiceSet
    kept: Mapping[int, Face] = field(default_factory=dict, hash=False)
    places: tuple[str, ...] = ()

    @property
    def free(self) -> tuple[int, ...]:
        """The places that are rolled."""
        return tuple(p for p in range(self.dice_set.dice_count) if p not in self.kept)

    @property
    def counts(self) -> tuple[int, ...]:
        """How many dice may lie there: all, or without those that are kept."""
        whole = self.dice_set.dice_count
        rolled = len(self.free)
        return (whole,) if rolled in (0, whole) else (whole, rolled)


def lay_out(
    faces: Sequence[Face | None], dice: Sequence[DieReading], need: Need
) -> tuple[int, ...]:
    """Put the dice of a reading into the places of the game.

    A camera sees dice in any order. A die that was kept shows the face it showed before
    (CM-17), so its face tells which it is; the other dice fill the free places in the
    order they were read, or from left to right where the places are people's. Where
    several dice can show one face (poker dice), any of them is taken for the kept one:
    they count alike.

    Args:
        faces: as read or as a person named them, in reading order; None where unknown.
        dice: the dice they were read from.
        need: what the game waits for. With another number of dice read, or a kept face
            that is not among them, there is no telling: reading order is kept.

    Returns:
        Place in `faces` for each place of the game.
    """
    plain = tuple(range(len(faces)))
    if len(faces) != need.dice_set.dice_count:
        return plain
    if need.places:
        plain = tuple(sorted(plain, key=lambda k: sum(x for x, _ in dice[k].quad)))
    free, at = list(plain), dict[int, int]()
    for place, face in sorted(need.kept.items()):
        found = [index for index in free if faces[index] == face]
        if not found:
            return plain
        at[place] = place if place in found else found[0]
        free.remove(at[place])
    rest = iter(free)
    return tuple(
        at[place] if place in at else next(rest) for place in range(len(plain))
    )


def with_set_aside(reading: Reading, need: Need) -> Reading:
    """Add the kept dice to a reading that shows only the rolled ones.

    Args:
        reading: of as many dice as are rolled; any other reading is given back.
        need: what the game waits for.
    """
    if not need.kept or len(reading.dice) != len(need.free):
        return reading
    aside = tuple(
        DieReading(face, 1.0, NOWHERE) for _, face in sorted(need.kept.items())
    )
    return replace(reading, dice=(*reading.dice, *aside))
