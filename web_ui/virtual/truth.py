"""What is true of the virtual table: what lies there, and what is thrown next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scoring.cards import Face
    from scoring.dice_sets import DiceSet
    from web_ui.virtual.shots import View, VirtualDie


@dataclass(frozen=True, slots=True)
class Expected:
    """What the next throw is, if nothing else is said.

    Attributes:
        dice_set: which dice.
        count: how many dice there are, the kept ones included.
        kept: what the dice show that are not thrown.
    """

    dice_set: DiceSet
    count: int
    kept: tuple[Face, ...] = ()


@dataclass(frozen=True, slots=True)
class Truth:
    """What lies on the table.

    Attributes:
        throw: number of the last throw, from 1; 0 before the first.
        dice: that lie there, left to right if they are two.
        resting: whether all that was ordered has happened.
        planned: dice that will lie there once it has.
        planned_throw: number of the throw that will have been the last then.
        expected: what the next throw is.
        view: of the camera, with glare and darkness.
        hand: whether a hand is over the dice.
        frozen: whether the camera repeats one picture.
        plugged: whether there is a camera.
        auto_s: seconds between throws by themselves; None: only on command.
    """

    throw: int
    dice: tuple[VirtualDie, ...]
    resting: bool
    planned: tuple[VirtualDie, ...]
    planned_throw: int
    expected: Expected
    view: View
    hand: bool
    frozen: bool
    plugged: bool
    auto_s: float | None
