"""Is a candidate not worse? Intervals of paired differences of shares.

Candidate and current look at the same things, so only those count on which they differ:
`gained` where the candidate alone has the mark, `lost` where the current one alone has
it. The interval is Tango's score interval ("Equivalence test and confidence interval
for the difference in proportions for the paired-sample design", Statistics in Medicine
17, 1998): it holds when nothing differs too, which is the common case here, where an
interval from the variance would have no width at all.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

LEVEL = 0.95
"""Of each one-sided bound."""
NORMAL = 1.6448536269514722
"""Quantile of the normal distribution at `LEVEL`."""
MOST_THINGS = 10**9
_STEPS = 80


class Finding(StrEnum):
    """What a comparison shows."""

    NOT_WORSE = "not worse"
    WORSE = "worse"
    OPEN = "not enough evidence"


@dataclass(frozen=True, slots=True)
class Paired:
    """A mark that is good to have, compared on the same things.

    Attributes:
        gained: things that only the candidate has right.
        lost: things that only the current one has right.
        total: things in all; fewer than were counted, and not whole, where those of one
            picture hang together.
    """

    gained: float
    lost: float
    total: float

    def __post_init__(self) -> None:
        if min(self.gained, self.lost) < 0 or self.gained + self.lost > self.total:
            raise ValueError(f"{self} counts more differences than things")

    @property
    def difference(self) -> float:
        """Share of the candidate minus that of the current one, -1..1."""
        return (self.gained - self.lost) / self.total if self.total else 0.0

    @property
    def low(self) -> float:
        """One-sided 95 % lower bound of the difference; -1 if there was nothing."""
        return -Paired(self.lost, self.gained, self.total).high

    @property
    def high(self) -> float:
        """One-sided 95 % upper bound of the difference; 1 if there was nothing."""
        if not self.total:
            return 1.0
        low, high = self.difference, 1.0
        for _ in range(_STEPS):
            middle = (low + high) / 2
            if _score(self, middle) < -NORMAL:
                high = middle
            else:
                low = middle
        return high

    def finding(self, margin: float) -> Finding:
        """Judge against the loss that would still be borne, 0..1."""
        if self.low >= -margin:
            return Finding.NOT_WORSE
        if self.high < 0 or self.difference < -margin:
            return Finding.WORSE
        return Finding.OPEN

    def wanted(self, margin: float) -> int:
        """About how many things decide if the shares stay: what `low` then needs."""
        if self.difference <= -margin:
            return 0
        low = high = max(self.total, 1.0)
        while not self._enough(high, margin):
            low, high = high, 2 * high
            if high > MOST_THINGS:
                return MOST_THINGS
        while high - low > 0.01:
            middle = (low + high) / 2
            if self._enough(middle, margin):
                high = middle
            else:
                low = middle
        return math.ceil(high)

    def _enough(self, things: float, margin: float) -> bool:
        part = things / self.total if self.total else 0.0
        more = Paired(self.gained * part, self.lost * part, things)
        return more.low >= -margin


def _score(paired: Paired, difference: float) -> float:
    """Tango's statistic: how far the counts are from a supposed difference."""
    n, gained, lost = paired.total, paired.gained, paired.lost
    above = gained - lost - n * difference
    a = 2 * n
    b = -gained - lost + (2 * n - gained + lost) * difference
    c = -lost * difference * (1 - difference)
    q = (math.sqrt(max(b * b - 4 * a * c, 0.0)) - b) / (2 * a)
    variance = n * (2 * q + difference * (1 - difference))
    if variance <= 0:
        return 0.0 if above == 0 else math.copysign(math.inf, above)
    return above / math.sqrt(variance)


def clustered(differences: Sequence[tuple[int, int, int]]) -> Paired:
    """Marks of dice, of which those of one picture may go wrong together.

    The count is lessened by the design effect, the variance between pictures over that
    of as many dice on their own. To what was seen one made-up picture is added in which
    every die differs: as long as nothing differs, only pictures are counted, not dice.

    Args:
        differences: of each picture how many dice were gained, lost, and there.
    """
    gained = sum(row[0] for row in differences)
    lost = sum(row[1] for row in differences)
    total = sum(row[2] for row in differences)
    if not total:
        return Paired(0, 0, 0)
    largest = max(row[2] for row in differences)
    mean = (gained - lost) / total
    between = sum((up - down - mean * there) ** 2 for up, down, there in differences)
    alone = gained + lost - total * mean**2
    effect = max(1.0, (between + largest**2) / (alone + largest))
    return Paired(gained / effect, lost / effect, total / effect)


def chance_of_so_many(more: int, fewer: int) -> float:
    """Exact one-sided McNemar test: how likely at least `more` of both are by chance.

    Args:
        more: things that only the candidate has.
        fewer: things that only the current one has.
    """
    n = more + fewer
    ways: int = sum(math.comb(n, k) for k in range(more, n + 1))
    return float(ways / 2**n)


def median_bounds(values: Sequence[float]) -> tuple[float, float, float]:
    """Median and its 95 % interval that supposes no distribution (order statistics).

    Args:
        values: at least one.

    Returns:
        Low, median, high; unbounded on both sides below six values.
    """
    ordered, n = sorted(values), len(values)
    half = n // 2
    median = ordered[half] if n % 2 else (ordered[half - 1] + ordered[half]) / 2
    tail, k = 0.0, 0
    while k < half:
        tail += math.comb(n, k) / 2**n
        if tail > (1 - LEVEL) / 2:
            break
        k += 1
    if k == 0:
        return -math.inf, median, math.inf
    return ordered[k - 1], median, ordered[n - k]
