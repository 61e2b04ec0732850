"""JSON files that users name: read, or refused by name."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from scoring.json_files import JsonFileError, read_json, read_json_file


def write(folder: Path, content: str | bytes) -> Path:
    path = folder / "a.json"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize("name", ["/dev/zero", "/dev/null"])
def test_device_is_refused(name: str) -> None:
    with pytest.raises(JsonFileError, match=f"{name}: is a pipe or a device"):
        read_json(Path(name))


def test_pipe_without_a_writer_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "pipe.json"
    os.mkfifo(path)
    with pytest.raises(JsonFileError, match=r"pipe\.json: is a pipe"):
        read_json(path)


def test_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(JsonFileError, match="is a folder, expected an ordinary file"):
        read_json(tmp_path)


def test_large_file_is_refused_before_it_fills_the_memory(tmp_path: Path) -> None:
    path = tmp_path / "large.json"
    with path.open("wb") as file:
        file.truncate(10**12)  # holds nothing: no disk is used
    with pytest.raises(JsonFileError, match=r"large\.json: at most"):
        read_json(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("", "the file is empty", id="empty"),
        pytest.param(" \n\n", "the file is empty", id="blank"),
        pytest.param("1" * 5000, "not JSON", id="endless-number"),
        pytest.param("[" * 100_000, "nested too deeply", id="deep"),
        pytest.param("[\n1,\n}", "in line 3", id="cut"),
        pytest.param("[1] 2", "in line 1", id="more-behind"),
        pytest.param(b"[\n\n\xff]", "not UTF-8: .* in line 3", id="not-text"),
        pytest.param("[]".encode("utf-16"), "not UTF-8", id="utf-16"),
        pytest.param(
            '[\n{"a": 1,\n"b": 2,\n"\\u0061": 3}]', "'a' .* line 4", id="twice"
        ),
        pytest.param('{"a": {"a": [{"b": 1, "b": 2}]}}', "'b' .* twice", id="inner"),
        pytest.param("[1,\nNaN]", "NaN is no number in line 2", id="nan"),
        pytest.param('["NaN",\n-Infinity]', "-Infinity .* line 2", id="infinity"),
        pytest.param(
            '["\\\\",\n"\\ud83d"]', "half of a character in line 2", id="half"
        ),
        pytest.param('{\n"\\uDE00": 1}', "half of a character in line 2", id="key"),
    ],
)
def test_text_that_is_no_json_is_named(
    tmp_path: Path, text: str | bytes, message: str
) -> None:
    with pytest.raises(JsonFileError, match=rf"a\.json: .*{message}"):
        read_json(write(tmp_path, text))


def test_same_keys_in_different_objects_are_read(tmp_path: Path) -> None:
    text = '{"a": [{"a": 1}, {"a": "\\ud83d\\ude00"}], "b": {"a": {}}}'
    assert read_json(write(tmp_path, text)) == {
        "a": [{"a": 1}, {"a": "😀"}],
        "b": {"a": {}},
    }


def test_byte_order_mark_is_passed_over(tmp_path: Path) -> None:
    assert read_json(write(tmp_path, b"\xef\xbb\xbf[1]")) == [1]


@pytest.mark.parametrize(
    ("text", "keys", "lines"),
    [
        pytest.param("[]", (), [], id="empty"),
        pytest.param("[\n1, [\n2],\n\n{}]", (), [2, 2, 5], id="outermost"),
        pytest.param('{"x":[0],\n"s":["]",\n"{"]}', ("s",), [2, 3], id="by-key"),
        pytest.param(
            '{"s":[{},{"t":\n[\n[1],\n2]}]}', ("s", 1, "t"), [3, 4], id="deep"
        ),
        pytest.param('{"s":{}}', ("s",), [], id="nothing-in-it"),
        pytest.param('{"s":[1]}', ("t",), [], id="no-such-key"),
        pytest.param('{"\\u0073":[\n1]}', ("s",), [2], id="key-in-escapes"),
        pytest.param("\r\n[\r\n1]", (), [3], id="windows"),
    ],
)
def test_lines_of_the_elements_are_told(
    tmp_path: Path, text: str, keys: tuple[str | int, ...], lines: list[int]
) -> None:
    assert read_json_file(write(tmp_path, text)).lines(*keys) == lines
