"""Button boxes for tests: simulated AVR, box in software, and who listens to them."""

from __future__ import annotations

import os
import shutil
import subprocess
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import pytest

from firmware_bridge.events import Pressed, Released

if TYPE_CHECKING:
    from collections import deque
    from collections.abc import Callable

    from firmware_bridge.events import BoxEvent, BoxState, Button

ROOT = Path(__file__).resolve().parents[2]
FIRMWARE = ROOT / "firmware_bridge" / "firmware"
PATIENCE_S = 20.0


class Box(Protocol):
    """What tests do to a box."""

    port: str
    history: deque[BoxState]

    @property
    def state(self) -> BoxState: ...
    def press(self, button: Button) -> None: ...
    def release(self, button: Button) -> None: ...
    def reset(self) -> None: ...
    def unplug(self) -> None: ...
    def plug(self) -> None: ...
    def close(self) -> None: ...


class Listener:
    """Takes events; can be short of room."""

    def __init__(self) -> None:
        self.events: list[tuple[float, BoxEvent]] = []
        self.full = False
        self._come = threading.Condition()

    def __call__(self, event: BoxEvent) -> bool:
        with self._come:
            if self.full:
                return False
            self.events.append((time.monotonic(), event))
            self._come.notify_all()
            return True

    def of(self, *kinds: type) -> list[BoxEvent]:
        with self._come:
            return [event for _, event in self.events if isinstance(event, kinds)]

    @property
    def moves(self) -> list[BoxEvent]:
        return self.of(Pressed, Released)

    def wait(self, kind: type, count: int = 1) -> BoxEvent:
        """Wait for the count-th event of a kind."""
        with self._come:
            came = self._come.wait_for(
                lambda: len(self.of_unlocked(kind)) >= count, PATIENCE_S
            )
            assert came, f"no {kind.__name__} number {count}: {self.events}"
            return self.of_unlocked(kind)[count - 1]

    def of_unlocked(self, kind: type) -> list[BoxEvent]:
        return [event for _, event in self.events if isinstance(event, kind)]


def until(true: Callable[[], object], what: str) -> None:
    """Wait until something is true; how long is not what is tested."""
    end = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < end, what
        time.sleep(0.005)


def need(*programs: str) -> None:
    """Skip without a program; where all must be there, fail."""
    missing = [program for program in programs if shutil.which(program) is None]
    header = Path("/usr/include/simavr/sim_avr.h")
    if "simavr" in programs and not header.exists():
        missing.append(str(header))
    if missing:
        say = pytest.fail if os.environ.get("CI") == "true" else pytest.skip
        say(f"not installed: {', '.join(missing)}")


def build(target: Path, folder: Path) -> str:
    """Let make build the firmware or the simulator; gives what it printed."""
    done = subprocess.run(
        ["make", "-C", FIRMWARE, f"BUILD={folder}", target],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "warning" not in done.stderr, done.stderr
    return done.stdout
