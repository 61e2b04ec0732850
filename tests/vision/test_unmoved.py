"""Dice that lie where they lay are no new roll."""

from __future__ import annotations

import math

import numpy as np
import pytest

from scoring.cards import CARD_DICE_FACES, parse_face
from vision.reading import DieReading, Quad
from vision.unmoved import Change, Followed, Stay, change_of, follow


def die(
    x: float, y: float, angle_deg: float = 0, code: str = "AS", side: float = 40
) -> DieReading:
    reach = side / math.sqrt(2)
    a, b, c, d = (
        (x + reach * math.cos(turn), y + reach * math.sin(turn))
        for turn in (math.radians(angle_deg + 45 + 90 * k) for k in range(4))
    )
    quad: Quad = (a, b, c, d)
    return DieReading(parse_face(code), 0.99, quad)


ROW = tuple(die(100 * k, 50, 13 * k) for k in range(1, 6))


def test_first_dice_are_rolled() -> None:
    assert change_of((), ROW) is Change.ROLLED


def test_same_dice_in_any_order_are_nothing_new() -> None:
    assert change_of(ROW, ROW[::-1]) is Change.NOTHING


def test_another_reading_of_a_die_in_its_place_is_nothing_new() -> None:
    again = (die(100, 50, 13, "KH"), *ROW[1:])
    assert change_of(ROW, again) is Change.NOTHING


@pytest.mark.parametrize("gone", range(5))
def test_fewer_dice_in_their_places_were_picked_up(gone: int) -> None:
    left = ROW[:gone] + ROW[gone + 1 :]
    assert change_of(ROW, left) is Change.PICKED_UP


FIVE = tuple(
    die(100 * k, 50, 13 * k, code)
    for k, code in enumerate(["AS", "2S", "3S", "4S", "5S"])
)


def test_kept_dice_pushed_aside_are_no_roll() -> None:
    aside = (die(700, 300, 5, "4S"), die(760, 300, 5, "2S"))
    assert change_of(FIVE, aside) is Change.PICKED_UP


def test_fewer_dice_with_new_faces_are_rolled() -> None:
    thrown = (die(700, 300, 5, "4S"), die(760, 300, 5, "KH"))
    assert change_of(FIVE, thrown) is Change.ROLLED
    twice = (die(700, 300, 5, "4S"), die(760, 300, 5, "4S"))
    assert change_of(FIVE, twice) is Change.ROLLED


ALL = frozenset(range(5))


def spread(codes: str, y: float = 400, angle: float = 5) -> tuple[DieReading, ...]:
    """Dice in another row, in no order of before."""
    places = (90, 340, 180, 520, 260, 430, 610)
    return tuple(
        die(x, y, angle, code) for x, code in zip(places, codes.split(), strict=False)
    )


@pytest.mark.parametrize(
    ("thrown", "gone", "change"),
    [
        pytest.param(True, ALL, Change.ROLLED, id="thrown-from-the-hand"),
        pytest.param(True, frozenset(), Change.MOVED, id="slid"),
        pytest.param(False, frozenset(), Change.MOVED, id="sorted-by-hand"),
    ],
)
def test_all_faces_of_before_in_other_places(
    thrown: bool, gone: frozenset[int], change: Change
) -> None:
    again = spread("AS 2S 3S 4S 5S")
    assert change_of(FIVE, again, thrown, gone) is change


@pytest.mark.parametrize("thrown", [False, True])
def test_most_other_faces_in_other_places_are_rolled(thrown: bool) -> None:
    # out of a cup nobody sees dice fly
    assert change_of(FIVE, spread("KS QS JS TS 5S"), thrown) is Change.ROLLED


def test_one_die_with_another_face_is_rolled_only_if_it_flew() -> None:
    turned = (*FIVE[:4], die(500, 300, 5, "KH"))
    assert change_of(FIVE, turned, thrown=True) is Change.ROLLED
    assert change_of(FIVE, turned, thrown=False) is Change.MOVED


def test_more_dice_are_rolled() -> None:
    more = (*ROW[:4], die(700, 300, 5, "KH"))
    assert change_of(ROW[:4], more) is Change.ROLLED


def test_nudged_camera_changes_nothing() -> None:
    matrix = 1.02 * np.array([[0.99, -0.12], [0.12, 0.99]])
    seen = []
    for one in FIVE:
        quad = [tuple(matrix @ p + (31.0, -18.0)) for p in one.quad]
        seen.append(DieReading(one.face, 0.99, (quad[0], quad[1], quad[2], quad[3])))
    seen[2] = DieReading(parse_face("KH"), 0.6, seen[2].quad)  # misread meanwhile
    assert change_of(FIVE, tuple(seen)) is Change.NOTHING
    assert {one.stay for one in follow(FIVE, tuple(seen))} == {Stay.KEPT}


@pytest.mark.parametrize(
    ("off", "stay"),
    [(0, Stay.KEPT), (10, Stay.KEPT), (18, Stay.MOVED), (40, Stay.MOVED)],
)
def test_die_that_shows_the_same_elsewhere_was_moved(off: float, stay: Stay) -> None:
    after = (die(100 + off, 50, 13), *ROW[1:])
    assert follow(ROW, after)[0].stay is stay
    moved = Change.MOVED if stay is Stay.MOVED else Change.NOTHING
    assert change_of(ROW, after) is moved


@pytest.mark.parametrize(
    ("turn", "stay"),
    [(10, Stay.KEPT), (40, Stay.MOVED), (90, Stay.KEPT), (265, Stay.KEPT)],
)
def test_die_that_turned_on_its_place_was_moved(turn: float, stay: Stay) -> None:
    # the corner that comes first may differ: quarters do not count
    assert follow(FIVE, (die(0, 50, turn), *FIVE[1:]))[0].stay is stay


def test_two_dice_do_not_share_a_place() -> None:
    followed = follow(ROW[:2], (ROW[0], die(103, 52, 13, "KH")))
    assert [one.stay for one in followed] == [Stay.KEPT, Stay.NEW]


def test_sure_other_face_in_the_same_place_is_told() -> None:
    turned = (*ROW[:2], die(300, 50, 39, "KH"))
    assert follow(ROW[:3], turned)[2] == Followed(Stay.CHANGED, 2)


def test_place_of_a_die_that_was_gone_may_hold_another() -> None:
    new = (*ROW[:2], die(300, 50, 39, "KH"))
    assert follow(ROW[:3], new, frozenset([2]))[2] == Followed(Stay.NEW)
    assert follow(ROW[:3], ROW[:3], frozenset([2]))[2] == Followed(Stay.KEPT, 2)


def test_random_rerolls_of_kept_dice_are_rolls_and_keep_what_lies() -> None:
    rng = np.random.default_rng(3)
    codes = [face.code for face in CARD_DICE_FACES]
    for _ in range(200):
        chosen = [codes[int(k)] for k in rng.choice(54, 18, replace=False)]
        at = rng.permutation(100)[:18]
        spots = [(60.0 * (k % 10), 60.0 * (k // 10)) for k in at]
        before = tuple(
            die(x, y, float(rng.uniform(0, 90)), code)
            for (x, y), code in zip(spots[:9], chosen[:9], strict=True)
        )
        kept = int(rng.integers(0, 8))
        new = tuple(
            die(x, y, float(rng.uniform(0, 90)), code)
            for (x, y), code in zip(spots[9:], chosen[9:], strict=True)
        )[: 9 - kept]
        after = (*before[:kept], *new)
        gone = frozenset(range(kept, 9))
        assert change_of(before, before[:kept] or new, True, gone) is (
            Change.PICKED_UP if kept else Change.ROLLED
        )
        assert change_of(before, after, True, gone) is Change.ROLLED
        stays = [one.stay for one in follow(before, after, gone)]
        assert stays == [Stay.KEPT] * kept + [Stay.NEW] * (9 - kept)
