"""Pieces of work for tests of spreading; workers import them by name."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path


def multiplied(factor: int, number: int) -> int:
    """The number, so many times."""
    return factor * number


def process_of(_: None, number: int) -> tuple[int, int]:
    """The number and who handled it."""
    return number, os.getpid()


def failing_at_three(_: None, number: int) -> int:
    """Fails at one piece."""
    if number == 3:
        raise ZeroDivisionError("three cannot be done")
    return number


def dying_once(folder: str, number: int) -> int:
    """At the fifth piece the worker kills itself, the first time it gets there."""
    mark = Path(folder) / "died"
    if number == 5 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number


def dying_always(_: None, number: int) -> int:
    """No worker outlives it."""
    os.kill(os.getpid(), signal.SIGKILL)
    return number


def waiting_for(folder: str, number: int) -> int:
    """Tells that it has begun, and is done when a file says so."""
    (Path(folder) / f"begun-{number}").touch()
    while not (Path(folder) / "go").exists():
        time.sleep(0.02)
    return number
