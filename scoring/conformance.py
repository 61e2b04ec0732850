"""Conformance cases: does the engine do what a case says? (format: `cases.md`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from scoring.cards import ScoringError
from scoring.games import GAMES
from scoring.play import Play
from scoring.refusals import RuleError
from scoring.setup_cases import SETUP_KINDS, expected_setup, judge_setup

if TYPE_CHECKING:
    from scoring.game import Record

FORMAT = "tableside-cases/1"


class CaseFileError(ScoringError, ValueError):
    """A text that is no file of conformance cases."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of one case.

    Attributes:
        id: the case.
        rule: the rule that it tests.
        why: what it tests, in one line.
        faults: what differs from the expectation; none if the case passes.
    """

    id: str
    rule: str
    why: str
    faults: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """Whether nothing differs."""
        return not self.faults


def run_case_file(content: object) -> tuple[Verdict, ...]:
    """Run all cases of a file.

    A case of a game, or of a kind, that the engine does not have fails and says so.

    Args:
        content: the file, as JSON gives it.

    Raises:
        CaseFileError: the content is no case file.
    """
    if not isinstance(content, Mapping) or content.get("format") != FORMAT:
        raise CaseFileError(f"the format must be {FORMAT!r}")
    game, cases = content.get("game"), content.get("cases")
    if not isinstance(game, str) or not isinstance(cases, list):
        raise CaseFileError("'game' must be a text and 'cases' a list")
    verdicts = []
    for number, case in enumerate(cases):
        if not isinstance(case, Mapping) or not isinstance(case.get("expect"), Mapping):
            raise CaseFileError(f"case {number} must be an object with 'expect'")
        verdicts.append(_run_case(game, number, case))
    return tuple(verdicts)


def _run_case(game: str, number: int, case: Record) -> Verdict:
    expect = cast("Record", case["expect"])
    setup, script = case.get("setup") or {}, case.get("script") or []
    if not isinstance(setup, Mapping) or not isinstance(script, list):
        raise CaseFileError(f"case {number}: 'setup' and 'script' have wrong types")
    if setup.get("kind") is not None:
        faults = _run_setup(setup, expect)
    elif game in GAMES:
        faults = _run_script(game, script, expect)
    else:
        faults = (f"there is no game {game!r} yet",)
    name, rule, why = (str(case.get(field, "")) for field in ("id", "rule", "why"))
    return Verdict(name, rule, why, faults)


def _run_script(game: str, script: Sequence[object], expect: Record) -> tuple[str, ...]:
    play = Play(GAMES[game])
    refused: dict[int, RuleError] = {}
    for place, action in enumerate(script):
        try:
            play.act(action)
        except RuleError as error:
            refused[place] = error
    fields = {name: value for name, value in expect.items() if name != "error"}
    faults = [*_refusal_faults(refused, expect.get("error"))]
    faults += differences(fields, play.view(), "")
    return tuple(faults)


def _refusal_faults(refused: dict[int, RuleError], expected: object) -> list[str]:
    at, rule = None, None
    if isinstance(expected, Mapping):
        at, rule = expected.get("at"), expected.get("rule")
    faults = [
        f"action {place} was refused: {error}"
        for place, error in refused.items()
        if place != at
    ]
    if at is not None and at not in refused:
        faults.append(f"action {at} was not refused, expected {rule}")
    elif at is not None and refused[cast("int", at)].rule != rule:
        faults.append(
            f"action {at} was refused by {refused[cast('int', at)]}, expected {rule}"
        )
    return faults


def _run_setup(setup: Record, expect: Record) -> tuple[str, ...]:
    if setup["kind"] not in SETUP_KINDS:
        return (f"cases of kind {setup['kind']!r} cannot be judged yet",)
    expected = expected_setup(expect)
    try:
        found = judge_setup(setup)
    except RuleError as error:
        found = {"error": {"at": None, "rule": error.rule}}
    except (KeyError, TypeError, ValueError) as error:
        return (f"the setup cannot be read: {error!r}",)
    return tuple(differences(expected, found, ""))


def differences(expected: Record, found: Record, path: str) -> list[str]:
    """What differs from an expectation, looking only at the keys that it names."""
    faults: list[str] = []
    for name, value in expected.items():
        where = f"{path}{name}"
        if name not in found:
            faults.append(f"{where} is missing, expected {value!r}")
            continue
        other = found[name]
        if isinstance(value, Mapping) and isinstance(other, Mapping):
            faults += differences(value, other, f"{where}.")
        elif not _same(value, other):
            faults.append(f"{where} is {other!r}, expected {value!r}")
    return faults


def _same(expected: object, found: object) -> bool:
    # JSON tells true from 1, Python does not
    if isinstance(expected, bool) or isinstance(found, bool):
        return expected is found
    if isinstance(expected, list) and isinstance(found, list):
        pairs = zip(expected, found, strict=False)
        return len(expected) == len(found) and all(_same(a, b) for a, b in pairs)
    if isinstance(expected, float) and isinstance(found, float):
        return abs(expected - found) <= 1e-9  # OD-05
    return expected == found
