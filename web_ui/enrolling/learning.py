"""Learning a set in a process of its own: `tableside enrol` on the pictures taken."""

from __future__ import annotations

import importlib.util
import json
import logging
import shlex
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

log = logging.getLogger(__name__)

NICENESS = 10
_START = (
    "import os, sys\n"
    f"hasattr(os, 'nice') and os.nice({NICENESS})\n"
    "from web_ui.cli import main\n"
    "sys.exit(main(sys.argv[1:]))"
)
END_S = 5.0
"""How long a learning that is given up may take to end by itself."""
LONGEST_LINE = 4096


def can_learn() -> bool:
    """Whether PyTorch is there; it is not imported."""
    return importlib.util.find_spec("torch") is not None


def words_elsewhere(pictures: Path, models: Path | None) -> str:
    """The command that learns a set on another machine, typed beside what was copied.

    Args:
        pictures: their folder here; it is called as the set is.
        models: folder of the models here; None for those that every Tableside has.
    """
    name = pictures.name
    words = ["tableside", "enrol", name, "--pictures", name, "--accept"]
    return shlex.join(words + ([] if models is None else ["--models", models.name]))


def how_elsewhere(pictures: Path, sets: Path, models: Path | None) -> str:
    """What to copy to another machine for that, and what back.

    Args:
        pictures: their folder here.
        sets: folder of the enrolled sets here.
        models: as above.
    """
    copied = [str(folder.resolve()) for folder in (pictures, models) if folder]
    return (
        f"Or on another machine that has it: copy {' and '.join(copied)} there, type"
        f" this beside it, and copy tableside-data/sets/{pictures.name} from there to"
        f" {sets.resolve()}."
    )


def enrol_command(
    name: str, pictures: Path, data: Path, models: Path | None
) -> list[str]:
    """The same as a program to start, gently and telling how far it is."""
    words = [sys.executable, "-c", _START, "enrol", name, "--pictures", str(pictures)]
    words += ["--data", str(data), "--tell"]
    return words + ([] if models is None else ["--models", str(models)])


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a learning is.

    Attributes:
        state: `none`, `running`, `done`, `failed` or `cancelled`.
        what: what is done now, as the command calls its steps.
        done: steps of that.
        total: all of them; 0 if not known.
        left_s: seconds left, as far as can be told; None before anything can.
        sentence: why it failed.
    """

    state: str = "none"
    what: str = ""
    done: int = 0
    total: int = 0
    left_s: float | None = None
    sentence: str = ""


class Learning:
    """A learning that runs; its thread ends with the process.

    Args:
        command: program and arguments. It writes a JSON object a line: `what`, `done`
            and `total`; other lines are passed over.
        finished: called from the thread when the process has ended, unless cancelled.
    """

    def __init__(
        self, command: list[str], finished: Callable[[Progress], None]
    ) -> None:
        self._finished = finished
        self._lock = threading.Lock()
        self._cancelled = False
        self.progress = Progress("running")
        self._began: tuple[str, int, float] | None = None
        self._errors: list[str] = []
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            errors="replace",
        )
        self._thread = threading.Thread(target=self._follow, name="learning")
        self._complaints = threading.Thread(target=self._overhear, name="complaints")
        self._complaints.start()
        self._thread.start()

    def _overhear(self) -> None:
        assert self._process.stderr is not None
        with self._process.stderr as lines:
            for line in lines:
                if line.strip():
                    self._errors = [*self._errors[-4:], line.strip()]

    def _follow(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as lines:
            for line in lines:
                self._hear(line[:LONGEST_LINE])
        status = self._process.wait()
        self._complaints.join(END_S)
        with self._lock:
            if self._cancelled:
                self.progress = Progress("cancelled")
                return
            if status == 0:
                self.progress = replace(self.progress, state="done", left_s=0.0)
            else:
                why = self._errors[-1] if self._errors else f"it ended with {status}"
                why = why.removeprefix("tableside enrol: ")
                self.progress = Progress("failed", sentence=f"Not learned: {why}")
                log.warning("learning failed: %s", " / ".join(self._errors))
        self._finished(self.progress)

    def _hear(self, line: str) -> None:
        try:
            told = json.loads(line)
            what, done, total = str(told["what"]), int(told["done"]), int(told["total"])
        except (ValueError, KeyError, TypeError):
            return
        now = time.monotonic()
        if self._began is None or self._began[0] != what:
            self._began = (what, done, now)
        _, first, began = self._began
        left = None
        if done > first and total:
            left = (now - began) / (done - first) * (total - done)
        self.progress = Progress("running", what, done, total, left)

    def cancel(self) -> None:
        """Give it up; what it wrote so far does not count."""
        with self._lock:
            self._cancelled = True
        if self._process.poll() is None:
            self._process.terminate()
        self._thread.join(END_S)
        if self._thread.is_alive():
            self._process.kill()
            self._thread.join(END_S)
