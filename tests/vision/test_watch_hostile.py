"""Hands, darkness, freezes and doubt: nothing but a throw makes a roll."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from painted_dice import (
    HEIGHT,
    NINE,
    SLOTS,
    TABLE,
    WIDTH,
    draw_die,
    empty_table,
    lit,
    scene,
    with_hand,
    with_noise,
)
from small_models import save_models
from watched_scenes import (
    RATE,
    Pictures,
    reaching,
    rolls,
    still,
    thrown,
    watched,
)

from scoring.dice_sets import bundled_dice_set
from vision.reader import RollReader, load_reader
from vision.reading import ProblemCode, Status
from vision.unmoved import Change
from vision.watch import WatchState

if TYPE_CHECKING:
    from vision.face_reading import Evidence
    from vision.ports import BgrImage
    from vision.watch import Observation


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> RollReader:
    folder = save_models(tmp_path_factory.mktemp("models"))
    return load_reader(bundled_dice_set("square-shooters"), folder, threads=1)


def noisy(images: Pictures, first: int = 0) -> Pictures:
    return [with_noise(image, first + k, 3) for k, image in enumerate(images)]


def states(seen: list[Observation]) -> set[WatchState]:
    return {o.state for o in seen}


def turned(code: str, place: int, slot: int | None = None) -> BgrImage:
    """The nine dice, one of them with another face, perhaps in another slot."""
    codes = NINE.split()
    image = scene(" ".join(codes[:place]))
    for k in range(place + 1, 9):
        draw_die(image, SLOTS[k], codes[k])
    draw_die(image, SLOTS[place if slot is None else slot], code)
    return image


LYING = still(empty_table(), 8) + thrown(NINE) + still(scene(NINE), 10)


def test_lamp_off_is_dark_and_on_again_is_no_roll(reader: RollReader) -> None:
    off = [lit(scene(NINE), 0.05)] * 20
    seen = watched(reader, LYING + off + still(scene(NINE), 20))
    assert rolls(seen) == [NINE]
    assert seen[len(LYING) + 5].state is WatchState.DARK
    assert seen[-1].state is WatchState.SETTLED


def test_nothing_is_read_in_the_dark(reader: RollReader) -> None:
    dark = [lit(image, 0.04) for image in thrown(NINE) + still(scene(NINE), 20)]
    seen = watched(reader, still(empty_table(), 8) + dark)
    assert rolls(seen) == []
    lamp_on = watched(reader, still(empty_table(), 8) + dark + still(scene(NINE), 12))
    assert rolls(lamp_on) == [NINE]


def test_picture_that_freezes_in_flight_is_not_read(reader: RollReader) -> None:
    flight = thrown(NINE, count=9)
    live = noisy(still(empty_table(), 20) + flight)
    frozen = still(live[-1], 40)
    seen = watched(reader, live + frozen)
    assert rolls(seen) == []
    assert seen[-1].state is WatchState.FROZEN
    after = watched(reader, live + frozen + noisy(still(scene(NINE), 12), 100))
    assert rolls(after) == [NINE]


def test_source_without_noise_is_not_taken_for_frozen(reader: RollReader) -> None:
    assert WatchState.FROZEN not in states(watched(reader, LYING * 2))


def test_hand_that_holds_still_is_waited_for(reader: RollReader) -> None:
    hand = with_hand(scene(NINE), 0.16)
    pictures = still(empty_table(), 8) + thrown(NINE) + still(hand, 100)
    seen = watched(reader, pictures)
    assert rolls(seen) == []
    assert seen[-1].state is WatchState.HAND
    assert rolls(watched(reader, pictures + still(scene(NINE), 12))) == [NINE]


def test_roll_beside_a_thing_that_lay_down_is_asked(reader: RollReader) -> None:
    # six seconds without the least motion: no hand, but nothing to be sure with
    thing = with_hand(scene(NINE), 0.16)
    pictures = still(empty_table(), 8) + thrown(NINE) + still(thing, 160)
    (reading,) = [o.reading for o in watched(reader, pictures) if o.reading]
    assert reading.status is Status.ASK
    assert ProblemCode.BODY_IN_VIEW in {p.code for p in reading.problems}


def test_thing_that_was_there_before_the_roll_is_no_hand(reader: RollReader) -> None:
    before = with_hand(empty_table(), 0.16)
    flight = [with_hand(image, 0.16) for image in thrown(NINE)]
    rest = with_hand(scene(NINE), 0.16)
    seen = watched(reader, still(before, 10) + flight + still(rest, 12))
    (reading,) = [o.reading for o in seen if o.reading]
    assert ProblemCode.BODY_IN_VIEW not in {p.code for p in reading.problems}


def test_sheet_laid_over_all_dice_makes_no_roll(reader: RollReader) -> None:
    sheet = []
    for share in (0.2, 0.5, 0.8, 0.95):
        image = scene(NINE)
        image[10:350, : round(WIDTH * share)] = (200, 160, 150)
        sheet.append(image)
    covered = sheet + still(sheet[-1], 30) + sheet[::-1]
    seen = watched(reader, LYING + covered + still(scene(NINE), 20))
    assert rolls(seen) == [NINE]


@pytest.mark.parametrize("slot", [None, 12], ids=["in-its-place", "elsewhere"])
def test_die_turned_by_hand_makes_no_roll(reader: RollReader, slot: int | None) -> None:
    after = turned("KD", 4, slot)
    pictures = LYING + reaching(after) + still(after, 30)
    seen = watched(reader, pictures)
    assert rolls(seen) == [NINE]
    lying = [o.lying for o in seen if o.lying][-1]
    assert len(lying.kept) == 8
    if slot is None:
        assert lying.change is Change.NOTHING
        assert lying.changed == (4,)
    else:
        assert lying.change is Change.MOVED


def test_die_thrown_again_is_a_roll_that_tells_what_was_kept(
    reader: RollReader,
) -> None:
    codes = NINE.split()
    kept, after = scene(" ".join(codes[:8])), turned("KD", 8, 14)
    flight = []
    for k in range(8):
        image = kept.copy()
        draw_die(image, SLOTS[14], "KD", (-200.0 * 0.6**k, 20 * 0.6**k))
        flight.append(image)
    pictures = LYING + reaching(kept) + still(kept, 30) + flight + still(after, 12)
    seen = watched(reader, pictures)
    assert rolls(seen) == [NINE, " ".join([*codes[:8], "KD"])]
    (lying,) = [o.lying for o in seen if o.roll == 2]
    assert lying is not None
    assert lying.kept == tuple(range(8))


def test_shaken_and_nudged_camera_makes_no_roll(reader: RollReader) -> None:
    rng = np.random.default_rng(4)
    shaken = [
        np.roll(scene(NINE), (int(dy), int(dx)), (0, 1))
        for dy, dx in rng.integers(-12, 13, (15, 2))
    ]
    pictures = LYING + shaken + still(scene(NINE), 20)
    assert rolls(watched(reader, pictures)) == [NINE]


class Torn:
    """A reader of which the sight of one die flips between two faces."""

    def __init__(self, reader: RollReader, other: str) -> None:
        self._reader = reader
        self.dice_set = reader.dice_set
        self._rest, self._other = scene(NINE), scene(other)
        self._looks = 0

    def evidence(self, image: BgrImage) -> tuple[Evidence, ...]:
        if not np.array_equal(image, self._rest):
            return self._reader.evidence(image)
        self._looks += 1
        return self._reader.evidence(self._other if self._looks % 2 else image)

    def decide(self, evidence: tuple[Evidence, ...]) -> object:
        return self._reader.decide(evidence)


def test_die_that_flips_between_two_faces_is_asked_with_both(
    reader: RollReader,
) -> None:
    other = NINE.replace("4C", "JD")
    pictures = still(empty_table(), 8) + thrown(NINE) + still(scene(NINE), 30)
    torn = Torn(reader, other)
    seen = watched(torn, pictures)  # type: ignore[arg-type] # as far as it is used
    readings = [o.reading for o in seen if o.reading]
    assert len(readings) == 1
    (reading,) = readings
    assert reading.status is Status.ASK
    (problem,) = [p for p in reading.problems if p.code is ProblemCode.UNSTEADY_DIE]
    die = reading.dice[problem.dice[0]]
    offered = {die.face, *(a.face for a in die.alternatives)}
    assert {"4C", "JD"} <= {face.code for face in offered if face}


@pytest.mark.parametrize("rate", [10.0, 12.0, 15.0, 20.0, 30.0, 60.0])
def test_doubtful_roll_is_told_within_400_ms_too(
    reader: RollReader, rate: float
) -> None:
    pictures = still(empty_table(), int(rate)) + thrown(NINE)
    rest_frame = len(pictures) - 1
    pictures += still(scene(NINE), int(rate))
    torn = Torn(reader, NINE.replace("4C", "JD"))
    seen = watched(torn, pictures, rate)  # type: ignore[arg-type] # see above
    (told,) = [k for k, o in enumerate(seen) if o.reading is not None]
    # the last steps of the slide are too small to be seen as motion
    assert told > rest_frame - 4
    assert (told - rest_frame) / rate <= 0.4


def test_gap_in_the_frames_is_not_quiet_time(reader: RollReader) -> None:
    from vision.ports import Frame
    from vision.watch import Watcher

    watcher = Watcher(reader)
    table, rest = empty_table(), scene(NINE)
    assert rest.shape[0] == HEIGHT
    for k in range(8):
        watcher.see(Frame(table, "x", k, k / RATE))
    assert watcher.see(Frame(rest, "x", 8, 0.5)).reading is None
    # a second passes unseen: two alike frames say nothing of the time between
    assert watcher.see(Frame(rest, "x", 9, 1.5)).reading is None
    found = [
        watcher.see(Frame(rest, "x", 10 + k, 1.5 + k / RATE)).reading
        for k in range(1, 10)
    ]
    assert len([reading for reading in found if reading]) == 1


def test_small_still_frames_are_no_error(reader: RollReader) -> None:
    for height, width in ((2, 3), (1, 1), (400, 9), (3, 900)):
        tiny = [np.full((height, width, 3), TABLE, np.uint8)] * 12
        assert rolls(watched(reader, tiny)) == []
