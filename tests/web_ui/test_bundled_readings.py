"""The models that come with Tableside read its own samples and its demo clip."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import web_ui
from web_ui.cli import main

if TYPE_CHECKING:
    import pytest

HOME = Path(web_ui.__file__).parent
SAMPLES = HOME / "samples"
DEMO = HOME / "demo" / "demo.mp4"


def read(capsys: pytest.CaptureFixture[str], *paths: Path) -> list[dict[str, Any]]:
    assert main(["read", "--json", *map(str, paths)]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def faces(record: dict[str, Any]) -> Counter[str]:
    return Counter(die["face"] for die in record["dice"])


def test_samples_are_read_and_never_silently_wrong(
    capsys: pytest.CaptureFixture[str],
) -> None:
    truth = json.loads((SAMPLES / "labels.json").read_text())
    readings = read(capsys, SAMPLES)
    assert [Path(r["image"]).name for r in readings] == [t["image"] for t in truth]
    right = total = 0
    for said, true in zip(readings, truth, strict=True):
        right += (faces(said) & faces(true)).total()
        total += len(true["dice"])
        if said["status"] == "sure":
            assert faces(said) == faces(true), said["image"]
    assert total == 9 * len(truth)
    assert right >= 0.9 * total


def test_demo_clip_gives_one_reading_for_each_throw(
    capsys: pytest.CaptureFixture[str],
) -> None:
    throws = json.loads((DEMO.parent / "labels.json").read_text())["throws"]
    readings = read(capsys, DEMO)
    assert len(readings) == len(throws)
    starts = [throw["rest_frame"] for throw in throws]
    for said, throw, after in zip(readings, throws, [*starts[1:], 10**6], strict=True):
        assert throw["rest_frame"] <= said["frame"] < after
        if said["status"] == "sure":
            assert faces(said) == faces(throw)
    assert sum(said["status"] == "sure" for said in readings) >= len(throws) // 2
