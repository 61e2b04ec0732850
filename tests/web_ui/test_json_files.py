"""JSON files that users name: read, or refused by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from web_ui.json_files import JsonFileError, read_json


def test_endless_device_is_refused_before_it_fills_the_memory() -> None:
    with pytest.raises(JsonFileError, match="/dev/zero: at most"):
        read_json(Path("/dev/zero"))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("1" * 5000, id="endless-number"),
        pytest.param("[" * 100_000, id="deep"),
        pytest.param("{", id="cut"),
    ],
)
def test_text_that_is_no_json_is_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.json"
    path.write_text(text)
    with pytest.raises(JsonFileError, match=r"a\.json"):
        read_json(path)
