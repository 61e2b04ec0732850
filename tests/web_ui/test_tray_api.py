"""The tray over HTTP and in its file: set, found, cleared, kept, refused."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from importlib import resources
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest
from jsonschema import Draft202012Validator
from sheet_views import View, photographed

from vision.camera_nudge import grey_view
from vision.camera_watch import Standing
from vision.ports import Frame
from vision.tray import TrayError, tray_of
from vision.tray_sheet import PLANS
from vision.tray_watch import SENTENCES, Calibration, TrayNews
from web_ui.tray_store import TrayStore, TrayStoreError, camera_key, load_tray

if TYPE_CHECKING:
    from pathlib import Path

    from open_tables import OpenTable
    from werkzeug.test import TestResponse

    from vision.ports import BgrImage

URL = "/api/v1/tray"
OPENAPI: dict[str, Any] = json.loads(
    resources.files("web_ui").joinpath("openapi.json").read_text("utf-8")
)
QUAD = [[100, 80], [1200, 90], [1150, 650], [120, 660]]
GOOD = {"quad": QUAD, "width_px": 1280, "height_px": 720}
TRAY = tray_of([(x - 0.5, y - 0.5) for x, y in QUAD], 1280, 720)


def checked(answer: TestResponse, path: str, method: str) -> Any:
    responses = OPENAPI["paths"][path][method]["responses"]
    schema = responses[str(answer.status_code)]["content"][answer.mimetype]["schema"]
    if answer.mimetype == "application/json":
        whole = {**schema, "components": OPENAPI["components"]}
        Draft202012Validator(whole).validate(answer.json)
    return answer.json


def show(table: OpenTable, image: BgrImage) -> None:
    table.live.put(Frame(image, "f", 0, 0.0))


def plain() -> BgrImage:
    return np.full((720, 1280, 3), 90, np.uint8)


def test_tray_is_none_before_anybody_sets_one(table: OpenTable) -> None:
    state = checked(table.client.get(URL), "/tray", "get")
    assert state["tray"] is None
    assert state["picture"] is None
    show(table, plain())
    state = checked(table.client.get(URL), "/tray", "get")
    assert state["picture"] == {"width_px": 1280, "height_px": 720}


def test_tray_is_set_and_cleared(table: OpenTable) -> None:
    show(table, plain())
    put = checked(table.client.put(URL, json=GOOD), "/tray", "put")
    assert put["tray"]["quad"] == QUAD
    assert put["tray"]["origin"] == "hand"
    assert checked(table.client.get(URL), "/tray", "get")["tray"] == put["tray"]
    cleared = checked(table.client.delete(URL), "/tray", "delete")
    assert cleared["tray"] is None


@pytest.mark.parametrize(
    "body",
    [
        pytest.param([], id="list"),
        pytest.param("tray", id="text"),
        pytest.param({}, id="empty"),
        pytest.param(GOOD | {"quad": QUAD[:3]}, id="three"),
        pytest.param(GOOD | {"quad": [[1, 1]] * 4}, id="point"),
        pytest.param(GOOD | {"height_px": 960}, id="other-shape"),
        pytest.param(GOOD | {"width_px": "1280"}, id="text-size"),
        pytest.param(
            GOOD | {"quad": [[-600, -300], [10, -300], [10, 20], [-600, 20]]}, id="off"
        ),
    ],
)
def test_what_is_no_tray_is_400_and_changes_nothing(
    table: OpenTable, body: object
) -> None:
    show(table, plain())
    answer = table.client.put(URL, json=body)
    assert answer.status_code == 400
    assert checked(answer, "/tray", "put")["error"]
    assert checked(table.client.get(URL), "/tray", "get")["tray"] is None


def test_bodies_that_are_no_json_are_refused(table: OpenTable) -> None:
    show(table, plain())
    for body in (b"", b"{", b"null", b"[" * 5000):
        answer = table.client.put(URL, data=body, content_type="application/json")
        assert answer.status_code == 400
    assert table.client.put(URL, data=b"x").status_code == 415
    large = table.client.put(URL, json=GOOD | {"more": "x" * 20_000})
    assert large.status_code == 413


@pytest.mark.parametrize("method", ["put", "delete", "post"])
def test_foreign_page_may_not_touch_the_tray(table: OpenTable, method: str) -> None:
    show(table, plain())
    path = "/find" if method == "post" else ""
    answer = table.client.open(
        URL + path,
        method=method.upper(),
        json=GOOD,
        headers={"Origin": "http://evil.example"},
    )
    assert answer.status_code == 403
    checked(answer, f"/tray{path}", method)


def test_nothing_can_be_set_or_found_without_a_picture(table: OpenTable) -> None:
    for answer, path, method in (
        (table.client.put(URL, json=GOOD), "/tray", "put"),
        (table.client.post(f"{URL}/find"), "/tray/find", "post"),
        (table.client.get(f"{URL}/picture.jpg"), "/tray/picture.jpg", "get"),
    ):
        assert answer.status_code == 503
        checked(answer, path, method)


def test_sheet_is_found_and_proposed_but_not_set(table: OpenTable) -> None:
    image, truth = photographed(PLANS["a4"], View(tilt_deg=20), 3)
    show(table, image)
    found = checked(table.client.post(f"{URL}/find"), "/tray/find", "post")
    first = found["proposals"][0]
    assert first["tray"]["origin"] == "sheet"
    quad = np.array(first["tray"]["quad"]) - 0.5
    apart = np.linalg.norm(quad[:, None] - truth[None], axis=2)
    assert apart.min(axis=1).max() < 4
    assert checked(table.client.get(URL), "/tray", "get")["tray"] is None


def test_still_picture_is_the_newest_one(table: OpenTable) -> None:
    show(table, plain())
    answer = table.client.get(f"{URL}/picture.jpg")
    checked(answer, "/tray/picture.jpg", "get")
    assert answer.headers["Cache-Control"] == "no-store"
    image = cv2.imdecode(np.frombuffer(answer.data, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    assert image.shape == (720, 1280, 3)


def test_moved_camera_is_on_the_page_and_the_table_is_not_ready(
    table: OpenTable,
) -> None:
    before = table.feed.latest()
    news = TrayNews(TRAY, Standing.MOVED, SENTENCES[Standing.MOVED])
    table.thread.tell(news)
    table.feed.after(before.number if before else 0, 15)
    state = table.client.get("/api/v1/state").json
    assert state is not None
    assert state["tray"] == {
        "standing": "moved",
        "sentence": SENTENCES[Standing.MOVED],
        "asks": True,
    }
    assert SENTENCES[Standing.MOVED] in table.thread.unready()


def test_setup_page_and_its_sheets_are_there(table: OpenTable) -> None:
    page = table.client.get("/setup")
    assert page.status_code == 200
    for paper in PLANS:
        link = f"/setup/sheet-{paper}.pdf"
        assert link in page.text
        assert table.client.get(link).data.startswith(b"%PDF")
    assert table.client.get("/setup/sheet-a0.pdf").status_code == 404


def test_stored_tray_and_its_view_come_back(tmp_path: Path) -> None:
    image, _ = photographed(PLANS["a4"], View(), 3)
    store = TrayStore(tmp_path / "trays.json")
    assert store.get("0") is None
    store.put("0", Calibration(TRAY, grey_view(image)))
    store.put("clip.mp4", Calibration(TRAY))
    again = TrayStore(tmp_path / "trays.json").get("0")
    assert again is not None
    assert again.tray == TRAY
    assert again.grey is not None
    assert np.abs(again.grey.astype(int) - grey_view(image)).mean() < 3
    store.put("0", None)
    assert store.get("0") is None
    assert store.get("clip.mp4") is not None


@pytest.mark.parametrize(
    ("body", "said"),
    [
        pytest.param(b"", "not JSON", id="empty"),
        pytest.param(b"{", "not JSON", id="half"),
        pytest.param(b"[]", "format", id="list"),
        pytest.param(b'{"format": "tableside-trays/1"}', "trays", id="no-trays"),
        pytest.param(
            b'{"format": "tableside-trays/1", "trays": {"0": {"quad": 1}}}',
            "width_px",
            id="no-tray",
        ),
        pytest.param(
            b'{"format": "tableside-trays/1", "trays": {"0": [1]}}', "object", id="odd"
        ),
    ],
)
def test_damaged_file_of_trays_is_named(tmp_path: Path, body: bytes, said: str) -> None:
    path = tmp_path / "trays.json"
    path.write_bytes(body)
    with pytest.raises(TrayStoreError, match=said) as caught:
        TrayStore(path).get("0")
    assert str(path) in str(caught.value)


def test_damaged_view_only_costs_the_view(tmp_path: Path) -> None:
    store = TrayStore(tmp_path / "trays.json")
    store.put("0", Calibration(TRAY, np.zeros((36, 64), np.uint8)))
    whole = json.loads(store.path.read_text("utf-8"))
    for view in ("", "AAAA", "???", 7, None):
        whole["trays"]["0"]["view"] = view
        store.path.write_text(json.dumps(whole), "utf-8")
        stored = store.get("0")
        assert stored is not None
        assert stored.grey is None


def test_file_of_trays_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    store = TrayStore(tmp_path / "no-folder" / "trays.json")
    with pytest.raises(TrayStoreError, match="cannot be written"):
        store.put("0", Calibration(TRAY))


def test_password_of_a_stream_is_not_stored() -> None:
    key = camera_key("rtsp://me:secret@10.0.0.7:554/live?token=x")
    assert key == "rtsp://10.0.0.7:554/live"
    assert camera_key("0") == "0"


def test_tray_file_that_is_missing_or_odd_is_named(tmp_path: Path) -> None:
    with pytest.raises(TrayError, match=r"nix\.json"):
        load_tray(tmp_path / "nix.json")
    (tmp_path / "odd.json").write_text("[1]", "utf-8")
    with pytest.raises(TrayError, match=r"odd\.json: a tray is a JSON object"):
        load_tray(tmp_path / "odd.json")


def test_many_hands_at_once_leave_a_whole_tray_or_none(
    table: OpenTable, tmp_path: Path
) -> None:
    show(table, plain())
    store = TrayStore(tmp_path / "trays.json")

    def work(place: int) -> int:
        if place % 3 == 0:
            store.put("0", None)
            return table.client.application.test_client().delete(URL).status_code
        store.put("0", Calibration(TRAY))
        return table.client.application.test_client().put(URL, json=GOOD).status_code

    with ThreadPoolExecutor(6) as pool:
        assert set(pool.map(work, range(24))) == {200}
    stored = store.get("0")
    assert stored is None or stored.tray == TRAY
    state = checked(table.client.get(URL), "/tray", "get")
    assert state["tray"] is None or state["tray"]["quad"] == QUAD
