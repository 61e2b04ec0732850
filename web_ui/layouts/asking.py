"""Asking a store about its rolls in a process of its own, nicer than the table."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
import threading
from typing import IO

from web_ui.layouts.question import Answer, Question, answer_of, question_text

LIMIT_S = 120.0
"""Longest time for one answer."""
LESS_URGENT = 10
"""How much nicer than the table, as `nice` counts."""
_ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
MOST_SAID = 500


class AskError(RuntimeError):
    """There is no answer; the message says why."""


class Asker:
    """Asks one question after the other; may be stopped from any thread.

    Args:
        limit_s: longest time for one answer.
    """

    def __init__(self, limit_s: float = LIMIT_S) -> None:
        self._limit_s = limit_s
        self._lock = threading.Lock()
        self._child: subprocess.Popen[str] | None = None
        self._ended = False

    def ask(self, question: Question) -> Answer:
        """Ask, and wait for the answer.

        Raises:
            AskError: there is none.
        """
        try:
            # a file, not a pipe: who is killed early leaves a pipe broken
            with tempfile.TemporaryFile() as words:
                words.write(question_text(question).encode("utf-8"))
                words.seek(0)
                child = self._begin(words)
        except OSError as error:
            raise AskError(f"it cannot be asked: {error.strerror}") from error
        try:
            out, said = child.communicate(timeout=self._limit_s)
        except subprocess.TimeoutExpired as error:
            child.kill()
            child.communicate()
            raise AskError(f"it took longer than {self._limit_s:.0f} s") from error
        finally:
            with self._lock:
                self._child = None
        if child.returncode != 0:
            lines = said.strip().splitlines() or ["it gave no reason"]
            raise AskError(lines[-1][:MOST_SAID])
        try:
            return answer_of(out)
        except ValueError as error:
            raise AskError(str(error)[:MOST_SAID]) from error

    def _begin(self, words: IO[bytes]) -> subprocess.Popen[str]:
        # -P: the folder we happen to be in holds no modules of ours
        line = [sys.executable, "-P", "-m", "web_ui.layouts.question"]
        single = dict.fromkeys(_ONE_THREAD, "1")  # the other cores belong to the table
        child = subprocess.Popen(
            line,
            stdin=words,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            errors="replace",
            env={**os.environ, **single, "PYTHONIOENCODING": "utf-8"},
        )
        with self._lock:
            self._child = child
            ended = self._ended
        if ended:
            child.kill()
        if hasattr(os, "setpriority"):
            with contextlib.suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, child.pid, LESS_URGENT)
        return child

    def stop(self) -> None:
        """Give up what is being worked out, and whatever is asked later."""
        with self._lock:
            self._ended = True
            if self._child is not None:
                self._child.kill()
