"""The virtual table read by the bundled models, through the watcher."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from scoring.dice_sets import bundled_dice_set
from vision.reader import load_reader
from vision.reading import Status
from vision.watch import Watcher, WatchState
from web_ui.virtual.painter import TablePainter
from web_ui.virtual.source import VirtualSource
from web_ui.virtual.table import VirtualTable

if TYPE_CHECKING:
    from scoring.dice_sets import DiceSet
    from vision.reading import Reading

ENOUGH = 90
"""Frames in which any act is over and read."""


class Watched:
    """A virtual table and what the watcher says of it, as fast as it goes."""

    def __init__(self, dice_set: DiceSet, seed: int) -> None:
        self.table = VirtualTable(dice_set, seed)
        self._watcher = Watcher(load_reader(dice_set))
        source = VirtualSource(self.table, TablePainter(), hurried=True)
        self._frames = iter(source.frames())
        self.states: list[WatchState] = []
        self.watch(12)

    def last(self) -> WatchState:
        """What the last frame showed."""
        return self.states[-1]

    def watch(self, frames: int = ENOUGH) -> Reading | None:
        """The first reading of so many frames, or None."""
        self.states = []
        for _ in range(frames):
            seen = self._watcher.see(next(self._frames))
            self.states.append(seen.state)
            if seen.reading is not None:
                return seen.reading
        return None


@pytest.fixture
def cards() -> Watched:
    return Watched(bundled_dice_set("square-shooters"), 21)


def codes(reading: Reading) -> list[str]:
    return sorted(die.face.code if die.face else "?" for die in reading.dice)


def lying(table: VirtualTable) -> list[str]:
    return sorted(die.face.code for die in table.truth().dice)


def test_throws_are_read_right_and_the_kept_dice_with_them(cards: Watched) -> None:
    cards.table.throw()
    for _ in range(3):
        reading = cards.watch()
        assert reading is not None
        assert reading.status is Status.SURE
        assert codes(reading) == lying(cards.table)
        kept = [die.face for die in cards.table.truth().dice[:4]]
        cards.table.throw(keep=kept)


@pytest.mark.parametrize(
    ("name", "count"), [("poker-dice", 5), ("squint-die", 1), ("square-shooters", 2)]
)
def test_other_dice_are_read_right(name: str, count: int) -> None:
    dice_set = replace(bundled_dice_set(name), dice_count=count)
    watched = Watched(dice_set, 22)
    watched.table.throw()
    reading = watched.watch()
    assert reading is not None
    assert reading.status is Status.SURE
    assert codes(reading) == lying(watched.table)


def test_nothing_is_told_while_a_hand_is_over_the_dice(cards: Watched) -> None:
    cards.table.hand(2.0)
    cards.table.throw()
    assert cards.watch(38) is None
    assert WatchState.SETTLED not in cards.states
    reading = cards.watch()
    assert reading is not None
    assert codes(reading) == lying(cards.table)


def test_cocked_die_is_not_sure(cards: Watched) -> None:
    cards.table.throw(cocked=[4])
    reading = cards.watch()
    assert reading is not None
    assert reading.status is not Status.SURE


def test_mirrored_lamp_leaves_nothing_sure(cards: Watched) -> None:
    cards.table.glare(True)
    cards.table.throw()
    reading = cards.watch()
    assert reading is None or reading.status is not Status.SURE


def test_frozen_and_dark_pictures_are_told_for_what_they_are(cards: Watched) -> None:
    cards.table.freeze(True)
    cards.table.throw()
    assert cards.watch(40) is None
    assert cards.last() is WatchState.FROZEN
    cards.table.freeze(False)
    reading = cards.watch()
    assert reading is not None
    assert codes(reading) == lying(cards.table)
    cards.table.dark(True)
    assert cards.watch(20) is None
    assert cards.last() is WatchState.DARK


def test_nudged_camera_makes_no_roll(cards: Watched) -> None:
    cards.table.throw()
    assert cards.watch() is not None
    cards.table.nudge()
    assert cards.watch() is None
