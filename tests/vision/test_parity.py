"""Two readings of one picture are compared die by die, and what differs is named."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from scoring.cards import parse_face
from vision.parity import compare_readings, complaints, summarise
from vision.reading import DieReading, Reading, Status

if TYPE_CHECKING:
    from vision.reading import Quad


def quad(x: float, y: float, side: float = 40.0) -> Quad:
    return ((x, y), (x + side, y), (x + side, y + side), (x, y + side))


def reading(codes: str, status: Status = Status.SURE, x: float = 0.0) -> Reading:
    dice = tuple(
        DieReading(parse_face(code), 0.99, quad(100.0 * k + x, 10))
        for k, code in enumerate(codes.split())
    )
    return Reading("square-shooters", status, 0.99, dice, (), "m")


def test_equal_readings_have_no_complaints() -> None:
    one = reading("AS KH 9D")
    turned = replace(
        one, dice=tuple(replace(d, quad=(*d.quad[1:], d.quad[0])) for d in one.dice)
    )
    parity = summarise([compare_readings("a", one, turned)])
    assert (parity.dice, parity.differing, parity.shift_p99_px) == (3, 0, 0)
    assert complaints(parity) == ()


@pytest.mark.parametrize(
    ("other", "complaint"),
    [
        pytest.param(reading("AS KH 9C"), "though one of both was sure", id="face"),
        pytest.param(reading("AS KH"), "1 of 3 faces differ", id="lost"),
        pytest.param(reading("AS KH 9D 2C"), "1 of 3 faces differ", id="extra"),
        pytest.param(reading("AS KH 9D", x=1.5), "moves by 1.50 pixels", id="moved"),
        pytest.param(reading("AS KH 9D", x=60), "3 of 3 faces differ", id="far"),
        pytest.param(reading("AS KH 9D", Status.ASK), "statuses differ", id="status"),
    ],
)
def test_what_differs_is_complained_of_by_name(other: Reading, complaint: str) -> None:
    parity = summarise([compare_readings("roll-7.jpg", reading("AS KH 9D"), other)])
    assert any(
        complaint in text and "roll-7.jpg" in text for text in complaints(parity)
    )


def test_nothing_to_compare_is_an_error() -> None:
    with pytest.raises(ValueError, match="no picture"):
        summarise([])
