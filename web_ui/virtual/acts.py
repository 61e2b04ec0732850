"""What happens at the virtual table, as one small value a frame."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from datasets.hostile_hand import Placed
from web_ui.virtual.shots import (
    DIE_PX,
    FRAMES_PER_S,
    HEIGHT_PX,
    SIZE_MM,
    WIDTH_PX,
    Flight,
    View,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from web_ui.virtual.shots import VirtualDie

FLIGHT_S, REACH_S, PAUSE_S, SHAKE_S = 0.8, 0.4, 0.3, 0.6
PER_MM = DIE_PX / SIZE_MM


@dataclass(frozen=True, slots=True)
class Scene:
    """Dice and the hand at them, in one frame.

    Attributes:
        still: dice that lie.
        dragged: dice that a hand moves.
        flight: dice in the air.
        hand: the hand at the dice.
    """

    still: tuple[VirtualDie, ...] = ()
    dragged: tuple[VirtualDie, ...] = ()
    flight: Flight | None = None
    hand: Placed | None = None


def frames(seconds: float) -> int:
    """How many frames a time takes, at least one."""
    return max(1, round(seconds * FRAMES_PER_S))


def pause(still: tuple[VirtualDie, ...], seconds: float) -> Iterator[Scene]:
    """Nothing happens."""
    for _ in range(frames(seconds)):
        yield Scene(still)


def throw(
    rng: np.random.Generator,
    new: tuple[VirtualDie, ...],
    kept: tuple[VirtualDie, ...],
) -> Iterator[Scene]:
    """Dice fly in and come to rest beside those that lie there."""
    steps = frames(FLIGHT_S)
    aside = tuple(float(v) for v in rng.normal(0, 0.25, len(new)))
    turns = tuple(int(v) for v in rng.integers(2, 4, len(new)))
    for k in range(steps):
        yield Scene(kept, flight=Flight(new, aside, turns, k / steps, 1 / steps))


def way(
    rng: np.random.Generator, x: float, y: float, angle_deg: float, back: bool
) -> Iterator[tuple[Placed, float, float]]:
    """A hand comes in to a point, or goes back from it.

    Yields:
        Where it is, and how far that is from the point, x and y in pixels.
    """
    ax, ay = np.cos(np.deg2rad(angle_deg)), np.sin(np.deg2rad(angle_deg))
    far, margin = 0.0, 3 * DIE_PX
    while (
        -margin < x - ax * far < WIDTH_PX + margin
        and -margin < y - ay * far < HEIGHT_PX + margin
    ):
        far += 10.0
    steps = frames(REACH_S)
    for k in range(steps):
        share = (k + 1) / steps
        share = share if back else 1 - share
        left = far * (3 * share**2 - 2 * share**3)  # begins and ends gently
        dx, dy = float(-ax * left), float(-ay * left)
        jx, jy = (float(v) for v in rng.normal(0, 0.5, 2))
        yield Placed(x + dx + jx, y + dy + jy, angle_deg), dx, dy


def take(
    rng: np.random.Generator,
    gone: tuple[VirtualDie, ...],
    left: tuple[VirtualDie, ...],
    at: tuple[float, float],
) -> Iterator[Scene]:
    """A hand comes, takes dice and drags them out of the picture.

    Args:
        rng: source of small movements.
        gone: dice that it takes.
        left: dice that stay.
        at: pixel it reaches for.
    """
    angle = -90.0 + float(rng.uniform(-25, 25))
    for hand, _, _ in way(rng, *at, angle, False):
        yield Scene((*left, *gone), hand=hand)
    for hand, dx, dy in way(rng, *at, angle, True):
        dragged = tuple(
            replace(die, x=die.x + dx / PER_MM, y=die.y - dy / PER_MM) for die in gone
        )
        yield Scene(left, dragged, hand=hand)


def put(
    rng: np.random.Generator,
    before: tuple[VirtualDie, ...],
    after: tuple[VirtualDie, ...],
    at: tuple[float, float],
) -> Iterator[Scene]:
    """A hand comes, changes something and goes."""
    angle = -90.0 + float(rng.uniform(-25, 25))
    for hand, _, _ in way(rng, *at, angle, False):
        yield Scene(before, hand=hand)
    for hand, _, _ in way(rng, *at, angle, True):
        yield Scene(after, hand=hand)


def linger(
    rng: np.random.Generator, at: tuple[float, float], seconds: float
) -> Iterator[Placed]:
    """A hand comes over the dice, stays for a while and goes."""
    angle = -90.0 + float(rng.uniform(-35, 35))
    for hand, _, _ in way(rng, *at, angle, False):
        yield hand
    for _ in range(frames(seconds)):
        jx, jy = (float(v) for v in rng.normal(0, 1.0, 2))
        yield Placed(at[0] + jx, at[1] + jy, angle)
    for hand, _, _ in way(rng, *at, angle, True):
        yield hand


def shake(rng: np.random.Generator, begin: View, end: View) -> Iterator[View]:
    """Somebody knocks against the camera, which stays where it ends."""
    steps = frames(SHAKE_S)
    for k in range(steps):
        share = (k + 1) / steps
        jx, jy, jt = (float(v) for v in rng.normal(0, 1, 3) * (6, 6, 0.3))
        yield replace(
            end,
            dx=begin.dx + (end.dx - begin.dx) * share + jx * (1 - share),
            dy=begin.dy + (end.dy - begin.dy) * share + jy * (1 - share),
            turn_deg=begin.turn_deg
            + (end.turn_deg - begin.turn_deg) * share
            + jt * (1 - share),
        )
    yield end


@dataclass(frozen=True, slots=True, eq=False)
class Act:
    """Something that happens to the dice, and what lies there after it."""

    scenes: Iterator[Scene]
    after: tuple[VirtualDie, ...]
    throw: int
