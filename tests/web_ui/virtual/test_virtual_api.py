"""The virtual table over HTTP."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from flask import Flask

from web_ui.access.door import install_access
from web_ui.settings import Settings
from web_ui.virtual.api import make_virtual_api
from web_ui.virtual.table import card_table

if TYPE_CHECKING:
    from flask.testing import FlaskClient

    from web_ui.virtual.table import VirtualTable

PATH = "/api/v1/virtual"


@pytest.fixture
def table() -> VirtualTable:
    return card_table(1)


@pytest.fixture
def client(table: VirtualTable) -> FlaskClient:
    app = Flask("virtual")
    install_access(app, Settings(), None, "127.0.0.1")
    app.register_blueprint(make_virtual_api(table, "/api/v1"))
    return app.test_client()


def test_throw_answers_with_what_will_lie_there(
    client: FlaskClient, table: VirtualTable
) -> None:
    answer = client.post(PATH, json={"do": "throw", "faces": ["AS", "KH"], "keep": []})
    assert answer.status_code == 200
    assert answer.get_json()["planned"] == {"throw": 1, "faces": ["AS", "KH"]}
    assert answer.get_json()["dice"] == []
    for _ in range(60):
        table.next_shot()
    state = client.get(PATH).get_json()
    assert (state["throw"], state["resting"]) == (1, True)
    assert [die["face"] for die in state["dice"]] == ["AS", "KH"]
    assert all(0 < die["x"] < 1280 and 0 < die["y"] < 720 for die in state["dice"])


@pytest.mark.parametrize(
    ("body", "status"),
    [
        pytest.param(b"", 400, id="empty"),
        pytest.param(b"{", 400, id="broken"),
        pytest.param(b"[" * 20_000, 400, id="deep"),
        pytest.param(b'{"do": "fly"}', 400, id="unknown"),
        pytest.param(b"\xff\xfe", 400, id="not-text"),
    ],
)
def test_junk_is_refused(client: FlaskClient, body: bytes, status: int) -> None:
    answer = client.post(PATH, data=body, content_type="application/json")
    assert answer.status_code == status


def test_other_content_is_refused(client: FlaskClient) -> None:
    assert client.post(PATH, data="do=throw").status_code == 415


def test_bad_field_is_named(client: FlaskClient) -> None:
    answer = client.post(PATH, json={"do": "hand", "seconds": "long"})
    assert answer.status_code == 400
    assert answer.get_json()["error"].startswith("seconds: ")


def test_busy_table_answers_409(client: FlaskClient) -> None:
    statuses = [client.post(PATH, json={"do": "throw"}).status_code for _ in range(3)]
    assert statuses == [200, 200, 409]


def test_commands_of_other_pages_are_refused(client: FlaskClient) -> None:
    headers = {"Origin": "http://elsewhere.example", "Host": "localhost"}
    body = json.dumps({"do": "throw"})
    answer = client.post(
        PATH, data=body, content_type="application/json", headers=headers
    )
    assert answer.status_code == 403
    assert client.get(PATH).get_json()["planned"]["throw"] == 0
