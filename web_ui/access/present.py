"""Who is here: what routes and templates may ask about the request that is answered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from flask import abort, current_app, g, request

if TYPE_CHECKING:
    from werkzeug.wrappers import Response

    from web_ui.access.keeper import Keeper
    from web_ui.access.roles import Actor, Role

CSRF_HEADER = "X-CSRF-Token"
"""Carries what proves that a change comes from a page of this table."""
EXTENSION = "tableside_access"
"""Under which name an app keeps its door."""


@dataclass(frozen=True, slots=True)
class Door:
    """How an app lets people in.

    Attributes:
        keeper: judges them; None where everybody is the local referee.
        open_to_viewers: whether looking needs no login.
        https: whether cookies are sent over https only, whatever arrives here.
        session_s: how long a login lasts.
    """

    keeper: Keeper | None
    open_to_viewers: bool
    https: bool
    session_s: float


def the_door() -> Door:
    """The door of the app that answers now."""
    door: Door = current_app.extensions[EXTENSION]
    return door


def current_actor() -> Actor | None:
    """Who asks; None if nobody is logged in, which only open routes see."""
    actor: Actor | None = g.get("actor")
    return actor


def need(role: Role) -> Actor:
    """Refuse whoever asks with 403 unless they reach a role; returns who asks."""
    actor = current_actor()
    if actor is None or not actor.role.reaches(role):
        abort(403, f"this needs the role {role}")
    return actor


def logs_in() -> bool:
    """Whether people log in at this table at all."""
    return the_door().keeper is not None


def csrf_token() -> str:
    """What a form or script sends with each change; empty where none is needed."""
    keeper, cookie = the_door().keeper, g.get("cookie", "")
    return keeper.csrf_of(cookie) if keeper is not None and cookie else ""


def remember(response: Response, cookie: str) -> None:
    """Give the browser the cookie of a new session."""
    door = the_door()
    assert door.keeper is not None
    response.set_cookie(
        door.keeper.cookie_name,
        cookie,
        max_age=round(door.session_s),
        httponly=True,
        secure=door.https or request.is_secure,
        # not Strict: a link in a message would find people logged out
        samesite="Lax",
    )
