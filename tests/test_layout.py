"""The house: where the packages lie and what their files may look like."""

from __future__ import annotations

import ast
import importlib.util
import sys
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("vision", "scoring", "firmware_bridge", "web_ui", "datasets")
SOURCES = sorted(
    path
    for package in PACKAGES
    for path in (ROOT / package).rglob("*.py")
    if not path.is_relative_to(ROOT / "datasets" / "data")
)
TESTS = sorted((ROOT / "tests").rglob("*.py"))
MOST_LINES = 400
VAGUE_NAMES = frozenset({"utils", "helpers", "common", "manager", "misc"})


def shown(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("name", PACKAGES)
def test_package_resolves_to_this_checkout(name: str) -> None:
    spec = importlib.util.find_spec(name)
    assert spec is not None
    assert spec.origin is not None
    assert Path(spec.origin).is_relative_to(ROOT), (
        f"{name} is shadowed by {spec.origin}"
    )


@pytest.mark.parametrize("name", PACKAGES)
def test_every_package_folder_says_in_one_line_what_it_is(name: str) -> None:
    folders = {path.parent for path in SOURCES if path.is_relative_to(ROOT / name)}
    assert folders, f"{name} is empty"
    for folder in folders:
        start = folder / "__init__.py"
        assert start.is_file(), f"{shown(folder)} has no __init__.py"
        body = ast.parse(start.read_text("utf-8")).body
        assert len(body) == 1, f"{shown(start)} must be one docstring and no code"
        assert isinstance(body[0], ast.Expr), f"{shown(start)} holds code"
        assert body[0].lineno == body[0].end_lineno, f"{shown(start)}: one line"


def test_no_file_is_named_like_a_standard_module() -> None:
    # `python vision/x.py` puts vision/ first on the path: a types.py there kills Python
    support = [path for path in TESTS if path.parent.name == "support"]
    shadowing = [
        shown(path)
        for path in (*SOURCES, *support)
        if path.stem in sys.stdlib_module_names
    ]
    assert shadowing == []


def test_no_file_has_a_name_that_says_nothing() -> None:
    vague = [
        shown(path)
        for path in (*SOURCES, *TESTS)
        if VAGUE_NAMES & {*path.stem.split("_"), path.parent.name}
    ]
    assert vague == []


@pytest.mark.parametrize("path", [*SOURCES, *TESTS], ids=shown)
def test_file_is_short_enough_to_read_at_one_sitting(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) < MOST_LINES


def test_tests_have_no_init_file() -> None:
    # tests/vision/__init__.py would become the package `vision`
    assert [shown(path) for path in TESTS if path.name == "__init__.py"] == []


def test_names_of_test_files_are_unique() -> None:
    # mypy and pytest see them as top-level modules
    counted = Counter(path.name for path in TESTS if path.name != "conftest.py")
    assert [name for name, count in counted.items() if count > 1] == []


def test_tests_mirror_the_packages() -> None:
    folders = {path.relative_to(ROOT / "tests").parts[0] for path in TESTS}
    folders = {name for name in folders if not name.endswith(".py")}
    assert folders <= {*PACKAGES, "support"}
