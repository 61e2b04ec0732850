"""The pages of past games."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, render_template

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue


def make_history_pages() -> Blueprint:
    """Make the routes of the pages; both ask the HTTP interface for what they show."""
    pages = Blueprint("history", __name__)

    @pages.get("/history")
    def games() -> ResponseReturnValue:
        """The list of games."""
        return render_template("history.html")

    @pages.get("/history/<game_id>")
    def game(game_id: str) -> ResponseReturnValue:
        """One game, roll by roll."""
        return render_template("history_game.html", game_id=game_id)

    return pages
