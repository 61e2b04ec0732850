"""The layout of the dice over HTTP: `/api/v1/layout`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Blueprint, abort, jsonify, request

from web_ui.access.present import current_actor
from web_ui.access.roles import LOCAL
from web_ui.answers import problem
from web_ui.layouts.layout_desk import LayoutRefusedError
from web_ui.layouts.standing import layout_record

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

    from web_ui.layouts.layout_desk import LayoutDesk
    from web_ui.layouts.standing import LayoutState

DOES = ("use", "put_off", "wrong")


def make_layouts_api(desk: LayoutDesk | None, prefix: str) -> Blueprint:
    """Make the routes.

    Args:
        desk: follows the rolls; None where nothing is gathered.
        prefix: where the interface lies.
    """
    api = Blueprint("layouts", __name__, url_prefix=f"{prefix}/layout")

    @api.get("")
    def layout() -> ResponseReturnValue:
        """Which faces share a die, as far as rolls tell."""
        return jsonify(layout_record(None if desk is None else desk.state))

    @api.post("")
    def decide() -> ResponseReturnValue:
        """Use the proposed layout, put it off, or say that it is wrong."""
        try:
            order = _order(request.get_json())
        except RecursionError:  # what the JSON parser says to ten thousand brackets
            return problem(400, "the order is nested too deeply")
        if desk is None:
            return problem(409, "Nothing is gathered here.")
        try:
            return jsonify(layout_record(_carry_out(desk, order)))
        except LayoutRefusedError as error:
            return problem(409, str(error))
        except OSError as error:
            return problem(503, f"It cannot be kept: {error.strerror}.")

    return api


def _order(record: object) -> dict[str, Any]:
    if not isinstance(record, dict):
        abort(400, "an order must be an object")
    if record.get("do") not in DOES:
        abort(400, f"do must be one of {', '.join(DOES)}")
    if not isinstance(record.get("proposal"), str):
        abort(400, "proposal must say which layout is meant")
    if record["do"] == "use" and not isinstance(record.get("name"), str):
        abort(400, "name must be a text")
    die = record.get("die")
    if die is not None and (not isinstance(die, int) or isinstance(die, bool)):
        abort(400, "die must be a whole number or null")
    return record


def _carry_out(desk: LayoutDesk, order: dict[str, Any]) -> LayoutState:
    by = (current_actor() or LOCAL).by
    if order["do"] == "use":
        return desk.use(order["name"], by, order["proposal"])
    if order["do"] == "put_off":
        return desk.put_off(order["proposal"])
    return desk.wrong(order.get("die"), by, order["proposal"])
