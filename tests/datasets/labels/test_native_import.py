"""Sets of our own format from elsewhere: nothing outside their folder is read."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest
from label_makers import HEIGHT, WIDTH, draw_picture, read_back

from datasets.eval_labels import LABELS, LabelError
from datasets.labels.picture_files import MOST_BYTES, OUTSIDE, upright_size
from datasets.labels.text_lines import read_bytes
from web_ui.cli import main

if TYPE_CHECKING:
    from pathlib import Path


def a_set(folder: Path, *names: str) -> Path:
    """A folder whose labels name these pictures; none is made."""
    folder.mkdir(exist_ok=True)
    record = [
        {"image": name, "width": WIDTH, "height": HEIGHT, "dice": []} for name in names
    ]
    (folder / LABELS).write_text(json.dumps(record))
    return folder


def test_pictures_beside_labels_or_in_images_are_taken(tmp_path: Path) -> None:
    folder = a_set(tmp_path / "set", "a.jpg", "b.jpg")
    draw_picture(folder / "a.jpg")
    draw_picture(folder / "images" / "b.jpg")
    found, told = read_back("native", folder)
    assert [one.path for one in found] == [folder / "a.jpg", folder / "images/b.jpg"]
    assert told == []


@pytest.mark.parametrize(
    ("name", "why"),
    [
        pytest.param("{}/secret.jpg", "absolute path", id="absolute"),
        pytest.param("/dev/zero", "absolute path", id="device"),
        pytest.param("../secret.jpg", "leads out", id="above"),
        pytest.param("images/../../secret.jpg", "leads out", id="roundabout"),
        pytest.param("C:\\secret.jpg", "absolute path", id="drive"),
    ],
)
def test_names_that_lead_out_of_the_folder_are_refused(
    tmp_path: Path, name: str, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    draw_picture(tmp_path / "secret.jpg")
    folder = a_set(tmp_path / "set", name.format(tmp_path))
    with pytest.raises(LabelError, match=why):
        read_back("native", folder)
    album = tmp_path / "album"
    asked = ["dataset", "import", str(folder), "--format", "native"]
    assert main([*asked, "--album", str(album)]) == 2
    assert why in capsys.readouterr().err
    assert not album.exists()


def test_name_too_long_for_a_file_is_told(tmp_path: Path) -> None:
    folder = a_set(tmp_path / "set", f"{'x' * 300}.jpg")
    (folder / "images").mkdir()
    ((picture,), _) = read_back("native", folder)
    with pytest.raises(LabelError, match=r"xxx\.jpg: file name too long"):
        upright_size(picture.path)


def test_link_out_of_the_folder_is_left_out_and_told(tmp_path: Path) -> None:
    folder = a_set(tmp_path / "set", "a.jpg", "b.jpg")
    draw_picture(folder / "a.jpg")
    (folder / "b.jpg").symlink_to(draw_picture(tmp_path / "secret.jpg"))
    found, told = read_back("native", folder)
    assert [one.name for one in found] == ["a.jpg"]
    assert told == [f"b.jpg: {OUTSIDE}"]


def test_pipe_called_as_a_picture_is_refused(tmp_path: Path) -> None:
    folder = a_set(tmp_path / "set", "a.jpg")
    os.mkfifo(folder / "a.jpg")
    with pytest.raises(LabelError, match="not an ordinary file"):
        read_back("native", folder)
    with pytest.raises(LabelError, match="not an ordinary file"):
        read_bytes(folder / "a.jpg", 100)


def test_picture_without_end_is_refused(tmp_path: Path) -> None:
    folder = a_set(tmp_path / "set", "a.jpg")
    with (folder / "a.jpg").open("wb") as file:
        file.truncate(10**12)  # holds nothing: no disk is used
    with pytest.raises(LabelError, match=r"a\.jpg: larger than"):
        read_bytes(folder / "a.jpg", MOST_BYTES)
