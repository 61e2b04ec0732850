"""Exports and imports of the review page: carried, cancelled, refused, nothing left."""

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

from datasets.captures.capture import Review
from datasets.eval_labels import LabelError
from datasets.labels.formats import FORMATS
from datasets.labels.notes import NoteBook
from web_ui.reviewing.errand_work import set_places
from web_ui.reviewing.errands import PIECE_BYTES, SCRATCH
from web_ui.reviewing.zips import unpack

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

PATIENCE = 600
EXPORT = {
    "format": "yolo-pose",
    "classes": "faces",
    "dice_set": "",
    "sure": False,
    "shares": "",
}
IMPORT = {
    "format": "yolo-pose",
    "classes": "",
    "dice_set": "square-shooters",
    "recording": "brought in",
    "by": "person",
    "first_corner": True,
}


@pytest.fixture
def table() -> Iterator[ReviewTable]:
    opened = ReviewTable()
    yield opened
    opened.post("/errand/cancel", {})
    opened.close()


def end_of(table: ReviewTable) -> Any:
    """The errand when it is over."""
    for _ in range(PATIENCE):
        now = described(table.get("/errand"), "/dataset/errand")["errand"]
        if now is None or now["state"] not in ("running", "uploading"):
            return now
        threading.Event().wait(0.05)
    raise AssertionError("the errand did not end")


def export(table: ReviewTable, **more: object) -> Any:
    answer = table.post("/exports", EXPORT | more)
    described(answer, "/dataset/exports", "post")
    assert answer.status_code == 202
    return end_of(table)


def exported(table: ReviewTable, **more: object) -> bytes:
    now = export(table, **more)
    assert now["state"] == "done", now
    with table.get(f"/exports/{now['id']}/labels.zip") as answer:
        assert len(answer.data) == now["size"]
        return bytes(answer.data)


def bring(table: ReviewTable, data: bytes, **more: object) -> Any:
    """Upload a zip file, and give how it ended."""
    begun = table.post("/imports", IMPORT | {"bytes": len(data)} | more)
    described(begun, "/dataset/imports", "post")
    name = begun.get_json()["errand"]["id"]
    for at in range(0, len(data), PIECE_BYTES):
        answer = table.client.put(
            f"{API}/imports/{name}",
            query_string={"at": at},
            data=data[at : at + PIECE_BYTES],
            content_type="application/octet-stream",
        )
        described(answer, "/dataset/imports/{errand_id}", "put")
    return end_of(table)


def review_all(table: ReviewTable) -> None:
    for entry in table.album.entries():
        table.album.label(entry.id, table.album.get(entry.id).dice)


def left(table: ReviewTable) -> list[Path]:
    return [path for path in (table.data / SCRATCH).rglob("*") if path.is_file()]


def zipped(files: Mapping[str, bytes | str]) -> bytes:
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w", zipfile.ZIP_DEFLATED) as opened:
        for name, data in files.items():
            opened.writestr(name, data)
    return memory.getvalue()


def test_export_goes_into_another_album_whole(table: ReviewTable) -> None:
    fill(table.album, 3)
    assert table.post("/exports", EXPORT).status_code == 409  # nothing is reviewed
    review_all(table)
    data = exported(table)
    with zipfile.ZipFile(io.BytesIO(data)) as opened:
        names = opened.namelist()
        yaml = opened.read("data.yaml").decode()
    assert sum(name.endswith(".jpg") for name in names) == 3
    # where the album lies is nobody's business, and no use elsewhere
    assert str(table.data) not in yaml
    assert "path:" not in yaml
    there = ReviewTable()
    try:
        now = bring(there, data)
        assert (now["state"], now["taken"]) == ("done", {"kept": 3}), now
        for entry in table.album.entries():
            brought = there.album.get(entry.id)
            assert brought.review is Review.REVIEWED
            assert brought.recording == "brought in"
            assert [die.face for die in brought.dice] == [
                die.face for die in table.album.get(entry.id).dice
            ]
        assert left(there) == []
    finally:
        there.close()
    table.post("/errand/cancel", {})
    assert left(table) == []
    assert table.get("/errand").get_json() == {"errand": None}


@pytest.mark.parametrize("name", ["native", "coco", "cvat", "label-studio"])
def test_every_kind_of_format_is_found_in_its_zip_file(
    tmp_path: Path, name: str
) -> None:
    """Below a folder, too, as zip files of a folder have it."""
    inside = {"native": "labels.json", "coco": "annotations/instances_train.json"}
    inside |= {"cvat": "annotations.xml", "label-studio": "tasks.json"}
    assert {*inside} | {"yolo-detect", "yolo-obb", "yolo-pose", "yolo-classify"} == {
        *FORMATS
    }
    path = tmp_path / "holiday" / inside[name]
    path.parent.mkdir(parents=True)
    path.write_text("{}")
    assert set_places(tmp_path, name) == [tmp_path / "holiday"]
    if name != "native":
        lone = tmp_path / "other"
        lone.mkdir()
        found = lone / ("export.xml" if name == "cvat" else "result.json")
        found.write_text("{}")
        (lone / "a.jpg").write_bytes(b"")
        assert set_places(lone, name) == [found]


def test_bad_line_is_named_and_nothing_is_taken(table: ReviewTable) -> None:
    fill(table.album, 2)
    review_all(table)
    with zipfile.ZipFile(io.BytesIO(exported(table, format="yolo-detect"))) as opened:
        files = {name: opened.read(name) for name in opened.namelist()}
    label = sorted(name for name in files if name.startswith("labels/"))[-1]
    files[label] = files[label] + b"54 0.5 0.5 0.1 0.1\n"
    there = ReviewTable()
    try:
        now = bring(there, zipped(files), format="yolo-detect")
        assert now["state"] == "failed"
        assert now["error"].startswith(f"{label}:4")
        assert now["taken"] == {}
        assert len(there.album) == 0
        assert left(there) == []
    finally:
        there.close()


def test_second_errand_waits_for_the_first_and_an_upload_goes_on_in_order(
    table: ReviewTable,
) -> None:
    begun = table.post("/imports", IMPORT | {"bytes": 10}).get_json()["errand"]
    assert begun["state"] == "uploading"
    refused = table.post("/imports", IMPORT | {"bytes": 10})
    assert refused.status_code == 409

    def send(at: int, data: bytes) -> int:
        return table.client.put(
            f"{API}/imports/{begun['id']}", query_string={"at": at}, data=data
        ).status_code

    assert send(4, b"late") == 409
    assert send(0, b"") == 409
    assert send(0, b"x" * 11) == 409
    assert send(0, b"12345") == 200
    assert send(0, b"12345") == 409
    assert send(5, b"6" * (PIECE_BYTES + 1)) == 413
    cancelled = table.post("/errand/cancel", {}).get_json()["errand"]
    assert cancelled["state"] == "cancelled"
    assert send(5, b"67890") == 404
    assert left(table) == []


def test_export_that_is_cancelled_leaves_nothing(table: ReviewTable) -> None:
    fill(table.album, 40)
    review_all(table)
    begun = table.post("/exports", EXPORT).get_json()["errand"]
    table.post("/errand/cancel", {})
    now = end_of(table)
    assert now["state"] in ("cancelled", "failed")
    assert left(table) == []
    assert table.get(f"/exports/{begun['id']}/labels.zip").status_code == 409
    assert table.get("/exports/other/labels.zip").status_code == 404


@pytest.mark.parametrize(
    ("order", "what"),
    [
        ("/exports", EXPORT | {"format": "voc"}),
        ("/exports", EXPORT | {"shares": "train=2"}),
        ("/exports", EXPORT | {"sure": "yes"}),
        ("/imports", IMPORT),
        ("/imports", IMPORT | {"bytes": 0}),
        ("/imports", IMPORT | {"bytes": 10**13}),
        ("/imports", IMPORT | {"bytes": 5, "recording": "\x00"}),
        ("/imports", IMPORT | {"bytes": 5, "recording": " "}),
    ],
)
def test_malformed_orders_are_400(
    table: ReviewTable, order: str, what: dict[str, object]
) -> None:
    answer = table.post(order, what)
    assert answer.status_code == 400
    described(answer, "/dataset" + order, "post")


def link() -> zipfile.ZipInfo:
    info = zipfile.ZipInfo("labels.json")
    info.external_attr = 0o120777 << 16
    return info


def hostile(kind: str) -> bytes:
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w", zipfile.ZIP_DEFLATED) as opened:
        match kind:
            case "climbs":
                opened.writestr("../labels.json", "{}")
            case "absolute":
                opened.writestr("/etc/labels.json", "{}")
            case "drive":
                opened.writestr("C:\\labels.json", "{}")
            case "link":
                opened.writestr(link(), "/etc/passwd")
            case "bomb":
                opened.writestr("labels.json", b"0" * (20 * 1024 * 1024))
            case "twice":
                opened.writestr("a/labels.json", "{}")
                opened.writestr("a/Labels.json", "{}")
            case "nothing":
                opened.writestr("run.sh", "echo")
    return b"no zip" if kind == "no zip" else memory.getvalue()


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("climbs", "leads out"),
        ("absolute", "absolute"),
        ("drive", "absolute"),
        ("link", "is a link"),
        ("bomb", "grows"),
        ("twice", "twice"),
        ("nothing", "neither pictures"),
        ("no zip", "no zip file"),
    ],
)
def test_hostile_zip_files_are_refused_by_name(
    tmp_path: Path, kind: str, said: str
) -> None:
    archive, folder = tmp_path / "a.zip", tmp_path / "set"
    archive.write_bytes(hostile(kind))
    folder.mkdir()
    with pytest.raises(LabelError, match=said):
        unpack(archive, folder, NoteBook(), lambda: None)
    assert list(folder.iterdir()) == []


def test_file_that_is_longer_than_it_says_is_refused(tmp_path: Path) -> None:
    data = bytearray(zipped({"labels.json": b"[" + b" " * 5000 + b"]"}))
    true, less = (5002).to_bytes(4, "little"), (4000).to_bytes(4, "little")
    assert data.count(true) == 2
    archive, folder = tmp_path / "a.zip", tmp_path / "set"
    archive.write_bytes(bytes(data).replace(true, less))
    folder.mkdir()
    with pytest.raises(LabelError):
        unpack(archive, folder, NoteBook(), lambda: None)


def test_picture_that_cannot_be_kept_is_told_with_what_was_taken(
    table: ReviewTable,
) -> None:
    fill(table.album, 2)
    review_all(table)
    with zipfile.ZipFile(io.BytesIO(exported(table, format="native"))) as opened:
        files = {name: opened.read(name) for name in opened.namelist()}
    labels = json.loads(files["labels.json"])
    last = labels[-1]["image"]
    name = next(one for one in files if one.endswith(last))
    files[name] = files[name][:700]  # a good head, then nothing
    there = ReviewTable()
    try:
        now = bring(there, zipped(files), format="native", by="")
        assert now["state"] == "failed", now
        assert sum(now["taken"].values()) == len(there.album)
        assert "kept" in now["taken"] or now["taken"] == {}
    finally:
        there.close()


def test_labels_that_name_pictures_of_the_table_are_refused(table: ReviewTable) -> None:
    secret = table.data / "secret.jpg"
    secret.write_bytes(picture(7))
    labels = [{"image": str(secret), "width": 320, "height": 180, "dice": []}]
    files = {"labels.json": json.dumps(labels)}
    now = bring(table, zipped(files), format="native", by="")
    assert now["state"] == "failed", now
    assert "absolute path" in now["error"]
    assert len(table.album) == 0
