"""The table's timer, on a clock that no time zone and no correction can move."""

from __future__ import annotations

from dataclasses import dataclass, replace

LONGEST_S = 6 * 3600.0


@dataclass(frozen=True, slots=True)
class Timer:
    """A countdown.

    Attributes:
        total_s: how long it runs; 0 for no timer.
        left_s: what was left when it last started or stopped.
        since_s: when it started, on the monotonic clock; None while it stands.
        rung: whether it ran out.
    """

    total_s: float = 0.0
    left_s: float = 0.0
    since_s: float | None = None
    rung: bool = False

    def left(self, now_s: float) -> float:
        """Seconds left, >= 0.

        Args:
            now_s: on the monotonic clock.
        """
        if self.since_s is None:
            return self.left_s
        return max(0.0, self.left_s - (now_s - self.since_s))

    @property
    def ends_s(self) -> float | None:
        """When it rings, on the monotonic clock; None while it stands."""
        return None if self.since_s is None else self.since_s + self.left_s


IDLE = Timer()


def started(seconds: float, now_s: float) -> Timer:
    """Start from the beginning.

    Raises:
        ValueError: not more than 0 and at most six hours.
    """
    if not 0 < seconds <= LONGEST_S:
        raise ValueError(f"seconds must be more than 0 and at most {LONGEST_S:g}")
    return Timer(seconds, seconds, now_s)


def stopped(timer: Timer, now_s: float) -> Timer:
    """Hold it where it is."""
    return replace(timer, left_s=timer.left(now_s), since_s=None)


def resumed(timer: Timer, now_s: float) -> Timer:
    """Let it run on; one that stands at its end stays there."""
    if timer.since_s is not None or timer.left_s <= 0:
        return timer
    return replace(timer, since_s=now_s, rung=False)


def rung(timer: Timer, now_s: float) -> Timer:
    """Ring if the time is up; the same timer if not."""
    if timer.since_s is None or timer.left(now_s) > 0:
        return timer
    return replace(timer, left_s=0.0, since_s=None, rung=True)
