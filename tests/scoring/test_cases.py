"""The conformance cases, each a test of its own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from scoring.conformance import CaseFileError, run_case_file
from scoring.games import GAMES

if TYPE_CHECKING:
    from collections.abc import Iterator

CASES = Path(__file__).parent / "cases"
SETUPS = ("hands", "compare", "targets", "odds")


def every_case() -> Iterator[Any]:
    for name in (*SETUPS, *GAMES):
        content = json.loads((CASES / f"{name}.json").read_text("utf-8"))
        for case in content["cases"]:
            yield pytest.param(content, case, id=f"{case['id']}-{case['rule']}")


@pytest.mark.parametrize(("content", "case"), list(every_case()))
def test_case_passes(content: dict[str, Any], case: dict[str, Any]) -> None:
    (verdict,) = run_case_file({**content, "cases": [case]})
    assert verdict.faults == ()


def one_case(game: str, **case: object) -> dict[str, Any]:
    told = {"id": "x", "rule": "CM-02", "why": "", "setup": {}, "script": [], **case}
    return {"format": "tableside-cases/1", "game": game, "cases": [told]}


def faults(content: dict[str, Any]) -> tuple[str, ...]:
    (verdict,) = run_case_file(content)
    assert verdict.passed is not bool(verdict.faults)
    return verdict.faults


def test_game_that_does_not_exist_fails_and_says_so() -> None:
    assert faults(one_case("ludo", expect={})) == ("there is no game 'ludo' yet",)


def test_setup_of_unknown_kind_fails_and_says_so() -> None:
    (fault,) = faults(one_case("odds", setup={"kind": "dream"}, expect={}))
    assert "'dream' cannot be judged" in fault


START = [{"do": "start", "players": ["Ann"]}]


@pytest.mark.parametrize(
    ("script", "expect", "fault"),
    [
        pytest.param(START, {"phase": "roll"}, "phase is 'draw'", id="field"),
        pytest.param(START, {"scores": {"Bob": 0}}, "scores.Bob is missing", id="key"),
        pytest.param(START, {"scores": {"Ann": False}}, "scores.Ann is 0", id="type"),
        pytest.param(START, {"winners": ["Ann"]}, r"winners is \[\]", id="list"),
        pytest.param(
            [*START, {"do": "stop"}], {}, "action 1 was refused: CM-06", id="refused"
        ),
        pytest.param(
            START, {"error": {"at": 0, "rule": "CM-03"}}, "was not refused", id="taken"
        ),
        pytest.param(
            [*START, {"do": "stop"}],
            {"error": {"at": 1, "rule": "CM-04"}},
            "was refused by CM-06.*expected CM-04",
            id="other-rule",
        ),
    ],
)
def test_case_that_differs_fails_and_says_where(
    script: list[object], expect: dict[str, object], fault: str
) -> None:
    content = one_case("classic", script=script, expect=expect)
    with pytest.raises(AssertionError, match=fault):
        assert faults(content) == (), "\n".join(faults(content))


@pytest.mark.parametrize(
    "content",
    [
        pytest.param([], id="list"),
        pytest.param({"format": "tableside-cases/2"}, id="other-format"),
        pytest.param(
            {"format": "tableside-cases/1", "game": 3, "cases": []}, id="game"
        ),
        pytest.param(
            {"format": "tableside-cases/1", "game": "war", "cases": [1]}, id="case"
        ),
    ],
)
def test_what_is_no_case_file_is_refused(content: object) -> None:
    with pytest.raises(CaseFileError):
        run_case_file(content)
