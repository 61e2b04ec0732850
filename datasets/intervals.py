"""Shares of a count, with the interval in which the true share lies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

LEVEL = 0.95
"""How often an interval holds the true share."""


@dataclass(frozen=True, slots=True)
class Share:
    """`hits` of `total`, counted.

    Attributes:
        hits: how many had it.
        total: how many were looked at; 0 if there was nothing to count.
    """

    hits: int
    total: int

    def __post_init__(self) -> None:
        if not 0 <= self.hits <= self.total:
            raise ValueError(f"hits must be 0..{self.total}, not {self.hits}")

    @property
    def rate(self) -> float | None:
        """The share itself, 0..1; None if there was nothing to count."""
        return self.hits / self.total if self.total else None

    @property
    def interval(self) -> tuple[float, float]:
        """Its 95 % interval; see `clopper_pearson`."""
        return clopper_pearson(self.hits, self.total)

    def record(self) -> dict[str, float | int | None]:
        """Ready for JSON: `k` of `n`, `rate`, and the interval from `low` to `high`."""
        low, high = self.interval
        return {
            "k": self.hits,
            "n": self.total,
            "rate": self.rate,
            "low": round(low, 6),
            "high": round(high, 6),
        }


def share_of(verdicts: Iterable[bool]) -> Share:
    """Count the true ones."""
    counted = [bool(verdict) for verdict in verdicts]
    return Share(sum(counted), len(counted))


def clopper_pearson(hits: int, total: int, level: float = LEVEL) -> tuple[float, float]:
    """Exact two-sided interval of a share (Clopper and Pearson, 1934).

    It holds for counts that are independent of each other: dice of one picture and
    pictures of one session are not, so their true uncertainty is larger.

    Args:
        hits: how many had it.
        total: how many were looked at, >= `hits`.
        level: how often the interval shall hold the true share, 0..1.

    Returns:
        Both ends, 0..1; the whole range if there was nothing to count.
    """
    from scipy.special import betaincinv  # takes a moment to import

    if total == 0:
        return 0.0, 1.0
    tail = (1 - level) / 2
    low = betaincinv(hits, total - hits + 1, tail) if hits else 0.0
    high = betaincinv(hits + 1, total - hits, 1 - tail) if hits < total else 1.0
    return float(low), float(high)
