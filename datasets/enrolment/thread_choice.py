"""How many threads a step of tuning takes while other programs use the processor.

The threads of one step wait for each other at every layer. If another program holds one
of their cores, all wait until that thread has its turn again: beside one busy program,
two threads of low priority were measured to take 40 times as long as one thread alone.
"""

from __future__ import annotations

from collections import deque
from statistics import median

LOOK_S = 10.0
"""The other way is tried so often, in seconds, ..."""
LOOK_SHARE = 20.0
"""... but not before so many times the seconds have passed that a trial takes."""
SUDDEN = 2.5
"""A step that takes so many times as long as the ones before calls for a trial."""
_REMEMBERED = 5
_BEFORE_THE_FIRST = 3


class ThreadChoice:
    """Takes all threads or one, whichever makes the steps shorter at present.

    Args:
        most: threads if nothing else runs, from 1.
    """

    def __init__(self, most: int) -> None:
        if most < 1:
            raise ValueError(f"most must be 1 or more, not {most}")
        self._most = most
        self._recent = deque[float](maxlen=_REMEMBERED)
        self._steps = 0
        self._trying = False
        self._usual_s = 0.0
        self._trial_s: float | None = None
        self._since_s = 0.0
        self.threads = most
        """Of the next step."""

    def took(self, seconds: float) -> None:
        """Note how long a step with `threads` took, and choose those of the next.

        The first step is passed over: libraries load in it.
        """
        self._steps += 1
        if self._steps == 1 or self._most == 1:
            return
        if self._trying:
            self._judge(seconds)
            return
        sudden = len(self._recent) > 1 and seconds > SUDDEN * median(self._recent)
        self._recent.append(seconds)
        self._since_s += seconds
        if self._trial_s is None:
            due = len(self._recent) >= _BEFORE_THE_FIRST
        else:
            due = self._since_s > max(LOOK_S, LOOK_SHARE * self._trial_s)
        if due or sudden:
            self._trying = True
            self._usual_s = seconds if sudden else median(self._recent)
            self.threads = self._other()

    def _judge(self, seconds: float) -> None:
        self._trying, self._trial_s, self._since_s = False, seconds, 0.0
        if seconds < self._usual_s:
            self._recent.clear()
            self._recent.append(seconds)
        else:
            self.threads = self._other()

    def _other(self) -> int:
        return 1 if self.threads != 1 else self._most
