"""What virtual dice show and where they come to rest."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from scoring.cards import Card, Joker
from scoring.dice_sets import bundled_dice_set
from web_ui.virtual.shots import SIZE_MM, VirtualDie

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoring.cards import Face
    from scoring.dice_sets import DiceSet

REACH_MM = (118.0, 58.0)
"""Dice come to rest with their centres so far from the middle at most."""
APART_MM = 29.0
"""Least distance of two centres: they lie close, but none leans on another."""
TRIES = 4000
LEAN_DEG = 27.0
ASIDE_MM = 160.0
"""Where dice are set aside: beside the tray, still in the picture."""


class RollError(ValueError):
    """A roll that these dice cannot show.

    Attributes:
        field: of the command at fault.
    """

    def __init__(self, field: str, sentence: str) -> None:
        super().__init__(f"{field}: {sentence}")
        self.field = field


def roll_faces(
    rng: np.random.Generator, dice_set: DiceSet, count: int, kept: Sequence[Face] = ()
) -> tuple[Face, ...]:
    """Throw dice.

    Args:
        rng: source of chance.
        dice_set: which dice.
        count: how many are thrown.
        kept: what other dice of the set show, which are not thrown.

    Returns:
        `count` faces that can lie beside those kept.

    Raises:
        RollError: the set has too few dice, or cannot show the kept faces.
    """
    if count + len(kept) > dice_set.dice_count:
        raise RollError(
            "count",
            f"{dice_set.name} has {dice_set.dice_count} dice, not {count + len(kept)}",
        )
    layout = dice_set.dice
    if layout is None and set(kept) <= set(dice_set.faces):
        # our own layout of these dice gives rolls that real ones could show
        layout = bundled_dice_set("square-shooters-reference").dice
    if layout is not None:
        free = _other_dice(layout, kept)
        if free is not None:
            chosen = rng.permutation(len(free))[:count]
            return tuple(free[int(k)][int(rng.integers(6))] for k in chosen)
    left = [face for face in dice_set.faces if face not in kept]
    if len(left) < count:
        raise RollError("keep", f"{dice_set.name} cannot show those faces")
    return tuple(left[int(k)] for k in rng.permutation(len(left))[:count])


def _other_dice(
    layout: tuple[tuple[Face, ...], ...], kept: Sequence[Face]
) -> list[tuple[Face, ...]] | None:
    """The dice that show none of the kept faces; None if one die has two of them."""
    free = list(layout)
    for face in kept:
        die = next((die for die in free if face in die), None)
        if die is None:
            return None
        free.remove(die)
    return free


def check_faces(
    dice_set: DiceSet, faces: Sequence[Face], kept: Sequence[Face] = ()
) -> None:
    """Refuse faces that cannot lie there together.

    Raises:
        RollError: too many, not of the set, or one that only one die has twice.
    """
    for face in faces:
        if face not in dice_set.faces:
            raise RollError("faces", f"{face.code} is no face of {dice_set.name}")
    if not 1 <= len(faces) <= dice_set.dice_count - len(kept):
        most = dice_set.dice_count - len(kept)
        raise RollError("faces", f"must be 1..{most} faces, not {len(faces)}")
    shown = [*faces, *kept]
    twice = [face for face in shown if shown.count(face) > 1]
    if dice_set.unique_faces and twice:
        raise RollError("faces", f"{twice[0].code} is on one die only")


def strew(
    rng: np.random.Generator,
    faces: Sequence[Face],
    dice_set: DiceSet,
    among: Sequence[VirtualDie] = (),
) -> tuple[VirtualDie, ...]:
    """Find a place for each face, clear of the dice that lie there.

    Returns:
        Dice in the order of the faces. Two dice alone lie in that order from left to
        right, well apart: they belong to two people.
    """
    spots: list[tuple[float, float]] = []
    duel = len(faces) == 2 and not among
    lying = [(die.x, die.y) for die in among]
    for k, _ in enumerate(faces):
        x = y = 0.0
        for n in range(TRIES):
            x, y = (float(v) for v in rng.uniform(-1, 1, 2) * REACH_MM)
            if duel:
                x = (-1 if k == 0 else 1) * (25 + abs(x) * 0.6)
            apart = APART_MM - 8.0 * n / TRIES  # closer, where there is little room
            if all(np.hypot(x - a, y - b) >= apart for a, b in [*lying, *spots]):
                break
        spots.append((x, y))
    out = []
    for face, (x, y) in zip(faces, spots, strict=True):
        others = [f for f in _kind_of(dice_set, face) if f != face] or [face]
        a, b, c, d = (others[int(k)] for k in rng.integers(0, len(others), 4))
        out.append(VirtualDie(face, (a, b, c, d), x, y, float(rng.uniform(0, 360))))
    return tuple(out)


def _kind_of(dice_set: DiceSet, face: Face) -> tuple[Face, ...]:
    if isinstance(face, Card | Joker):
        return tuple(f for f in dice_set.faces if isinstance(f, Card | Joker))
    return tuple(f for f in dice_set.faces if type(f) is type(face))


def set_aside(dice: Sequence[VirtualDie]) -> tuple[VirtualDie, ...]:
    """Lay dice in a row beside the tray."""
    gap = SIZE_MM + 2
    first = (len(dice) - 1) / 2 * gap
    return tuple(
        replace(die, x=ASIDE_MM, y=first - k * gap, yaw_deg=0.0, lean_deg=0.0)
        for k, die in enumerate(dice)
    )


def tipped(rng: np.random.Generator, die: VirtualDie) -> VirtualDie:
    """The same die, cocked."""
    return replace(die, lean_deg=LEAN_DEG, axis_deg=float(rng.uniform(0, 360)))
