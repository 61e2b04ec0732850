"""What hands and dice do at a table: the pieces of which events are made."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from datasets.clips import SUBFRAMES, flying
from datasets.hostile_hand import Placed
from datasets.hostile_stage import Thrown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from datasets.hostile_stage import Cube, Stage
    from datasets.optics import Picture
    from datasets.pinhole import Floats

FLIGHT_S = (0.6, 1.2)
REACH_S = (0.35, 0.8)


def pause(stage: Stage, seconds: float) -> Iterator[Picture]:
    """Nothing happens."""
    stage.clear = True
    for _ in range(stage.frames(seconds)):
        yield stage.shot(stage.draw())


def reach(
    stage: Stage,
    target: Floats,
    seconds: float,
    angle_deg: float,
    back: bool = False,
    held: Callable[[float, float], Sequence[Cube]] | None = None,
) -> Iterator[Picture]:
    """A hand comes in to a point, or goes back from it.

    Args:
        stage: the table.
        target: where the finger tips go, (2,) pixels.
        seconds: how long it takes.
        angle_deg: direction in which the hand points.
        back: whether it goes.
        held: gives the dice to draw for the way of the hand from the target, pixels.
    """
    stage.clear = False
    height, width = stage.options.height, stage.options.width
    ahead = np.array([np.cos(np.deg2rad(angle_deg)), np.sin(np.deg2rad(angle_deg))])
    far = 0.0
    margin = 3 * stage.options.die_px
    while True:
        x, y = target - ahead * far
        if not (-margin < x < width + margin and -margin < y < height + margin):
            break
        far += 10.0
    steps = stage.frames(seconds)
    for k in range(steps):
        share = (k + 1) / steps
        share = share if back else 1 - share
        left = far * (3 * share**2 - 2 * share**3)  # begins and ends gently
        x, y = target - ahead * left
        tremble = stage.rng.normal(0, 0.5, 2)
        off = -ahead * left
        cubes = None if held is None else held(float(off[0]), float(off[1]))
        hand = Placed(x + tremble[0], y + tremble[1], angle_deg)
        yield stage.shot(stage.draw(cubes), hand)


def hold(
    stage: Stage, target: Floats, seconds: float, angle_deg: float, still: bool
) -> Iterator[Picture]:
    """A hand stays at a point, trembling a little or quite still."""
    stage.clear = False
    for k in range(stage.frames(seconds)):
        tremble = np.zeros(2) if still else stage.rng.normal(0, 1.0, 2)
        if not still and k % 9 == 8:
            target = target + stage.rng.normal(0, 3.0, 2)
        hand = Placed(target[0] + tremble[0], target[1] + tremble[1], angle_deg)
        yield stage.shot(stage.draw(), hand)


def throw(stage: Stage, new: Sequence[Cube], kept: Sequence[Cube]) -> Iterator[Picture]:
    """Dice fly in and come to rest beside those that lie there."""
    stage.clear = False
    rng = stage.rng
    start = stage.frame
    stage.lay(kept)
    steps = stage.frames(float(rng.uniform(*FLIGHT_S)))
    paths = [(float(rng.normal(0, 0.25)), int(rng.integers(2, 4))) for _ in new]
    resting = tuple(cube.die for cube in new)
    for k in range(steps):
        drawn = []
        for u in (k + np.arange(SUBFRAMES) / SUBFRAMES) / steps:
            dice = flying(resting, paths, float(u))
            moving = [replace(c, die=d) for c, d in zip(new, dice, strict=True)]
            drawn.append(stage.draw([*kept, *moving]))
        yield stage.shot(np.mean(drawn, axis=0, dtype=np.float32))
    stage.lay([*kept, *new])
    codes = tuple(cube.face.code for cube in stage.cubes)
    stage.truth.rolls.append(Thrown(start, stage.frame, codes, len(kept)))
    stage.clear = True


def take(stage: Stage, gone: Sequence[Cube]) -> Iterator[Picture]:
    """A hand comes, takes dice and drags them out of the picture."""
    rng = stage.rng
    angle = float(rng.choice([-90.0, 0.0, 180.0])) + float(rng.uniform(-25, 25))
    at = np.mean([stage.at(cube) for cube in gone], axis=0)
    yield from reach(stage, at, float(rng.uniform(*REACH_S)), angle)
    left = [cube for cube in stage.cubes if cube not in gone]
    stage.lay(left)
    per_mm = stage.options.die_px / 18.0

    def dragged(dx: float, dy: float) -> list[Cube]:
        off = [
            replace(c.die, x=c.die.x + dx / per_mm, y=c.die.y - dy / per_mm)
            for c in gone
        ]
        moved = [replace(c, die=d) for c, d in zip(gone, off, strict=True)]
        return [*left, *moved]

    yield from reach(stage, at, float(rng.uniform(*REACH_S)), angle, True, dragged)


def border_point(stage: Stage) -> tuple[Floats, float]:
    """A place for finger tips that leaves most dice in sight, and a direction."""
    rng, (width, height) = stage.rng, (stage.options.width, stage.options.height)
    side = int(rng.integers(4))
    angle = (90.0, 180.0, -90.0, 0.0)[side] + float(rng.uniform(-30, 30))
    x, y = rng.uniform(0.15, 0.85) * width, rng.uniform(0.2, 0.8) * height
    depth = float(rng.uniform(0.1, 0.25))
    if side in (0, 2):
        y = depth * height if side == 0 else (1 - depth) * height
    else:
        x = (1 - depth) * width if side == 1 else depth * width
    return np.array([x, y]), angle
