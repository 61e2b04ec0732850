"""`tableside dataset captures`: what was kept from play, listed, shown and checked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from capture_makers import capture, dice, picture

from datasets.captures.album import Album
from datasets.captures.capture import Kept, Origin
from web_ui.cli import main
from web_ui.doctor import Health, check_captures


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A table's folder with three captures."""
    album = Album(tmp_path / "captures")
    for seed, kept in enumerate((Kept.SURE, Kept.ASKED, Kept.CORRECTED)):
        made = capture(
            picture(seed),
            kept,
            minute=seed,
            doubt=seed / 10,
            recording="front \x9b31m",
            dice=dice("QH ?", Origin.PERSON if seed == 2 else Origin.MODEL),
        )
        album.add(made, picture(seed))
    return tmp_path


def captures(data: Path, *words: str) -> int:
    return main(["dataset", "captures", *words, "--data", str(data)])


def test_list_counts_and_shows_the_newest_first(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert captures(data) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0].startswith("3 captures of 1 recording, ")
    assert told[1].startswith("kept: asked 1, corrected 1, sure 1; review: waiting 3;")
    assert [line.split()[2] for line in told[3:]] == ["corrected", "asked", "sure"]


@pytest.mark.parametrize("lost", ["emptied", "removed", "cut short"])
def test_captures_that_the_manifest_lost_are_told(
    data: Path, lost: str, capsys: pytest.CaptureFixture[str]
) -> None:
    manifest = data / "captures" / "manifest.jsonl"
    lines = manifest.read_text().splitlines(keepends=True)
    manifest.write_text("".join(lines[:2]) if lost == "cut short" else "")
    if lost == "removed":
        manifest.unlink()
    assert captures(data) == 0
    told = capsys.readouterr()
    missing = 2 if lost == "cut short" else 3
    assert told.out.startswith(f"{3 - missing} capture")
    assert f"{missing} more lie in {data / 'captures'}" in told.err
    assert captures(data, "rebuild") == 0
    capsys.readouterr()
    assert captures(data) == 0
    assert capsys.readouterr().err == ""


def test_list_is_filtered_and_printed_as_json(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("list", "--json", "--kept", "asked", "--order", "doubt", "--face", "qh")
    assert captures(data, *words) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert json.loads(line)["doubt"] == 0.1
    assert captures(data, "--start", "5") == 0
    assert len(capsys.readouterr().out.splitlines()) == 3


def test_show_tells_all_without_commanding_the_terminal(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = capture(picture(2)).id
    assert captures(data, "show", name) == 0
    told = capsys.readouterr().out
    assert "\x9b" not in told
    assert "front \\x9b31m" in told
    assert "die QH  at 25,35 by person operator" in told
    assert "die ?   at" in told
    assert captures(data, "show", name, "--json") == 0
    shown = json.loads(capsys.readouterr().out)
    assert Path(shown["path"]).read_bytes() == picture(2)


def test_verify_names_what_is_wrong(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert captures(data, "verify") == 0
    assert "3 captures are whole" in capsys.readouterr().out
    album = Album(data / "captures")
    album.path(capture(picture(0)).id).write_bytes(b"x")
    (data / "captures" / "stray").touch()
    assert captures(data, "verify") == 1
    told = capsys.readouterr().out
    assert "is not the picture that was kept" in told
    assert "stray: belongs to no capture" in told
    assert captures(data, "verify", "--json") == 1
    assert json.loads(capsys.readouterr().out)["good"] == 2


def test_drop_and_rebuild(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert captures(data, "drop", capture(picture(1)).id) == 0
    assert len(Album(data / "captures")) == 2
    assert captures(data, "drop", capture(picture(0)).id) == 0
    assert captures(data, "verify") == 0
    assert "1 capture is whole" in capsys.readouterr().out
    (data / "captures" / "manifest.jsonl").write_bytes(b"\xff\n")
    assert captures(data) == 2
    assert "line 1" in capsys.readouterr().err
    assert check_captures(data).health is Health.NOTE
    assert captures(data, "rebuild") == 0
    assert captures(data, "list") == 0
    assert capsys.readouterr().out.count("waiting") == 2


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("show",), "needs the ID"),
        (("show", "../x"), "there is no capture"),
        (("drop", "0" * 24), "there is no capture"),
        (("list", "x"), "takes no ID"),
    ],
)
def test_unusable_words_are_told(
    data: Path,
    capsys: pytest.CaptureFixture[str],
    words: tuple[str, ...],
    told: str,
) -> None:
    assert captures(data, *words) == 2
    assert told in capsys.readouterr().err


def test_folder_without_captures_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for action in ("list", "verify", "rebuild"):
        assert captures(tmp_path, action) == 2
        assert "no roll was kept there" in capsys.readouterr().err
    assert [*tmp_path.iterdir()] == []


def test_doctor_counts_captures_and_bears_none(data: Path, tmp_path: Path) -> None:
    finding = check_captures(data)
    assert finding.health is Health.GOOD
    assert finding.sentence.startswith("3 rolls kept")
    none = check_captures(tmp_path / "none")
    assert (none.health, none.sentence[:7]) == (Health.GOOD, "0 rolls")
