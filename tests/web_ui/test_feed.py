"""The feed of snapshots: order, resuming, waiting, closing."""

from __future__ import annotations

import threading

import pytest

from web_ui.feed import MOST_REMEMBERED, Feed, Snapshot


def test_feed_has_nothing_before_the_first_snapshot() -> None:
    feed = Feed("r")
    assert feed.latest() is None
    assert feed.after(0, 0.0) == ()
    assert feed.number_of("r-1") == 0


def test_feed_numbers_snapshots_and_gives_the_missed_ones_in_order() -> None:
    feed = Feed("r")
    for body in "abc":
        feed.publish(body)
    assert feed.latest() == Snapshot("r-3", 3, "c")
    assert [item.body for item in feed.after(1, 0.0)] == ["b", "c"]
    assert feed.after(3, 0.0) == ()


def test_newcomer_gets_only_the_newest() -> None:
    feed = Feed("r")
    for body in "abc":
        feed.publish(body)
    assert [item.body for item in feed.after(0, 0.0)] == ["c"]


def test_reader_who_fell_too_far_behind_gets_only_the_newest() -> None:
    feed = Feed("r")
    for number in range(MOST_REMEMBERED + 3):
        feed.publish(str(number))
    first_kept = 4
    assert len(feed.after(first_kept - 1, 0.0)) == MOST_REMEMBERED
    assert len(feed.after(first_kept - 2, 0.0)) == 1


@pytest.mark.parametrize(
    ("event_id", "number"),
    [
        ("", 0),
        ("r-2", 2),
        ("r-3", 0),
        ("other-2", 0),
        ("r-", 0),
        ("r--1", 0),
        ("r-²", 0),
        ("r-" + "9" * 5000, 0),
    ],
)
def test_last_event_id_is_believed_only_if_it_is_of_this_run(
    event_id: str, number: int
) -> None:
    feed = Feed("r")
    feed.publish("a")
    feed.publish("b")
    assert feed.number_of(event_id) == number


def test_waiting_reader_wakes_with_the_snapshot() -> None:
    feed = Feed("r")
    got: list[Snapshot] = []
    reader = threading.Thread(target=lambda: got.extend(feed.after(0, 10)))
    reader.start()
    feed.publish("now")
    reader.join(5)
    assert not reader.is_alive()
    assert [item.body for item in got] == ["now"]


def test_closing_ends_the_waiting() -> None:
    feed = Feed("r")
    reader = threading.Thread(target=feed.after, args=(0, 60))
    reader.start()
    feed.close()
    reader.join(5)
    assert not reader.is_alive()
    assert feed.closed


@pytest.mark.parametrize("run", ["", "a-b", "ä", "a\n"])
def test_run_must_be_a_plain_word(run: str) -> None:
    with pytest.raises(ValueError, match="run must be"):
        Feed(run)
