"""Bytes in, messages out: whatever comes, noise is data and nothing grows."""

from __future__ import annotations

import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.wire import LINE_BYTES, Decoder, Garbled, Kind, Message, encode

FIRST = Message(1, Kind.DOWN, ("3", "0001"))
SECOND = Message(2, Kind.UP, ("3", "0001"))
WORDS = st.text("".join(map(chr, range(33, 127))).replace("*", ""), min_size=1)
MESSAGES = st.builds(
    Message,
    st.integers(0, 255),
    st.sampled_from(Kind),
    st.lists(WORDS.filter(lambda word: len(word) <= 9), max_size=4).map(tuple),
)


def messages(data: bytes) -> list[Message]:
    return [item for item in Decoder().feed(data) if isinstance(item, Message)]


@pytest.mark.parametrize("cut", range(len(encode(FIRST))))
def test_a_line_cut_at_any_byte_spoils_no_other(cut: int) -> None:
    line = encode(FIRST)
    # only its newline is missing: the next line brings one
    expected = [FIRST, SECOND] if cut == len(line) - 1 else [SECOND]
    assert messages(line[:cut] + encode(SECOND)) == expected
    # its beginning is missing: only the leading newline may be
    expected = [FIRST, SECOND] if cut <= 1 else [SECOND]
    assert messages(line[cut:] + encode(SECOND)) == expected


@pytest.mark.parametrize("cut", range(len(encode(FIRST)) + 1))
def test_a_line_that_comes_in_two_pieces_is_one(cut: int) -> None:
    decoder = Decoder()
    found = [*decoder.feed(encode(FIRST)[:cut]), *decoder.feed(encode(FIRST)[cut:])]
    assert found == [FIRST]


def test_a_million_bytes_without_newline_are_one_piece_of_noise() -> None:
    decoder = Decoder()
    found: list[Message | Garbled] = []
    tracemalloc.start()
    for _ in range(1000):
        found += decoder.feed(b"x" * 1000)
        assert decoder.held < LINE_BYTES
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found == [Garbled(b"x" * LINE_BYTES, "line too long")]
    assert peak < 50_000
    assert decoder.feed(encode(FIRST)) == [FIRST]


@pytest.mark.parametrize(
    "noise",
    [b"\xff\xfe\x80", b"Arduino ready\r\n", b"\n\r\n\n", b"\x00", b"01 DOWN 3", b"*"],
)
def test_noise_between_lines_costs_no_line(noise: bytes) -> None:
    assert messages(noise + encode(FIRST) + noise + encode(SECOND)) == [FIRST, SECOND]


@pytest.mark.parametrize("place", range(1, len(encode(FIRST)) - 1))
def test_a_banner_in_mid_line_costs_that_line_only(place: int) -> None:
    line = encode(FIRST)
    spoilt = line[:place] + b"Arduino ready\r\n" + line[place:]
    # between the leading newline and the line, the banner has a line of its own
    expected = [FIRST, SECOND] if place == 1 else [SECOND]
    assert messages(spoilt + encode(SECOND)) == expected


@pytest.mark.parametrize("bit", range(8 * (len(encode(FIRST)) - 2)))
def test_any_flipped_bit_is_noticed(bit: int) -> None:
    line = bytearray(encode(FIRST))
    line[1 + bit // 8] ^= 1 << bit % 8
    assert messages(bytes(line)) == []


def test_a_wrong_checksum_is_named() -> None:
    (found,) = Decoder().feed(b"01 DOWN 3 0001*0000\n")
    assert found == Garbled(b"01 DOWN 3 0001*0000", "wrong checksum")


@pytest.mark.parametrize(
    "word", ["", "a b", "a*", "Zoë", "\n", "\x7f", "\ud800", "x" * 60]
)
def test_a_word_that_no_line_can_hold_is_refused(word: str) -> None:
    with pytest.raises(ValueError, match="words"):
        Message(0, Kind.NAME, (word,))


@given(st.lists(MESSAGES, max_size=5), st.integers(1, 70))
def test_what_is_written_is_read_however_it_is_cut(
    sent: list[Message], step: int
) -> None:
    data = b"".join(map(encode, sent))
    decoder = Decoder()
    found = [
        item
        for start in range(0, len(data), step)
        for item in decoder.feed(data[start : start + step])
    ]
    assert found == sent


@given(st.lists(st.binary(max_size=300), max_size=10))
def test_no_bytes_raise_or_are_kept(pieces: list[bytes]) -> None:
    decoder = Decoder()
    for piece in pieces:
        for item in decoder.feed(piece):
            assert not isinstance(item, Garbled) or len(item.raw) <= LINE_BYTES
        assert decoder.held < LINE_BYTES
    assert decoder.feed(encode(FIRST))[-1] == FIRST
