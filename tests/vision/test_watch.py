"""Exactly one reading for each roll that settles, whatever else happens."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest
from painted_dice import (
    HEIGHT,
    NINE,
    SLOTS,
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
    OTHER,
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
from vision.reading import Status
from vision.watch import WatchState

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> RollReader:
    folder = save_models(tmp_path_factory.mktemp("models"))
    return load_reader(bundled_dice_set("square-shooters"), folder, threads=1)


def test_watcher_says_what_happens(reader: RollReader) -> None:
    pictures = still(empty_table(), 8) + thrown(NINE) + still(scene(NINE), 10)
    seen = watched(reader, pictures)
    states = [o.state for o in seen]
    changes = [states[0], *(b for a, b in pairwise(states) if a != b)]
    assert changes == [
        WatchState.SETTLING,
        WatchState.EMPTY,
        WatchState.MOVING,
        WatchState.SETTLING,
        WatchState.SETTLED,
    ]
    assert rolls(seen) == [NINE]


def test_reading_comes_soon_after_the_last_motion(reader: RollReader) -> None:
    pictures = still(empty_table(), 8) + thrown(NINE) + still(scene(NINE), 20)
    seen = watched(reader, pictures)
    (place,) = [k for k, o in enumerate(seen) if o.reading is not None]
    last_motion = max(k for k, o in enumerate(seen) if o.state is WatchState.MOVING)
    assert (place - last_motion) / RATE <= 0.4


@pytest.mark.parametrize("rate", [10.0, 15.0, 30.0, 60.0])
def test_frame_rate_does_not_matter(reader: RollReader, rate: float) -> None:
    rest = still(scene(NINE), int(rate))
    pictures = still(empty_table(), int(rate)) + thrown(NINE) + rest
    assert rolls(watched(reader, pictures, rate)) == [NINE]


def test_empty_table_gives_nothing(reader: RollReader) -> None:
    assert rolls(watched(reader, still(empty_table(), 40))) == []


def test_no_frames_give_nothing(reader: RollReader) -> None:
    assert rolls(watched(reader, [])) == []


def test_dice_that_lie_there_from_the_start_are_a_roll(reader: RollReader) -> None:
    assert rolls(watched(reader, still(scene(NINE), 12))) == [NINE]


def test_second_roll_is_told(reader: RollReader) -> None:
    pictures = (
        still(empty_table(), 8)
        + thrown(NINE)
        + still(scene(NINE), 10)
        + reaching(scene(NINE))
        + thrown(OTHER, 9)
        + still(scene(OTHER, 9), 10)
    )
    assert rolls(watched(reader, pictures)) == [NINE, OTHER]


def test_reroll_of_some_dice_is_a_new_roll(reader: RollReader) -> None:
    kept = scene("AS 2H 3D 4C")
    second = kept.copy()
    for slot, code in zip(SLOTS[12:17], OTHER.split(), strict=False):
        draw_die(second, slot, code)
    moving = []
    for k in range(8):
        image = kept.copy()
        for slot, code in zip(SLOTS[12:17], OTHER.split(), strict=False):
            draw_die(image, slot, code, (-200.0 * 0.6**k, 0))
        moving.append(image)
    pictures = still(scene(NINE), 12) + reaching(kept) + still(kept, 30)
    pictures += moving + still(second, 12)
    expected = "AS 2H 3D 4C " + " ".join(OTHER.split()[:5])
    assert rolls(watched(reader, pictures)) == [NINE, expected]


def test_hand_that_touches_nothing_makes_no_roll(reader: RollReader) -> None:
    rest = scene(NINE)
    pictures = still(empty_table(), 8) + thrown(NINE) + still(rest, 10)
    pictures += (reaching(rest) + still(rest, 10)) * 3
    seen = watched(reader, pictures)
    assert rolls(seen) == [NINE]
    assert WatchState.HAND in {o.state for o in seen}


def test_nothing_is_read_while_a_hand_rests_in_the_picture(reader: RollReader) -> None:
    rest = scene(OTHER, 9)
    hand = with_hand(rest, 0.3)
    pictures = still(empty_table(), 8) + thrown(OTHER, 9) + still(hand, 40)
    seen = watched(reader, pictures)
    assert rolls(seen) == []
    assert seen[-1].state is WatchState.HAND
    assert rolls(watched(reader, pictures + still(rest, 12))) == [OTHER]


def test_picking_dice_up_makes_no_roll(reader: RollReader) -> None:
    codes = NINE.split()
    pictures = still(scene(NINE), 12)
    for left in (7, 4, 1):
        image = scene(" ".join(codes[:left]))
        pictures += reaching(image) + still(image, 30)
    pictures += reaching(empty_table()) + still(empty_table(), 20)
    seen = watched(reader, pictures)
    assert rolls(seen) == [NINE]
    assert seen[-1].state is WatchState.EMPTY


def test_kept_dice_pushed_aside_make_no_roll(reader: RollReader) -> None:
    aside = scene("3D AS 7D", 18)
    second = aside.copy()
    for slot, code in zip(SLOTS[:6], OTHER.split(), strict=False):
        draw_die(second, slot, code)
    pictures = still(scene(NINE), 12) + reaching(aside) + still(aside, 40)
    seen = watched(reader, pictures + still(second, 12))
    expected = " ".join([*OTHER.split()[:6], "3D AS 7D"])
    assert rolls(seen) == [NINE, expected]


def test_refused_roll_is_told_again_once_it_is_mended(reader: RollReader) -> None:
    ten = scene(NINE + " KD")
    pictures = still(ten, 40) + reaching(scene(NINE)) + still(scene(NINE), 12)
    seen = watched(reader, pictures)
    assert rolls(seen) == [NINE + " KD", NINE]
    assert [o.roll for o in seen if o.roll is not None] == [1, 1]


def test_same_faces_in_other_places_are_new_after_an_empty_table(
    reader: RollReader,
) -> None:
    first = thrown(NINE) + still(scene(NINE), 10) + still(empty_table(), 10)
    second = thrown(NINE, 9) + still(scene(NINE, 9), 10)
    assert rolls(watched(reader, first + second)) == [NINE, NINE]


def test_nine_dice_that_come_back_exactly_as_they_lay_were_only_hidden(
    reader: RollReader,
) -> None:
    once = thrown(NINE) + still(scene(NINE), 10) + still(empty_table(), 10)
    assert rolls(watched(reader, once * 2)) == [NINE]


def noisy(images: Pictures) -> Pictures:
    return [with_noise(image, k, 9) for k, image in enumerate(images)]


def flickering(images: Pictures) -> Pictures:
    """A lamp on alternating current, seen by a fast camera."""
    return [
        lit(image, 1 + 0.12 * float(np.sin(2.1 * k))) for k, image in enumerate(images)
    ]


def dimming(images: Pictures, depth: float = 0.12) -> Pictures:
    return [lit(image, 1 - depth * k / len(images)) for k, image in enumerate(images)]


def shaded(images: Pictures, depth: float = 0.12) -> Pictures:
    """A soft shadow that wanders across the table."""
    x = np.arange(WIDTH)[None] * np.ones((HEIGHT, 1))
    return [
        lit(image, 1 - depth * np.exp(-(((x - WIDTH * k / len(images)) / 160) ** 2)))
        for k, image in enumerate(images)
    ]


def blocky(images: Pictures) -> Pictures:
    """What a hard compression does: blocks that jump at every key frame."""
    out = []
    for k, image in enumerate(images):
        rng = np.random.default_rng(k // 12)
        steps = rng.integers(-4, 5, (HEIGHT // 8, WIDTH // 8, 1))
        blocks = np.kron(steps, np.ones((8, 8, 1)))
        out.append(np.clip(image + blocks, 0, 255).astype(np.uint8))
    return out


@pytest.mark.parametrize("disturb", [noisy, flickering, dimming, shaded, blocky])
def test_disturbances_neither_make_nor_hide_rolls(
    reader: RollReader, disturb: Callable[[Pictures], Pictures]
) -> None:
    pictures = still(empty_table(), 20) + thrown(NINE) + still(scene(NINE), 60)
    found = [o.reading for o in watched(reader, disturb(pictures)) if o.reading]
    assert len(found) == 1
    assert len(found[0].dice) == 9


@pytest.mark.parametrize(("disturb", "depth"), [(dimming, 0.22), (shaded, 0.5)])
def test_strong_slow_changes_of_light_make_no_roll(
    reader: RollReader, disturb: Callable[[Pictures, float], Pictures], depth: float
) -> None:
    # some of these colours are misread in the new light; their places still tell
    rest = scene(NINE)
    pictures = still(rest, 12) + disturb(still(rest, 100), depth)
    assert rolls(watched(reader, pictures)) == [NINE]


def test_light_switched_on_makes_no_roll(reader: RollReader) -> None:
    rest = scene(NINE)
    pictures = still(rest, 12) + still(lit(rest, 0.7), 20) + still(rest, 20)
    assert len(rolls(watched(reader, pictures))) == 1


def test_slowly_creeping_dice_are_not_at_rest(reader: RollReader) -> None:
    creeping = [scene(NINE, 0, (-30 + 0.5 * k, 0)) for k in range(60)]
    seen = watched(reader, still(empty_table(), 8) + creeping)
    assert rolls(seen[:-6]) == []
    assert rolls(watched(reader, creeping + still(scene(NINE), 12))) == [NINE]


def test_clip_that_ends_just_after_the_dice_stopped_still_gives_its_roll(
    reader: RollReader,
) -> None:
    pictures = still(empty_table(), 8) + thrown(NINE) + still(scene(NINE), 2)
    seen = watched(reader, pictures)
    assert rolls(seen) == [NINE]
    assert seen[-1].reading is not None


def test_clip_that_ends_in_motion_gives_no_roll(reader: RollReader) -> None:
    pictures = still(empty_table(), 8) + thrown(NINE, count=5)
    assert rolls(watched(reader, pictures)) == []


def test_dice_that_fall_one_after_the_other_are_one_roll(reader: RollReader) -> None:
    codes = NINE.split()
    pictures = still(empty_table(), 8)
    for count in (3, 6, 9):
        pictures += still(scene(" ".join(codes[:count])), 8)
    assert rolls(watched(reader, pictures + still(scene(NINE), 10))) == [NINE]


def test_roll_that_stays_incomplete_is_told_as_refused(reader: RollReader) -> None:
    eight = " ".join(NINE.split()[:8])
    pictures = still(empty_table(), 8) + thrown(eight) + still(scene(eight), 40)
    seen = watched(reader, pictures)
    (reading,) = [o.reading for o in seen if o.reading is not None]
    assert reading.status is Status.REFUSE
    assert len(reading.dice) == 8


def test_change_of_picture_size_is_survived(reader: RollReader) -> None:
    small = np.zeros((120, 200, 3), np.uint8)
    pictures = still(small, 6) + still(scene(NINE), 12)
    assert rolls(watched(reader, pictures)) == [NINE]
