"""The virtual table over HTTP: `/api/v1/virtual`, and the page with its buttons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, jsonify, render_template, request

from web_ui.answers import problem
from web_ui.virtual.orders import carry_out, truth_record
from web_ui.virtual.rolls import RollError
from web_ui.virtual.table import TableBusyError

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

    from web_ui.virtual.table import VirtualTable


def make_virtual_api(table: VirtualTable, prefix: str) -> Blueprint:
    """Make the routes of the virtual table.

    Args:
        table: the table.
        prefix: where the interface lies.
    """
    api = Blueprint("virtual_api", __name__, url_prefix=f"{prefix}/virtual")

    @api.get("")
    def truth() -> ResponseReturnValue:
        """What lies there in truth."""
        return jsonify(truth_record(table.truth()))

    @api.post("")
    def command() -> ResponseReturnValue:
        """Do something at the virtual table."""
        try:
            carry_out(table, request.get_json())
        except RecursionError:  # what the JSON parser says to ten thousand brackets
            return problem(400, "body: is nested too deeply")
        except RollError as error:
            return problem(400, str(error))
        except TableBusyError as error:
            return problem(409, str(error))
        return jsonify(truth_record(table.truth()))

    return api


def make_virtual_page() -> Blueprint:
    """Make the route of the page."""
    pages = Blueprint("virtual", __name__)

    @pages.get("/virtual")
    def virtual() -> ResponseReturnValue:
        """The buttons of the virtual table."""
        return render_template("virtual.html")

    return pages
