"""Captures over HTTP for review: lists, pictures, labels; and the page `/dataset`."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from flask import (
    Blueprint,
    abort,
    jsonify,
    make_response,
    render_template,
    request,
)

from datasets.captures.album import BrokenError
from datasets.captures.fields import CaptureError
from web_ui.access.present import current_actor
from web_ui.access.roles import LOCAL
from web_ui.answers import jpeg, problem
from web_ui.reviewing import asked
from web_ui.reviewing.crops import faces_strip, thumbnail
from web_ui.reviewing.desk import BlockedError, ChangedError, NoCaptureError
from web_ui.reviewing.errands_api import add_errands
from web_ui.reviewing.judging import read_dice
from web_ui.reviewing.records import remark_records, seen_record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask.typing import ResponseReturnValue

    from web_ui.reviewing.desk import ReviewDesk
    from web_ui.reviewing.errands import ErrandDesk

LISTED = 40
"""Captures on a page of the list, if nothing else is asked for."""
FARTHEST = 10_000_000
FORMAT_WORDS = (
    ("native", "Tableside (loses nothing)"),
    ("yolo-detect", "YOLO boxes"),
    ("yolo-obb", "YOLO oriented boxes"),
    ("yolo-pose", "YOLO poses (corners)"),
    ("yolo-classify", "YOLO classification (crops)"),
    ("coco", "COCO"),
    ("cvat", "CVAT"),
    ("label-studio", "Label Studio"),
)
"""Formats as people know them."""


@contextmanager
def refusals() -> Iterator[None]:
    """Turn what the desk raises into an answer: 404 not there, 503 album in trouble."""
    try:
        yield
    except NoCaptureError as error:
        abort(404, str(error))
    except BrokenError as error:
        # enough of it to go past it, or to remove it
        record = {"error": str(error), "rule": None, "broken": seen_record(error.entry)}
        abort(make_response(jsonify(record), 503))
    except CaptureError as error:
        abort(503, str(error))


def make_review_api(desk: ReviewDesk, errands: ErrandDesk, prefix: str) -> Blueprint:
    """Make the routes of captures.

    Args:
        desk: where they are reviewed.
        errands: runs exports and imports.
        prefix: where the interface lies.
    """
    api = Blueprint("review_api", __name__, url_prefix=f"{prefix}/dataset")
    _add_looking(api, desk)
    _add_pictures(api, desk)
    _add_deciding(api, desk)
    add_errands(api, desk, errands)
    return api


def _add_looking(api: Blueprint, desk: ReviewDesk) -> None:
    @api.get("")
    def dataset() -> ResponseReturnValue:
        """What is kept, and how many there are."""
        with refusals():
            return jsonify(desk.overview())

    @api.get("/faces")
    def faces() -> ResponseReturnValue:
        """The faces of a dice set, and how they are typed."""
        name = request.args.get("set", "")
        if not name or len(name) > asked.LONGEST_TEXT:
            abort(400, f"set must be a name of 1..{asked.LONGEST_TEXT} signs")
        return jsonify(desk.set_record(name))

    @api.get("/captures")
    def captures() -> ResponseReturnValue:
        """A part of a list: from a place on, or beside a capture."""
        which, order = asked.the_filter(), asked.the_order()
        count = asked.whole("count", LISTED, asked.MOST_LISTED)
        after, before = request.args.get("after"), request.args.get("before")
        with refusals():
            if after is not None:
                return jsonify(desk.beside(which, order, after, count, before=False))
            if before is not None:
                return jsonify(desk.beside(which, order, before, count, before=True))
            start = asked.whole("start", 0, FARTHEST)
            return jsonify(desk.listed(which, order, start, count))

    @api.get("/captures/<capture_id>")
    def capture(capture_id: str) -> ResponseReturnValue:
        """One capture whole."""
        with refusals():
            return jsonify(desk.capture(capture_id))


def _add_pictures(api: Blueprint, desk: ReviewDesk) -> None:
    @api.get("/captures/<capture_id>/picture.jpg")
    def picture(capture_id: str) -> ResponseReturnValue:
        """The picture as it was kept."""
        with refusals():
            return jpeg(desk.picture(capture_id), capture_id)

    @api.get("/captures/<capture_id>/small.jpg")
    def small(capture_id: str) -> ResponseReturnValue:
        """The picture, small."""
        if request.if_none_match.contains(capture_id):  # it never changes
            return jpeg(b"", capture_id)
        with refusals():
            return jpeg(thumbnail(desk.picture(capture_id)), capture_id)

    @api.get("/captures/<capture_id>/faces.jpg")
    def crops(capture_id: str) -> ResponseReturnValue:
        """Dice of the picture cut out upright, one below the other."""
        side_px = asked.whole("px", 160, asked.LARGEST_PX)
        if side_px < 16:
            abort(400, f"px must be 16..{asked.LARGEST_PX}, not {side_px}")
        quads = asked.the_quads()
        with refusals():
            data = faces_strip(desk.picture(capture_id), quads, side_px)
            return jpeg(data, f"{capture_id}-{side_px}-{hash(tuple(quads)):x}")


def _add_deciding(api: Blueprint, desk: ReviewDesk) -> None:
    @api.post("/captures/<capture_id>/check")
    def check(capture_id: str) -> ResponseReturnValue:
        """Judge labels that are still being typed."""
        fields = asked.body()
        try:
            dice = read_dice(fields.raw("dice"))
            fields.end()
        except CaptureError as error:
            return problem(400, str(error))
        with refusals():
            return jsonify(desk.check(capture_id, dice))

    @api.put("/captures/<capture_id>")
    def decide(capture_id: str) -> ResponseReturnValue:
        """Keep what was decided about a capture."""
        decision = asked.the_decision()
        try:
            with refusals():
                return jsonify(desk.decide(capture_id, decision, _who()))
        except ChangedError as error:
            return _changed(error)
        except BlockedError as error:
            record = {
                "error": str(error),
                "rule": None,
                "remarks": remark_records(error.remarks),
            }
            return jsonify(record), 422

    @api.post("/captures/<capture_id>/undo")
    def undo(capture_id: str) -> ResponseReturnValue:
        """Take back the last decision about a capture."""
        try:
            with refusals():
                return jsonify(desk.undo(capture_id, _version()))
        except ChangedError as error:
            return _changed(error)

    @api.post("/captures/<capture_id>/remove")
    def remove(capture_id: str) -> ResponseReturnValue:
        """Remove a capture with its files, for good."""
        try:
            with refusals():
                desk.remove(capture_id, _version())
        except ChangedError as error:
            return _changed(error)
        return jsonify({"removed": 1, "left": 0})

    @api.post("/remove-set-aside")
    def remove_set_aside() -> ResponseReturnValue:
        """Remove some of what was set aside, for good."""
        with refusals():
            return jsonify(desk.remove_set_aside())


def _version() -> str:
    fields = asked.body()
    try:
        version = fields.text("version")
        fields.end()
    except CaptureError as error:
        abort(400, str(error))
    if not version:
        abort(400, "version must be that of the capture that was looked at")
    return version


def _changed(error: ChangedError) -> ResponseReturnValue:
    return jsonify({"error": str(error), "rule": None, "capture": error.record}), 409


def _who() -> str:
    return (current_actor() or LOCAL).by


def make_review_page(*, demo: bool) -> Blueprint:
    """Make the route of the page.

    Args:
        demo: whether the demo is playing, of which nothing is kept.
    """
    pages = Blueprint("review", __name__)

    @pages.get("/dataset")
    def dataset() -> ResponseReturnValue:
        """The review page."""
        return render_template("dataset.html", demo=demo, formats=FORMAT_WORDS)

    return pages
