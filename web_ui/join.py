"""How players come to their seats: a link for each, as a QR code to be photographed."""

from __future__ import annotations

import io
import json
import socket
from typing import TYPE_CHECKING
from urllib.parse import quote

import segno
from flask import Blueprint, Response, abort, jsonify, request

from web_ui.access.guards import host_name, is_loopback
from web_ui.access.present import the_door

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask.typing import ResponseReturnValue

    from web_ui.settings import Settings
    from web_ui.table_door import Parts

ANY = frozenset({"0.0.0.0", "::"})
"""Addresses that stand for all addresses of this machine."""
UNREACHABLE = (
    "This table listens on this machine only, so no phone can join."
    " Start it with --host 0.0.0.0."
)
QR_BORDER = 4
"""Quiet zone around a code, in its modules: what the standard asks for."""


def make_join_api(settings: Settings, parts: Parts, api: str) -> Blueprint:
    """Make the routes.

    Args:
        settings: where the table listens, and its names.
        parts: the running table.
        api: where everything for machines lies.
    """
    routes = Blueprint("join", __name__, url_prefix=api)

    def base() -> str | None:
        secure = settings.access.https or request.is_secure
        server = settings.server
        host = phones_host(
            request.headers.get("Host", ""), server.host, server.names, own_host
        )
        return None if host is None else f"http{'s' if secure else ''}://{host}"

    @routes.get("/join")
    def seats() -> ResponseReturnValue:
        """The link of each seat of the game on the table."""
        where = base()
        game, players = _game_now(parts)
        return jsonify(
            {
                "sentence": UNREACHABLE if where is None else None,
                "seats": [
                    {
                        "player": name,
                        "link": (where or "") + seat_path(name, game),
                        "picture": None
                        if where is None
                        else f"{api}/join.svg?seat={quote(name, safe='')}",
                    }
                    for name in players
                ],
            }
        )

    @routes.get("/join.svg")
    def code() -> ResponseReturnValue:
        """The link of one seat as a QR code."""
        where = base()
        if where is None:
            abort(409, UNREACHABLE)
        game, players = _game_now(parts)
        seat = request.args.get("seat", "")
        if seat not in players:
            abort(404, "seat must be a player of the game on the table")
        return Response(qr_svg(where + seat_path(seat, game)), mimetype="image/svg+xml")

    return routes


def seat_path(player: str, game: str) -> str:
    """The way to a seat: by a code where people log in, else by its name."""
    keeper = the_door().keeper
    if keeper is None:
        return f"/play?seat={quote(player, safe='')}"
    return f"/join?code={quote(keeper.seat_code(player, game), safe='')}"


def phones_host(
    asked: str,
    bound_to: str,
    names: tuple[str, ...],
    own: Callable[[], str],
) -> str | None:
    """Choose the host and port under which a phone can open the table.

    Args:
        asked: the Host header of whoever shows the code.
        bound_to: the address that is listened on.
        names: further names of the table in the network.
        own: called for this machine's address in the network, or its name.

    Returns:
        `host:port`; None if nobody but this machine can reach the table.
    """
    name = host_name(asked)
    if name is not None and not is_loopback(name):
        return asked  # it brought this page here, so it leads to the table
    _, colon, port = asked.rpartition(":")
    ending = f":{port}" if colon and port.isdecimal() else ""
    if names:
        return names[0] + ending
    if is_loopback(bound_to):
        return None
    found = own() if bound_to in ANY else bound_to
    return (f"[{found}]" if ":" in found else found) + ending


def own_host() -> str:
    """This machine's address in the network, or its name there. Sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # only asks which way packets would leave: 192.0.2.1 is nobody's (RFC 5737)
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return socket.gethostname()
        address: str = probe.getsockname()[0]
    return socket.gethostname() if is_loopback(address) else address


def qr_svg(text: str) -> bytes:
    """Draw a QR code, black on white whatever the page's colours are.

    Args:
        text: what a phone reads.

    Returns:
        An SVG file without a fixed size.
    """
    out = io.BytesIO()
    segno.make(text, error="m", micro=False).save(
        out, kind="svg", border=QR_BORDER, dark="#000", light="#fff", omitsize=True
    )
    return out.getvalue()


def _game_now(parts: Parts) -> tuple[str, list[str]]:
    latest = parts.feed.latest()
    if latest is None:
        return "", []
    state = json.loads(latest.body)
    if state["game"] is None:
        return "", []
    return state["game"]["id"], [player["name"] for player in state["players"]]
