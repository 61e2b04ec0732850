"""The described interface under random requests, good ones and bad ones."""

from __future__ import annotations

import json
from importlib import resources
from typing import TYPE_CHECKING, Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from open_tables import OpenTable
from schemathesis.checks import load_all_checks
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from table_makers import FIRST, reading

if TYPE_CHECKING:
    from collections.abc import Iterator

OPENAPI: dict[str, Any] = json.loads(
    resources.files("web_ui").joinpath("openapi.json").read_text("utf-8")
)
API = "/api/v1"
ENDLESS = {"text/event-stream", "multipart/x-mixed-replace"}
load_all_checks()
CHECKS = [
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
]


def is_endless(described: dict[str, Any]) -> bool:
    answers = described["responses"].values()
    return any(ENDLESS & answer.get("content", {}).keys() for answer in answers)


def can_be_wrong(described: dict[str, Any]) -> bool:
    """Whether a request may break its description: any text is a path's text."""
    kinds = {part["schema"].get("type") for part in described.get("parameters", ())}
    return "requestBody" in described or bool(kinds - {"string"})


OPERATIONS = [
    pytest.param(path, method, mode, id=f"{method}-{path}-{mode.value}")
    for path, methods in OPENAPI["paths"].items()
    for method, described in methods.items()
    if not is_endless(described)  # tests of their own begin those
    for mode in schemathesis.GenerationMode
    if mode is schemathesis.GenerationMode.POSITIVE or can_be_wrong(described)
]


@pytest.fixture(scope="module")
def played() -> Iterator[OpenTable]:
    """A table in the middle of a game, with a reading to ask for."""
    opened = OpenTable()
    opened.client.post(f"{API}/commands", json={"do": "draw", "card": "T18"})
    opened.settle(reading(FIRST, 1))
    yield opened
    opened.close()


@pytest.mark.parametrize(("path", "method", "mode"), OPERATIONS)
def test_random_requests_are_answered_as_described(
    played: OpenTable, path: str, method: str, mode: schemathesis.GenerationMode
) -> None:
    whole = schemathesis.openapi.from_wsgi(
        f"{API}/openapi.json", played.client.application
    )
    operation = whole[path][method.upper()]
    state = played.client.get(f"{API}/state").get_json()
    known = {"game_id": state["game"]["id"], "reading_id": 1}

    @settings(
        max_examples=25,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode), there=st.booleans())
    def ask(case: schemathesis.Case[Any], there: bool) -> None:
        if there:  # chance would never find the name of a game that was played
            for name in known.keys() & (case.path_parameters or {}).keys():
                case.path_parameters[name] = known[name]
        answer = case.call(buffered=True)
        described = OPENAPI["paths"][path][method]["responses"]
        assert answer.status_code < 500 or str(answer.status_code) in described
        assert answer.status_code != 500
        case.validate_response(answer, checks=CHECKS)

    ask()
