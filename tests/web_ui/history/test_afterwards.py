"""Figures of a past game are worked out beside the table, within bounds."""

from __future__ import annotations

import json
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest
from described_answers import described
from table_makers import FIRST, reading

from web_ui.history.afterwards import (
    MOST_WAITING,
    Afterwards,
    Answer,
    Task,
    TooManyError,
)

if TYPE_CHECKING:
    from open_tables import OpenTable

WAR = {
    "format": "tableside-script/1",
    "game": "war",
    "script": [{"do": "start", "players": ["Ann", "Bob"], "options": {}}],
}
PAUSE = threading.Event()
"""Never set: waits for a moment without being a sleep that a test counts on."""


def answer_of(afterwards: Afterwards, task: Task) -> Answer:
    for _ in range(600):
        answer = afterwards.ask(task)
        if answer is not None:
            return answer
        PAUSE.wait(0.05)
    raise AssertionError("no answer came")


def task(name: str, *command: str, script: object = WAR) -> Task:
    return Task(name, command, json.dumps(script))


def test_command_answers_in_json_and_is_run_once() -> None:
    afterwards = Afterwards()
    asked = task("one", "score", "--json")
    first = answer_of(afterwards, asked)
    assert json.loads(first.text)
    assert afterwards.ask(asked) is first


def test_what_cannot_be_told_is_a_sentence() -> None:
    asked = task("one", "review", "--json", script={"format": "nothing"})
    answer = answer_of(Afterwards(), asked)
    assert answer.text == ""
    assert answer.why_not.startswith("It cannot be told: ")
    assert "/" not in answer.why_not.removeprefix("It cannot be told: ")[:20]


def test_what_takes_too_long_is_given_up() -> None:
    answer = answer_of(Afterwards(limit_s=0.0), task("one", "score", "--json"))
    assert "longer" in answer.why_not


def test_no_more_than_a_few_wait() -> None:
    afterwards = Afterwards()
    for number in range(MOST_WAITING):
        assert afterwards.ask(task(str(number), "score", "--json")) is None
    with pytest.raises(TooManyError):
        afterwards.ask(task("one more", "score", "--json"))
    afterwards.close()


def figures(table: OpenTable, what: str) -> Any:
    game = table.client.get("/api/v1/games").get_json()["games"][0]["id"]
    end_s = time.monotonic() + 60
    while time.monotonic() < end_s:
        answer = table.client.get(f"/api/v1/games/{game}/{what}")
        told = described(answer, f"/games/{{game_id}}/{what}")
        if answer.status_code != 202:
            return told
        assert answer.headers["Retry-After"] == "1"
        PAUSE.wait(0.1)
    raise AssertionError("no answer came")


def test_game_tells_its_fairness_and_why_it_has_no_review(table: OpenTable) -> None:
    table.client.post("/api/v1/commands", json={"do": "draw", "card": "T18"})
    table.settle(reading(FIRST, 1))
    report = figures(table, "fairness")
    assert (report["throws"], report["by"]) == (1, "face")
    assert "layout" in figures(table, "review")["error"]
