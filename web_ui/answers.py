"""Answers as JSON: the few shapes that all routes share."""

from __future__ import annotations

from flask import Response, jsonify


def json_text(body: str, status: int = 200) -> Response:
    """Answer with JSON that is text already."""
    return Response(body, status, mimetype="application/json")


def problem(status: int, sentence: str, rule: str = "") -> tuple[Response, int]:
    """Answer with an error.

    Args:
        status: HTTP status.
        sentence: what is wrong, for people.
        rule: number of the rule that refused, empty if none did.
    """
    return jsonify({"error": sentence, "rule": rule or None}), status
