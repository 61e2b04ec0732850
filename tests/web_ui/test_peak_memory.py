"""Peak memory is that of the program that asks, not of who started it."""

from __future__ import annotations

import subprocess
import sys

import numpy as np

from web_ui.peak_memory import peak_bytes

MIB = 1024**2


def test_peak_rises_with_what_is_held() -> None:
    before = peak_bytes()
    held = np.ones(max(before, 64 * MIB), np.uint8)
    assert peak_bytes() > before + len(held) // 4
    assert held.any()


def test_small_program_of_a_large_one_is_small() -> None:
    held = np.ones(400 * MIB, np.uint8)
    script = "from web_ui.peak_memory import peak_bytes; print(peak_bytes())"
    told = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert held.any()
    assert MIB < int(told.stdout) < 200 * MIB
