"""The pages for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, render_template, request

from scoring.cards import CARD_DICE_FACES
from web_ui.access.present import current_actor
from web_ui.access.roles import Role
from web_ui.face_records import face_record
from web_ui.table.commands import PLAYERS

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

    from web_ui.table_door import Parts


LONGEST_SEAT = 80
"""Signs of a player's name in a link; no player's name is longer."""


def make_pages(parts: Parts) -> Blueprint:
    """Make the routes of the pages.

    Args:
        parts: the running table.
    """
    pages = Blueprint("pages", __name__)
    faces = [face_record(face) for face in CARD_DICE_FACES]

    @pages.get("/")
    def dashboard() -> ResponseReturnValue:
        """The operator's page."""
        actor = current_actor()
        runs = actor is not None and actor.role.reaches(Role.OPERATOR)
        return render_template(
            "dashboard.html",
            demo=parts.demo,
            faces=faces,
            runs=runs,
            virtual=parts.virtual is not None,
        )

    @pages.get("/play")
    def play() -> ResponseReturnValue:
        """A player's phone: the seat of a login, or one chosen by link or tap."""
        actor = current_actor()
        seated = actor is not None and actor.role is Role.PLAYER
        seat = actor.seat if actor is not None and seated else ""
        return render_template(
            "play.html",
            seat=seat or request.args.get("seat", "")[:LONGEST_SEAT],
            fixed=seated,
            game=actor.game if actor is not None and seated else "",
            may=" ".join(sorted(PLAYERS)) if seated else "",
        )

    @pages.get("/referee")
    def referee() -> ResponseReturnValue:
        """Rulings for the referee; the plain display for a hall, and for others."""
        actor = current_actor()
        rules = actor is not None and actor.role.reaches(Role.REFEREE)
        asked = "display" in request.args
        return render_template(
            "referee.html",
            display=asked or not rules,
            told=not rules and not asked,
            faces=faces,
        )

    @pages.get("/overlay")
    def overlay() -> ResponseReturnValue:
        """The overlay for streaming software."""
        return render_template("overlay.html")

    return pages
