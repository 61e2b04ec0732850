"""The commands that count false rolls and wrong readings."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from web_ui.cli import main

if TYPE_CHECKING:
    from pathlib import Path


def test_short_hostile_clip_gives_no_false_roll(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    clip = tmp_path / "hostile.mp4"
    words = ["dataset", "hostile", "--out", str(clip), "--minutes", "0.15"]
    assert main([*words, "--seed", "3"]) == 0
    truth = json.loads(clip.with_suffix(".json").read_text())
    assert truth["rolls"]
    capsys.readouterr()
    assert main(["bench", "watch", str(clip), "--json", "--threads", "1"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["frames"] == truth["frames"]
    assert record["false_rolls"] == 0
    assert record["rolls"] == len(truth["rolls"])
    assert record["sure"] + record["asked"] + record["refused"] > 0


def test_corrupted_samples_neither_crash_nor_lie(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["bench", "corrupt", "--count", "38", "--seed", "2", "--threads", "1"]
    assert main([*words, "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["crash"] == 0
    assert record["wrong"] == 0
    named = sum(record[o] for o in ("sure", "ask", "refuse", "unreadable"))
    assert named == record["pictures"] == 38
    low, high = record["wrong_interval"]
    assert low == 0
    assert 0.05 < high < 0.12


@pytest.mark.parametrize(
    "words",
    [
        ["bench", "watch"],
        ["bench", "watch", "no-such.mp4"],
        ["bench", "corrupt", "no-such-folder"],
        ["bench", "corrupt", "--count", "0"],
        ["dataset", "hostile", "--out", "clip.avi"],
        ["dataset", "hostile", "--out", "clip.mp4", "--minutes", "0"],
    ],
    ids=lambda words: " ".join(words[:4]),
)
def test_unusable_input_is_named(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    assert capsys.readouterr().err.startswith(f"tableside {words[0]}")


def test_truth_of_another_kind_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    clip = tmp_path / "a.mp4"
    for text in ("[]", '{"format": "other"}', "no json"):
        clip.with_suffix(".json").write_text(text)
        assert main(["bench", "watch", str(clip)]) == 2
        assert "a.json" in capsys.readouterr().err
