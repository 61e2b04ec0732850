"""Login, joining a seat, logout: forms that work without scripts."""

from __future__ import annotations

import logging
import math
from typing import TYPE_CHECKING

from flask import Blueprint, g, make_response, redirect, render_template, request

from web_ui.access.limits import Buckets, address_key
from web_ui.access.names import NameRefusedError, clean_name
from web_ui.access.present import current_actor, remember, the_door
from web_ui.access.roles import Actor

if TYPE_CHECKING:
    from flask import Response
    from flask.typing import ResponseReturnValue

    from web_ui.access.roles import Role

log = logging.getLogger(__name__)

EVERYBODY = "everybody"


class Attempts:
    """The bounds on logins: wrong ones for each address and for all, right ones too."""

    def __init__(self) -> None:
        self._address = Buckets(8, 30)
        # 8,640 guesses a day at 3 codes of 8 digits: over five years for an even chance
        self._all = Buckets(40, 10)
        self._right = Buckets(60, 5)

    def take(self, address: str) -> float:
        """Count an attempt; returns 0, or the seconds to wait."""
        wait = self._address.take(address)
        if wait:
            return wait
        wait = self._all.take(EVERYBODY)
        if wait:
            self._address.give_back(address)
        return wait

    def was_right(self, address: str) -> None:
        """The attempt gave the right code: it does not count as a wrong one."""
        if not self._right.take(address):
            self._address.give_back(address)
            self._all.give_back(EVERYBODY)


def make_login_pages() -> Blueprint:
    """Make the routes."""
    pages = Blueprint("access", __name__)
    attempts = Attempts()

    @pages.get("/login")
    def login() -> ResponseReturnValue:
        """The page to log in."""
        if the_door().keeper is None:
            return redirect("/", 303)
        return _page(200, way=local_path(request.args.get("next", "")))

    @pages.post("/login")
    def log_in() -> ResponseReturnValue:
        """Log in by a code."""
        way = local_path(request.form.get("next", ""))
        keeper = the_door().keeper
        if keeper is None:
            return redirect("/", 303)
        try:
            name = clean_name(request.form.get("name", ""))
        except NameRefusedError as error:
            return _page(400, f"The {error}.", way)
        address = address_key(request.remote_addr)
        wait_s = attempts.take(address)
        if wait_s:
            log.warning("too many wrong codes, lastly from %s", address)
            return _wait(wait_s, name, way)
        role = keeper.role_of_code(request.form.get("code", ""))
        if role is None:
            return _page(403, "This code is not known. Try again.", way, name)
        attempts.was_right(address)
        return _let_in(Actor(role, name), way)

    @pages.get("/join")
    def join() -> ResponseReturnValue:
        """The page that a seat's link opens; a preview of the link joins nothing."""
        return _seat_page(request.args.get("code", ""))

    @pages.post("/join")
    def take_seat() -> ResponseReturnValue:
        """Become the player of a seat."""
        keeper, code = the_door().keeper, request.form.get("code", "")
        actor = keeper.actor_of_seat_code(code) if keeper else None
        return _seat_page(code) if actor is None else _let_in(actor, "/play")

    @pages.post("/logout")
    def log_out() -> ResponseReturnValue:
        """Log out."""
        door = the_door()
        answer = redirect("/login" if door.keeper else "/", 303)
        if door.keeper is not None and g.cookie:
            door.keeper.end(g.cookie)
            answer.delete_cookie(door.keeper.cookie_name, httponly=True, samesite="Lax")
        return answer

    return pages


def local_path(way: str) -> str:
    """Take a way within this table; anything else becomes `/`."""
    plain = way.isascii() and way.isprintable() and "\\" not in way
    if not plain or not way.startswith("/") or way.startswith("//") or len(way) > 300:
        return "/"
    return "/" if way.startswith(("/login", "/logout", "/join")) else way


def refused_page(least: Role, actor: Actor) -> ResponseReturnValue:
    """The page that says that somebody's role does not suffice."""
    sentence = f"This page is for the {least}; you are here as {actor.role}."
    return _page(403, sentence, local_path(request.full_path.rstrip("?")))


def _let_in(actor: Actor, way: str) -> ResponseReturnValue:
    keeper = the_door().keeper
    assert keeper is not None
    if g.cookie:  # a session never changes its role: it ends, and another begins
        keeper.end(g.cookie)
    answer = redirect(way, 303)
    remember(answer, keeper.begin(actor))
    return answer


def _seat_page(code: str) -> ResponseReturnValue:
    keeper = the_door().keeper
    if keeper is None:
        return redirect("/", 303)
    actor = keeper.actor_of_seat_code(code)
    if actor is None:
        return _page(403, "This link is not known, or is of an earlier evening.")
    return make_response(
        render_template("login.html", seat=actor.seat, code=code, sentence="")
    )


def _wait(wait_s: float, name: str, way: str) -> ResponseReturnValue:
    seconds = math.ceil(wait_s)
    answer = _page(429, f"Too many wrong codes. Wait {seconds} s.", way, name)
    answer.headers["Retry-After"] = str(seconds)
    return answer


def _page(status: int, sentence: str = "", way: str = "/", name: str = "") -> Response:
    return make_response(
        render_template(
            "login.html",
            seat="",
            sentence=sentence,
            way=way,
            name=name,
            here=current_actor(),
        ),
        status,
    )
