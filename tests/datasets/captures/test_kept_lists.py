"""Lists that follow changes instead of being sorted anew, and writes that are stale."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from capture_makers import capture, dice, picture

from datasets.captures.album import Album, StaleError
from datasets.captures.capture import Kept, Origin, Review
from datasets.captures.listing import ALL, NOBODY_JUDGED, Filter, Order

if TYPE_CHECKING:
    from pathlib import Path

FILTERS = (
    ALL,
    Filter(review=Review.WAITING),
    Filter(kept=Kept.ASKED),
    Filter(face="?"),
    Filter(day="2026-02-01"),
    Filter(least_doubt=0.5),
)
EVERY_FACES = ("QH 2C RJ", "QH 2C ?", "3S 4S 5S", "? ? ?")


def listed(album: Album, which: Filter, order: Order) -> list[str]:
    """What a list must be, worked out the long way."""
    passed = [entry for entry in album.entries() if which.passes(entry)]
    passed.sort(
        key=lambda one: (one.taken_at, one.id), reverse=order is not Order.OLDEST
    )
    if order is Order.DOUBT:
        passed.sort(key=lambda one: -one.doubt)
    return [one.id for one in passed]


def test_lists_and_counts_follow_every_change_of_this_and_of_another_program(
    tmp_path: Path,
) -> None:
    chance = np.random.default_rng(5)
    one, other = Album(tmp_path / "a", durable=False), Album(tmp_path / "a")
    for seed in range(60):
        data = picture(seed)
        album = one if seed % 3 else other
        names = [entry.id for entry in one.entries()]
        match int(chance.integers(0, 4)):
            case 0 if names:
                album.drop(str(chance.choice(names)))
            case 1 if names:
                codes = dice(str(chance.choice(EVERY_FACES)), Origin.PERSON)
                album.label(str(chance.choice(names)), codes, list(Review)[seed % 3])
            case _:
                album.add(
                    capture(
                        data,
                        list(Kept)[seed % 4],
                        minute=int(chance.integers(0, 2000)),
                        dice=dice(str(chance.choice(EVERY_FACES))),
                        doubt=round(float(chance.random()), 1),
                    ),
                    data,
                )
        for which in FILTERS:
            for order in Order:
                wanted = listed(one, which, order)
                page = one.page(which, order, 0, 1000)
                assert [entry.id for entry in page.entries] == wanted
                cut = one.page(which, order, 3, 4)
                assert [entry.id for entry in cut.entries] == wanted[3:7]
                assert cut.total == len(wanted)
                for place, name in enumerate(wanted):
                    assert one.place(name, which, order) == (place, True)
        fresh = Album(tmp_path / "a")
        assert one.tally() == fresh.tally()
        assert one.size == fresh.size
    assert one.tally().total > 10
    assert sum(one.tally().by_day.values()) == len(one)


def test_imports_that_no_reader_judged_wait_between_its_doubts_and_what_is_sure(
    tmp_path: Path,
) -> None:
    album, names = Album(tmp_path / "a", durable=False), {}
    for seed, (kept, doubt) in enumerate(
        [
            (Kept.SURE, 0.2),
            (Kept.ENTERED, 0.0),
            (Kept.SURE, 0.0),
            (Kept.REFUSED, 0.3),
            (Kept.ASKED, 0.6),
        ]
    ):
        data = picture(seed)
        added = album.add(capture(data, kept, minute=seed, doubt=doubt), data)
        names[added.id] = seed
    order = [names[one.id] for one in album.page(order=Order.DOUBT).entries]
    assert order == [4, 3, 1, 0, 2]
    doubtful = Filter(least_doubt=NOBODY_JUDGED)
    assert album.page(doubtful).total == 3


def test_place_of_one_that_left_the_list_is_where_it_stood(tmp_path: Path) -> None:
    album = Album(tmp_path / "a", durable=False)
    for seed in range(5):
        data = picture(seed)
        album.add(capture(data, minute=seed, doubt=seed / 10), data)
    waiting = Filter(review=Review.WAITING)
    names = listed(album, waiting, Order.DOUBT)
    album.label(names[2], dice())
    assert album.place(names[2], waiting, Order.DOUBT) == (2, False)
    assert album.place(names[3], waiting, Order.DOUBT) == (2, True)


def test_change_and_drop_of_what_somebody_else_changed_are_refused(
    tmp_path: Path,
) -> None:
    album, data = Album(tmp_path / "a"), picture(1)
    name = album.add(capture(data), data).id
    seen = album.entry(name).sidecar
    Album(tmp_path / "a").label(name, dice("2H 3H 4H", Origin.PERSON))
    with pytest.raises(StaleError, match="somebody else"):
        album.change(name, lambda one: replace(one, doubt=0.3), seen)
    with pytest.raises(StaleError):
        album.drop(name, seen=seen)
    assert [die.face.code for die in album.get(name).dice if die.face] == [
        "2H",
        "3H",
        "4H",
    ]
    album.drop(name, seen=album.entry(name).sidecar)
    assert len(album) == 0
