"""The pages for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, render_template

from scoring.cards import CARD_DICE_FACES
from web_ui.face_records import face_record

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

    from web_ui.table_door import Parts


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
        return render_template("dashboard.html", demo=parts.demo, faces=faces)

    return pages
