"""Who asks, over HTTP: `/api/v1/session`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, jsonify

from web_ui.access.present import CSRF_HEADER, csrf_token, current_actor, the_door

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue


def make_session_api(prefix: str) -> Blueprint:
    """Make the route.

    Args:
        prefix: where the interface lies.
    """
    api = Blueprint("session", __name__, url_prefix=prefix)

    @api.get("/session")
    def session() -> ResponseReturnValue:
        """Who asks, what they may, and what their changes must carry."""
        actor = current_actor()
        assert actor is not None  # the door lets nobody else come here
        proof = csrf_token()
        return jsonify(
            {
                "login": the_door().keeper is not None,
                "role": actor.role,
                "name": actor.name,
                "seat": actor.seat or None,
                "csrf": {"header": CSRF_HEADER, "token": proof} if proof else None,
            }
        )

    return api
