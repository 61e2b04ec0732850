"""Answers compared with their description in `openapi.json`."""

from __future__ import annotations

import json
from importlib import resources
from typing import TYPE_CHECKING, Any

from jsonschema import Draft202012Validator

if TYPE_CHECKING:
    from werkzeug.test import TestResponse

OPENAPI: dict[str, Any] = json.loads(
    resources.files("web_ui").joinpath("openapi.json").read_text("utf-8")
)


def described(answer: TestResponse, path: str, method: str = "get") -> Any:
    """Compare an answer with its description; give its JSON, None if it is none."""
    answers = OPENAPI["paths"][path][method]["responses"]
    schema = answers[str(answer.status_code)]["content"][answer.mimetype]["schema"]
    if answer.mimetype != "application/json":
        return None
    whole = {**schema, "components": OPENAPI["components"]}
    Draft202012Validator(whole).validate(answer.json)
    return answer.json
