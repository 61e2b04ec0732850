"""Shares and their intervals, checked against sums of the binomial distribution."""

from __future__ import annotations

import math

import pytest

from datasets.intervals import Share, clopper_pearson, share_of


def at_most(hits: int, total: int, p: float) -> float:
    """Chance of `hits` or fewer of `total`."""
    return sum(
        math.comb(total, k) * p**k * (1 - p) ** (total - k) for k in range(hits + 1)
    )


def test_interval_of_nothing_is_everything() -> None:
    assert clopper_pearson(0, 0) == (0.0, 1.0)
    assert Share(0, 0).rate is None


@pytest.mark.parametrize("total", [1, 2, 9, 60])
def test_interval_ends_where_the_count_becomes_unlikely(total: int) -> None:
    for hits in range(total + 1):
        low, high = clopper_pearson(hits, total)
        if hits:
            assert 1 - at_most(hits - 1, total, low) == pytest.approx(0.025, abs=1e-9)
        else:
            assert low == 0
        if hits < total:
            assert at_most(hits, total, high) == pytest.approx(0.025, abs=1e-9)
        else:
            assert high == 1


def test_no_hit_in_three_thousand_bounds_the_rate() -> None:
    assert clopper_pearson(0, 3000)[1] == pytest.approx(1 - 0.025 ** (1 / 3000))


def test_higher_level_is_wider() -> None:
    low, high = clopper_pearson(5, 10, level=0.99)
    narrow_low, narrow_high = clopper_pearson(5, 10)
    assert low < narrow_low < narrow_high < high


def test_share_counts_and_records() -> None:
    share = share_of([True, False, True, True])
    assert (share.hits, share.total, share.rate) == (3, 4, 0.75)
    assert share.record()["k"] == 3
    assert share.record()["high"] == pytest.approx(0.993691, abs=1e-6)


@pytest.mark.parametrize(("hits", "total"), [(-1, 3), (4, 3)])
def test_impossible_share_cannot_be_made(hits: int, total: int) -> None:
    with pytest.raises(ValueError, match="hits"):
        Share(hits, total)
