"""Which models read the table, over HTTP."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, jsonify

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

    from web_ui.table_door import Parts


def make_models_api(parts: Parts, prefix: str) -> Blueprint:
    """Make the route.

    Args:
        parts: the running table.
        prefix: where the interface for machines lies.
    """
    models_api = Blueprint("models", __name__, url_prefix=prefix)

    @models_api.get("/models")
    def models() -> ResponseReturnValue:
        """Which models read the table, and whether others wait."""
        state = parts.models()
        return jsonify(
            {
                "version": state.version,
                "models": dict(state.models),
                "waiting": state.waiting,
                "problem": state.problem,
                "swaps": state.swaps,
            }
        )

    return models_api
