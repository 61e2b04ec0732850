"""The imports go one way, and the linter that says so can be trusted."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("vision", "scoring", "firmware_bridge", "web_ui", "datasets")

ONE_WAY = "one way down"
BRIDGE = "firmware_bridge stands alone"
NOBODY = "the box knows nobody"
WORDS = "datasets shares only words with scoring"
BOX = "datasets knows nothing of the box"
PURE = "scoring is pure"
DASK = "only its adapter knows Dask"
ULTRALYTICS = "only its adapter knows ultralytics"
STORE = "only the adapter of the store knows a database"

VIOLATIONS = [
    ("scoring", "import vision.reading", ONE_WAY),
    ("scoring", "import datasets", ONE_WAY),
    ("scoring", "import web_ui", ONE_WAY),
    ("vision", "import datasets", ONE_WAY),
    ("vision", "import web_ui", ONE_WAY),
    ("datasets", "import web_ui", ONE_WAY),
    ("firmware_bridge", "import scoring.cards", BRIDGE),
    ("firmware_bridge", "import vision.reading", BRIDGE),
    ("scoring", "import firmware_bridge", BRIDGE),
    ("vision", "import firmware_bridge", BRIDGE),
    ("vision", "import scoring.neighbour", BRIDGE),
    ("firmware_bridge", "import datasets", NOBODY),
    ("firmware_bridge", "import web_ui", NOBODY),
    ("datasets", "import scoring.neighbour", WORDS),
    ("datasets", "import firmware_bridge", BOX),
    ("web_ui", "import sqlalchemy", STORE),
    ("datasets", "import distributed", DASK),
    ("web_ui", "import dask", DASK),
    ("datasets", "from ultralytics.nn import tasks", ULTRALYTICS),
    ("vision", "import ultralytics", ULTRALYTICS),
    *(
        ("scoring", f"import {name}", PURE)
        for name in (
            "cv2",
            "numpy",
            "ultralytics",
            "serial",
            "flask",
            "threading",
            "socket",
            "time",
            "random",
        )
    ),
]


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the import linter on the packages in a folder, and on nothing else."""
    script = "from importlinter.cli import lint_imports_command as run; run()"
    return subprocess.run(
        [sys.executable, "-c", script, "--no-cache"],
        cwd=folder,
        env={"PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def copied_house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The packages and the contracts, copied so that a test may spoil them."""
    house = tmp_path_factory.mktemp("house")
    shutil.copy(ROOT / "pyproject.toml", house)
    for package in PACKAGES:
        shutil.copytree(
            ROOT / package,
            house / package,
            ignore=lambda folder, names: [
                name
                for name in names
                if not name.endswith(".py") and not (Path(folder) / name).is_dir()
            ],
        )
    # something of `scoring` that is not vocabulary
    (house / "scoring" / "neighbour.py").write_text('"""Not a shared word."""\n')
    return house


def test_imports_go_one_way() -> None:
    result = lint(ROOT)
    assert result.returncode == 0, result.stdout + result.stderr


def test_linter_accepts_the_untouched_copy(copied_house: Path) -> None:
    result = lint(copied_house)
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize("package", ["vision", "datasets"])
def test_linter_accepts_the_vocabulary_of_scoring(
    copied_house: Path, package: str
) -> None:
    spoilt = copied_house / package / "spoilt.py"
    spoilt.write_text("import scoring.cards\n")
    try:
        result = lint(copied_house)
    finally:
        spoilt.unlink()
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize(
    ("package", "line", "contract"),
    [pytest.param(*row, id=f"{row[0]}: {row[1]}") for row in VIOLATIONS],
)
def test_linter_catches_a_deliberate_violation(
    copied_house: Path, package: str, line: str, contract: str
) -> None:
    spoilt = copied_house / package / "spoilt.py"
    spoilt.write_text(f"{line}\n")
    try:
        result = lint(copied_house)
    finally:
        spoilt.unlink()
    assert result.returncode == 1, result.stdout + result.stderr
    assert f"{contract} BROKEN" in result.stdout
    assert f"{package}.spoilt" in result.stdout
