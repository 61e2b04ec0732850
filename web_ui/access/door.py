"""The door of the app: every request passes here before it reaches a route."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode

from flask import Response, g, redirect, request

from web_ui.access.codes import same_hash
from web_ui.access.guards import (
    fetch_refusal,
    host_refusal,
    is_loopback,
    origin_refusal,
)
from web_ui.access.headers import harden
from web_ui.access.login import make_login_pages, refused_page
from web_ui.access.policy import least_role
from web_ui.access.present import (
    CSRF_HEADER,
    EXTENSION,
    Door,
    csrf_token,
    current_actor,
    logs_in,
    remember,
    the_door,
)
from web_ui.access.roles import LOCAL, Actor, Role
from web_ui.access.streams import end_with_login
from web_ui.answers import problem

if TYPE_CHECKING:
    from flask import Flask
    from flask.typing import ResponseReturnValue

    from web_ui.access.keeper import Keeper
    from web_ui.settings import Settings

API = "/api/"
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
CSRF_FIELD = "csrf_token"
OVERLAY = "/overlay"
"""The page that streaming software opens with a token in its address."""


def needs_login(settings: Settings, bound_to: str) -> bool:
    """Whether people must log in at a table that listens on an address."""
    return settings.access.login == "always" or not is_loopback(bound_to)


def install_access(
    app: Flask, settings: Settings, keeper: Keeper | None, bound_to: str
) -> None:
    """Put the door before all routes of an app.

    Args:
        app: the app, with its routes or before it gets them.
        settings: who has to log in, and under which names the table is opened.
        keeper: judges logins.
        bound_to: the address that is listened on.

    Raises:
        ValueError: others can reach the table, but there is no keeper.
    """
    locked = needs_login(settings, bound_to)
    if locked and keeper is None:
        raise ValueError(f"a table bound to {bound_to!r} needs a keeper of its logins")
    access = settings.access
    app.extensions[EXTENSION] = Door(
        keeper if locked else None,
        access.viewers == "open",
        access.https,
        access.session_hours * 3600,
    )
    app.register_blueprint(make_login_pages())
    names = (socket.gethostname(), *settings.server.names)

    @app.before_request
    def check() -> ResponseReturnValue | None:
        return _wrong_place(bound_to, names) or _identify() or _permit() or _own_page()

    @app.after_request
    def finish(response: Response) -> Response:
        harden(response, static=request.endpoint == "static", https=access.https)
        keeper = the_door().keeper
        cookie = g.get("cookie", "")
        if keeper is not None and cookie:
            end_with_login(response, lambda: keeper.session_of(cookie) is not None)
        return response

    @app.context_processor
    def words() -> dict[str, object]:
        return {"csrf_token": csrf_token, "actor": current_actor, "logs_in": logs_in}


def _wrong_place(bound_to: str, names: tuple[str, ...]) -> ResponseReturnValue | None:
    headers = request.headers
    refusal = host_refusal(bound_to, headers.get("Host", ""), names)
    if refusal is not None:
        return problem(421, refusal)
    site = headers.get("Sec-Fetch-Site", "")
    if request.method in SAFE:
        refusal = fetch_refusal(
            site,
            headers.get("Sec-Fetch-Mode", ""),
            headers.get("Sec-Fetch-Dest", ""),
        )
    else:
        refusal = origin_refusal(
            headers.get("Origin", ""), site, headers.get("Host", "")
        )
    return None if refusal is None else problem(403, refusal)


def _identify() -> ResponseReturnValue | None:
    door = the_door()
    g.actor, g.cookie = None, ""
    if door.keeper is None:
        g.actor = LOCAL
        return None
    kind, _, token = request.headers.get("Authorization", "").partition(" ")
    if kind.lower() == "bearer":
        found = door.keeper.token_of(token.strip())
        if found is None:  # never falls back to a cookie
            return _unknown("this token is not known")
        g.actor = Actor(found.role, found.name)
        return None
    cookie = request.cookies.get(door.keeper.cookie_name, "")
    session = door.keeper.session_of(cookie)
    if session is not None:
        g.actor, g.cookie = session.actor, cookie
    elif door.open_to_viewers:
        g.actor = Actor(Role.VIEWER)
    return _exchange(door.keeper)


def _exchange(keeper: Keeper) -> ResponseReturnValue | None:
    """Let streaming software in by the token in its address, once for a cookie."""
    token = request.args.get("token", "")
    if not token or request.path != OVERLAY or request.method not in ("GET", "HEAD"):
        return None
    rest = [(key, value) for key, value in request.args.items(True) if key != "token"]
    answer = redirect(f"{OVERLAY}?{urlencode(rest)}" if rest else OVERLAY, 303)
    if g.cookie:  # a link must not make a referee's browser a viewer's
        return answer
    found = keeper.token_of(token)
    if found is None or found.role is not Role.VIEWER:
        return problem(403, "token must be one with the role of a viewer")
    remember(answer, keeper.begin(Actor(Role.VIEWER, found.name), found.hash))
    return answer


def _permit() -> ResponseReturnValue | None:
    filename = str((request.view_args or {}).get("filename", ""))
    least = least_role(request.endpoint, filename)
    if least is None:
        return None
    actor = current_actor()
    if actor is None:
        return _unknown("log in first")
    if actor.role.reaches(least):
        return None
    if request.path.startswith(API) or request.method not in ("GET", "HEAD"):
        return problem(403, f"this needs the role {least}, not {actor.role}")
    return refused_page(least, actor)


def _unknown(sentence: str) -> ResponseReturnValue:
    page = request.method in ("GET", "HEAD") and not request.path.startswith(API)
    if page and "Authorization" not in request.headers:
        where = request.full_path.rstrip("?")
        return redirect(f"/login?next={quote(where, safe='/')}", 303)
    answer, status = problem(401, sentence)
    answer.headers["WWW-Authenticate"] = 'Bearer realm="tableside"'
    return answer, status


def _own_page() -> ResponseReturnValue | None:
    """Refuse a change that a cookie alone would make (cross-site request forgery)."""
    keeper = the_door().keeper
    if request.method in SAFE or keeper is None or not g.cookie:
        return None
    sent = request.headers.get(CSRF_HEADER, "") or request.form.get(CSRF_FIELD, "")
    if sent.isascii() and same_hash(sent, keeper.csrf_of(g.cookie)):
        return None
    return problem(
        403, f"{CSRF_HEADER} (or the field {CSRF_FIELD}) must be that of the page"
    )
