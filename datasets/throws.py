"""Which faces the dice of a drawn picture show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoring.cards import ALL_FACES, Card, Face, Joker
from scoring.dice_sets import bundled_dice_set

if TYPE_CHECKING:
    import numpy as np

CARD_DICE = "square-shooters"
"""The set that is thrown where none is named."""


def random_roll(rng: np.random.Generator, name: str) -> tuple[Face, ...]:
    """Throw all dice of a bundled set.

    Raises:
        DiceSetError: no such set.
    """
    dice_set = bundled_dice_set(name)
    if dice_set.dice is not None:
        return tuple(die[int(rng.integers(len(die)))] for die in dice_set.dice)
    chosen = rng.choice(len(dice_set.faces), dice_set.dice_count, replace=False)
    return tuple(dice_set.faces[int(k)] for k in chosen)


def side_faces(rng: np.random.Generator, tops: list[Face | None]) -> list[Face]:
    """Faces that may show on the sides: of the kind of the first top face."""
    chosen = [int(k) for k in rng.integers(0, 54, 5)]
    kinds = [type(face) for face in tops if face is not None]
    if not kinds or kinds[0] in (Card, Joker):
        return [ALL_FACES[k] for k in chosen]
    others = [face for face in ALL_FACES if isinstance(face, kinds[0])]
    return [others[k % len(others)] for k in chosen]
