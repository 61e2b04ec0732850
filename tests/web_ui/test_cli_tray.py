"""`tableside tray`: what each action does, and what it refuses."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest
from painted_trays import painted_tray
from sheet_views import View, photographed

from vision.tray_sheet import PLANS
from web_ui.cli import main
from web_ui.tray_store import TrayStore, load_tray

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def sheet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A picture of a sheet, in a folder of its own that is the working one."""
    monkeypatch.chdir(tmp_path)
    image, _ = photographed(PLANS["a4"], View(tilt_deg=10), 3)
    path = tmp_path / "sheet.png"
    cv2.imwrite(str(path), image)
    return path


def run(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    status = main(["tray", *map(str, words)])
    out, err = capsys.readouterr()
    return status, out, err


@pytest.mark.parametrize("paper", PLANS)
def test_sheet_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], paper: str
) -> None:
    path = tmp_path / "s.pdf"
    status, out, _ = run(capsys, "sheet", "--out", path, "--paper", paper)
    assert status == 0
    assert PLANS[paper].title in out
    assert path.read_bytes().startswith(b"%PDF")


def test_sheet_that_cannot_be_written_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, _, err = run(capsys, "sheet", "--out", tmp_path / "no" / "s.pdf")
    assert status == 2
    assert "cannot be written" in err


def test_found_sheet_is_told_drawn_and_written(
    sheet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("find", sheet, "--json", "--overlay", "o.jpg", "--out", "t.json")
    status, out, err = run(capsys, *words)
    assert (status, err) == (0, "")
    first = json.loads(out)["proposals"][0]
    assert first["tray"]["origin"] == "sheet"
    drawn = cv2.imread(str(sheet.with_name("o.jpg")))
    assert drawn is not None
    assert np.abs(drawn.astype(int) - cv2.imread(str(sheet))).max() > 60
    tray = load_tray(sheet.with_name("t.json"))
    assert [[x + 0.5, y + 0.5] for x, y in tray.quad] == first["tray"]["quad"]
    assert not sheet.with_name("tableside-trays.json").exists()


def test_tray_is_set_shown_and_cleared(
    sheet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corners = ("900,600", "100,90", "120,610", "950,80")
    assert run(capsys, "set", sheet, "--corners", *corners)[0] == 0
    status, out, _ = run(capsys, "show", sheet)
    assert status == 0
    assert json.loads(out)["quad"][0] == [100.0, 90.0]
    stored = TrayStore(sheet.with_name("tableside-trays.json")).get(str(sheet))
    assert stored is not None
    assert stored.grey is not None
    assert run(capsys, "clear", sheet)[0] == 0
    assert run(capsys, "show", sheet)[0] == 1


def test_found_tray_is_set_and_the_file_is_named_in_the_settings(
    sheet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet.with_name("tableside.toml").write_text('[tray]\nfile = "mine.json"\n')
    assert run(capsys, "set", sheet, "--found", "sheet")[0] == 0
    assert sheet.with_name("mine.json").exists()
    status, out, _ = run(capsys, "show", sheet)
    assert (status, json.loads(out)["origin"]) == (0, "sheet")


def test_edge_is_proposed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "tray.png"
    cv2.imwrite(str(path), painted_tray(1)[0])
    status, out, _ = run(capsys, "find", path)
    assert status == 0
    assert "edge" in out


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        pytest.param(("find", "nix.png"), 2, "no such file", id="no-picture"),
        pytest.param(("find", "plain.png"), 1, "no tray was found", id="nothing"),
        pytest.param(
            ("set", "plain.png", "--found", "edge"), 1, "no edge", id="no-edge"
        ),
        pytest.param(
            ("set", "plain.png", "--corners", "1,1", "2", "3,3", "4,4"),
            2,
            "X,Y",
            id="no-corner",
        ),
        pytest.param(
            ("set", "plain.png", "--corners", "1,1", "2,2", "3,3", "4,4"),
            2,
            "convex",
            id="line",
        ),
        pytest.param(
            ("set", "plain.png", "--file", "plain.png"), 2, "not UTF-8", id="no-json"
        ),
        pytest.param(
            ("show", "0", "--settings", "nix.toml"), 2, "cannot be read", id="settings"
        ),
    ],
)
def test_what_cannot_be_done_is_said(
    sheet: Path,
    capsys: pytest.CaptureFixture[str],
    words: tuple[str, ...],
    status: int,
    said: str,
) -> None:
    cv2.imwrite(str(sheet.with_name("plain.png")), np.full((360, 640, 3), 99, np.uint8))
    told = run(capsys, *words)
    assert told[0] == status
    assert said in told[2]


def test_damaged_store_is_named_and_not_written_over(
    sheet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = sheet.with_name("tableside-trays.json")
    store.write_text("{", "utf-8")
    status, _, err = run(capsys, "set", sheet, "--found", "sheet")
    assert status == 2
    assert "tableside-trays.json" in err
    assert store.read_text("utf-8") == "{"
