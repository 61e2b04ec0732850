"""Seats for streams: bounded, and given back however a stream ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from web_ui.seats import NoSeatError, Seats

if TYPE_CHECKING:
    from collections.abc import Iterator


def test_seats_are_refused_when_all_are_taken() -> None:
    seats = Seats("streams", 2)
    first = seats.occupy(iter([b"a"]))
    seats.occupy(iter([b"b"]))
    with pytest.raises(NoSeatError, match="all 2 streams"):
        seats.occupy(iter([b"c"]))
    first.close()
    assert seats.taken == 1
    seats.occupy(iter([b"d"]))


def test_seat_is_given_back_when_the_stream_ends() -> None:
    seats = Seats("streams", 1)
    assert list(seats.occupy(iter([b"a", b"b"]))) == [b"a", b"b"]
    assert seats.taken == 0


def test_seat_is_given_back_when_the_stream_is_closed_before_it_begins() -> None:
    seats = Seats("streams", 1)
    stream = seats.occupy(iter([b"a"]))
    stream.close()
    stream.close()
    assert seats.taken == 0


def test_seat_is_given_back_when_the_stream_breaks() -> None:
    def broken() -> Iterator[bytes]:
        yield b"a"
        raise RuntimeError("gone")

    seats = Seats("streams", 1)
    with pytest.raises(RuntimeError, match="gone"):
        list(seats.occupy(broken()))
    assert seats.taken == 0
