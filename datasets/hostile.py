"""A clip of minutes in which everything happens that must not be taken for a roll."""

from __future__ import annotations

import json
from itertools import groupby
from typing import TYPE_CHECKING, Any

import numpy as np

from datasets import hostile_events as events
from datasets.clips import write_clip
from datasets.hostile_moves import pause
from datasets.hostile_stage import HostileOptions, Stage
from datasets.style import random_style
from datasets.tables import table
from datasets.whole_files import write_whole

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from datasets.fonts import FontBook
    from datasets.hostile_events import Event
    from datasets.hostile_stage import Truth
    from datasets.optics import Picture

FORMAT = "tableside-hostile/1"
ROLLS: tuple[Event, ...] = (
    events.roll_all,
    events.roll_some,
    events.roll_some,
    events.roll_and_stay,
)
"""Events in which dice are thrown; one in three events is one of these."""
OTHERS: tuple[Event, ...] = (
    events.hand_passes,
    events.hand_rests,
    events.lift,
    events.lift,
    events.slide,
    events.empty_tray,
    events.lamp,
    events.exposure,
    events.shake,
    events.shadow,
    events.thing,
    events.cover,
)
ROLL_SHARE = 0.34
FREEZE_SHARE = 0.2
"""Share of the events during which the picture freezes or frames are lost."""


def hostile_stage(seed: int, book: FontBook, options: HostileOptions) -> Stage:
    """Set a table in a style and on a ground of its own."""
    rng = np.random.default_rng((seed, 1))
    style = random_style(rng, book)
    ground = table(rng, options.height, options.width)
    return Stage(seed, style, ground, options)


def hostile_frames(stage: Stage, seconds: float) -> Iterator[Picture]:
    """Play events until the time is over; the truth gathers in the stage.

    The events come in a shuffled order, each of the others once before one comes again.
    """
    total = stage.frames(seconds)
    for name, frames in _script(stage):
        first = stage.frame
        for picture, seen in through_camera(stage, frames):
            yield picture
            stage.truth.clear.append(seen and stage.clear)
            stage.frame += 1
        stage.truth.events.append((name, first, stage.frame))
        if stage.frame >= total:
            return


def _script(stage: Stage) -> Iterator[tuple[str, Iterator[Picture]]]:
    yield "pause", pause(stage, 1.0)
    rng = stage.rng
    while True:
        for k in rng.permutation(len(OTHERS)):
            while rng.random() < ROLL_SHARE or not stage.cubes:
                roll = ROLLS[int(rng.integers(len(ROLLS)))]
                yield roll.__name__, roll(stage)
            event = OTHERS[int(k)]
            yield event.__name__, event(stage)


def through_camera(
    stage: Stage, frames: Iterator[Picture], share: float = FREEZE_SHARE
) -> Iterator[tuple[Picture, bool]]:
    """Freeze the picture now and then, or lose frames.

    Args:
        stage: whose chance decides.
        frames: as the table looks.
        share: how often something happens, 0..1.

    Yields:
        What the camera gives, and whether it shows this moment.
    """
    rng = stage.rng
    if rng.random() >= share:
        for picture in frames:
            yield picture, True
        return
    start, lost = int(rng.integers(1, 25)), bool(rng.random() < 0.3)
    length = stage.frames(float(rng.uniform(0.1, 3)))
    length = min(length, 8) if lost else length
    held: Picture | None = None
    for number, picture in enumerate(frames):
        if start <= number < start + length and held is not None:
            if not lost:
                yield held, False
        else:
            held = picture
            yield picture, True


def truth_record(stage: Stage) -> dict[str, Any]:
    """The truth of a clip, as it is written beside it."""
    options, truth = stage.options, stage.truth
    return {
        "format": FORMAT,
        "seed": stage.seed,
        "width": options.width,
        "height": options.height,
        "fps": options.fps,
        "frames": len(truth.clear),
        "rolls": [
            {
                "start_frame": roll.start_frame,
                "rest_frame": roll.rest_frame,
                "kept": roll.kept,
                "faces": list(roll.faces),
            }
            for roll in truth.rolls
        ],
        "lying": [[frame, list(codes)] for frame, codes in truth.faces],
        "clear": _runs(truth),
        "events": [list(event) for event in truth.events],
    }


def _runs(truth: Truth) -> list[list[int]]:
    """Runs of clear frames: first, and first after it."""
    runs, at = [], 0
    for clear, group in groupby(truth.clear):
        count = len(list(group))
        if clear:
            runs.append([at, at + count])
        at += count
    return runs


def make_hostile(
    path: Path, seed: int, minutes: float, book: FontBook, options: HostileOptions
) -> dict[str, Any]:
    """Write a clip, and its truth beside it as `NAME.json`.

    Returns:
        The truth.

    Raises:
        OSError: the files cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    stage = hostile_stage(seed, book, options)
    write_clip(path, hostile_frames(stage, minutes * 60), options.fps)
    record = truth_record(stage)
    write_whole(path.with_suffix(".json"), json.dumps(record) + "\n")
    return record
