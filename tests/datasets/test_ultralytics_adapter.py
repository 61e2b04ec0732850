"""What importing ultralytics may change for the rest of the process: nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.train

OPENED = """
import io
from PIL import Image, UnidentifiedImageError
before = Image.open
{imported}
assert Image.open is before, Image.open
try:
    Image.open(io.BytesIO(b"no picture"))
except UnidentifiedImageError:
    print("named")
"""


@pytest.mark.parametrize(
    "name",
    [
        "datasets.ultralytics_adapter",
        "datasets.enrolment.tuning",
        "datasets.face_training",
        "datasets.trained_network",
    ],
)
def test_pillow_opens_pictures_as_before(name: str) -> None:
    script = OPENED.format(imported=f"import {name}")
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip().endswith("named")


def test_first_import_of_a_home_says_nothing_to_stdout(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import datasets.ultralytics_adapter; print('{}')"],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "HOME": str(tmp_path), "YOLO_CONFIG_DIR": str(tmp_path)},
    )
    assert done.stdout == "{}\n"
    assert list(tmp_path.rglob("settings.json"))
