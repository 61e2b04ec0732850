"""Hands, things and shadows, and motion that is nobody's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from painted_dice import HEIGHT, NINE, SLOTS, WIDTH, empty_table, lit, scene, with_hand

from vision.intruders import Intruder, Intruders
from vision.motion import is_dark, view_of

if TYPE_CHECKING:
    from vision.ports import BgrImage

DICE = SLOTS[:9]
STILLS = [view_of(empty_table())]


def watch(images: list[BgrImage], rate: float = 15.0) -> Intruders:
    intruders = Intruders()
    for k, image in enumerate(images):
        intruders.see(view_of(image), STILLS, k / rate)
    return intruders


def judged(images: list[BgrImage]) -> Intruder:
    view = view_of(images[-1])
    return watch(images).judge(view, STILLS, DICE, WIDTH)


def test_dice_alone_are_no_body() -> None:
    assert judged([empty_table(), scene(NINE)]) is Intruder.NONE


@pytest.mark.parametrize("reach", [0.12, 0.2, 0.45, 0.8])
def test_hand_is_a_hand_until_it_has_lain_for_long(reach: float) -> None:
    hand = with_hand(scene(NINE), reach)
    assert judged([empty_table(), *[hand] * 30]) is Intruder.HAND
    assert judged([empty_table(), *[hand] * 100]) is Intruder.THING


def test_hand_as_bright_as_the_table_is_seen_by_its_colour() -> None:
    image = scene(NINE)
    # as bright as the table for a camera that sees no colour
    image[120:250, 500:] = (150, 85, 105)
    assert judged([empty_table(), image]) is Intruder.HAND


def test_soft_shadow_is_no_hand() -> None:
    x = np.arange(WIDTH)[None] * np.ones((HEIGHT, 1))
    shade = lit(scene(NINE), 1 - 0.55 / (1 + np.exp(-(x - 500) / 25)))
    assert judged([empty_table(), shade]) is Intruder.NONE


def test_other_light_is_no_hand() -> None:
    assert judged([empty_table(), lit(scene(NINE), 0.6)]) is Intruder.NONE


def flying(count: int) -> list[BgrImage]:
    return [scene(NINE[:2], 12, (15.0 * k, 0)) for k in range(count)]


def test_dice_that_move_by_themselves_are_thrown() -> None:
    intruders = watch([empty_table(), *flying(8)])
    assert intruders.thrown
    intruders.forget_throw()
    assert not intruders.thrown


def test_what_a_hand_moves_is_not_thrown() -> None:
    held = []
    for k in range(10):
        image = scene("AS", 13, (8.0 * k, 0))
        left = 180 + 8 * k  # the hand is over the die
        image[120:360, left:] = (120, 150, 205)
        held.append(image)
    coming = [with_hand(empty_table(), reach) for reach in (0.1, 0.3, 0.5, 0.7)]
    assert not watch([empty_table(), *coming, *held]).thrown


def test_nothing_that_moves_is_nothing_thrown() -> None:
    assert not watch([scene(NINE)] * 20).thrown


@pytest.mark.parametrize(
    ("gain", "dark"), [(1.0, False), (0.5, False), (0.2, True), (0.03, True)]
)
def test_dark_is_told_from_dim(gain: float, dark: bool) -> None:
    usual = view_of(scene(NINE))
    assert is_dark(view_of(lit(scene(NINE), gain)), usual) is dark
