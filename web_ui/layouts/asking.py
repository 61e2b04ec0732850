"""Asking a store about its rolls in a process of its own, nicer than the table."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading

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
        # -P: the folder we happen to be in holds no modules of ours
        line = [sys.executable, "-P", "-m", "web_ui.layouts.question"]
        single = dict.fromkeys(_ONE_THREAD, "1")  # the other cores belong to the table
        try:
            child = subprocess.Popen(
                line,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                errors="replace",
                env={**os.environ, **single, "PYTHONIOENCODING": "utf-8"},
            )
        except OSError as error:
            raise AskError(f"it cannot be asked: {error.strerror}") from error
        with self._lock:
            self._child = child
            ended = self._ended
        if ended:
            child.kill()
        if hasattr(os, "setpriority"):
            with contextlib.suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, child.pid, LESS_URGENT)
        try:
            out, said = child.communicate(question_text(question), self._limit_s)
        except subprocess.TimeoutExpired as error:
            child.kill()
            child.communicate()
            raise AskError(f"it took longer than {self._limit_s:.0f} s") from error
        finally:
            with self._lock:
                self._child = None
        if child.returncode != 0:
            words = said.strip().splitlines() or ["it gave no reason"]
            raise AskError(words[-1][:MOST_SAID])
        try:
            return answer_of(out)
        except ValueError as error:
            raise AskError(str(error)[:MOST_SAID]) from error

    def stop(self) -> None:
        """Give up what is being worked out, and whatever is asked later."""
        with self._lock:
            self._ended = True
            if self._child is not None:
                self._child.kill()
