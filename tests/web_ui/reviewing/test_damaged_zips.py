"""Zip files with wrong bytes in them: told in a sentence, whatever packed them."""

from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING

import numpy as np
import pytest

from datasets.eval_labels import LabelError
from datasets.labels.notes import NoteBook
from web_ui.reviewing.zips import unpack

if TYPE_CHECKING:
    from pathlib import Path

LABELS = "".join(f"{k % 54} .{1 + k * 7 % 9} .5 .1 .1\n" for k in range(400))
METHODS = {
    "stored": zipfile.ZIP_STORED,
    "deflate": zipfile.ZIP_DEFLATED,
    "bzip2": zipfile.ZIP_BZIP2,
    "lzma": zipfile.ZIP_LZMA,
}


def packed(method: str) -> bytes:
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w", METHODS[method]) as opened:
        opened.writestr("labels/a.txt", LABELS)
        opened.writestr("labels/b.txt", "")
    return memory.getvalue()


def told(root: Path, data: bytes) -> str:
    """Why a zip file is refused; empty if it is not."""
    archive, folder = root / "a.zip", root / "set"
    archive.write_bytes(data)
    folder.mkdir()
    try:
        unpack(archive, folder, NoteBook(), lambda: None)
    except LabelError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("method", METHODS)
def test_damaged_file_in_a_zip_is_named(tmp_path: Path, method: str) -> None:
    data = bytearray(packed(method))
    at = data.index(b"labels/a.txt") + len("labels/a.txt") + 60
    for k in range(40):
        data[at + k] ^= 0xA5
    assert told(tmp_path, bytes(data)) == "labels/a.txt: is damaged in the zip file"


@pytest.mark.parametrize("method", METHODS)
def test_wrong_bytes_anywhere_end_in_a_sentence(tmp_path: Path, method: str) -> None:
    whole, chance = packed(method), np.random.default_rng(3)
    for number in range(150):
        data = bytearray(whole)
        for at in chance.integers(0, len(data), 1 + number % 4):
            data[at] = chance.integers(0, 256)
        (tmp_path / str(number)).mkdir()
        sentence = told(tmp_path / str(number), bytes(data))
        assert "None" not in sentence


@pytest.mark.parametrize("method", METHODS)
def test_zip_that_was_cut_off_is_told(tmp_path: Path, method: str) -> None:
    whole = packed(method)
    assert "no zip file, or a damaged one" in told(tmp_path, whole[: len(whole) // 2])


def test_refusal_is_told_once(tmp_path: Path) -> None:
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w") as opened:
        opened.writestr("../a.txt", "")
    assert told(tmp_path, memory.getvalue()) == (
        "the zip file: '../a.txt' leads out of its folder"
    )
