"""Evidence against fair dice that may be looked at after every roll.

An e-process is a fair bet against the dice: it begins with 1, and while they are fair
it cannot be expected to grow, whenever one looks or stops. So it reaches 1 / alpha with
a chance of at most alpha, ever (Ville's inequality). Here the bet is spread over many
ways of being unfair: a Dirichlet mixture about the fair chances, in three strengths.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

STRENGTHS = (6.0, 60.0, 600.0)
"""How many rolls each part of the mixture weighs: for grossly to slightly loaded."""

MOST_EVIDENCE = 1e300
"""Evidence is not counted further; that only makes it smaller than it is."""


@dataclass(slots=True)
class Evidence:
    """The evidence against one die, roll by roll.

    Attributes:
        chances: the fair chance of each face, adding up to 1.
        counts: how often each came up.
        now: the evidence now, the factor by which a bet against the die has grown.
        most: the largest it has been.
    """

    chances: tuple[float, ...]
    counts: list[int] = field(init=False)
    now: float = 1.0
    most: float = 1.0
    _parts: list[float] = field(init=False)

    def __post_init__(self) -> None:
        self.counts = [0] * len(self.chances)
        self._parts = [1.0] * len(STRENGTHS)

    @property
    def rolls(self) -> int:
        """How many rolls were seen."""
        return sum(self.counts)

    def see(self, face: int) -> None:
        """Count one roll.

        Args:
            face: which of the faces came up.
        """
        chance, count, rolls = self.chances[face], self.counts[face], self.rolls
        for place, strength in enumerate(STRENGTHS):
            odds = (strength * chance + count) / (strength + rolls) / chance
            self._parts[place] = min(self._parts[place] * odds, MOST_EVIDENCE)
        self.counts[face] += 1
        self.now = sum(self._parts) / len(STRENGTHS)
        self.most = max(self.most, self.now)


def log_evidence(chances: Sequence[float], counts: Sequence[float]) -> float:
    """The logarithm of what `Evidence` comes to, from the counts alone.

    Args:
        chances: the fair chance of each face.
        counts: how often each came up; may be broken numbers, as means are.
    """
    fair = sum(count * math.log(p) for p, count in zip(chances, counts, strict=True))
    return _log_mixture(chances, counts) - fair


def _log_mixture(chances: Sequence[float], counts: Sequence[float]) -> float:
    rolls = math.fsum(counts)
    parts = []
    for strength in STRENGTHS:
        log = math.lgamma(strength) - math.lgamma(strength + rolls)
        for chance, count in zip(chances, counts, strict=True):
            log += math.lgamma(strength * chance + count)
            log -= math.lgamma(strength * chance)
        parts.append(log)
    top = max(parts)
    return top + math.log(sum(math.exp(p - top) for p in parts) / len(parts))


def interval(
    count: int, rolls: int, chance: float, alpha: float
) -> tuple[float, float]:
    """Chances of a face that the rolls do not speak against: a confidence sequence.

    Looked at after every roll, the true chance is never outside, with a probability of
    at least 1 - alpha.

    Args:
        count: how often the face came up.
        rolls: of so many rolls.
        chance: its chance if the die were fair.
        alpha: how often one may be wrong, over 0 and below 1.

    Returns:
        The lowest and the highest chance.
    """
    most = _log_mixture((chance, 1 - chance), (count, rolls - count)) + math.log(alpha)

    def inside(p: float) -> bool:
        log = count * math.log(p) if count else 0.0
        log += (rolls - count) * math.log1p(-p) if count < rolls else 0.0
        return log > most

    seen = count / rolls if rolls else chance
    low = 0.0 if not count else _edge(inside, 0.0, seen)
    high = 1.0 if count == rolls else _edge(inside, 1.0, seen)
    return low, high


def _edge(inside: Callable[[float], bool], outer: float, inner: float) -> float:
    for _ in range(60):
        middle = (outer + inner) / 2
        if inside(middle):
            inner = middle
        else:
            outer = middle
    return outer


def rolls_to_see(
    chances: Sequence[float], loaded: Sequence[float], evidence: float
) -> int:
    """How many rolls it takes to see that a die is loaded, about four times in five.

    The number at which counts in exact proportion reach the evidence; chance and the
    many looks bring most dice there earlier.

    Args:
        chances: the fair chance of each face.
        loaded: the chances that they have instead.
        evidence: the evidence that is enough, as in 20.
    """
    enough = math.log(evidence)

    def seen(rolls: int) -> bool:
        return log_evidence(chances, [rolls * p for p in loaded]) >= enough

    high = 1
    while not seen(high):
        high *= 2
        if high > 1 << 40:
            raise ValueError("these chances are as good as fair: it is never seen")
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if seen(middle) else (middle, high)
    return high
