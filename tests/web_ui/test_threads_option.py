"""A number of threads that no runtime takes is refused as an option, by name."""

from __future__ import annotations

import pytest

from web_ui.cli import main

COMMANDS = [
    ["read", "a.jpg"],
    ["eval", "a"],
    ["calibrate", "a"],
    ["bench", "read"],
    ["bench", "watch", "--seed", "1"],
    ["bench", "corrupt", "a"],
    ["train", "faces", "--data", "a", "--val", "b"],
    ["train", "body", "--data", "a", "--val", "b", "--weights", "w", "--publish", "p"],
]


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: "-".join(words[:2]))
@pytest.mark.parametrize("count", ["-1", "1.5", "x", "1025"])
def test_strange_numbers_of_threads_are_refused(
    words: list[str], count: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main([*words, f"--threads={count}"])
    assert ended.value.code == 2
    told = capsys.readouterr().err
    assert "--threads" in told
    assert "0 to 1024" in told
