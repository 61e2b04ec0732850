"""Logins over HTTP: right and wrong codes, sessions, tokens, and attacks on them."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest
from network_tables import NetworkTable, csrf_of

from web_ui.access.access_file import load_access, save_access, with_new_code
from web_ui.access.login import local_path
from web_ui.access.roles import Role
from web_ui.cli import main
from web_ui.settings import AccessSettings

if TYPE_CHECKING:
    from pathlib import Path

    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

STATE = "/api/v1/state"
COMMANDS = "/api/v1/commands"
TRAY = "/api/v1/tray"
WAITING = 503
"""What the table without a camera says to whoever may look for its tray."""


def cookie_of(hall: NetworkTable, client: FlaskClient) -> str:
    found = client.get_cookie(hall.keeper.cookie_name)
    assert found is not None
    return found.value


def with_cookie(hall: NetworkTable, value: str, path: str = STATE) -> int:
    name = hall.keeper.cookie_name
    headers = {"Cookie": f"{name}={value}"}
    # a client that keeps cookies would send its own instead
    client = hall.app.test_client(use_cookies=False)
    return client.get(path, headers=headers).status_code


def find_tray(client: FlaskClient, **headers: str) -> TestResponse:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return client.post(f"{TRAY}/find", headers=named)


@pytest.mark.parametrize("role", [Role.VIEWER, Role.OPERATOR, Role.REFEREE])
def test_code_gives_its_role_and_leads_on(hall: NetworkTable, role: Role) -> None:
    client = hall.visitor()
    spaced = hall.codes[role].replace(" ", "-")
    answer = hall.log_in(client, spaced, "Ann", "/setup")
    assert (answer.status_code, answer.headers["Location"]) == (303, "/setup")
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert "Secure" not in cookie
    assert client.get(STATE).status_code == 200
    assert f"{role} Ann" in client.get("/login").get_data(as_text=True)


def test_cookie_is_for_https_only_when_settings_say_so(tmp_path: Path) -> None:
    hall = NetworkTable(tmp_path, AccessSettings(https=True))
    try:
        answer = hall.log_in(hall.visitor(), hall.codes[Role.VIEWER])
        assert "Secure" in answer.headers["Set-Cookie"]
        assert "Strict-Transport-Security" in answer.headers
    finally:
        hall.close()


def test_guessing_is_slowed_for_one_address_whatever_it_claims(
    hall: NetworkTable,
) -> None:
    client = hall.visitor("10.0.0.9")
    found = []
    for number in range(12):
        client.environ_base["HTTP_X_FORWARDED_FOR"] = f"10.1.1.{number}"
        found.append(hall.log_in(client, f"{number:08}").status_code)
    assert found == [403] * 8 + [429] * 4
    answer = hall.log_in(client, hall.codes[Role.REFEREE])
    assert answer.status_code == 429
    assert int(answer.headers["Retry-After"]) >= 1
    assert hall.log_in(hall.visitor(), hall.codes[Role.REFEREE]).status_code == 303


def test_racing_guesses_are_counted_before_they_are_judged(hall: NetworkTable) -> None:
    found: list[int] = []

    def guess() -> None:
        found.append(hall.log_in(hall.visitor("10.0.0.9"), "00000000").status_code)

    threads = [threading.Thread(target=guess) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == [403] * 8 + [429] * 12


def test_right_logins_do_not_use_up_the_wrong_ones(hall: NetworkTable) -> None:
    for _ in range(12):
        answer = hall.log_in(hall.visitor(), hall.codes[Role.VIEWER])
        assert answer.status_code == 303


def test_replayed_cookie_is_worthless_after_logout(hall: NetworkTable) -> None:
    client = hall.guest(Role.OPERATOR)
    kept = cookie_of(hall, client)
    assert with_cookie(hall, kept) == 200
    answer = client.post("/logout", data={"csrf_token": csrf_of(client)})
    assert answer.status_code == 303
    assert with_cookie(hall, kept) == 401
    assert client.get(STATE).status_code == 401


@pytest.mark.parametrize("value", ["x", "a.b", "é", "A" * 5000, '"\\377"', "."])
def test_forged_cookie_is_nobody(hall: NetworkTable, value: str) -> None:
    assert with_cookie(hall, value.encode().decode("latin-1")) == 401


def test_cookie_with_one_sign_changed_is_nobody(hall: NetworkTable) -> None:
    kept = cookie_of(hall, hall.guest(Role.REFEREE))
    assert with_cookie(hall, kept.swapcase()) == 401
    assert with_cookie(hall, ("b" if kept[0] == "a" else "a") + kept[1:]) == 401
    assert with_cookie(hall, kept) == 200


def test_login_begins_another_session_so_that_none_can_be_planted(
    hall: NetworkTable,
) -> None:
    client = hall.guest(Role.VIEWER)
    planted = cookie_of(hall, client)
    hall.log_in(client, hall.codes[Role.REFEREE])
    assert cookie_of(hall, client) != planted
    assert with_cookie(hall, planted) == 401


def test_change_needs_the_proof_of_the_page(hall: NetworkTable) -> None:
    client = hall.guest(Role.OPERATOR)
    proof = csrf_of(client)
    assert find_tray(client).status_code == 403
    assert find_tray(client, X_CSRF_Token="0" * 64).status_code == 403
    assert find_tray(client, X_CSRF_Token=proof.upper()).status_code == 403
    other = csrf_of(hall.guest(Role.OPERATOR))
    assert find_tray(client, X_CSRF_Token=other).status_code == 403
    assert find_tray(client, X_CSRF_Token=proof).status_code == WAITING
    page = client.get("/setup").get_data(as_text=True)
    assert f'<meta name="csrf-token" content="{proof}">' in page
    foreign = find_tray(client, X_CSRF_Token=proof, Origin="http://evil.example")
    assert foreign.status_code == 403


def test_foreign_page_may_not_look_either(hall: NetworkTable) -> None:
    client = hall.guest(Role.VIEWER)
    headers = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}
    assert client.get(STATE, headers=headers).status_code == 403


def test_rebound_name_is_refused_even_at_the_login(hall: NetworkTable) -> None:
    answer = hall.visitor().get("/login", headers={"Host": "evil.example"})
    assert answer.status_code == 421


def test_token_opens_what_its_role_may_and_nothing_in_another_case(
    hall: NetworkTable, capsys: pytest.CaptureFixture[str]
) -> None:
    data = ["access", "--data", str(hall.folder)]
    assert main([*data, "token", "add", "scores", "--role", "operator"]) == 0
    token = capsys.readouterr().out.strip()
    bearer = hall.visitor()

    def ask(text: str) -> int:
        headers = {"Authorization": text}
        return bearer.post(f"{TRAY}/find", headers=headers).status_code

    assert ask(f"Bearer {token}") == WAITING
    assert ask(f"bearer {token}") == WAITING
    for wrong in (token.swapcase(), token[:-1], token + "a", "", "é"):
        assert ask(f"Bearer {wrong}") == 401
    assert main([*data, "token", "list"]) == 0
    assert capsys.readouterr().out == "operator  scores\n"
    assert main([*data, "token", "remove", "scores"]) == 0
    assert ask(f"Bearer {token}") == 401
    assert main([*data, "token", "remove", "scores"]) == 1


def test_wrong_token_never_falls_back_to_a_cookie(hall: NetworkTable) -> None:
    client = hall.guest(Role.REFEREE)
    answer = client.get(STATE, headers={"Authorization": "Bearer nonsense"})
    assert answer.status_code == 401


def test_new_code_ends_all_sessions_of_a_running_table(hall: NetworkTable) -> None:
    client, path = hall.guest(Role.REFEREE), hall.folder / "access.json"
    stream = client.get("/api/v1/stream", buffered=False)
    chunks = stream.iter_encoded()
    assert next(chunks).startswith(b"retry: ")
    kept = load_access(path)
    assert kept is not None
    changed, code = with_new_code(kept, Role.VIEWER)
    save_access(path, changed)
    assert client.get(STATE).status_code == 401
    assert list(chunks) == []
    stream.close()
    assert hall.log_in(hall.visitor(), hall.codes[Role.VIEWER]).status_code == 403
    assert hall.log_in(hall.visitor(), code).status_code == 303


def test_file_damaged_meanwhile_lets_nobody_new_in_and_throws_nobody_out(
    hall: NetworkTable, caplog: pytest.LogCaptureFixture
) -> None:
    client = hall.guest(Role.REFEREE)
    (hall.folder / "access.json").write_text("{", "utf-8")
    assert client.get(STATE).status_code == 200
    assert hall.log_in(hall.visitor(), "").status_code == 403
    assert "logins stay as they were" in caplog.text


def test_overlay_trades_the_token_in_its_address_for_a_cookie(
    hall: NetworkTable, capsys: pytest.CaptureFixture[str]
) -> None:
    data = ["access", "--data", str(hall.folder)]
    main([*data, "token", "add", "stream", "--role", "viewer"])
    main([*data, "token", "add", "robot", "--role", "referee"])
    viewer, referee = [
        line for line in capsys.readouterr().out.split() if line.startswith("table")
    ]
    software = hall.visitor()
    assert software.get(f"/overlay?token={referee}").status_code == 403
    assert software.get("/overlay?token=nonsense").status_code == 403
    answer = software.get(f"/overlay?token={viewer}&scale=2")
    assert (answer.status_code, answer.headers["Location"]) == (303, "/overlay?scale=2")
    assert software.get(STATE).status_code == 200
    assert hall.visitor().get(f"{STATE}?token={viewer}").status_code == 401
    main([*data, "token", "remove", "stream"])
    assert software.get(STATE).status_code == 401


def test_overlay_address_does_not_make_a_referee_a_viewer(
    hall: NetworkTable, capsys: pytest.CaptureFixture[str]
) -> None:
    data = ["access", "--data", str(hall.folder)]
    main([*data, "token", "add", "stream", "--role", "viewer"])
    client = hall.guest(Role.REFEREE)
    client.get(f"/overlay?token={capsys.readouterr().out.strip()}")
    assert client.get("/setup").status_code == 200


def test_seat_is_taken_by_a_tap_not_by_a_preview_of_the_link(
    hall: NetworkTable,
) -> None:
    code = hall.keeper.seat_code("<b>Ann</b>", "game-1")
    phone = hall.visitor()
    page = phone.get(f"/join?code={code}")
    assert "&lt;b&gt;Ann&lt;/b&gt;" in page.get_data(as_text=True)
    assert "Set-Cookie" not in page.headers
    answer = phone.post("/join", data={"code": code})
    assert (answer.status_code, answer.headers["Location"]) == (303, "/play")
    actor = hall.keeper.session_of(cookie_of(hall, phone))
    assert actor is not None
    assert (actor.actor.role, actor.actor.seat, actor.actor.game) == (
        Role.PLAYER,
        "<b>Ann</b>",
        "game-1",
    )
    assert phone.get("/setup").status_code == 403
    for wrong in ("", "x", code[:-1], code.swapcase(), "A" * 3000):
        assert phone.post("/join", data={"code": wrong}).status_code == 403


def test_open_table_lets_anybody_look_and_nobody_run_it(tmp_path: Path) -> None:
    hall = NetworkTable(tmp_path, AccessSettings(viewers="open"))
    try:
        assert hall.visitor().get(STATE).status_code == 200
        assert hall.visitor().get("/setup").status_code == 403
        assert hall.visitor().post(COMMANDS, json={"do": "draw"}).status_code == 403
    finally:
        hall.close()


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("<script>alert(1)</script>"[:24], 303),
        ("../../etc/passwd", 303),
        ("\u202eevil", 400),
        ("a\0b", 400),
        ("x" * 25, 400),
        ("x" * 10_000, 400),
    ],
)
def test_names_are_harmless_or_refused(
    hall: NetworkTable, name: str, status: int
) -> None:
    client = hall.visitor()
    answer = hall.log_in(client, hall.codes[Role.VIEWER], name)
    assert answer.status_code == status
    assert "<script>a" not in client.get("/login").get_data(as_text=True)


@pytest.mark.parametrize(
    "way", ["//evil.example", "http://evil", "/\\evil", "/a\nb", "", "/login", "é"]
)
def test_login_leads_nowhere_else(way: str) -> None:
    assert local_path(way) == "/"


def test_private_answers_are_not_kept(hall: NetworkTable) -> None:
    headers = hall.guest(Role.VIEWER).get(STATE).headers
    assert headers["Cache-Control"] == "no-store"
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert "camera=()" in headers["Permissions-Policy"]
