"""What happens at a table: throws, and all that must not be taken for one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from datasets.clutter import lay
from datasets.hostile_hand import Placed
from datasets.hostile_moves import (
    REACH_S,
    border_point,
    hold,
    pause,
    reach,
    take,
    throw,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from datasets.cube import Image
    from datasets.hostile_stage import Stage
    from datasets.optics import Picture
    from datasets.pinhole import Floats

    Event = Callable[[Stage], Iterator[Picture]]


def roll_all(stage: Stage) -> Iterator[Picture]:
    """All dice are taken and thrown again."""
    if stage.cubes:
        yield from take(stage, stage.cubes)
        yield from pause(stage, float(stage.rng.uniform(0.1, 1.2)))
    new = stage.scattered(stage.dice_of_set())
    yield from throw(stage, new, ())
    yield from pause(stage, float(stage.rng.uniform(1.3, 2.5)))


def roll_some(stage: Stage) -> Iterator[Picture]:
    """Some dice are kept, the others taken and thrown again."""
    if len(stage.cubes) < 9:
        yield from roll_all(stage)
        return
    count = int(stage.rng.integers(1, 8))
    chosen = stage.rng.choice(9, count, replace=False)
    gone = [stage.cubes[int(k)] for k in chosen]
    kept = [cube for cube in stage.cubes if cube not in gone]
    yield from take(stage, gone)
    # some players think, some throw at once
    yield from pause(stage, float(stage.rng.choice([0.1, 0.4, 1.5])))
    yield from throw(stage, stage.scattered(gone, kept), kept)
    yield from pause(stage, float(stage.rng.uniform(1.3, 2.5)))


def roll_and_stay(stage: Stage) -> Iterator[Picture]:
    """Dice are thrown, and a hand comes at once and stays for a while."""
    if stage.cubes:
        yield from take(stage, stage.cubes)
    yield from throw(stage, stage.scattered(stage.dice_of_set()), ())
    at, angle = border_point(stage)
    yield from reach(stage, at, 0.2, angle)
    still = bool(stage.rng.random() < 0.5)
    yield from hold(stage, at, float(stage.rng.uniform(1.0, 4.0)), angle, still)
    yield from reach(stage, at, 0.4, angle, True)
    yield from pause(stage, 1.5)


def hand_passes(stage: Stage) -> Iterator[Picture]:
    """A hand comes and goes and touches nothing."""
    width, height = stage.options.width, stage.options.height
    at = stage.rng.uniform((0.2, 0.2), (0.8, 0.8)) * (width, height)
    angle = float(stage.rng.uniform(-180, 180))
    yield from reach(stage, at, float(stage.rng.uniform(*REACH_S)), angle)
    yield from hold(stage, at, float(stage.rng.uniform(0.1, 1.0)), angle, False)
    yield from reach(stage, at, float(stage.rng.uniform(*REACH_S)), angle, True)
    yield from pause(stage, 1.0)


def hand_rests(stage: Stage) -> Iterator[Picture]:
    """A hand lies at the border, trembling or quite still, for some seconds."""
    at, angle = border_point(stage)
    yield from reach(stage, at, 0.5, angle)
    still = bool(stage.rng.random() < 0.5)
    yield from hold(stage, at, float(stage.rng.uniform(2, 9)), angle, still)
    yield from reach(stage, at, 0.5, angle, True)
    yield from pause(stage, 1.0)


def lift(stage: Stage) -> Iterator[Picture]:
    """A die is lifted, perhaps turned, and put back where it was or close to it."""
    if not stage.cubes:
        return
    rng = stage.rng
    cube = stage.cubes[int(rng.integers(len(stage.cubes)))]
    rest = [other for other in stage.cubes if other is not cube]
    angle = float(rng.uniform(-180, 180))
    at = stage.at(cube)
    yield from reach(stage, at, float(rng.uniform(*REACH_S)), angle)
    for k in range(stage.frames(0.5)):
        raised = replace(cube, die=replace(cube.die, lift_mm=8.0 * (k + 1)))
        at = stage.at(raised)
        yield stage.shot(stage.draw([*rest, raised]), Placed(at[0], at[1], angle))
    if rng.random() < 0.5:  # looked at outside the picture
        stage.lay(rest)
        yield from reach(stage, at, 0.4, angle, True)
        yield from pause(stage, float(rng.choice([0.2, 1.5])))
        yield from reach(stage, at, 0.4, angle)
    back = cube
    if rng.random() < 0.6:
        back = stage.on_face(cube, int(rng.integers(6)))
    if rng.random() < 0.5:
        dx, dy, turn = rng.uniform(-12, 12), rng.uniform(-12, 12), rng.uniform(0, 90)
        moved = replace(
            back.die, x=back.die.x + dx, y=back.die.y + dy, yaw_deg=float(turn)
        )
        if all(np.hypot(moved.x - o.die.x, moved.y - o.die.y) > 26 for o in rest):
            back = replace(back, die=moved)
    for k in reversed(range(stage.frames(0.5))):
        lowered = replace(back, die=replace(back.die, lift_mm=8.0 * k))
        at = stage.at(lowered)
        yield stage.shot(stage.draw([*rest, lowered]), Placed(at[0], at[1], angle))
    stage.lay([*rest, back])
    yield from reach(stage, at, float(rng.uniform(*REACH_S)), angle, True)
    yield from pause(stage, 1.2)


def slide(stage: Stage) -> Iterator[Picture]:
    """A finger pushes a die, which slides on and shows what it showed."""
    if not stage.cubes:
        return
    rng = stage.rng
    cube = stage.cubes[int(rng.integers(len(stage.cubes)))]
    rest = [other for other in stage.cubes if other is not cube]
    angle = float(rng.uniform(-180, 180))
    at = stage.at(cube)
    yield from reach(stage, at, 0.5, angle)
    ahead = np.array([np.cos(np.deg2rad(angle)), -np.sin(np.deg2rad(angle))])
    far, steps = 40.0, stage.frames(0.5)
    for step in np.arange(40.0, 0.0, -2.0):  # as far as nothing is in the way
        x, y = np.array([cube.die.x, cube.die.y]) + ahead * step
        far = float(step)
        inside = abs(x) < 130 and abs(y) < 70
        clear = all(np.hypot(x - o.die.x, y - o.die.y) > 27 for o in rest)
        if inside and clear:
            break
    moved = cube
    for k in range(steps):
        share = 1 - (1 - (k + 1) / steps) ** 2
        x, y = np.array([cube.die.x, cube.die.y]) + ahead * far * share
        moved = replace(cube, die=replace(cube.die, x=float(x), y=float(y)))
        yield stage.shot(
            stage.draw([*rest, moved]), Placed(float(at[0]), float(at[1]), angle)
        )
    stage.lay([*rest, moved])
    yield from reach(stage, at, 0.5, angle, True)
    yield from pause(stage, 1.2)


def empty_tray(stage: Stage) -> Iterator[Picture]:
    """All dice are taken away, and nothing happens for a while."""
    if stage.cubes:
        yield from take(stage, stage.cubes)
    yield from pause(stage, float(stage.rng.uniform(1, 4)))


def lamp(stage: Stage) -> Iterator[Picture]:
    """The lamp goes off and on again."""
    low = float(stage.rng.choice([0.04, 0.1, 0.25, 0.5]))
    stage.clear = False
    for gain in (low + 0.3 * (1 - low), low):
        stage.light.gain = gain
        yield stage.shot(stage.draw())
    for _ in range(stage.frames(float(stage.rng.uniform(0.5, 3)))):
        yield stage.shot(stage.draw())
    for gain in (low + 0.5 * (1 - low), 1.15, 1.05, 1.0):
        stage.light.gain = gain
        yield stage.shot(stage.draw())
    yield from pause(stage, 1.0)


def exposure(stage: Stage) -> Iterator[Picture]:
    """The camera's exposure drifts or jumps and comes back."""
    depth, jump = float(stage.rng.uniform(0.6, 1.5)), bool(stage.rng.random() < 0.4)
    steps = stage.frames(2.5)
    for k in range(2 * steps):
        share = 1.0 if jump else 1 - abs(k / steps - 1)
        stage.light.gain = 1 + (depth - 1) * share
        yield stage.shot(stage.draw())
    stage.light.gain = 1.0
    yield from pause(stage, 1.0)


def shake(stage: Stage) -> Iterator[Picture]:
    """Somebody knocks against the camera; sometimes it is nudged for good."""
    stage.clear = False
    rng = stage.rng
    home, home_turn = stage.light.shift, stage.light.turn_deg
    strength = float(rng.uniform(2, 14))
    steps = stage.frames(float(rng.uniform(0.4, 1.5)))
    for k in range(steps):
        dx, dy = rng.normal(0, strength * (1 - k / steps), 2)
        stage.light.shift = (home[0] + float(dx), home[1] + float(dy))
        stage.light.turn_deg = home_turn + float(rng.normal(0, 0.3))
        yield stage.shot(stage.draw())
    if rng.random() < 0.4:
        dx, dy = rng.uniform(-9, 9, 2)
        home, home_turn = (float(dx), float(dy)), float(rng.uniform(-2, 2))
    stage.light.shift, stage.light.turn_deg = home, home_turn
    yield from pause(stage, 1.5)


def shadow(stage: Stage) -> Iterator[Picture]:
    """A shadow passes over the table, soft or hard."""
    stage.clear = False
    stage.light.band_depth = float(stage.rng.uniform(0.15, 0.6))
    stage.light.band_soft = float(stage.rng.choice([3.0, 15.0, 50.0]))
    steps = stage.frames(float(stage.rng.uniform(0.8, 4)))
    for k in range(steps):
        stage.light.band = k / steps
        yield stage.shot(stage.draw())
    stage.light.band = None
    yield from pause(stage, 1.0)


def thing(stage: Stage) -> Iterator[Picture]:
    """A hand lays something on the table and takes it away later."""
    rng, before = stage.rng, stage.ground
    at, angle = border_point(stage)
    table = np.linalg.inv(_homography(stage)) @ np.array([at[0], at[1], 1.0])
    ground: Image = stage.ground.copy()
    lay(rng, ground, stage.camera, table[:2] / table[2], stage.style)
    for changed in (ground, before):
        yield from reach(stage, at, 0.5, angle)
        stage.relay_ground(changed)
        yield from reach(stage, at, 0.5, angle, True)
        yield from pause(stage, float(rng.uniform(1, 8)))


def _homography(stage: Stage) -> Floats:
    """From millimetres on the table to pixels, (3, 3)."""
    camera = stage.camera
    towards = np.column_stack(
        [camera.rotation[:, :2], camera.rotation @ -camera.position]
    )
    lens = np.array(
        [
            [camera.focal_px, 0, camera.centre_px[0]],
            [0, camera.focal_px, camera.centre_px[1]],
            [0, 0, 1],
        ]
    )
    out: Floats = lens @ towards
    return out


def cover(stage: Stage) -> Iterator[Picture]:
    """A sheet of paper is laid over all dice and taken away again."""
    rng = stage.rng
    height, width = stage.options.height, stage.options.width
    colour = rng.uniform(60, 250, 3).astype(np.float32)
    steps = stage.frames(0.6)
    stage.clear = False
    stay = stage.frames(float(rng.uniform(0.3, 3)))
    shares = [(k + 1) / steps for k in range(steps)]
    for share in [*shares, *([1.0] * stay), *reversed(shares)]:
        image = stage.draw()
        right = round(width * 0.9 * share)
        image[round(0.05 * height) : round(0.95 * height), :right] = colour
        yield stage.shot(image)
    yield from pause(stage, 1.2)
