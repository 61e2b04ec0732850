"""Answers as JSON: the few shapes that all routes share."""

from __future__ import annotations

from flask import Response, jsonify, request


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


def jpeg(data: bytes, etag: str) -> Response:
    """Answer with a picture, or that it has not changed.

    Args:
        data: the JPEG file.
        etag: tells it from any other.
    """
    answer = Response(data, mimetype="image/jpeg")
    # another table, or another store, numbers its readings from 1 again
    answer.headers["Cache-Control"] = "no-cache"
    answer.set_etag(etag)
    answer.make_conditional(request)  # changes the answer itself
    return answer
