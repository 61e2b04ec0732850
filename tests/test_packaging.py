"""What the wheel and the source archive carry, and what they leave at home."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from fnmatch import fnmatch
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("vision", "scoring", "firmware_bridge", "web_ui", "datasets")

NEEDED = [
    pytest.param("web_ui/templates/*.html", id="pages"),
    pytest.param("web_ui/static/*.css", id="styles"),
    pytest.param("web_ui/static/*.js", id="scripts"),
    pytest.param("web_ui/samples/*.jpg", id="sample-pictures"),
    pytest.param("web_ui/demo/*.mp4", id="demo-clip"),
    pytest.param("vision/models/*.onnx", id="models"),
    pytest.param("vision/models/*.json", id="model-cards"),
    pytest.param("scoring/*.json", id="rules-data"),
    pytest.param("datasets/templates/*.html", id="report-page"),
    pytest.param("datasets/templates/*.css", id="report-style"),
]
KINDS = frozenset(
    ("py", "json", "html", "css", "js", "svg", "png", "jpg", "mp4", "onnx", "md", "txt")
)
"""Suffixes a package may carry; anything else came in by mistake."""

MOST_WHEEL_BYTES = 60_000_000


def build(target: str, folder: Path) -> Path:
    """Build with hatchling as pip would, without a network and without isolation."""
    command = [sys.executable, "-m", "hatchling", "build"]
    result = subprocess.run(
        [*command, "--target", target, "--directory", str(folder)],
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    (made,) = folder.iterdir()
    return made


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("wheel", tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def wheel_names(wheel: Path) -> tuple[str, ...]:
    with zipfile.ZipFile(wheel) as archive:
        return tuple(archive.namelist())


@pytest.fixture(scope="module")
def sdist_names(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ...]:
    made = build("sdist", tmp_path_factory.mktemp("sdist"))
    with tarfile.open(made) as archive:
        names = archive.getnames()
    return tuple(name.partition("/")[2] for name in names)


@pytest.mark.parametrize("pattern", NEEDED)
def test_wheel_carries_what_the_program_opens(
    wheel_names: tuple[str, ...], pattern: str
) -> None:
    assert [name for name in wheel_names if fnmatch(name, pattern)]


def test_wheel_carries_every_module(wheel_names: tuple[str, ...]) -> None:
    modules = {
        path.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.py")
        if not path.is_relative_to(ROOT / "datasets" / "data")
    }
    assert modules <= set(wheel_names)


def test_wheel_carries_the_licence(wheel_names: tuple[str, ...]) -> None:
    assert [name for name in wheel_names if fnmatch(name, "*.dist-info/*/LICENSE")]


def test_wheel_holds_the_packages_and_nothing_else(
    wheel_names: tuple[str, ...],
) -> None:
    tops = {name.partition("/")[0] for name in wheel_names}
    assert {top for top in tops if not top.endswith(".dist-info")} == set(PACKAGES)


def test_wheel_leaves_tests_data_and_caches_at_home(
    wheel_names: tuple[str, ...],
) -> None:
    unwanted = [
        name
        for name in wheel_names
        if name.startswith(("tests/", "datasets/data/", "runs/"))
        or "__pycache__" in name
    ]
    assert unwanted == []


def test_wheel_holds_no_kind_of_file_that_came_in_by_mistake(
    wheel_names: tuple[str, ...],
) -> None:
    strange = [
        name
        for name in wheel_names
        if ".dist-info/" not in name
        and name.rpartition(".")[2] not in KINDS
        # the firmware is source too
        and not name.startswith("firmware_bridge/firmware/")
    ]
    assert strange == []


def test_wheel_is_small_enough_to_hand_round(wheel: Path) -> None:
    assert wheel.stat().st_size < MOST_WHEEL_BYTES


def test_wheel_does_not_ask_for_pytorch(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (n for n in archive.namelist() if n.endswith(".dist-info/METADATA"))
        lines = archive.read(name).decode("utf-8").splitlines()
    required = [line for line in lines if line.startswith("Requires-Dist:")]
    runtime = [line for line in required if "extra ==" not in line]
    assert runtime, "the runtime needs something"
    assert not [line for line in runtime if "torch" in line or "ultralytics" in line], (
        "training belongs in an extra"
    )


@pytest.mark.parametrize(
    "name",
    [
        "LICENSE",
        "README.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "Makefile",
        "pyproject.toml",
        "docs/architecture.md",
        ".ci/run",
        "tests/test_packaging.py",
    ],
)
def test_source_archive_carries_all_that_building_and_testing_needs(
    sdist_names: tuple[str, ...], name: str
) -> None:
    assert name in sdist_names


def test_source_archive_carries_what_the_wheel_carries(
    sdist_names: tuple[str, ...], wheel_names: tuple[str, ...]
) -> None:
    packed = {name for name in wheel_names if ".dist-info/" not in name}
    assert packed <= set(sdist_names)


def test_source_archive_leaves_training_data_at_home(
    sdist_names: tuple[str, ...],
) -> None:
    assert [name for name in sdist_names if name.startswith("datasets/data/")] == []


def imported(package: str) -> set[str]:
    """Top-level modules that a package imports, however deep in its code."""
    names: set[str] = set()
    for path in (ROOT / package).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                names |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names.add(node.module.partition(".")[0])
    return names


def spelt(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


WITH_ANOTHER = {"werkzeug": "flask", "markupsafe": "jinja2", "torch": "ultralytics"}
"""Distributions that come with one that is asked for, and belong to it."""


@pytest.mark.parametrize("package", PACKAGES)
def test_what_a_package_imports_is_asked_for(package: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    lines = [*project["dependencies"], *project["optional-dependencies"]["train"]]
    asked = {spelt(re.split(r"[<>=~!\[; ]", line)[0]) for line in lines}
    makers = packages_distributions()
    outside = imported(package) - set(sys.stdlib_module_names) - set(PACKAGES)
    unasked = {
        name
        for name in outside
        if not asked
        & {WITH_ANOTHER.get(m, m) for m in map(spelt, makers.get(name, [name]))}
    }
    assert unasked == set()
