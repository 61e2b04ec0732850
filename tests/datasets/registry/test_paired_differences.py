"""The intervals that decide about a candidate hold what they promise."""

from __future__ import annotations

import math

import numpy as np
import pytest

from datasets.registry.paired import (
    Finding,
    Paired,
    chance_of_so_many,
    clustered,
    median_bounds,
)


def test_without_anything_to_compare_nothing_is_decided() -> None:
    nothing = Paired(0, 0, 0)
    assert (nothing.low, nothing.high) == (-1, 1)
    assert nothing.finding(0.01) is Finding.OPEN
    assert clustered([]) == nothing


def test_interval_without_differences_is_that_of_the_paper() -> None:
    # Tango (1998): with b = c = 0 the bound is z^2 / (n + z^2)
    z2 = 1.6448536269514722**2
    assert Paired(0, 0, 44).high == pytest.approx(z2 / (44 + z2))
    assert Paired(0, 0, 44).low == pytest.approx(-z2 / (44 + z2))


def test_bound_solves_the_score_equation_of_the_paper() -> None:
    """Counts of 12 and 2 among 21, worked anew.

    At a difference d the maximum-likelihood share of the lost ones is found here by
    search instead of by his formula.
    """
    paired = Paired(12, 2, 21)

    for bound, sign in ((paired.high, -1), (paired.low, 1)):
        shares = np.linspace(max(0, -bound), (1 - bound) / 2, 400_003)[1:-1]
        shares = shares[shares + bound > 0]
        ways = 12 * np.log(shares + bound) + 2 * np.log(shares)
        ways += 7 * np.log(1 - 2 * shares - bound)
        lost = float(shares[np.argmax(ways)])
        spread = math.sqrt(21 * (2 * lost + bound * (1 - bound)))
        assert (10 - 21 * bound) / spread == pytest.approx(sign * 1.64485, abs=1e-3)


@pytest.mark.parametrize("differing", [0.004, 0.02, 0.1])
def test_worse_model_is_seldom_taken_for_one_that_is_not(differing: float) -> None:
    """On the margin itself at most one in twenty passes, a little more by rounding."""
    rng = np.random.default_rng(7)
    margin, n = 0.02, 600
    lost = (differing + margin) / 2 + margin / 2
    gained = lost - margin
    counts = rng.multinomial(n, [gained, lost, 1 - gained - lost], 2000)
    passed = [
        Paired(up, down, n).finding(margin) is Finding.NOT_WORSE
        for up, down, _ in counts
    ]
    assert np.mean(passed) <= 0.065


def test_dice_of_one_picture_that_fail_together_count_less() -> None:
    alone = clustered([(0, 1, 9)] * 18 + [(0, 0, 9)] * 282)
    together = clustered([(0, 9, 9)] * 2 + [(0, 0, 9)] * 298)
    assert alone.difference == pytest.approx(together.difference)
    assert together.total < alone.total / 2
    assert together.low < alone.low
    # as long as nothing differs, pictures are counted
    assert clustered([(0, 0, 9)] * 300).total == pytest.approx(300)


def test_findings() -> None:
    assert Paired(0, 0, 300).finding(0.01) is Finding.NOT_WORSE
    assert Paired(0, 0, 100).finding(0.01) is Finding.OPEN
    assert Paired(30, 5, 300).finding(0.02) is Finding.NOT_WORSE
    assert Paired(5, 30, 300).finding(0.02) is Finding.WORSE
    assert Paired(0, 6, 3000).finding(0.0) is Finding.WORSE
    assert Paired(4, 5, 300).finding(0.005) is Finding.OPEN


def test_how_many_are_wanted_would_be_enough() -> None:
    for paired, margin in ((Paired(0, 0, 20), 0.01), (Paired(4, 5, 200), 0.02)):
        n = paired.wanted(margin)
        part = n / paired.total
        more = Paired(paired.gained * part, paired.lost * part, n)
        assert more.low >= -margin
        fewer = Paired(paired.gained * part, paired.lost * part, n - 2)
        assert fewer.low < -margin
    assert Paired(0, 50, 100).wanted(0.01) == 0
    assert Paired(0, 0, 0).wanted(0.01) == Paired(0, 0, 20).wanted(0.01) == 268


def test_exact_test_counts_coins() -> None:
    assert chance_of_so_many(0, 0) == 1
    assert chance_of_so_many(5, 0) == 1 / 32
    assert chance_of_so_many(4, 1) == pytest.approx(6 / 32)


def test_median_has_an_interval_that_holds() -> None:
    assert median_bounds([2.0]) == (-math.inf, 2.0, math.inf)
    assert median_bounds([3, 1, 2, 4, 5, 6])[0::2] == (1, 6)
    rng = np.random.default_rng(3)
    inside = 0
    for _ in range(500):
        low, _, high = median_bounds(list(rng.exponential(1.0, 40)))
        inside += low <= math.log(2) <= high
    assert inside >= 470


def test_counts_that_cannot_be_are_refused() -> None:
    with pytest.raises(ValueError, match="more differences"):
        Paired(3, 3, 5)
