"""Exact tests of counts against fair chances: no approximation, no simulation.

They are for a number of rolls fixed beforehand. Looking after every roll and stopping
when it looks bad makes any of them wrong; `fairness_evidence` stays right.
"""

from __future__ import annotations

import math
from collections import defaultdict
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_SPREAD = 4_000
"""Beyond this spread of counts the chance is not told: it would take many seconds."""


def equal_chances_p(counts: Sequence[int]) -> float | None:
    """How likely counts at least as uneven are if every face is equally likely.

    The exact distribution of Pearson's chi-square (which orders counts as their sum of
    squares does), not its limit for many rolls.

    Args:
        counts: how often each face came up, at least two faces.

    Returns:
        The chance, 0 to 1, right to about 1e-10; None beyond `MOST_SPREAD`: a fair die
        is beyond it after 1,000 rolls less than once in a thousand times, after 6,000
        rolls mostly.
    """
    rolls, faces = sum(counts), len(counts)
    base = rolls // faces
    spread = sum((count - base) ** 2 for count in counts)
    if spread > MOST_SPREAD:
        return None
    # counts of a fair die are Poisson counts that happen to add up
    mean = rolls / faces
    reach = math.isqrt(spread)
    one = {
        (step, step * step): _poisson(mean, base + step)
        for step in range(max(-reach, -base), reach + 1)
        if step * step < spread
    }
    below = _below(one, faces, rolls - faces * base, spread)
    return min(1.0, max(0.0, 1.0 - below / _poisson(float(rolls), rolls)))


Ways = dict[tuple[int, int], float]
"""Weight of each (sum of steps, sum of their squares)."""


def _below(one: Ways, faces: int, total: int, spread: int) -> float:
    """Weight of all counts that add up and are less uneven than the spread."""
    half = _times(one, faces // 2, spread)
    other = _times(one, faces - faces // 2, spread)
    by_sum: defaultdict[int, list[float]] = defaultdict(lambda: [0.0] * spread)
    for (steps, squares), weight in other.items():
        by_sum[steps][squares] += weight
    within = {steps: list(accumulate(row)) for steps, row in by_sum.items()}
    return math.fsum(
        weight * within[total - steps][spread - 1 - squares]
        for (steps, squares), weight in half.items()
        if total - steps in within
    )


def _times(one: Ways, faces: int, spread: int) -> Ways:
    ways: Ways = {(0, 0): 1.0} if spread else {}
    for _ in range(faces):
        more: defaultdict[tuple[int, int], float] = defaultdict(float)
        for (steps, squares), weight in ways.items():
            for (step, square), chance in one.items():
                if squares + square < spread:
                    more[steps + step, squares + square] += weight * chance
        ways = more
    return ways


def _poisson(mean: float, count: int) -> float:
    if mean == 0:
        return float(count == 0)
    return math.exp(count * math.log(mean) - mean - math.lgamma(count + 1))


def one_chance_p(count: int, rolls: int, sides: int) -> float:
    """How likely a count at least as far off is if a face has one chance in `sides`.

    Args:
        count: how often the face came up.
        rolls: of so many rolls.
        sides: 6 for a face of a fair die.

    Returns:
        The chance, 0 to 1, of all counts at least as far from their mean.
    """
    off = abs(sides * count - rolls)
    chance = math.log(1 / sides), math.log1p(-1 / sides)
    far = [other for other in range(rolls + 1) if abs(sides * other - rolls) >= off]
    return min(
        1.0,
        math.fsum(
            math.exp(
                math.lgamma(rolls + 1)
                - math.lgamma(other + 1)
                - math.lgamma(rolls - other + 1)
                + other * chance[0]
                + (rolls - other) * chance[1]
            )
            for other in far
        ),
    )
