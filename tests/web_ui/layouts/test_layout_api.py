"""Orders about a layout over HTTP: what is refused, and who may give them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from seen_games import played, stored

from scoring.dice_sets import bundled_dice_set
from web_ui.access.policy import least_role
from web_ui.access.roles import Role
from web_ui.layouts.api import make_layouts_api
from web_ui.layouts.layout_desk import LayoutDesk
from web_ui.layouts.question import answer

if TYPE_CHECKING:
    from pathlib import Path

    from flask.testing import FlaskClient
    from open_tables import OpenTable

URL = "/api/v1/layout"


@pytest.fixture
def asked(tmp_path: Path) -> FlaskClient:
    """An app with nothing but the layout that 30 turns leave no doubt of."""
    from flask import Flask

    from web_ui.access.door import install_access
    from web_ui.settings import Settings

    path = stored(tmp_path, played(30)[0].events)
    dice = bundled_dice_set("square-shooters")
    desk = LayoutDesk(tmp_path, str(path), lambda: 99, dice, lambda: "", answer)
    desk.look()
    app = Flask("layouts")
    install_access(app, Settings(), None, "127.0.0.1")
    app.register_blueprint(make_layouts_api(desk, "/api/v1"))
    return app.test_client()


@pytest.mark.parametrize(
    "body",
    [
        pytest.param([], id="list"),
        pytest.param({}, id="empty"),
        pytest.param({"do": "fly", "proposal": ""}, id="unknown"),
        pytest.param({"do": ["use"], "proposal": ""}, id="no-word"),
        pytest.param({"do": "put_off"}, id="of-nothing"),
        pytest.param({"do": "use", "proposal": ""}, id="without-name"),
        pytest.param({"do": "use", "proposal": "", "name": 5}, id="name-no-text"),
        pytest.param({"do": "wrong", "proposal": "", "die": "1"}, id="die-text"),
        pytest.param({"do": "wrong", "proposal": "", "die": True}, id="die-true"),
    ],
)
def test_what_is_no_order_is_400(asked: FlaskClient, body: object) -> None:
    assert asked.post(URL, json=body).status_code == 400
    assert asked.get(URL).get_json()["standing"] == "proposed"


def test_deep_and_foreign_orders_are_refused(asked: FlaskClient) -> None:
    deep = asked.post(URL, data=b"[" * 20_000, content_type="application/json")
    assert deep.status_code == 400
    assert asked.post(URL, data="do=use").status_code == 415
    foreign = {"Origin": "http://elsewhere.example", "Host": "localhost"}
    assert asked.post(URL, json={}, headers=foreign).status_code == 403


def test_order_about_another_layout_is_409(asked: FlaskClient) -> None:
    order = {"do": "put_off", "proposal": "0" * 16}
    answered = asked.post(URL, json=order)
    assert answered.status_code == 409
    assert "look at it again" in answered.get_json()["error"]


def test_layout_is_put_off_used_and_called_wrong(asked: FlaskClient) -> None:
    word = asked.get(URL).get_json()["proposal"]
    put_off = asked.post(URL, json={"do": "put_off", "proposal": word})
    assert put_off.get_json()["standing"] == "put_off"
    huge = {"do": "wrong", "die": 10**30, "proposal": word}
    assert asked.post(URL, json=huge).status_code == 409
    used = asked.post(URL, json={"do": "use", "name": "mine", "proposal": word})
    assert (used.get_json()["name"], used.get_json()["in_use"]) == ("mine", False)
    again = asked.post(URL, json={"do": "use", "name": "mine", "proposal": word})
    assert again.status_code == 409
    wrong = asked.post(URL, json={"do": "wrong", "die": None, "proposal": word})
    assert wrong.get_json()["standing"] == "gathering"


def test_table_that_gathers_nothing_says_so(table: OpenTable) -> None:
    assert table.client.get(URL).get_json()["standing"] == "off"
    order = {"do": "put_off", "proposal": ""}
    assert table.client.post(URL, json=order).status_code == 409


def test_only_operators_see_and_decide() -> None:
    assert least_role("layouts.layout") is Role.OPERATOR
    assert least_role("layouts.decide") is Role.OPERATOR
