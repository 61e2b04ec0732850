"""`tableside play` as a process: it prints its address, plays, and ends cleanly."""

from __future__ import annotations

import http.client
import json
import re
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest
from open_tables import WAIT_S

from web_ui.camera_thread import Pace
from web_ui.cli import main
from web_ui.play_parts import pace_of
from web_ui.server import listen

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def playing(quiet_script: Path) -> Iterator[subprocess.Popen[str]]:
    words = ["play", "--demo", "--camera", str(quiet_script), "--port", "0"]
    process = subprocess.Popen(
        [sys.executable, "-m", "web_ui.cli", *words, "--no-browser"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    yield process
    process.kill()
    process.communicate(timeout=WAIT_S)


def port_of(process: subprocess.Popen[str]) -> int:
    assert process.stdout is not None
    line = process.stdout.readline()
    found = re.fullmatch(r"Tableside is at http://127\.0\.0\.1:(\d+)/\n", line)
    assert found is not None, line
    return int(found[1])


def state_of(port: int) -> dict[str, object]:
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=WAIT_S)
    line.request("GET", "/api/v1/state")
    state: dict[str, object] = json.loads(line.getresponse().read())
    line.close()
    return state


@pytest.mark.parametrize("name", [signal.SIGINT, signal.SIGTERM])
def test_play_serves_the_game_and_ends_with_a_signal(
    playing: subprocess.Popen[str], name: signal.Signals
) -> None:
    port = port_of(playing)
    deadline = time.monotonic() + WAIT_S
    state: dict[str, object] = {}
    # for a moment the table is not set yet
    while not state.get("reading") and time.monotonic() < deadline:
        state = state_of(port)
    turn = state["turn"]
    assert isinstance(turn, dict)
    assert turn["rolls"] == 1
    began = time.monotonic()
    playing.send_signal(name)
    assert playing.wait(WAIT_S) == 0
    assert time.monotonic() - began < 10
    assert playing.stderr is not None
    assert playing.stderr.read() == ""


def unusable(words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    status = main(["play", "--no-browser", "--port", "0", *words])
    told = capsys.readouterr()
    assert status == 2
    assert told.out == ""
    assert told.err.startswith("tableside play: ")
    assert told.err.count("\n") == 1
    return told.err


def test_port_in_use_is_a_clear_error(
    quiet_script: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with listen("127.0.0.1", 0) as sock:
        port = str(sock.getsockname()[1])
        words = ["--camera", str(quiet_script), "--port", port]
        assert f"127.0.0.1:{port}: " in unusable(words, capsys)


@pytest.mark.parametrize("camera", ["63", "absent.mp4", "absent.json", "absent"])
def test_missing_source_is_a_clear_error(
    camera: str, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    word = camera if camera.isdecimal() else str(tmp_path / camera)
    status = main(["play", "--no-browser", "--port", "0", "--camera", word])
    assert status == 2
    assert camera in capfd.readouterr().err


@pytest.mark.parametrize("name", ["clip.mp4", "picture.jpg", "script.json"])
def test_unreadable_file_is_a_clear_error(
    name: str, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_text("these are no dice", "utf-8")
    assert main(["play", "--no-browser", "--port", "0", "--camera", str(path)]) == 2
    assert name in capfd.readouterr().err


def test_empty_folder_is_a_clear_error(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert str(tmp_path) in unusable(["--camera", str(tmp_path)], capsys)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        pytest.param(["--set", "dominoes"], "dominoes", id="unknown-set"),
        pytest.param(["--set", "poker-dice"], "card dice", id="other-dice"),
        pytest.param(["--port", "70000"], "port must be 0..65535", id="port"),
        pytest.param(["--host", ""], "host must be", id="host"),
        pytest.param(["--settings", "absent.toml"], "absent.toml", id="no-settings"),
    ],
)
def test_unusable_option_is_a_clear_error(
    words: list[str],
    said: str,
    quiet_script: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert said in unusable(["--camera", str(quiet_script), *words], capsys)


def test_mistake_in_the_settings_is_a_clear_error(
    quiet_script: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("[server]\nprot = 9\n", "utf-8")
    words = ["--camera", str(quiet_script), "--settings", str(path)]
    assert f"{path}: server.prot" in unusable(words, capsys)


def test_missing_models_are_a_clear_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = tmp_path / "table.png"
    cv2.imwrite(str(picture), np.full((72, 128, 3), 90, np.uint8))
    words = ["--camera", str(picture), "--models", str(tmp_path / "nowhere")]
    told = unusable(words, capsys)
    assert "nowhere" in told
    assert "tableside doctor" in told


@pytest.mark.parametrize(
    ("camera", "pace"),
    [
        ("0", Pace.DEVICE),
        ("/dev/video2", Pace.DEVICE),
        ("rtsp://table.local/live", Pace.DEVICE),
        ("a/roll.MP4", Pace.RECORDING),
        ("a/roll.jpg", Pace.STILLS),
        ("a/folder", Pace.STILLS),
    ],
)
def test_pace_is_told_from_the_name(camera: str, pace: Pace) -> None:
    assert pace_of(camera) is pace
