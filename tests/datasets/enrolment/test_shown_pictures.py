"""Pictures of shown sides in a folder, and what was said of them."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest
from shown_to_camera import DICE, SquareReader, painted

from datasets.enrolment.said_faces import SAID, read_said
from datasets.enrolment.shown_pictures import shots_of_folder
from datasets.shards import DataSetError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


class NoDie:
    """Stands for a reader that sees no die, as `RollReader` does."""

    light = None

    def evidence(self, image: np.ndarray) -> tuple[object, ...]:
        return ()


def quietly(pictures: Iterable[int], count: int) -> Iterable[int]:
    return pictures


def test_refused_pictures_name_their_path_once(tmp_path: Path) -> None:
    (tmp_path / "1").mkdir()
    broken, dark = tmp_path / "1" / "QH-1.jpg", tmp_path / "1" / "QH-2.png"
    broken.write_bytes(b"no picture")
    cv2.imwrite(str(dark), np.zeros((240, 240, 3), np.uint8))
    shown = shots_of_folder(NoDie(), tmp_path, quietly)  # type: ignore[arg-type]
    assert shown.refused == (
        f"{broken}: is not a picture",
        f"{dark}: no die is to be seen",
    )


def test_more_pictures_of_a_side_than_are_taken_are_told(tmp_path: Path) -> None:
    face = DICE[0][0]
    (tmp_path / "1").mkdir()
    for number in range(5):
        path = tmp_path / "1" / f"{face.code}-{number}.png"
        cv2.imwrite(str(path), painted(face))
    reader = SquareReader()
    shown = shots_of_folder(reader, tmp_path, quietly, 2)  # type: ignore[arg-type]
    assert (len(shown.shots), shown.refused) == (2, ())
    assert shown.spare == (f"3 more of die 1, {face.code}: 2 are enough",)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("[" * 100_000, "nested too deeply", id="nested"),
        pytest.param('{"1/a": NaN}', "NaN is no number", id="nan"),
        pytest.param("[]", "an object of faces", id="list"),
        pytest.param(json.dumps({"9" * 5000 + "/x": "QH"}), "DIE/SIDE", id="digits"),
        pytest.param('{"one/x": "QH"}', "DIE/SIDE", id="word"),
    ],
)
def test_odd_said_faces_are_refused(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / SAID).write_text(text)
    with pytest.raises(DataSetError, match=rf"{SAID}.*{words}"):
        read_said(tmp_path)


def test_pipe_in_the_place_of_said_faces_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / SAID)
    with pytest.raises(DataSetError, match="is a pipe"):
        read_said(tmp_path)
