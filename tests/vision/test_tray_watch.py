"""The tray is followed or asked about; dice moved with the picture are no new roll."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
import pytest
from nudged_views import (
    HEIGHT,
    WIDTH,
    lamp,
    motion_of,
    seen,
    table,
    with_arm,
    with_dice,
)
from sheet_views import View as SheetView
from sheet_views import photographed

from scoring.cards import parse_face
from scoring.dice_sets import bundled_dice_set
from vision.camera_watch import ASKING, Standing
from vision.ports import Frame
from vision.reading import DieReading, ProblemCode, Quad, Reading, Status
from vision.tray import Tray, TrayOrigin, tray_of
from vision.tray_sheet import PLANS, find_sheet
from vision.tray_watch import Calibration, TrayNews, TrayWatcher
from vision.watch import Observation, WatchState

if TYPE_CHECKING:
    from scoring.dice_sets import DiceSet
    from vision.ports import BgrImage

INSET = 120.0
TRAY = tray_of(
    [(INSET, INSET), (WIDTH - INSET, INSET)]
    + [(WIDTH - INSET, HEIGHT - INSET), (INSET, HEIGHT - INSET)],
    WIDTH,
    HEIGHT,
)
STEP_S = 0.4


@lru_cache(maxsize=32)
def view(dx: float = 0, dy: float = 0, turn: float = 0, seed: int = 1) -> BgrImage:
    return seen(table(seed), motion_of(dx, dy, turn), int(abs(dx) + 3))


def roll(dx: float = 0, dy: float = 0, status: Status = Status.SURE) -> Reading:
    """Three dice in a row, moved."""
    dice = []
    for k, code in enumerate(("AS", "2H", "3D")):
        x, y = 400 + 120 * k + dx, 300 + dy
        quad: Quad = ((x, y), (x + 40, y), (x + 40, y + 40), (x, y + 40))
        dice.append(DieReading(parse_face(code), 0.99, quad))
    return Reading("square-shooters", status, 0.99, tuple(dice), (), "m")


class Readings:
    """Tells the readings it is given, one a frame number; knows the tray."""

    def __init__(self, told: dict[int, Reading] | None = None) -> None:
        self.told = told or {}
        self.tray: Tray | None = None
        self.expected: list[tuple[str, int, tuple[int, ...]]] = []

    def expect(self, dice_set: DiceSet, fewer: tuple[int, ...] = ()) -> None:
        self.expected.append((dice_set.name, dice_set.dice_count, fewer))

    def see(self, frame: Frame) -> Observation:
        reading = self.told.get(frame.index)
        roll_number = None if reading is None else frame.index
        return Observation(WatchState.SETTLED, reading, roll_number)


def test_other_dice_are_looked_for_with_fresh_eyes() -> None:
    readings = Readings()
    made: list[Readings] = []

    def make() -> Readings:
        made.append(readings)
        return readings

    watcher = TrayWatcher(readings, make)
    cards, poker = (
        bundled_dice_set(name) for name in ("square-shooters", "poker-dice")
    )
    watcher.expect(cards)
    watcher.expect(cards, (4,))
    before = len(made)
    watcher.expect(cards, (6,))
    assert len(made) == before, "the same dice, some of them set aside"
    watcher.expect(poker)
    assert len(made) == before + 1
    assert readings.expected[1:] == [
        ("square-shooters", 9, (4,)),
        ("square-shooters", 9, (6,)),
        ("poker-dice", 5, ()),
    ]


class Table:
    """A watched tray and all that was told of it."""

    def __init__(self, told: dict[int, Reading] | None = None) -> None:
        self.news: list[TrayNews] = []
        self.readings = Readings(told)
        self.watcher = TrayWatcher(
            self.readings, lambda: self.readings, self.news.append
        )
        self.index = 0

    def show(self, image: BgrImage, times: int = 1) -> list[Observation]:
        out = []
        for _ in range(times):
            frame = Frame(image, "f", self.index, self.index * STEP_S)
            out.append(self.watcher.see(frame))
            self.index += 1
        return out

    @property
    def standings(self) -> list[Standing | None]:
        return [news.standing for news in self.news]


def calibrated(told: dict[int, Reading] | None = None, tray: Tray = TRAY) -> Table:
    made = Table(told)
    made.watcher.calibrate(Calibration(tray))
    made.show(view())
    return made


def test_small_nudge_is_followed_and_told_once() -> None:
    table_ = calibrated()
    table_.show(view(10, -6, 1), 8)
    assert table_.standings == [Standing.STEADY, Standing.FOLLOWED]
    there = TRAY.moved(motion_of(10, -6, 1))
    tray = table_.readings.tray
    assert tray is not None
    assert np.abs(np.array(tray.quad) - np.array(there.quad)).max() < 2


def test_nudge_back_is_followed_back() -> None:
    table_ = calibrated()
    table_.show(view(10, -6, 1), 5)
    table_.show(view(), 5)
    tray = table_.readings.tray
    assert tray is not None
    assert np.abs(np.array(tray.quad) - np.array(TRAY.quad)).max() < 2


def test_large_move_is_asked_about_until_the_camera_is_back() -> None:
    table_ = calibrated({9: roll()})
    table_.show(view(-150, 40), 8)
    assert table_.watcher.news.asks
    (asked,) = table_.show(view(-150, 40))
    assert asked.reading is not None
    assert asked.reading.status is Status.ASK
    assert asked.reading.problems[-1].code is ProblemCode.CAMERA_MOVED
    table_.show(view(), 4)
    assert table_.standings[-2:] == [Standing.MOVED, Standing.STEADY]


def test_setting_the_tray_again_ends_the_question() -> None:
    table_ = calibrated({12: roll()})
    table_.show(view(-150, 40), 8)
    table_.watcher.calibrate(Calibration(TRAY))
    seen_now = table_.show(view(-150, 40), 4)
    assert table_.standings[-1] is Standing.STEADY
    assert seen_now[-1].reading is not None
    assert seen_now[-1].reading.status is Status.SURE


def test_dice_that_moved_with_the_picture_are_no_new_roll() -> None:
    table_ = calibrated({1: roll(), 3: roll(60, -30), 9: roll(-200, 90)})
    assert table_.show(view())[0].reading is not None
    # told at once by a watcher that knows no camera, before the nudge is concluded
    assert [o.reading for o in table_.show(view(60, -30), 4)] == [None] * 4
    assert table_.standings[-1] is Standing.FOLLOWED
    thrown = table_.show(view(60, -30), 4)[-1]
    assert thrown.reading is not None
    assert thrown.reading.status is Status.SURE


def test_other_dice_in_a_moving_picture_are_a_question() -> None:
    table_ = calibrated({1: roll(), 3: roll(-222, 111)})
    table_.show(view())
    (_, told) = table_.show(view(60, -30), 2)
    assert told.reading is not None
    assert told.reading.status is Status.ASK


def test_refused_roll_that_was_mended_is_told_though_the_camera_moved() -> None:
    table_ = calibrated({1: roll(status=Status.REFUSE), 3: roll(60, -30)})
    table_.show(view())
    assert table_.show(view(60, -30), 2)[-1].reading is not None


def test_hands_dice_and_lamps_are_not_told() -> None:
    table_ = calibrated()
    still = view()
    for seed in range(5):
        for image in (
            with_arm(still, seed),
            with_dice(still, seed),
            lamp(with_dice(still, seed), seed),
            (still * 0.04).astype(np.uint8),
        ):
            table_.show(image, 2)
    assert table_.standings == [Standing.STEADY]


def test_shaken_camera_is_told_only_when_it_rests() -> None:
    table_ = calibrated()
    for k in range(6):
        table_.show(view(12 * (-1) ** k + 3 * k, 8 * (k % 3)))
    assert Standing.MOVED not in table_.standings
    assert table_.readings.tray == TRAY
    table_.show(view(20, 5), 5)
    assert table_.standings[-1] is Standing.FOLLOWED


def test_other_scene_is_lost_after_a_while_and_not_at_once() -> None:
    table_ = calibrated()
    table_.show(view(seed=77), 10)
    assert table_.standings == [Standing.STEADY]
    table_.show(view(seed=77), 14)
    assert table_.standings[-1] is Standing.LOST
    assert Standing.LOST in ASKING


def test_stored_view_tells_that_the_camera_moved_while_nobody_looked() -> None:
    from vision.camera_nudge import grey_view

    table_ = Table()
    table_.watcher.calibrate(Calibration(TRAY, grey_view(view())))
    table_.show(view(30, 10), 6)
    assert table_.standings[-1] is Standing.FOLLOWED


def test_sheet_that_was_pushed_is_followed() -> None:
    plan = PLANS["a4"]
    ground = view()
    before, _ = photographed(plan, SheetView(share=0.6), 1, ground=ground)
    found = find_sheet(before)
    assert found is not None
    assert found.tray.origin is TrayOrigin.SHEET
    table_ = Table()
    table_.watcher.calibrate(Calibration(found.tray))
    table_.show(before)
    after, truth = photographed(
        plan, SheetView(share=0.6, turn_deg=3), 1, ground=ground
    )
    table_.show(after, 5)
    assert table_.standings[-1] is Standing.FOLLOWED
    tray = table_.readings.tray
    assert tray is not None
    apart = np.linalg.norm(np.array(tray.quad)[:, None] - truth[None], axis=2)
    assert apart.min(axis=1).max() < 4


def test_plain_table_says_that_it_cannot_be_watched() -> None:
    table_ = Table()
    table_.watcher.calibrate(Calibration(TRAY))
    table_.show(np.full((HEIGHT, WIDTH, 3), 90, np.uint8), 3)
    assert table_.standings == [Standing.UNWATCHED]
    assert not table_.watcher.news.asks


def test_pictures_of_another_shape_are_asked_about() -> None:
    table_ = Table()
    table_.watcher.calibrate(Calibration(TRAY))
    table_.show(np.full((480, 640, 3), 90, np.uint8))
    assert table_.watcher.news.asks


@pytest.mark.parametrize("told", [Status.SURE, Status.ASK])
def test_without_a_tray_readings_pass_unchanged(told: Status) -> None:
    table_ = Table({1: roll(status=told)})
    assert table_.show(view(), 2)[-1].reading == roll(status=told)
    table_.watcher.calibrate(Calibration(TRAY))
    table_.watcher.calibrate(None)
    table_.show(view())
    assert table_.readings.tray is None
    assert [news.tray for news in table_.news] == [None]


def test_tray_that_is_set_again_as_it_was_is_told_again() -> None:
    table_ = calibrated()
    table_.watcher.calibrate(Calibration(TRAY))
    table_.show(view(), 2)
    assert table_.standings == [Standing.STEADY] * 2
