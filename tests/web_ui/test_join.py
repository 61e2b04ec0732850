"""How players join: the links of seats, and the hosts that phones can open."""

from __future__ import annotations

import json
from importlib import resources
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import jsonschema
import pytest

from web_ui.access.roles import Actor, Role
from web_ui.join import own_host, phones_host, qr_svg

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from flask.testing import FlaskClient
    from open_tables import OpenTable

from network_tables import NetworkTable

OPENAPI = json.loads(
    resources.files("web_ui").joinpath("openapi.json").read_text("utf-8")
)

NETWORK = "http://192.168.1.9:8765"


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[NetworkTable]:
    opened = NetworkTable(tmp_path)
    yield opened
    opened.close()


def operator(hall: NetworkTable) -> FlaskClient:
    """The operator's browser, at the table's address in the network."""
    client = hall.visitor()
    cookie = hall.keeper.begin(Actor(Role.OPERATOR))
    client.set_cookie(hall.keeper.cookie_name, cookie, domain="192.168.1.9")
    return client


def described(body: object) -> dict[str, Any]:
    answer = OPENAPI["paths"]["/join"]["get"]["responses"]["200"]
    jsonschema.validate(body, answer["content"]["application/json"]["schema"])
    assert isinstance(body, dict)
    return body


@pytest.mark.parametrize(
    ("asked", "bound_to", "names", "host"),
    [
        pytest.param("127.0.0.1:8765", "127.0.0.1", (), None, id="this-machine-only"),
        pytest.param("localhost", "::1", (), None, id="this-machine-only-by-six"),
        pytest.param("", "127.0.0.1", (), None, id="no-host"),
        pytest.param(
            "localhost:8765", "0.0.0.0", (), "192.168.1.5:8765", id="any-address"
        ),
        pytest.param("[::1]:8765", "::", (), "192.168.1.5:8765", id="any-by-six"),
        pytest.param("localhost", "0.0.0.0", (), "192.168.1.5", id="no-port"),
        pytest.param(
            "localhost:1", "10.0.0.7", (), "10.0.0.7:1", id="bound-to-one-address"
        ),
        pytest.param("localhost:1", "fd00::7", (), "[fd00::7]:1", id="bound-by-six"),
        pytest.param(
            "127.0.0.1:8765",
            "0.0.0.0",
            ("table.lan",),
            "table.lan:8765",
            id="name-of-the-table",
        ),
        pytest.param(
            "hall.example:8443",
            "127.0.0.1",
            ("hall.example",),
            "hall.example:8443",
            id="behind-a-proxy",
        ),
        pytest.param(
            "192.168.1.9:8765",
            "0.0.0.0",
            (),
            "192.168.1.9:8765",
            id="as-the-operator-came",
        ),
    ],
)
def test_phones_host(
    asked: str, bound_to: str, names: tuple[str, ...], host: str | None
) -> None:
    assert phones_host(asked, bound_to, names, lambda: "192.168.1.5") == host


def test_own_host_is_never_this_machine_alone() -> None:
    assert own_host()
    assert not own_host().startswith("127.")


def test_table_of_one_machine_says_why_no_phone_can_join(table: OpenTable) -> None:
    body = described(table.client.get("/api/v1/join").get_json())
    assert "--host" in body["sentence"]
    assert body["seats"] == [
        {"player": "Ann", "link": "/play?seat=Ann", "picture": None},
        {"player": "Bob", "link": "/play?seat=Bob", "picture": None},
    ]
    assert table.client.get("/api/v1/join.svg?seat=Ann").status_code == 409


def test_link_of_a_seat_makes_its_bearer_that_player(hall: NetworkTable) -> None:
    client = operator(hall)
    body = described(client.get("/api/v1/join", base_url=NETWORK).get_json())
    assert body["sentence"] is None
    assert [seat["player"] for seat in body["seats"]] == ["Ann", "Bob"]
    link = urlsplit(body["seats"][1]["link"])
    assert (link.scheme, link.netloc, link.path) == (
        "http",
        "192.168.1.9:8765",
        "/join",
    )
    actor = hall.keeper.actor_of_seat_code(parse_qs(link.query)["code"][0])
    assert actor is not None
    game = hall.table.thread.state.game
    assert game is not None
    assert (actor.role, actor.seat, actor.game) == (Role.PLAYER, "Bob", game.id)


def test_code_is_an_svg_of_a_player_at_the_table_alone(hall: NetworkTable) -> None:
    client = operator(hall)
    answer = client.get("/api/v1/join.svg?seat=Ann", base_url=NETWORK)
    assert answer.mimetype == "image/svg+xml"
    assert answer.data.startswith(b"<?xml")
    assert answer.headers["Cache-Control"] == "no-store"
    for query in ("", "?seat=", "?seat=Nobody", "?seat=%00", "?seat=" + "A" * 2000):
        refused = client.get(f"/api/v1/join.svg{query}", base_url=NETWORK)
        assert refused.status_code == 404, query


def test_links_of_seats_are_for_whoever_runs_the_table(hall: NetworkTable) -> None:
    client = hall.guest(Role.VIEWER)
    for path in ("/api/v1/join", "/api/v1/join.svg?seat=Ann"):
        assert client.get(path).status_code == 403
        assert hall.visitor().get(path).status_code == 401


def test_name_with_signs_of_all_kinds_is_escaped(table: OpenTable) -> None:
    names = ["A&B=C", "<b>", "Zoë ♥"]
    order = {"do": "start", "game": "classic", "players": names}
    assert table.client.post("/api/v1/commands", json=order).status_code == 200
    seats = table.client.get("/api/v1/join").get_json()["seats"]
    for name, seat in zip(names, seats, strict=True):
        assert seat["player"] == name
        assert parse_qs(urlsplit(seat["link"]).query)["seat"] == [name]
        assert seat["link"].isascii()


def test_drawing_has_no_size_of_its_own_and_is_black_on_white() -> None:
    svg = qr_svg("http://192.168.1.9:8765/play?seat=Ann").decode()
    assert "viewBox" in svg
    assert "width=" not in svg.split(">")[1]
    assert "#fff" in svg
    assert "#000" in svg
