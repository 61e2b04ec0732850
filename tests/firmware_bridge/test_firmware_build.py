"""The firmware builds without a warning, fits, and is the .hex that is handed out."""

from __future__ import annotations

import os
import re
import subprocess
from typing import TYPE_CHECKING

import pytest
from button_boxes import FIRMWARE, build, need

if TYPE_CHECKING:
    from pathlib import Path

FLASH_BYTES = 32768 - 2048  # less the largest boot loader of the Uno and the Nano
RAM_BYTES = 2048 - 512  # less what the stack needs
SHIPPED_WITH = "5.4.0"
"""The avr-gcc that box.hex was built with; another one gives other bytes."""


def test_firmware_fits_and_says_its_size(tmp_path: Path) -> None:
    need("make", "avr-gcc", "avr-objcopy", "avr-size")
    said = build(tmp_path / "box.hex", tmp_path)
    found = re.search(r"^\s*(\d+)\s+(\d+)\s+(\d+)\s+\d+", said, re.MULTILINE)
    assert found, said
    text, data, bss = map(int, found.groups())
    assert 0 < text + data <= FLASH_BYTES
    assert 0 < data + bss <= RAM_BYTES


def test_a_warning_stops_the_build() -> None:
    rules = (FIRMWARE / "Makefile").read_text("ascii")
    assert rules.count("-Wall -Wextra -Werror") == 2


def test_hex_handed_out_is_what_the_source_gives(built: Path) -> None:
    asked = ["avr-gcc", "-dumpversion"]
    version = subprocess.run(asked, capture_output=True, text=True, check=True)
    same = (FIRMWARE / "box.hex").read_bytes() == (built / "box.hex").read_bytes()
    if version.stdout.strip() != SHIPPED_WITH and os.environ.get("CI") != "true":
        pytest.skip(f"avr-gcc is not {SHIPPED_WITH}: other bytes are expected")
    assert same, "run `make -C firmware_bridge/firmware ship` and commit box.hex"
