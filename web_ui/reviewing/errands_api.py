"""Exports and imports over HTTP: begun, followed, cancelled, carried in pieces."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from flask import Blueprint, abort, jsonify, request, send_file

from datasets.captures.capture import Review
from datasets.captures.fields import CaptureError
from datasets.captures.listing import Filter
from web_ui.answers import problem
from web_ui.captures.opening import MEGABYTE
from web_ui.reviewing import asked
from web_ui.reviewing.errands import (
    MOST_UPLOAD_BYTES,
    PIECE_BYTES,
    BusyErrandError,
    ErrandState,
    NoErrandError,
    PieceError,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask.typing import ResponseReturnValue

    from web_ui.reviewing.desk import ReviewDesk
    from web_ui.reviewing.errands import Errand, ErrandDesk


def add_errands(api: Blueprint, desk: ReviewDesk, errands: ErrandDesk) -> None:
    """Add the routes of files in and out to an API.

    Args:
        api: where they are added.
        desk: whose album they are about.
        errands: runs them.
    """

    @api.get("/errand")
    def errand() -> ResponseReturnValue:
        """How the export or import stands."""
        return _answer(errands.now)

    @api.post("/errand/cancel")
    def cancel() -> ResponseReturnValue:
        """Stop it, and remove its files."""
        return _answer(errands.cancel())

    @api.post("/exports")
    def begin_export() -> ResponseReturnValue:
        """Begin to write a set into a zip file."""
        spec = asked.the_export()
        try:
            which = Filter(
                review=None if spec["sure"] else Review.REVIEWED,
                dice_set=spec["dice_set"],
            )
            if not desk.album.page(which, count=0).total:
                return problem(409, "nothing is reviewed yet that could be exported")
        except CaptureError as error:
            return problem(503, str(error))
        spec["album"] = str(desk.folder.resolve())
        return _begun(lambda: errands.start("export", spec))

    @api.get("/exports/<errand_id>/labels.zip")
    def exported(errand_id: str) -> ResponseReturnValue:
        """The zip file of an export that is done."""
        now = errands.now
        if now is None or now.id != errand_id or now.kind != "export":
            abort(404, "this export is not there any more: make it again")
        if now.state is not ErrandState.DONE:
            return problem(409, "this export is not done")
        name = f"tableside-{now.spec['format']}-{datetime.now(UTC):%Y-%m-%d}.zip"
        try:
            path = errands.file(now).resolve()
            return send_file(
                path, "application/zip", as_attachment=True, download_name=name
            )
        except OSError:
            abort(404, "this export is not there any more: make it again")

    @api.post("/imports")
    def begin_import() -> ResponseReturnValue:
        """Begin an import; its zip file follows in pieces."""
        spec = asked.the_import()
        spec["album"] = str(desk.folder.resolve())
        spec["budget_bytes"] = desk.settings.budget_mb * MEGABYTE
        return _begun(lambda: errands.start("import", spec, spec["bytes"]))

    @api.put("/imports/<errand_id>")
    def piece(errand_id: str) -> ResponseReturnValue:
        """Take the next piece of the zip file."""
        at = asked.whole("at", 0, MOST_UPLOAD_BYTES)
        # this route alone takes more than a command
        request.max_content_length = PIECE_BYTES
        data = request.get_data(cache=False)
        try:
            return _answer(errands.take_piece(errand_id, at, data))
        except NoErrandError as error:
            abort(404, str(error))
        except PieceError as error:
            return problem(409, str(error))
        except OSError as error:
            return problem(503, f"the piece cannot be kept: {error.strerror}")


def _begun(begin: Callable[[], Errand]) -> ResponseReturnValue:
    try:
        errand = begin()
    except BusyErrandError as error:
        return problem(409, str(error))
    except OSError as error:
        return problem(503, f"it cannot be begun: {error.strerror}")
    return jsonify({"errand": errand.record()}), 202


def _answer(errand: Errand | None) -> ResponseReturnValue:
    return jsonify({"errand": None if errand is None else errand.record()})
