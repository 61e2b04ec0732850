"""Hostile clips: drawn with their truth, and what is told of them is judged."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from datasets.fonts import font_book
from datasets.hostile import (
    hostile_frames,
    hostile_stage,
    through_camera,
    truth_record,
)
from datasets.hostile_events import lift, roll_all, roll_some
from datasets.hostile_moves import pause
from datasets.hostile_score import Tally, Told, score_watch
from datasets.hostile_stage import HostileOptions, Stage

SMALL = HostileOptions(width=320, height=180, die_px=15.0)


def stage(seed: int) -> Stage:
    return hostile_stage(seed, font_book(), SMALL)


def played(seed: int, seconds: float) -> tuple[list[np.ndarray], dict[str, Any]]:
    table = stage(seed)
    frames = list(hostile_frames(table, seconds))
    return frames, truth_record(table)


def test_clip_is_the_same_for_the_same_seed() -> None:
    (one, truth), (two, again) = played(3, 4), played(3, 4)
    assert truth == again
    assert len(one) == len(two) == truth["frames"]
    assert all(np.array_equal(a, b) for a, b in zip(one, two, strict=True))


def test_truth_fits_the_frames() -> None:
    frames, truth = played(4, 20)
    assert len(frames) == truth["frames"] >= 20 * SMALL.fps
    assert truth["rolls"]
    for roll in truth["rolls"]:
        assert 0 <= roll["start_frame"] < roll["rest_frame"] < len(frames)
        assert len(roll["faces"]) == len(set(roll["faces"])) == 9
    ends = [0, *(end for _, _, end in truth["events"])]
    assert [first for _, first, _ in truth["events"]] == ends[:-1]
    assert ends[-1] == len(frames)
    assert all(first < after for first, after in truth["clear"])


def test_frames_of_a_real_camera_differ_while_nothing_happens() -> None:
    frames = list(pause(stage(5), 2))
    assert not any(np.array_equal(a, b) for a, b in itertools.pairwise(frames))


def test_frozen_frames_repeat_and_lost_ones_are_missing() -> None:
    table, kinds = stage(6), set()
    for _ in range(12):
        seen = list(through_camera(table, pause(table, 3), share=1.0))
        repeats = [np.array_equal(a, b) for (a, _), (b, _) in itertools.pairwise(seen)]
        assert repeats == [not true for _, true in seen[1:]]
        kinds.add("frozen" if any(repeats) else "lost")
        assert any(repeats) == (len(seen) == table.frames(3))
    assert kinds == {"frozen", "lost"}
    assert all(true for _, true in through_camera(table, pause(table, 1), share=0.0))


def test_reroll_keeps_dice_where_they_lie() -> None:
    table = stage(7)
    for _ in roll_all(table):
        table.frame += 1
    before = table.cubes
    for _ in roll_some(table):
        table.frame += 1
    kept = table.truth.rolls[-1].kept
    assert 0 < kept < 9
    assert len(set(before) & set(table.cubes)) == kept


def test_lifted_die_is_back_in_the_end() -> None:
    for seed in range(4):
        table = stage(seed)
        for _ in roll_all(table):
            table.frame += 1
        for _ in lift(table):
            table.frame += 1
        assert len(table.cubes) == 9
        assert len(table.truth.rolls) == 1


TRUTH: dict[str, Any] = {
    "fps": 10,
    "frames": 100,
    "rolls": [
        {"start_frame": 10, "rest_frame": 20, "faces": ["AS", "2H"], "kept": 0},
        {"start_frame": 60, "rest_frame": 70, "faces": ["KS", "2H"], "kept": 1},
    ],
    "lying": [[10, []], [20, ["AS", "2H"]], [60, ["2H"]], [70, ["2H", "KS"]]],
    "clear": [[20, 50], [70, 100]],
    "events": [["roll_all", 0, 50], ["roll_some", 50, 100]],
}
FIRST = Told(24, "sure", ("2H", "AS"))
SECOND = Told(75, "ask", ("KS", "3H"))


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        pytest.param([], {"missed": 2, "must": 2}, id="nothing-told"),
        pytest.param([FIRST, SECOND], {"sure": 1, "asked": 1}, id="all-right"),
        pytest.param(
            [FIRST, FIRST, SECOND], {"sure": 2, "false_rolls": 1}, id="told-twice"
        ),
        pytest.param(
            [Told(15, "ask", ()), FIRST, SECOND], {"false_rolls": 1}, id="in-flight"
        ),
        pytest.param(
            [Told(5, "sure", ()), FIRST, SECOND], {"false_rolls": 1}, id="too-early"
        ),
        pytest.param(
            [Told(24, "sure", ("2H", "AH")), SECOND], {"wrong_sure": 1}, id="wrong"
        ),
        pytest.param(
            [FIRST, Told(75, "refuse", ("KS",))],
            {"refused": 1, "only_refused": 1},
            id="refused",
        ),
    ],
)
def test_what_is_told_is_counted(told: list[Told], expected: dict[str, int]) -> None:
    tally = Tally()
    score_watch(TRUTH, told, tally)
    counts = (
        *("sure", "asked", "refused", "false_rolls", "wrong_sure", "missed", "must"),
        "only_refused",
    )
    seen = {name: getattr(tally, name) for name in counts if getattr(tally, name)}
    for name, count in expected.items():
        assert seen.pop(name) == count
    assert not seen.keys() & {"false_rolls", "wrong_sure", "missed", "only_refused"}


def test_wait_counts_from_the_first_clear_frame() -> None:
    tally = Tally()
    score_watch(TRUTH, [FIRST, SECOND], tally)
    assert tally.waits_s == pytest.approx([0.4, 0.5])
