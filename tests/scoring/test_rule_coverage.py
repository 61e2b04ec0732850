"""Every numbered rule of the games has a case or a test that names it."""

from __future__ import annotations

import json
import re
from pathlib import Path

HERE = Path(__file__).parent

RULES = {
    "CM": 22,
    "HD": 14,
    "CL": 36,
    "BH": 6,
    "RM": 9,
    "SH": 17,
    "WR": 15,
    "SS": 14,
    "SQ": 14,
    "OD": 6,
}
"""How many rules each page of the rules has."""

JUDGED_BY_PEOPLE = {"SQ-06"}
"""Which clues a builder gives: the table sees it, the engine does not."""

NAMES = re.compile(r'def (test_\w+)\(|id="([a-z]{2}-\d\d[^"]*)"')
NUMBER = re.compile(rf"({'|'.join(RULES)})[_-](\d\d)", re.IGNORECASE)


def rules_with_a_test() -> set[str]:
    named = {
        case["rule"]
        for path in (HERE / "cases").glob("*.json")
        for case in json.loads(path.read_text("utf-8"))["cases"]
    }
    for path in HERE.glob("test_*.py"):
        for words in NAMES.findall(path.read_text("utf-8")):
            for page, number in NUMBER.findall(" ".join(words)):
                named.add(f"{page.upper()}-{number}")
    return named


def test_every_rule_has_a_case_or_a_test_that_names_it() -> None:
    every = {
        f"{page}-{number:02}"
        for page, count in RULES.items()
        for number in range(1, count + 1)
    }
    assert every - rules_with_a_test() == JUDGED_BY_PEOPLE


def test_no_case_or_test_names_a_rule_that_does_not_exist() -> None:
    for rule in rules_with_a_test():
        page, number = rule.split("-")
        assert 1 <= int(number) <= RULES[page], rule
