"""Texts of unknown origin: encodings, line ends, numbers, limits of coordinates."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from datasets.eval_labels import LabelError
from datasets.labels.bounds import clip_coordinate
from datasets.labels.notes import MOST_PLACES, NoteBook
from datasets.labels.text_lines import (
    decimal,
    decode_text,
    numbered_lines,
    read_bytes,
)

if TYPE_CHECKING:
    from pathlib import Path


def sentences(book: NoteBook) -> list[str]:
    return [note.sentence for note in book.notes()]


@pytest.mark.parametrize(
    "data",
    [
        pytest.param("é 1\n".encode(), id="utf-8"),
        pytest.param("é 1\n".encode("utf-8-sig"), id="byte-order-mark"),
        pytest.param("é 1\n".encode("utf-16"), id="utf-16"),
    ],
)
def test_unicode_is_read_in_silence(data: bytes) -> None:
    book = NoteBook()
    assert decode_text(data, "a.txt", book) == "é 1\n"
    assert book.notes() == ()


def test_windows_bytes_are_read_and_told_with_their_line() -> None:
    book = NoteBook()
    assert decode_text(b"0\n1 caf\xe9 \x80\n", "a.txt", book) == "0\n1 café €\n"
    (note,) = book.notes()
    assert "Windows-1252" in note.sentence
    assert note.places == ("a.txt:2",)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        pytest.param(b"0\n\x81\n", "a.txt:2: is not text", id="no-sign-of-1252"),
        pytest.param(b"0 \x00\n", "zero bytes", id="zero"),
        pytest.param(b"\xff\xfea", "no UTF-16", id="half-utf-16"),
    ],
)
def test_what_is_no_text_is_refused(data: bytes, said: str) -> None:
    with pytest.raises(LabelError, match=said):
        decode_text(data, "a.txt", NoteBook())


def test_lines_end_in_every_way_and_blank_ones_count() -> None:
    text = "a\r\nb\n\n \t\rc\x0bd\n"
    assert list(numbered_lines(text)) == [(1, "a"), (2, "b"), (5, "c\x0bd")]


@pytest.mark.parametrize(
    ("word", "value"), [("1", 1.0), ("-.5", -0.5), ("2.", 2.0), ("+1e-3", 0.001)]
)
def test_decimal_numbers_are_read(word: str, value: float) -> None:
    assert decimal(word, "a:1") == value


@pytest.mark.parametrize(
    "word", ["nan", "-inf", "Infinity", "1e999", "1_0", "0x1", "٣", "", "1.0.0"]
)
def test_what_is_no_finite_decimal_is_refused(word: str) -> None:
    with pytest.raises(LabelError, match=r"a:1: .*not a (finite )?number"):
        decimal(word, "a:1")


def test_decimal_comma_is_explained() -> None:
    with pytest.raises(LabelError, match="write a point"):
        decimal("0,5", "a:1")


@pytest.mark.parametrize(
    ("value", "clipped"), [(0.0, 0.0), (1.0, 1.0), (1.0004, 1.0), (-0.0004, 0.0)]
)
def test_coordinate_is_brought_into_the_picture(value: float, clipped: float) -> None:
    book = NoteBook()
    assert clip_coordinate(value, 1.0, "a:1", book) == clipped
    assert bool(book.notes()) == (value != clipped)


def test_figures_rounded_up_are_no_news() -> None:
    book = NoteBook()
    assert clip_coordinate(1.000001, 1.0, "a:1", book) == 1.0
    assert book.notes() == ()


@pytest.mark.parametrize("value", [1.2, -0.2, 1.0101, 1e300])
def test_coordinate_far_outside_is_refused(value: float) -> None:
    with pytest.raises(LabelError, match=r"a:1: coordinate .* outside"):
        clip_coordinate(value, 1.0, "a:1", NoteBook())


def test_file_must_be_ordinary_and_not_too_large(tmp_path: Path) -> None:
    with pytest.raises(LabelError, match="not an ordinary file"):
        read_bytes(tmp_path, 10)
    with pytest.raises(LabelError, match="cannot be read"):
        read_bytes(tmp_path / "none", 10)
    (tmp_path / "large").write_bytes(b"0" * 11)
    with pytest.raises(LabelError, match="larger than 10 bytes"):
        read_bytes(tmp_path / "large", 10)


def test_book_counts_all_and_keeps_few_places() -> None:
    book = NoteBook()
    for number in range(1000):
        book.tell("was clipped", f"a:{number}")
    (note,) = book.notes()
    assert (note.count, len(note.places)) == (1000, MOST_PLACES)
    assert str(note) == "a:0, a:1, a:2 and 997 more: was clipped"
    assert sentences(book) == ["was clipped"]
