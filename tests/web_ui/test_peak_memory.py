"""Peak memory is that of the program that asks, not of who started it."""

from __future__ import annotations

import subprocess
import sys

import numpy as np

MIB = 1024**2


def told_by(script: str) -> list[int]:
    """What a fresh Python says of itself."""
    words = [sys.executable, "-c", script]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    return [int(word) for word in done.stdout.split()]


def test_peak_rises_with_what_was_held() -> None:
    before, after = told_by(
        "from web_ui.peak_memory import peak_bytes\n"
        "print(peak_bytes())\n"
        f"held = bytearray(b'x') * {200 * MIB}\n"
        "del held\n"
        "print(peak_bytes())"
    )
    assert after > before + 150 * MIB


def test_small_program_of_a_large_one_is_small() -> None:
    held = np.ones(400 * MIB, np.uint8)
    (told,) = told_by("from web_ui.peak_memory import peak_bytes; print(peak_bytes())")
    assert held.any()
    assert MIB < told < 200 * MIB
