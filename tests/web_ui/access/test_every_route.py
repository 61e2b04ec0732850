"""Every route of the app: a policy for each, nothing without login but what is open."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from flask import Flask
from open_tables import SETTINGS

from web_ui.access.door import install_access
from web_ui.access.policy import OPEN_FILES, POLICY, least_role
from web_ui.access.roles import Role

if TYPE_CHECKING:
    from collections.abc import Iterator

    from network_tables import NetworkTable

OPEN_PATHS = {
    "/api/v1/health",
    "/api/v1/ready",
    "/login",
    "/join",
    *(f"/static/{name}" for name in OPEN_FILES),
}


def addresses(hall: NetworkTable) -> Iterator[tuple[str, str]]:
    for rule in hall.app.url_map.iter_rules():
        path = re.sub(r"<int:\w+>", "1", rule.rule)
        path = re.sub(r"<path:filename>", "dashboard.js", path)
        path = re.sub(r"<\w+>", "a4", path)
        for method in sorted(rule.methods or ()):
            yield method, path


def test_every_route_has_a_policy(hall: NetworkTable) -> None:
    routes = {rule.endpoint for rule in hall.app.url_map.iter_rules()}
    assert routes - set(POLICY) == set(), "add these to web_ui/access/policy.py"


def test_route_without_policy_needs_a_referee() -> None:
    assert least_role("pages.forgotten") is Role.REFEREE
    assert least_role(None) is Role.VIEWER


def test_without_login_nothing_is_answered_but_what_is_open(hall: NetworkTable) -> None:
    asked = 0
    for method, path in addresses(hall):
        if path in OPEN_PATHS:
            continue
        answer = hall.visitor().open(path, method=method)
        if answer.status_code == 303:
            assert answer.headers["Location"].startswith("/login?next="), path
        else:
            assert answer.status_code == 401, (method, path)
            assert "WWW-Authenticate" in answer.headers
        assert b"chips" not in answer.data
        asked += 1
    assert asked > 30


@pytest.mark.parametrize("path", sorted(OPEN_PATHS - {"/join", "/api/v1/ready"}))
def test_what_is_open_is_answered_without_login(hall: NetworkTable, path: str) -> None:
    with hall.visitor().get(path) as answer:
        assert answer.status_code == 200


def test_unknown_path_is_not_told_to_strangers(hall: NetworkTable) -> None:
    assert hall.visitor().get("/api/v1/nothing").status_code == 401
    assert hall.guest(Role.VIEWER).get("/api/v1/nothing").status_code == 404


def test_viewer_looks_but_neither_sets_nor_commands(hall: NetworkTable) -> None:
    viewer = hall.guest(Role.VIEWER)
    assert viewer.get("/api/v1/state").status_code == 200
    assert viewer.get("/").status_code == 200
    refused = viewer.get("/setup")
    assert refused.status_code == 403
    assert "for the operator" in refused.get_data(as_text=True)
    assert viewer.get("/api/v1/tray").status_code == 403
    assert viewer.get("/api/v1/tray/picture.jpg").status_code == 403


def test_network_table_without_keeper_is_not_made() -> None:
    with pytest.raises(ValueError, match="keeper"):
        install_access(Flask("web_ui"), SETTINGS, None, "0.0.0.0")
