"""What importing ultralytics may change for the rest of the process: nothing."""

from __future__ import annotations

import subprocess
import sys

import pytest

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
