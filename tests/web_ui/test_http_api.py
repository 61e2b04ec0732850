"""The HTTP interface: every route, every error, and its description."""

from __future__ import annotations

import json
import re
from importlib import resources
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator
from open_tables import SETTINGS, OpenTable, with_server
from table_makers import FIRST, THIRD, reading

from vision.reading import Status
from web_ui.camera_news import CameraState
from web_ui.settings import GameSettings, Settings

if TYPE_CHECKING:
    from werkzeug.test import TestResponse

API = "/api/v1"
OPENAPI: dict[str, Any] = json.loads(
    resources.files("web_ui").joinpath("openapi.json").read_text("utf-8")
)


def check(answer: TestResponse, path: str, method: str = "get") -> Any:
    """Compare an answer with its description; give its JSON."""
    described = OPENAPI["paths"][path][method]["responses"][str(answer.status_code)]
    schema = described["content"][answer.mimetype]["schema"]
    if answer.mimetype != "application/json":
        return None
    whole = {**schema, "components": OPENAPI["components"]}
    Draft202012Validator(whole).validate(answer.json)
    return answer.json


def post(table: OpenTable, data: object, **kwargs: Any) -> TestResponse:
    return table.client.post(f"{API}/commands", json=data, **kwargs)


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        pytest.param("/virtual", "was not started with --virtual", id="virtual"),
        pytest.param("/nothing", "not found on the server", id="unknown"),
        pytest.param("/setup/sheet-x.pdf", "there is no sheet", id="known"),
    ],
)
def test_page_that_is_not_there_is_told_to_a_browser_as_a_page(
    table: OpenTable, path: str, sentence: str
) -> None:
    browser = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    page = table.client.get(path, headers=browser)
    assert (page.status_code, page.mimetype) == (404, "text/html")
    assert sentence in page.text
    assert 'href="/"' in page.text
    told = table.client.get(path)
    assert (told.status_code, told.mimetype) == (404, "application/json")
    assert sentence in told.get_json()["error"]


def test_virtual_table_that_is_not_there_is_told_to_programs(table: OpenTable) -> None:
    told = table.client.get(f"{API}/virtual", headers={"Accept": "text/html"})
    assert (told.status_code, told.mimetype) == (404, "application/json")
    assert "--virtual" in told.get_json()["error"]


def test_setup_page_leads_to_the_review(table: OpenTable) -> None:
    assert 'href="/dataset"' in table.client.get("/setup").text


def test_description_is_a_schema_itself() -> None:
    for name, schema in OPENAPI["components"]["schemas"].items():
        Draft202012Validator.check_schema(schema)
        assert schema["type"] == "object", name


def test_description_names_exactly_the_routes_there_are(table: OpenTable) -> None:
    routes = {
        (re.sub(r"<(?:int:)?(\w+)>", r"{\1}", rule.rule.removeprefix(API)), method)
        for rule in table.client.application.url_map.iter_rules()
        for method in rule.methods or ()
        if rule.rule.startswith(API) and method in ("GET", "POST", "PUT", "DELETE")
    }
    described = {
        (path, method.upper())
        for path, methods in OPENAPI["paths"].items()
        for method in methods
    }
    assert routes == described


def test_state_is_as_described_from_the_first_moment_on(table: OpenTable) -> None:
    assert check(table.client.get(f"{API}/state"), "/state")["reading"] is None


@pytest.mark.parametrize("status", list(Status))
def test_state_with_a_reading_is_as_described(table: OpenTable, status: Status) -> None:
    check(post(table, {"do": "draw"}), "/commands", "post")
    doubtful = () if status is Status.SURE else (2,)
    table.settle(reading(FIRST.replace("5H", "?"), 1, status, doubtful))
    state = check(table.client.get(f"{API}/state"), "/state")
    assert state["reading"]["status"] == status
    table.settle(reading(THIRD, 2))
    check(table.client.get(f"{API}/state"), "/state")


def test_whole_turn_is_played_by_commands(table: OpenTable) -> None:
    assert post(table, {"do": "draw", "card": "T18"}).status_code == 200
    table.settle(reading(THIRD, 1))
    kept = check(post(table, {"do": "keep", "dice": [0, 1]}), "/commands", "post")
    assert kept["turn"]["kept"] == [0, 1]
    stopped = check(post(table, {"do": "stop"}), "/commands", "post")
    assert stopped["players"][0]["score"] == 10
    assert stopped == check(table.client.get(f"{API}/state"), "/state")
    following = check(post(table, {"do": "draw"}), "/commands", "post")
    assert following["turn"]["player"] == "Bob"


def test_refused_command_is_409_with_sentence_and_rule(table: OpenTable) -> None:
    before = table.feed.latest()
    answer = post(table, {"do": "keep", "dice": [0]})
    told = check(answer, "/commands", "post")
    assert answer.status_code == 409
    assert told["rule"] == "CM-06"
    assert told["error"].endswith(".")
    assert table.feed.latest() == before


@pytest.mark.parametrize(
    "data",
    [
        {"do": "dance"},
        [],
        {"do": "keep", "dice": "all"},
        {"do": "stop", "step": "x"},
    ],
)
def test_malformed_command_is_400(table: OpenTable, data: object) -> None:
    answer = post(table, data)
    assert answer.status_code == 400
    assert check(answer, "/commands", "post")["rule"] is None


@pytest.mark.parametrize("body", [b"", b"{", b"\xff\xfe", b"[" * 5000])
def test_body_that_is_not_json_is_400(table: OpenTable, body: bytes) -> None:
    url = f"{API}/commands"
    answer = table.client.post(url, data=body, content_type="application/json")
    assert answer.status_code == 400
    check(answer, "/commands", "post")


def test_body_of_another_kind_is_415(table: OpenTable) -> None:
    answer = table.client.post(f"{API}/commands", data={"do": "stop"})
    assert answer.status_code == 415
    check(answer, "/commands", "post")


def test_large_body_is_413(table: OpenTable) -> None:
    answer = post(table, {"do": "stop", "extra": "x" * 20_000})
    assert answer.status_code == 413
    check(answer, "/commands", "post")


def test_command_of_a_foreign_page_is_403(table: OpenTable) -> None:
    answer = post(table, {"do": "draw"}, headers={"Origin": "http://evil.example"})
    assert answer.status_code == 403
    check(answer, "/commands", "post")
    assert table.thread.state.game is not None
    assert table.thread.state.game.state.target is None


def test_foreign_host_is_refused_everywhere(table: OpenTable) -> None:
    for path in ("/", f"{API}/state", f"{API}/health", "/static/dashboard.js"):
        answer = table.client.get(path, headers={"Host": "evil.example"})
        assert answer.status_code == 421, path


def test_command_is_503_when_the_table_is_closed(table: OpenTable) -> None:
    table.close()
    answer = post(table, {"do": "draw"})
    assert answer.status_code == 503
    check(answer, "/commands", "post")


def test_reading_and_its_picture_are_kept(table: OpenTable) -> None:
    table.settle(reading(FIRST, 1))
    state = table.client.get(f"{API}/state").get_json()["reading"]
    kept = check(table.client.get(state["url"]), "/readings/{reading_id}")
    assert kept["dice"][0]["alternatives"][0]["code"] == "QH"
    answer = table.client.get(state["picture"])
    check(answer, "/readings/{reading_id}/picture.jpg")
    assert answer.data[:2] == b"\xff\xd8"
    again = table.client.get(
        state["picture"], headers={"If-None-Match": answer.headers["ETag"]}
    )
    assert again.status_code == 304
    assert again.data == b""


def test_reading_shows_what_a_person_answered(table: OpenTable) -> None:
    post(table, {"do": "draw"})
    table.settle(reading(FIRST, 1, Status.ASK, (2,)))
    post(table, {"do": "correct", "reading": 1, "die": 2, "face": "TS"})
    kept = table.client.get(f"{API}/readings/1").get_json()
    assert kept["use"] == "taken"
    assert kept["dice"][2]["face"]["code"] == "TS"
    assert table.client.get(f"{API}/readings/1/picture.jpg").status_code == 200


@pytest.mark.parametrize("what", ["", "/picture.jpg"])
def test_unknown_reading_is_404(table: OpenTable, what: str) -> None:
    answer = table.client.get(f"{API}/readings/999{what}")
    assert answer.status_code == 404
    check(answer, "/readings/{reading_id}" + what)
    assert table.client.get(f"{API}/readings/-1{what}").status_code == 404


def test_reading_that_this_run_forgot_comes_from_the_store() -> None:
    game = GameSettings(players=("Ann",), readings_kept=2)
    table = OpenTable(Settings(server=SETTINGS.server, game=game))
    try:
        for seed in (1, 2, 3):
            table.settle(reading(FIRST, seed))
        old = table.client.get(f"{API}/readings/1")
        assert check(old, "/readings/{reading_id}")["id"] == 1
        shown = table.client.get(f"{API}/readings/1/picture.jpg")
        assert shown.data[:2] == b"\xff\xd8"
        assert table.client.get(f"{API}/readings/3").get_json()["id"] == 3
        assert table.client.get(f"{API}/readings/4").status_code == 404
    finally:
        table.close()


def test_health_is_always_well_and_ready_says_why_not(table: OpenTable) -> None:
    check(table.client.get(f"{API}/health"), "/health")
    answer = table.client.get(f"{API}/ready")
    assert answer.status_code == 503
    assert check(answer, "/ready")["reasons"] == ["Opening the camera"]
    table.camera(CameraState.LIVE)
    answer = table.client.get(f"{API}/ready")
    assert answer.status_code == 200
    assert check(answer, "/ready") == {"status": "ready", "reasons": []}


def test_description_is_served(table: OpenTable) -> None:
    answer = table.client.get(f"{API}/openapi.json")
    assert check(answer, "/openapi.json") == OPENAPI


def test_wrong_method_and_unknown_path_answer_in_json(table: OpenTable) -> None:
    assert table.client.get(f"{API}/commands").status_code == 405
    answer = table.client.get(f"{API}/nothing")
    assert answer.status_code == 404
    assert "error" in answer.get_json()


def test_stream_begins_with_the_state_and_its_id(table: OpenTable) -> None:
    answer = table.client.get(f"{API}/stream", buffered=False)
    assert answer.mimetype == "text/event-stream"
    chunks = answer.iter_encoded()
    assert next(chunks).startswith(b"retry: ")
    assert next(chunks).startswith(b"event: clock\ndata: ")
    assert next(chunks).startswith(b"id: test-1\nevent: state\ndata: {")
    answer.close()


def test_too_many_streams_are_503_until_one_ends() -> None:
    table = OpenTable(with_server(streams=1))
    try:
        first = table.client.get(f"{API}/stream", buffered=False)
        refused = table.client.get(f"{API}/stream")
        assert refused.status_code == 503
        assert refused.headers["Retry-After"] == "5"
        check(refused, "/stream")
        first.close()
        table.client.get(f"{API}/stream", buffered=False).close()
    finally:
        table.close()


def test_answers_forbid_what_the_page_does_not_need(table: OpenTable) -> None:
    for path in ("/", f"{API}/state"):
        headers = table.client.get(path).headers
        assert "default-src 'self'" in headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff"
    assert table.client.get(f"{API}/state").headers["Cache-Control"] == "no-store"


def test_page_needs_nothing_from_elsewhere(table: OpenTable) -> None:
    page = table.client.get("/").get_data(as_text=True)
    assert 'id="tiles"' in page
    assert "http://" not in page.replace("http://www.w3.org", "")
    assert "https://" not in page
    assert " style=" not in page
    for name in ("dashboard.js", "layout.css", "icon.svg"):
        with table.client.get(f"/static/{name}") as answer:
            assert answer.status_code == 200
