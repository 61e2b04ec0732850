"""Corrections over HTTP: of a die, of a roll, always with a reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from described_answers import described
from table_makers import FIRST, reading

if TYPE_CHECKING:
    from open_tables import OpenTable
    from werkzeug.test import TestResponse

PATH = "/corrections"
URL = f"/api/v1{PATH}"
WHY = "It was read in the shade"


@pytest.fixture
def rolled(table: OpenTable) -> OpenTable:
    table.client.post("/api/v1/commands", json={"do": "draw", "card": "T18"})
    table.settle(reading(FIRST, 1))
    return table


def correct(table: OpenTable, **fields: object) -> TestResponse:
    return table.client.post(URL, json=fields)


def test_die_of_a_reading_is_corrected(rolled: OpenTable) -> None:
    answer = correct(rolled, reading=1, die=2, face="TS", reason=WHY)
    state = described(answer, PATH, "post")
    assert state["reading"]["dice"][2]["face"]["code"] == "TS"
    found = described(rolled.client.get(URL), PATH)
    assert found["game"] == state["game"]["id"]
    [one] = found["corrections"]
    assert (one["before"][2], one["faces"][2], one["reason"]) == ("5H", "TS", WHY)
    assert one["done"]


def test_roll_is_corrected_and_taken_back(rolled: OpenTable) -> None:
    faces = FIRST.replace("5H", "TS").split()
    assert correct(rolled, roll=0, faces=faces, reason=WHY).status_code == 200
    rolled.client.post("/api/v1/commands", json={"do": "undo"})
    [one] = described(rolled.client.get(URL), PATH)["corrections"]
    assert one["roll"] == 0
    assert not one["done"]


@pytest.mark.parametrize(
    "fields",
    [
        {"reading": 1, "die": 2, "face": "TS"},
        {"reading": 1, "die": 2, "face": "TS", "reason": ""},
        {"reading": 1, "die": 2, "face": "TS", "reason": 7},
        {"reading": 1, "die": 2, "face": "TS", "reason": "x" * 9000},
        {"reading": 1, "roll": 0, "die": 2, "face": "TS", "reason": WHY},
        {"reason": WHY},
        {"reading": "1", "die": 2, "face": "TS", "reason": WHY},
        {"reading": 1, "die": 2, "face": "ZZ", "reason": WHY},
        {"reading": 1, "die": [2], "face": "TS", "reason": WHY},
        {"roll": 0, "faces": "TS", "reason": WHY},
    ],
)
def test_malformed_correction_is_400(
    rolled: OpenTable, fields: dict[str, object]
) -> None:
    answer = correct(rolled, **fields)
    assert answer.status_code == 400
    assert described(answer, PATH, "post")["error"]
    assert described(rolled.client.get(URL), PATH)["corrections"] == []


@pytest.mark.parametrize("body", ["[]", "7", "null", '"x"', "{", "[" * 5000])
def test_correction_that_is_no_object_is_400(rolled: OpenTable, body: str) -> None:
    answer = rolled.client.post(URL, data=body, content_type="application/json")
    assert answer.status_code == 400
    described(answer, PATH, "post")


@pytest.mark.parametrize(
    "fields",
    [
        {"reading": 99, "die": 2, "face": "TS"},
        {"reading": 1, "die": 99, "face": "TS"},
        {"reading": 1, "die": 2, "face": "TC"},
        {"roll": 9, "faces": FIRST.split()},
        {"roll": 0, "faces": ["TS"]},
    ],
)
def test_correction_that_the_rules_refuse_is_409(
    rolled: OpenTable, fields: dict[str, object]
) -> None:
    answer = correct(rolled, **fields, reason=WHY)
    assert answer.status_code == 409
    assert described(answer, PATH, "post")["rule"].startswith("CM-")


def test_correction_sent_twice_is_made_once(rolled: OpenTable) -> None:
    for _ in range(2):
        fields = {"reading": 1, "die": 2, "face": "TS", "id": "the-same"}
        assert correct(rolled, **fields, reason=WHY).status_code == 200
    assert len(rolled.client.get(URL).get_json()["corrections"]) == 1
