"""Captures of which a file is lost or broken: told, gone past, removed."""

from __future__ import annotations

import io
import json
import threading
import zipfile
from typing import TYPE_CHECKING, Any

import pytest
from capture_makers import picture
from described_answers import described
from review_tables import API, ReviewTable, fill

from datasets.captures.checking import verify
from datasets.captures.files import Files
from datasets.labels.into_album import Entered, enter_all
from datasets.labels.notes import NoteBook
from datasets.labels.sources import each_picture
from web_ui.cli import main

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from datasets.captures.album import Album

ONE = "/dataset/captures/{capture_id}"


@pytest.fixture
def table() -> Iterator[ReviewTable]:
    opened = ReviewTable()
    yield opened
    opened.close()


def sidecar(album: Album, name: str) -> Path:
    return Files(album.folder).sidecar(name)


def broken(table: ReviewTable, text: str | None) -> list[str]:
    """Three captures; of the second the sidecar holds this, or is gone."""
    names = fill(table.album, 3)
    if text is None:
        sidecar(table.album, names[1]).unlink()
    else:
        sidecar(table.album, names[1]).write_text(text)
    return names


@pytest.mark.parametrize("text", [None, "", "{}", "[" * 100_000])
def test_broken_capture_is_told_with_what_it_takes_to_remove_it(
    table: ReviewTable, text: str | None
) -> None:
    names = broken(table, text)
    answer = table.get(f"/captures/{names[1]}")
    told = described(answer, ONE)
    assert answer.status_code == 503
    assert f"{names[1]}.json" in told["error"]
    assert told["broken"]["id"] == names[1]
    version = told["broken"]["version"]
    for again, path in (
        (table.decide(names[1], version), ONE),
        (table.post(f"/captures/{names[1]}/check", {"dice": []}), f"{ONE}/check"),
    ):
        assert again.status_code == 503
        method = "put" if path == ONE else "post"
        assert described(again, path, method)["broken"]["version"] == version
    gone = table.post(f"/captures/{names[1]}/remove", {"version": version})
    assert gone.status_code == 200
    assert len(table.album) == 2
    assert verify(table.album).ok


def exported(table: ReviewTable, out: Path, *more: str) -> int:
    asked = ["dataset", "export", str(table.album.folder), "--sure", "--out", str(out)]
    return main([*asked, "--format", "native", *more])


def reviewed(table: ReviewTable) -> list[str]:
    names = fill(table.album, 3)
    for name in names:
        table.album.label(name, table.album.get(name).dice)
    return names


@pytest.mark.parametrize("lost", ["sidecar", "picture", "emptied picture"])
def test_export_leaves_a_broken_capture_out_and_writes_the_rest(
    table: ReviewTable, tmp_path: Path, lost: str, capsys: pytest.CaptureFixture[str]
) -> None:
    names = reviewed(table)
    if lost == "sidecar":
        sidecar(table.album, names[1]).unlink()
    elif lost == "picture":
        table.album.path(names[1]).unlink()
    else:
        table.album.path(names[1]).write_bytes(b"")
    assert exported(table, tmp_path / "out") == 1
    told = capsys.readouterr().err
    assert names[1] in told
    assert told.rstrip().endswith("left out")
    written = json.loads((tmp_path / "out" / "labels.json").read_text())
    assert {one["image"][: len(names[0])] for one in written} == {names[0], names[2]}
    record = json.loads((tmp_path / "out" / "export.json").read_text())
    assert any("left out" in note["sentence"] for note in record["notes"])
    album = str(table.album.folder)
    assert main(["dataset", "check", album, "--set", "none"]) == 1
    told = capsys.readouterr().out
    assert names[1] in told
    assert "3 pictures, 1 with findings: file 1" in told


def test_captures_are_named_where_none_is_left(
    table: ReviewTable, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = reviewed(table)
    for name in names:
        sidecar(table.album, name).unlink()
    assert exported(table, tmp_path / "out") == 2
    told = capsys.readouterr().err
    assert all(name in told for name in names)
    assert not (tmp_path / "out").exists()
    assert main(["dataset", "split", str(table.album.folder)]) == 2
    told = capsys.readouterr().err
    assert all(name in told for name in names)
    assert "every picture was left out" in told


def test_page_exports_what_is_whole(table: ReviewTable) -> None:
    names = reviewed(table)
    table.album.path(names[0]).unlink()
    sidecar(table.album, names[1]).write_text("{}")
    order: dict[str, Any] = {"format": "native", "classes": "faces", "dice_set": ""}
    begun = table.post("/exports", order | {"sure": False, "shares": ""})
    name = begun.get_json()["errand"]["id"]
    for _ in range(600):
        now = table.get("/errand").get_json()["errand"]
        if now["state"] != "running":
            break
        threading.Event().wait(0.05)
    assert now["state"] == "done", now
    assert sum("left out" in note for note in now["notes"]) == 2
    with table.client.get(f"{API}/exports/{name}/labels.zip") as answer:
        inside = zipfile.ZipFile(io.BytesIO(answer.data)).namelist()
    assert sum(one.endswith(".jpg") for one in inside) == 1


def test_import_of_the_same_picture_mends_a_broken_capture(
    table: ReviewTable, tmp_path: Path
) -> None:
    names = reviewed(table)
    assert exported(table, tmp_path / "out") == 0
    sidecar(table.album, names[0]).write_text("{}")
    table.album.path(names[1]).unlink()
    about = Entered("again", "square-shooters", "2026-01-31T12:00:00.000000+00:00")
    enter_all(table.album, each_picture(tmp_path / "out"), about, NoteBook())
    faces = [die.face for die in table.album.get(names[0]).dice]
    assert [face.code for face in faces if face] == ["QH", "2C", "RJ"]
    assert table.album.picture(names[1]) == picture(1)
    assert verify(table.album).ok
