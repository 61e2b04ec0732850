"""The web app as a composition: it opens no device and starts no thread."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Flask
from werkzeug.exceptions import HTTPException

from web_ui.access.door import install_access
from web_ui.access.session_api import make_session_api
from web_ui.api import API, make_api
from web_ui.enrolling.api import make_enrolment_api, make_enrolment_page
from web_ui.faults import explain
from web_ui.history.api import library_of, make_history_api
from web_ui.history.pages import make_history_pages
from web_ui.join import make_join_api
from web_ui.layouts.api import make_layouts_api
from web_ui.models_api import make_models_api
from web_ui.pages import make_pages
from web_ui.reviewing.api import make_review_api, make_review_page
from web_ui.reviewing.desk import ReviewDesk
from web_ui.reviewing.errands import ErrandDesk
from web_ui.serving.metrics_api import make_metrics_api
from web_ui.tray_api import make_camera_api, make_setup_page, make_tray_api

if TYPE_CHECKING:
    from web_ui.access.keeper import Keeper
    from web_ui.settings import Settings
    from web_ui.table_door import Parts

COMMAND_BYTES = 16 * 1024
"""Largest command that is read."""


def create_app(settings: Settings, parts: Parts, keeper: Keeper | None = None) -> Flask:
    """Put routes, guards and error answers together.

    Args:
        settings: bounds and the address that is listened on.
        parts: the running table.
        keeper: judges logins; needed where others can reach the table.

    Raises:
        ValueError: others can reach the table, but there is no keeper.
    """
    app = Flask("web_ui")
    app.config["MAX_CONTENT_LENGTH"] = COMMAND_BYTES
    install_access(app, settings, keeper, settings.server.host)
    library = library_of(parts)
    app.register_blueprint(make_session_api(API))
    app.register_blueprint(make_api(settings, parts, library))
    app.register_blueprint(make_pages(parts))
    app.register_blueprint(make_join_api(settings, parts, API))
    app.register_blueprint(make_history_api(settings, parts, library))
    app.register_blueprint(make_history_pages())
    app.register_blueprint(make_metrics_api(parts.metrics, API))
    app.register_blueprint(make_tray_api(parts.trays, API))
    app.register_blueprint(make_models_api(parts, API))
    app.register_blueprint(make_layouts_api(parts.layouts, API))
    folder = parts.books.folder
    desk = ReviewDesk(folder, settings.capture, parts.album)
    app.register_blueprint(make_review_api(desk, ErrandDesk(folder), API))
    app.register_blueprint(make_review_page(demo=parts.demo))
    if parts.enrolling is not None:
        app.register_blueprint(make_enrolment_api(parts.enrolling, API))
        app.register_blueprint(make_enrolment_page())
    if parts.cameras is not None:
        app.register_blueprint(make_camera_api(parts.cameras, API))
    app.register_blueprint(
        make_setup_page(
            cameras=parts.cameras is not None, enrolling=parts.enrolling is not None
        )
    )
    if parts.virtual is not None:
        # here, because a table with a camera need not load what draws dice
        from web_ui.virtual.api import make_virtual_api, make_virtual_page

        app.register_blueprint(make_virtual_api(parts.virtual, API))
        app.register_blueprint(make_virtual_page())

    app.register_error_handler(HTTPException, explain)
    return app
