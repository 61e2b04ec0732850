"""The web app as a composition: it opens no device and starts no thread."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException

from web_ui.answers import problem
from web_ui.api import API, make_api
from web_ui.access.guards import host_refusal
from web_ui.pages import make_pages
from web_ui.serving.metrics_api import make_metrics_api
from web_ui.tray_api import make_setup_page, make_tray_api

if TYPE_CHECKING:
    from web_ui.settings import Settings
    from web_ui.table_door import Parts

COMMAND_BYTES = 16 * 1024
"""Largest command that is read."""

POLICY = (
    "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
"""Content-Security-Policy: everything comes from here, nothing is inline."""


def create_app(settings: Settings, parts: Parts) -> Flask:
    """Put routes, guards and error answers together.

    Args:
        settings: bounds and the address that is listened on.
        parts: the running table.
    """
    app = Flask("web_ui")
    app.config["MAX_CONTENT_LENGTH"] = COMMAND_BYTES
    app.register_blueprint(make_api(settings, parts))
    app.register_blueprint(make_pages(parts))
    app.register_blueprint(make_metrics_api(parts.metrics, API))
    app.register_blueprint(make_tray_api(parts.trays, API))
    app.register_blueprint(make_setup_page())
    if parts.virtual is not None:
        # here, because a table with a camera need not load what draws dice
        from web_ui.virtual.api import make_virtual_api, make_virtual_page

        app.register_blueprint(make_virtual_api(parts.virtual, API))
        app.register_blueprint(make_virtual_page())

    names = (socket.gethostname(), *settings.server.names)

    @app.before_request
    def check_host() -> tuple[Response, int] | None:
        host = request.headers.get("Host", "")
        refusal = host_refusal(settings.server.host, host, names)
        return None if refusal is None else problem(421, refusal)

    @app.after_request
    def harden(response: Response) -> Response:
        response.headers["Content-Security-Policy"] = POLICY
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["Referrer-Policy"] = "same-origin"
        response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
        if request.path.startswith(API):
            response.headers.setdefault("Cache-Control", "no-store")
        return response

    @app.errorhandler(HTTPException)
    def explain(error: HTTPException) -> tuple[Response, int]:
        return problem(error.code or 500, error.description or error.name)

    return app
