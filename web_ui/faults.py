"""What is answered where nothing is found or allowed: JSON, to a browser a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import make_response, render_template, request

from web_ui.answers import problem
from web_ui.api import API

if TYPE_CHECKING:
    from flask import Response
    from werkzeug.exceptions import HTTPException

NOT_FOUND = 404
_VIRTUAL = (
    "This table was not started with --virtual: there is no virtual table to look at."
)
_ABSENT = {
    "/virtual": _VIRTUAL,
    f"{API}/virtual": _VIRTUAL,
}
"""Why an address that only some tables have is not there, by its path."""


def explain(error: HTTPException) -> tuple[Response, int]:
    """Say what is wrong, to whoever asked in their own form.

    Args:
        error: what a route or Flask raised.
    """
    status = error.code or 500
    sentence = error.description or error.name
    if status == NOT_FOUND and request.endpoint is None:
        sentence = _ABSENT.get(request.path.rstrip("/"), sentence)
    if not _is_page():
        return problem(status, sentence)
    page = render_template("fault.html", sentence=sentence, name=error.name)
    return make_response(page), status


def _is_page() -> bool:
    """Whether a person opened an address in a browser; programs take JSON."""
    wanted = request.accept_mimetypes.best_match(["application/json", "text/html"])
    opened = request.method == "GET" and not request.path.startswith(f"{API}/")
    return opened and wanted == "text/html"
