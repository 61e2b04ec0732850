from pathlib import Path

import pytest

from datasets.whole_files import write_whole


def test_file_is_replaced_by_texts_and_bytes(tmp_path: Path) -> None:
    path = tmp_path / "labels.json"
    write_whole(path, "größer")
    assert path.read_text("utf-8") == "größer"
    write_whole(path, b"ab")
    assert path.read_bytes() == b"ab"
    assert list(tmp_path.iterdir()) == [path]


def test_nothing_is_left_of_what_could_not_be_written(tmp_path: Path) -> None:
    (tmp_path / "labels.json").mkdir()
    with pytest.raises(OSError, match="labels"):
        write_whole(tmp_path / "labels.json", "[]")
    assert [path.name for path in tmp_path.iterdir()] == ["labels.json"]
