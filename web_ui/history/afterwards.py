"""Luck, decisions and fairness of a game, worked out beside the table.

Odds of a long game take many seconds: they are worked out by the program's own commands
in a process of its own, one at a time, less urgent than the table and never for longer
than a limit.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import subprocess
import sys
import tempfile
import threading
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

LIMIT_S = 300.0
"""Longest time for one answer."""
MOST_WAITING = 8
MOST_KEPT = 64
LESS_URGENT = 10
"""How much nicer than the table, as `nice` counts."""
UNUSABLE = 2
"""Exit status of a command that cannot use what it was given."""


class TooManyError(RuntimeError):
    """So many answers are being worked out that another one is not begun."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What was found out.

    Attributes:
        text: JSON; empty if it could not be told.
        why_not: why not, for people; empty if it was told.
    """

    text: str
    why_not: str = ""


@dataclass(frozen=True, slots=True)
class Task:
    """Something to find out.

    Attributes:
        key: tells it from all others: what, of which game, up to which event.
        command: words of the `tableside` command that takes a script last.
        script: the game script as JSON text.
    """

    key: str
    command: tuple[str, ...]
    script: str


class Afterwards:
    """Works out answers in the background; may be asked from any thread.

    Args:
        limit_s: longest time for one answer.
    """

    def __init__(self, limit_s: float = LIMIT_S) -> None:
        self._limit_s = limit_s
        self._lock = threading.Lock()
        self._answers: OrderedDict[str, Answer] = OrderedDict()
        self._waiting: OrderedDict[str, Task] = OrderedDict()
        self._busy = False
        self._child: subprocess.Popen[bytes] | None = None
        self._ended = False

    def ask(self, task: Task) -> Answer | None:
        """The answer; None while it is being worked out: ask again later.

        Raises:
            TooManyError: too much is being worked out already.
        """
        with self._lock:
            known = self._answers.get(task.key)
            if known is not None:
                self._answers.move_to_end(task.key)
                return known
            if task.key in self._waiting:
                return None
            if len(self._waiting) >= MOST_WAITING or self._ended:
                raise TooManyError("much is being worked out already: try again later")
            self._waiting[task.key] = task
            if not self._busy:
                self._busy = True
                # made when it is first needed: a table without history has no thread
                threading.Thread(
                    target=self._run, name="afterwards", daemon=True
                ).start()
        return None

    def close(self) -> None:
        """Give up what is being worked out."""
        with self._lock:
            self._ended = True
            child = self._child
        if child is not None:
            child.kill()

    def _run(self) -> None:
        atexit.register(self.close)
        try:
            while (task := self._next()) is not None:
                answer = self._answer(task)
                with self._lock:
                    self._answers[task.key] = answer
                    del self._waiting[task.key]
                    while len(self._answers) > MOST_KEPT:
                        self._answers.popitem(last=False)
        finally:
            atexit.unregister(self.close)

    def _next(self) -> Task | None:
        with self._lock:
            if self._waiting and not self._ended:
                return next(iter(self._waiting.values()))
            self._busy = False
            return None

    def _answer(self, task: Task) -> Answer:
        try:
            with tempfile.TemporaryDirectory(prefix="tableside-review-") as folder:
                script = Path(folder) / "game.json"
                script.write_text(task.script, "utf-8")
                return self._command([*task.command, str(script)], script)
        except OSError as error:
            return Answer("", f"It cannot be worked out: {error.strerror}.")

    def _command(self, words: list[str], script: Path) -> Answer:
        # -P: the folder we happen to be in holds no modules of ours
        line = [sys.executable, "-P", "-m", "web_ui.cli", *words]
        child = subprocess.Popen(
            line,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=_environment(os.environ),
        )
        with self._lock:
            self._child = child
            ended = self._ended
        if ended:
            child.kill()
        if hasattr(os, "setpriority"):
            with contextlib.suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, child.pid, LESS_URGENT)
        try:
            out, said = child.communicate(timeout=self._limit_s)
        except subprocess.TimeoutExpired:
            child.kill()
            child.communicate()
            return Answer("", f"It took longer than {self._limit_s:.0f} s.")
        finally:
            with self._lock:
                self._child = None
        if child.returncode < UNUSABLE and _is_json(out):
            return Answer(out.decode("utf-8"))
        return Answer("", _sentence(said.decode("utf-8", "replace"), script))


def _environment(outside: Mapping[str, str]) -> dict[str, str]:
    """One thread for its arithmetic: the other cores belong to the table."""
    single = dict.fromkeys(
        ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"
    )
    return {**outside, **single, "PYTHONIOENCODING": "utf-8"}


def _is_json(out: bytes) -> bool:
    try:
        json.loads(out)
    except (ValueError, RecursionError):
        return False
    return True


def _sentence(said: str, script: Path) -> str:
    """The command's last words, without what only the terminal needs."""
    lines = said.strip().splitlines()
    last = lines[-1] if lines else "it gave no reason"
    for prefix in ("tableside review: ", "tableside fairness: ", f"{script}: "):
        last = last.removeprefix(prefix)
    return f"It cannot be told: {last.removesuffix('.')}."[:500]
