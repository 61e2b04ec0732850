"""Enrolling over HTTP: `/api/v1/enrolment`, and the page `/setup/dice`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, Response, jsonify, render_template, request

from scoring.cards import CARD_DICE_FACES
from web_ui.answers import problem
from web_ui.enrolling.orders import parse_enrolment_order
from web_ui.enrolling.records import enrolment_record
from web_ui.enrolling.refusals import OrderError, RefusedError
from web_ui.face_records import face_record

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

    from web_ui.enrolling.desk import EnrolmentDesk


def make_enrolment_api(desk: EnrolmentDesk, prefix: str) -> Blueprint:
    """Make the routes of the enrolment.

    Args:
        desk: takes orders.
        prefix: where the interface lies.
    """
    api = Blueprint("enrolment", __name__, url_prefix=f"{prefix}/enrolment")

    @api.get("")
    def enrolment() -> ResponseReturnValue:
        """How far it is."""
        return jsonify(enrolment_record(desk))

    @api.post("")
    def order() -> ResponseReturnValue:
        """Do something."""
        try:
            desk.carry_out(parse_enrolment_order(request.get_json()))
        except RecursionError:  # what the JSON parser says to ten thousand brackets
            return problem(400, "the order is nested too deeply")
        except OrderError as error:
            return problem(400, str(error))
        except RefusedError as error:
            return problem(409, str(error))
        return jsonify(enrolment_record(desk))

    @api.get("/sides/<int:die>-<int:side>.jpg")
    def side(die: int, side: int) -> ResponseReturnValue:
        """The face of a side."""
        return _picture(desk.side_picture(die, side), "that side was not shown")

    @api.get("/roll.jpg")
    def roll() -> ResponseReturnValue:
        """The roll that waits for a person."""
        return _picture(desk.roll_picture(), "no roll waits")

    return api


def _picture(data: bytes | None, why_not: str) -> ResponseReturnValue:
    if data is None:
        return problem(404, why_not)
    answer = Response(data, mimetype="image/jpeg")
    answer.headers["Cache-Control"] = "no-store"
    return answer


def make_enrolment_page() -> Blueprint:
    """Make the route of the page."""
    pages = Blueprint("enrolling", __name__)
    faces = [face_record(face) for face in CARD_DICE_FACES]

    @pages.get("/setup/dice")
    def dice() -> ResponseReturnValue:
        """Showing the dice, one after the other."""
        return render_template("enrolment.html", faces=faces)

    return pages
