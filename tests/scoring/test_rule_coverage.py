"""Every numbered rule of the games has a case or a test that names it."""

from __future__ import annotations

from rule_list import (
    JUDGED_BY_PEOPLE,
    PAGE,
    cases_of_rules,
    named_tests,
    page_text,
)
from rule_words import RULE_WORDS

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

EVERY_RULE = {
    f"{page}-{number:02}"
    for page, count in RULES.items()
    for number in range(1, count + 1)
}


def rules_with_a_test() -> set[str]:
    return {*cases_of_rules(), *named_tests()}


def test_every_rule_has_a_case_or_a_test_that_names_it() -> None:
    assert EVERY_RULE - rules_with_a_test() == JUDGED_BY_PEOPLE


def test_no_case_or_test_names_a_rule_that_does_not_exist() -> None:
    assert rules_with_a_test() <= EVERY_RULE


def test_every_rule_has_words() -> None:
    assert set(RULE_WORDS) == EVERY_RULE


def test_the_page_of_rules_and_tests_is_up_to_date() -> None:
    assert PAGE.read_text("utf-8") == page_text()
