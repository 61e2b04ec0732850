"""The cheapest assignment carries prices that prove it, and answers what-if."""

from __future__ import annotations

import numpy as np
import pytest

from vision.assignment import assign, best_assignment, extra_cost

SIZES = [(1, 1), (1, 4), (2, 2), (3, 5), (5, 5), (6, 14), (9, 54)]


@pytest.mark.parametrize(("rows", "columns"), SIZES)
def test_prices_prove_the_assignment(rows: int, columns: int) -> None:
    rng = np.random.default_rng(rows)
    for _ in range(20):
        cost = rng.normal(0, 4, (rows, columns))
        best = best_assignment(cost)
        above = cost - best.row_price[:, None] - best.column_price
        assert above.min() > -1e-9
        assert above[np.arange(rows), best.chosen] == pytest.approx(np.zeros(rows))
        free = np.setdiff1d(np.arange(columns), best.chosen)
        assert not best.column_price[free].any()
        assert (best.column_price <= 1e-12).all()


@pytest.mark.parametrize(("rows", "columns"), SIZES)
@pytest.mark.parametrize("whole", [True, False])
def test_extra_cost_is_that_of_assigning_anew(
    rows: int, columns: int, whole: bool
) -> None:
    rng = np.random.default_rng(columns)
    for _ in range(20):
        cost = rng.normal(0, 4, (rows, columns))
        if whole:  # many assignments of equal cost
            cost = np.round(cost)
        best = best_assignment(cost)
        for row in range(rows):
            dearer = cost.copy()
            dearer[row] += np.abs(rng.normal(0, 2, columns)) * rng.integers(0, 2)
            dearer[row, best.chosen[row]] += 1e6
            rise = assign(dearer)[1] - best.total
            assert extra_cost(best, row, dearer[row]) == pytest.approx(rise, abs=1e-6)
