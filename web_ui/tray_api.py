"""The tray over HTTP: `/api/v1/tray`, and the page on which it is set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, Response, abort, jsonify, render_template, request

from vision.tray import TrayError
from vision.tray_sheet import PLANS
from web_ui.answers import problem
from web_ui.camera_desk import CameraChoiceError
from web_ui.table_door import BusyError
from web_ui.tray_desk import NoPictureError
from web_ui.tray_store import TrayStoreError

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from flask.typing import ResponseReturnValue

    from web_ui.camera_desk import CameraDesk
    from web_ui.tray_desk import TrayDesk


def make_tray_api(desk: TrayDesk, prefix: str) -> Blueprint:
    """Make the routes of the tray.

    Args:
        desk: where trays are set.
        prefix: where the interface lies.
    """
    api = Blueprint("tray", __name__, url_prefix=f"{prefix}/tray")

    @api.get("")
    def tray() -> ResponseReturnValue:
        """The tray now."""
        return jsonify(desk.record())

    @api.put("")
    def set_tray() -> ResponseReturnValue:
        """Set the tray in the picture now."""
        try:
            record = request.get_json()
        except RecursionError:  # what the JSON parser says to ten thousand brackets
            return problem(400, "the tray is nested too deeply")
        return _answered(lambda: desk.set(record))

    @api.delete("")
    def clear_tray() -> ResponseReturnValue:
        """Forget the tray."""
        return _answered(desk.clear)

    @api.post("/find")
    def find_tray() -> ResponseReturnValue:
        """Look for a tray in the picture now."""
        return _answered(desk.find)

    @api.get("/picture.jpg")
    def picture() -> ResponseReturnValue:
        """The picture now."""
        try:
            answer = Response(desk.still(), mimetype="image/jpeg")
        except NoPictureError as error:
            return problem(503, str(error))
        answer.headers["Cache-Control"] = "no-store"
        return answer

    return api


def make_camera_api(desk: CameraDesk, prefix: str) -> Blueprint:
    """Make the routes that choose the camera.

    Args:
        desk: where it is chosen.
        prefix: where the interface lies.
    """
    api = Blueprint("camera", __name__, url_prefix=f"{prefix}/camera")

    @api.get("")
    def camera() -> ResponseReturnValue:
        """The camera now, and all there are."""
        return jsonify(desk.record())

    @api.put("")
    def choose_camera() -> ResponseReturnValue:
        """Take another camera."""
        try:
            record = request.get_json()
        except RecursionError:
            return problem(400, "the camera is nested too deeply")
        if not isinstance(record, dict):
            return problem(400, "the camera must be an object")
        try:
            return jsonify(desk.choose(record.get("camera")))
        except CameraChoiceError as error:
            return problem(400, str(error))

    return api


def make_setup_page(*, cameras: bool, enrolling: bool = False) -> Blueprint:
    """Make the route of the page for camera and tray.

    Args:
        cameras: whether the camera can be chosen.
        enrolling: whether dice can be enrolled.
    """
    pages = Blueprint("setup", __name__)

    @pages.get("/setup")
    def setup() -> ResponseReturnValue:
        """Camera and tray."""
        return render_template(
            "setup.html", papers=PLANS.values(), cameras=cameras, enrolling=enrolling
        )

    @pages.get("/setup/sheet-<paper>.pdf")
    def sheet(paper: str) -> ResponseReturnValue:
        """The sheet to print."""
        if paper not in PLANS:
            abort(404, f"there is no sheet for {paper!r}: {', '.join(PLANS)}")
        # here, because a table that never prints need not load it
        from web_ui.tray_pdf import sheet_pdf

        return Response(sheet_pdf(PLANS[paper]), mimetype="application/pdf")

    return pages


def _answered(work: Callable[[], dict[str, Any]]) -> ResponseReturnValue:
    try:
        return jsonify(work())
    except TrayError as error:
        return problem(400, str(error))
    except (NoPictureError, BusyError) as error:
        return problem(503, str(error))
    except TrayStoreError as error:
        return problem(500, str(error))
