"""The list of rules and their tests; run as a script it writes the page anew.

`python tests/support/rule_list.py`
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from pathlib import Path

from rule_words import PAGES, RULE_WORDS

ROOT = Path(__file__).resolve().parents[2]
TESTS = ROOT / "tests" / "scoring"
PAGE = ROOT / "docs" / "rules-and-tests.md"

JUDGED_BY_PEOPLE = {"SQ-06"}
"""Which clues a builder gives: the table sees it, the engine does not."""

NAMES = re.compile(r'def (test_\w+)\(|id="([a-z]{2}-\d\d[^"]*)"')
NUMBER = re.compile(rf"({'|'.join(PAGES)})[_-](\d\d)", re.IGNORECASE)

HEAD = """\
# Rules and their tests

Every numbered rule of the games with what tests it: conformance cases of
`tests/scoring/cases` by their ids, and tests of `tests/scoring` by name (or by the id
of a row of a table test). `python tests/support/rule_list.py` writes this page; a test
fails if it is out of date, or if a rule has no test.
"""


def cases_of_rules() -> dict[str, list[str]]:
    """Ids of the conformance cases of each rule."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted((TESTS / "cases").glob("*.json")):
        for case in json.loads(path.read_text("utf-8"))["cases"]:
            found[case["rule"]].append(case["id"])
    return found


def named_tests() -> dict[str, list[str]]:
    """Names of the tests, and ids of the rows of table tests, of each rule."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted(TESTS.glob("test_*.py")):
        for function, row in NAMES.findall(path.read_text("utf-8")):
            name = function or row
            for page, number in NUMBER.findall(name):
                told = f"{path.stem.removeprefix('test_')}: {name}"
                rule = f"{page.upper()}-{number}"
                if told not in found[rule]:
                    found[rule].append(told)
    return found


def page_text() -> str:
    """The page as it should be."""
    cases, tests = cases_of_rules(), named_tests()
    lines = [HEAD]
    for page, title in PAGES.items():
        lines += [f"## {title}", "", "| rule | says | tests |", "| --- | --- | --- |"]
        for rule, words in RULE_WORDS.items():
            if not rule.startswith(page):
                continue
            told = [", ".join(_short(cases[rule]))] if cases[rule] else []
            told += [f"`{name}`" for name in tests[rule]]
            if rule in JUDGED_BY_PEOPLE:
                told = ["judged by the people at the table"]
            lines.append(f"| {rule} | {words} | {'; '.join(told)} |")
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def _short(ids: list[str]) -> list[str]:
    """`classic-001, classic-002` as `classic-001, 002`."""
    short: list[str] = []
    before = ""
    for name in ids:
        stem, _, number = name.rpartition("-")
        short.append(number if stem == before else name)
        before = stem
    return short


if __name__ == "__main__":
    PAGE.write_text(page_text(), encoding="utf-8")
