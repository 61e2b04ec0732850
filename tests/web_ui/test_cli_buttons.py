"""`tableside buttons` over a box in software."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from firmware_bridge.virtual_box import VirtualBox
from web_ui.cli import main

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("fault", [None, "noise", "half", "bounce", "flood"])
def test_traffic_is_whole_however_the_box_misbehaves(
    fault: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    faults = ["--fault", fault] if fault else []
    asked = ["buttons", "--virtual", "--json", "--seconds", "2.5", *faults]
    assert main(asked) == 0
    said = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert said[0]["event"] == "connected"
    moves = [(one["event"], one["button"]) for one in said[1:]]
    order = [
        (event, f"hold_{place}")
        for place in range(1, 10)
        for event in ("pressed", "released")
    ]
    assert len(moves) >= 2
    assert moves == order[: len(moves)]


def test_a_box_is_given_a_name(capsys: pytest.CaptureFixture[str]) -> None:
    box = VirtualBox("box")
    try:
        assert main(["buttons", "--port", box.port, "--name", "Anna"]) == 0
        assert capsys.readouterr().out == "box box is named Anna now\n"
        assert main(["buttons", "--port", box.port, "--name", "Anna Berta"]) == 2
        assert "expected 1 to 8" in capsys.readouterr().err
    finally:
        box.close()


def test_the_time_from_press_to_event_is_told(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["buttons", "--virtual", "--measure", "5"]) == 0
    assert "5 presses: median " in capsys.readouterr().out


def test_wrong_use_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["buttons", "--fault", "noise"]) == 2
    assert main(["buttons", "--measure", "5"]) == 2
    assert main(["buttons", "--virtual", "--measure", "0"]) == 2
    assert main(["buttons", "--simulated", str(tmp_path)]) == 2
    assert main(["buttons", "--port", "/dev/no-such-port", "--seconds", "0.5"]) == 1
    assert "there is no such port" in capsys.readouterr().err
