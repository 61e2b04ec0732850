"""Which role each route needs, at least: one table, and nothing beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from web_ui.access.roles import Role

if TYPE_CHECKING:
    from collections.abc import Mapping

OPEN = None
"""Needs no login."""

POLICY: Mapping[str, Role | None] = {
    "access.login": OPEN,
    "access.log_in": OPEN,
    "access.join": OPEN,
    "access.take_seat": OPEN,
    "access.log_out": Role.VIEWER,
    "session.session": Role.VIEWER,
    "api.health": OPEN,
    "api.ready": OPEN,
    # those of the login page are open, see OPEN_FILES
    "static": Role.VIEWER,
    "api.state": Role.VIEWER,
    "api.stream": Role.VIEWER,
    "api.video": Role.VIEWER,
    "api.openapi": Role.VIEWER,
    "api.kinds": Role.VIEWER,
    "api.reading": Role.VIEWER,
    "api.picture": Role.VIEWER,
    "metrics.show": Role.VIEWER,
    "models.models": Role.VIEWER,
    # which command needs more is for the table's commands to say, by `need`
    "api.commands": Role.PLAYER,
    "history_api.games": Role.VIEWER,
    "history_api.game": Role.VIEWER,
    "history_api.picture": Role.VIEWER,
    "history_api.script": Role.VIEWER,
    "history_api.scores": Role.VIEWER,
    "history_api.review": Role.VIEWER,
    "history_api.fairness": Role.VIEWER,
    # all evidence in one file: long to make, and meant to be kept elsewhere
    "history_api.bundle": Role.OPERATOR,
    "history_api.corrections": Role.VIEWER,
    "history_api.correct": Role.OPERATOR,
    "history.games": Role.VIEWER,
    "history.game": Role.VIEWER,
    "pages.dashboard": Role.VIEWER,
    "pages.play": Role.VIEWER,
    "pages.overlay": Role.VIEWER,
    # without the role of a referee it is the display, which rules on nothing
    "pages.referee": Role.VIEWER,
    # whoever sees a seat's link can take the seat
    "join.seats": Role.OPERATOR,
    "join.code": Role.OPERATOR,
    "setup.setup": Role.OPERATOR,
    "setup.sheet": Role.OPERATOR,
    "layouts.layout": Role.OPERATOR,
    "layouts.decide": Role.OPERATOR,
    "camera.camera": Role.OPERATOR,
    "camera.choose_camera": Role.OPERATOR,
    "enrolling.dice": Role.OPERATOR,
    "enrolment.enrolment": Role.OPERATOR,
    "enrolment.order": Role.OPERATOR,
    "enrolment.side": Role.OPERATOR,
    "enrolment.roll": Role.OPERATOR,
    "tray.tray": Role.OPERATOR,
    "tray.set_tray": Role.OPERATOR,
    "tray.clear_tray": Role.OPERATOR,
    "tray.find_tray": Role.OPERATOR,
    "tray.picture": Role.OPERATOR,
    # pictures of a home, and what teaches the reader: for who runs the table
    "review.dataset": Role.OPERATOR,
    "review_api.dataset": Role.OPERATOR,
    "review_api.faces": Role.OPERATOR,
    "review_api.captures": Role.OPERATOR,
    "review_api.capture": Role.OPERATOR,
    "review_api.picture": Role.OPERATOR,
    "review_api.small": Role.OPERATOR,
    "review_api.crops": Role.OPERATOR,
    "review_api.check": Role.OPERATOR,
    "review_api.decide": Role.OPERATOR,
    "review_api.undo": Role.OPERATOR,
    "review_api.remove": Role.OPERATOR,
    "review_api.remove_set_aside": Role.OPERATOR,
    "review_api.errand": Role.OPERATOR,
    "review_api.cancel": Role.OPERATOR,
    "review_api.begin_export": Role.OPERATOR,
    "review_api.exported": Role.OPERATOR,
    "review_api.begin_import": Role.OPERATOR,
    "review_api.piece": Role.OPERATOR,
    # the truth of the virtual table is not for players
    "virtual.virtual": Role.OPERATOR,
    "virtual_api.truth": Role.OPERATOR,
    "virtual_api.command": Role.OPERATOR,
}
"""Endpoint and least role. One that is missing needs a referee."""

OPEN_FILES = frozenset({"login.css", "icon.svg"})
"""Static files that the login page is made of."""


def least_role(endpoint: str | None, filename: str = "") -> Role | None:
    """Say which role a route needs; None if it needs no login.

    Args:
        endpoint: as Flask calls the route; None for a route that does not exist.
        filename: which static file is asked for.
    """
    if endpoint is None:
        return Role.VIEWER  # who is not logged in shall not learn which routes exist
    if endpoint == "static" and filename in OPEN_FILES:
        return OPEN
    return POLICY.get(endpoint, Role.REFEREE)
